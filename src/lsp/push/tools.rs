//! Looks for the tools of each workspace in the files around open suites, in one thread, so that requests never wait for
//! the disk.
//!
//! Requests to look again that arrive during a look or shortly after it lead to one more look.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::Duration;

use super::{ClientHandle, Push};
use crate::lsp::session::state::State;
use crate::workspace::tools::Observer;

/// The pause after a look. Several files that change together are one look.
const PAUSE: Duration = Duration::from_millis(200);

/// Starts the thread, which runs until the process ends. If the tools of an open suite change, the client asks for its
/// diagnostics again.
///
/// # Errors
/// If the thread cannot be started.
pub(super) fn start(client: ClientHandle) -> io::Result<()> {
    let look = move || {
        let mut observers: Vec<Observer> = Vec::new();
        loop {
            let scopes = client.shared().wait(State::scopes_to_read);
            observers.retain(|observer| scopes.iter().any(|(scope, _)| scope == observer.scope()));
            for (scope, config) in scopes {
                let index = observers.iter().position(|observer| *observer.scope() == scope).unwrap_or_else(|| {
                    observers.push(Observer::new(scope.clone()));
                    observers.len() - 1
                });
                let look = AssertUnwindSafe(|| observers[index].tools(&config));
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
