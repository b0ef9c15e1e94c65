//! The command line: a file a command, and findings drawn for a terminal.
//!
//! A command takes its arguments and a [`Console`], and answers with a [`Status`]. It writes nowhere else and never ends the
//! process.

pub mod args;
mod check;
mod draw;
mod input;
mod output;
mod status;

pub(crate) use output::Console;
pub use status::Status;

use args::Task;

/// Does what the command line asks.
pub fn run(task: &Task) -> Status {
    let mut console = Console::of_process();
    let status = match task {
        Task::Check(args) => check::check(args, &mut console),
    };
    console.finish(status)
}
