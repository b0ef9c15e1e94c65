//! Looks at the files around the open suites: one thread, so that nobody waits for a disk.
//!
//! What asks for a look while one is taken, or shortly after, is answered by one more.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::lsp::session::shared::Shared;
use crate::lsp::session::state::State;
use crate::workspace::tools::Observer;

/// How long it rests after a look.
const REST: Duration = Duration::from_millis(200);

/// Starts looking. It goes on until the process ends. `affected` is called when what was seen makes a difference to a
/// document.
///
/// # Errors
/// If the thread cannot be started.
pub(in crate::lsp) fn start(shared: Arc<Shared>, affected: impl Fn() + Send + 'static) -> io::Result<()> {
    let look = move || {
        let mut observers: Vec<Observer> = Vec::new();
        loop {
            let scopes = shared.wait(State::scopes_to_read);
            observers.retain(|observer| scopes.iter().any(|(scope, _)| scope == observer.scope()));
            for (scope, config) in scopes {
                let index = observers.iter().position(|observer| *observer.scope() == scope).unwrap_or_else(|| {
                    observers.push(Observer::new(scope.clone()));
                    observers.len() - 1
                });
                let look = AssertUnwindSafe(|| observers[index].tools(&config));
                let Ok(tools) = catch_unwind(look) else { continue };
                if !shared.change(|state| state.set_tools(&scope, tools)).is_empty() {
                    affected();
                }
            }
            thread::sleep(REST);
        }
    };
    thread::Builder::new().name("lsp-observer".to_owned()).spawn(look).map(drop)
}
