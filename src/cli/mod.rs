//! The command line: one file for each command, and findings drawn for a terminal.
//!
//! A command receives its arguments and a console, and returns an [`ExitStatus`], or a [`Refusal`] if it ends early. It writes nowhere
//! else and never ends the process.

pub(crate) mod args;
mod baseline;
mod challenge;
mod check;
mod compare;
mod explain;
mod import;
mod init;
mod kept;
mod list;
mod propose;
mod run;
mod runs;
mod selection;
mod show;
pub(crate) mod texts;

mod draw;
mod exit_status;
mod input;
mod output;
mod repository;

use args::Task;
use exit_status::{OrRefuse, Refusal};
use output::{Console, columns};

pub(crate) use exit_status::ExitStatus;

/// Runs the command.
pub(crate) fn run(task: &Task) -> ExitStatus {
    let mut console = Console::of_process();
    let ended = match task {
        Task::Check(args) => Ok(check::check(args, &mut console)),
        Task::Run(args) => run::run(args, &mut console),
        Task::Record(args) => run::run(&args.to_run(), &mut console),
        Task::Runs(args) => runs::runs(args, &mut console),
        Task::Accept(args) => kept::accept(args, &mut console),
        Task::Baseline(args) => baseline::baseline_command(args, &mut console),
        Task::Compare(args) => compare::compare(args, &mut console),
        Task::Merge(args) => run::merge(args, &mut console),
        Task::Show(args) => show::show(args, &mut console),
        Task::Report(args) => show::report(args, &mut console),
        Task::Challenge(args) => challenge::challenge(args, &mut console),
        Task::Propose(args) => propose::propose(args, &mut console),
        Task::List(args) => list::list(args, &mut console),
        Task::SelfTest => Ok(texts::self_test(&mut console)),
        Task::Explain(args) => Ok(explain::explain(args, &mut console)),
        Task::Schema(args) => Ok(texts::schema(args, &mut console)),
        Task::Init(args) => init::init(args, &mut console),
        Task::Import(args) => import::import(args, &mut console),
        Task::Completions(args) => Ok(texts::completions(args, &mut console)),
        Task::Licenses => Ok(texts::licenses(&mut console)),
    };
    let status = ended.unwrap_or_else(|refusal| refusal.tell(&mut console));
    console.finish(status)
}
