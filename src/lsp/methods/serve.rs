//! Serves a client on standard input and output.

use std::io::{self, IsTerminal as _};
use std::thread;

use crate::analysis;
use crate::lsp::client::settings::log;
use crate::lsp::transport::{self, Connection, ExitReason};

use super::server::service;

/// Serves the client on standard input and output until the session ends; returns the exit status of the protocol. The
/// process should end at once, because a thread may still wait for more input.
pub(crate) fn run() -> i32 {
    if io::stdin().is_terminal() {
        log("the language server waits for an editor on standard input; Ctrl-C ends it");
    }
    match serve() {
        Ok(reason) => reason.status(),
        Err(error) => {
            log(&format!("the language server could not be started: {error}"));
            1
        }
    }
}

/// The threads for long work: one for each place of a request, one for configurations, and one for other work. Each reserves
/// memory.
const BLOCKING_THREADS: usize = transport::PLACES + 2;

/// One thread is enough for the messages. Long work runs in separate threads.
fn serve() -> io::Result<ExitReason> {
    thread::Builder::new().name("warm-up".to_owned()).spawn(analysis::warm_up)?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().max_blocking_threads(BLOCKING_THREADS).enable_all().build()?;
    let connection = Connection::stdout()?;
    // The tasks that the server starts besides its handlers run here too.
    let inside = runtime.enter();
    let (service, socket, shared) = service(&connection);
    drop(inside);
    let reason = runtime.block_on(connection.serve(service, socket, io::stdin()));
    // Runs are asked to stop, and end by themselves.
    shared.change(|state| state.set_trusted(false));
    // Nobody waits for other unfinished work.
    runtime.shutdown_background();
    reason
}
