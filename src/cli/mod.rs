//! The command line: a file a command, and findings drawn for a terminal.
//!
//! A command takes its arguments and a [`Console`], and answers with a [`Status`]. It writes nowhere else and never ends the
//! process.

pub mod args;
mod check;
mod draw;
mod input;
mod list;
mod output;
mod run;
mod self_test;
mod status;

pub(crate) use output::Console;
pub use status::Status;

use args::Task;

/// Does what the command line asks.
pub fn run(task: &Task) -> Status {
    let mut console = Console::of_process();
    let status = match task {
        Task::Check(args) => check::check(args, &mut console),
        Task::Run(args) => run::run(args, &mut console),
        Task::List(args) => list::list(args, &mut console),
        Task::SelfTest => self_test::self_test(&mut console),
    };
    console.finish(status)
}
