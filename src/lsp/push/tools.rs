//! Looks for the tools of each workspace in the files around open suites, in one thread, so that requests never wait for
//! the disk.
//!
//! Requests to look again that arrive during a look or shortly after it lead to one more look.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use std::{io, thread};

use crate::lsp::session::state::State;
use crate::workspace::tools::Observers;

use super::{ClientHandle, Push};

/// The pause after a look. Several files that change together are one look.
const PAUSE: Duration = Duration::from_millis(200);

/// Starts the thread, which runs until the process ends. If the tools of an open suite change, the client asks for its
/// diagnostics again.
///
/// # Errors
/// If the thread cannot be started.
pub(crate) fn start(client: ClientHandle) -> io::Result<()> {
    let look = move || {
        let mut observers = Observers::default();
        loop {
            let scopes = client.shared().wait(State::scopes_to_read);
            observers.keep(scopes.iter().map(|(scope, _)| scope));
            for (scope, config) in scopes {
                let look = AssertUnwindSafe(|| observers.of(&scope).tools(&config));
                let Ok(tools) = catch_unwind(look) else { continue };
                if !client.shared().change(|state| state.set_tools(&scope, tools)).is_empty() {
                    client.push(Push::RefreshDiagnostics);
                }
            }
            thread::sleep(PAUSE);
        }
    };
    thread::Builder::new().name("lsp-observer".to_owned()).spawn(look).map(drop)
}
