//! What the server sends to the client without a request.
//!
//! Everything goes through [`ClientHandle::push`]; [`Push`] lists all that there is. Six parts push:
//!
//! | part | pushes | runs in |
//! | --- | --- | --- |
//! | [`diagnostics`] | diagnostics of open suites and of configurations, and progress if they take long | a thread |
//! | [`verdicts`] | refreshes, if verdicts or ages change without an edit | a task |
//! | [`changes`] | changed tests, verdicts and runs, code lenses | a task |
//! | [`outside`] | changed runs, if another program writes them | a task |
//! | [`tools`] | a refresh, if the tools of a workspace change | a thread |
//! | [`runs`](crate::lsp::runs) | run events, progress, log messages | a thread for each run |

mod changes;
mod client;
mod diagnostics;
mod outside;
mod tools;
mod verdicts;

use std::io;

pub(crate) use client::{ClientHandle, Push};

/// Starts the parts that push for as long as the session lasts. Must be called within the runtime.
///
/// # Errors
/// If a thread cannot be started.
pub(crate) fn start(client: &ClientHandle) -> io::Result<()> {
    diagnostics::start(client.clone())?;
    tools::start(client.clone())?;
    verdicts::start(client.clone());
    changes::start(client.clone());
    outside::start(client.clone());
    Ok(())
}
