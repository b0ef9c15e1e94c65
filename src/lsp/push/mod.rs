//! What the server sends to the client without a request.
//!
//! Everything goes through [`ClientHandle::push`]; [`Push`] lists all that there is. Four parts push:
//!
//! | part | pushes | runs in |
//! | --- | --- | --- |
//! | [`publisher`] | diagnostics of open suites and of configurations, and progress if they take long | a thread |
//! | [`changes`] | changed tests, verdicts and runs; refreshes, if lenses, verdicts or ages change without an edit | two tasks |
//! | [`outside`] | changed runs, if another program writes them; a refresh, if the tools of a workspace change | a task, a thread |
//! | [`runs`](crate::lsp::runs) | run events, progress, log messages | a thread for each run |

mod changes;
mod client;
mod outside;
mod publisher;

use std::io;

pub(crate) use client::{ClientHandle, Push};

/// Starts the parts that push for as long as the session lasts. Must be called within the runtime.
///
/// # Errors
/// If a thread cannot be started.
pub(crate) fn start(client: &ClientHandle) -> io::Result<()> {
    publisher::start(client.clone())?;
    changes::start(client.clone());
    outside::look_for_runs(client.clone());
    outside::look_for_tools(client.clone())
}
