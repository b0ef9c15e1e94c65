//! The language server: the only part of this crate that knows the protocol.
//!
//! ```text
//! transport ─► server ─► shared ─► state ─► open_document, configurations, transcripts
//!                │          ├─► observer: looks at the files around; transcripts: reads and judges those of cases
//!                │          └─► publisher ─┐
//!                ├─► snapshot ─► features ◄┘     from_lsp, to_lsp: in and out
//!                └─► runs, if trust allows: a child for each suite ─► state, announcer ─► client
//! ```
//!
//! A handler in [`server`] changes the [`state`], or takes a [`snapshot`] of it and asks one of the [`features`]: convert
//! in, one call, convert out. A new feature is a file in `features/`, its handler in `server`, and what it promises in
//! `capabilities`.

mod announcer;
mod capabilities;
mod changes;
mod completion_support;
mod config_file;
mod configurations;
mod extensions;
mod features;
mod from_lsp;
mod observer;
mod open_document;
mod pages;
mod publisher;
mod refresher;
mod results;
mod runs;
mod sent_tokens;
mod server;
mod settings;
mod shared;
mod snapshot;
mod state;
mod suites;
mod support;
mod to_lsp;
mod transcripts;
pub mod transport;
mod trust;
mod uris;

use std::io;
use std::thread;

use crate::analysis::warm_up;
use transport::{Connection, ExitReason, log};

/// Serves the client at the other end of standard input and output until the session ends; returns the exit status that
/// the protocol asks for. The process should end with it at once, because a thread may still wait for more input.
pub fn run() -> i32 {
    match serve() {
        Ok(reason) => reason.status(),
        Err(error) => {
            log(&format!("the language server could not be started: {error}"));
            1
        }
    }
}

/// One thread is enough for the messages. Whatever takes long has a thread of its own.
fn serve() -> io::Result<ExitReason> {
    thread::Builder::new().name("warm-up".to_owned()).spawn(warm_up)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let connection = Connection::stdout()?;
    // What the server starts beside its handlers runs here, too.
    let inside = runtime.enter();
    let (service, socket, shared) = server::service(&connection);
    drop(inside);
    let reason = runtime.block_on(connection.serve(service, socket, io::stdin()));
    // What runs is told to end, and does so by itself.
    shared.change(|state| state.set_trusted(false));
    // Work that nobody waits for any more is not waited for either.
    runtime.shutdown_background();
    reason
}
