//! The command line: one file for each command, and findings drawn for a terminal.
//!
//! A command receives its arguments and a console, and returns an [`ExitStatus`], or a [`Refusal`] if it ends early. It writes nowhere
//! else and never ends the process.

pub(crate) mod args;
mod challenge;
mod check;
mod compare;
mod draw;
mod import;
mod init;
mod input;
mod kept;
mod list;
mod output;
mod propose;
mod run;
mod runs;
mod selection;
pub(crate) mod texts;

use std::fmt::Display;

use crate::diagnostic::{nearest, quoted};

use args::Task;
use output::{Console, columns};

/// Runs the command.
pub(crate) fn run(task: &Task) -> ExitStatus {
    let mut console = Console::of_process();
    let ended = match task {
        Task::Check(args) => Ok(check::check(args, &mut console)),
        Task::Run(args) => run::run(args, &mut console),
        Task::Record(args) => run::run(&args.to_run(), &mut console),
        Task::Runs(args) => runs::runs(args, &mut console),
        Task::Accept(args) => kept::accept(args, &mut console),
        Task::Compare(args) => compare::compare(args, &mut console),
        Task::Show(args) => list::show(args, &mut console),
        Task::Report(args) => list::report(args, &mut console),
        Task::Challenge(args) => challenge::challenge(args, &mut console),
        Task::Propose(args) => propose::propose(args, &mut console),
        Task::List(args) => list::list(args, &mut console),
        Task::SelfTest => Ok(texts::self_test(&mut console)),
        Task::Explain(args) => Ok(texts::explain(args, &mut console)),
        Task::Schema(args) => Ok(texts::schema(args, &mut console)),
        Task::Init(args) => init::init(args, &mut console),
        Task::Import(args) => import::import(args, &mut console),
        Task::Completions(args) => Ok(texts::completions(args, &mut console)),
        Task::Licenses => Ok(texts::licenses(&mut console)),
    };
    let status = ended.unwrap_or_else(|refusal| refusal.tell(&mut console));
    console.finish(status)
}

/// The exit status of the program. If several apply, the greater one wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum ExitStatus {
    /// All passed; for `check`, no error was found.
    Passed,
    /// A case could not be judged, and none failed.
    NotJudged,
    /// A case failed; for `check`, an error was found.
    Failed,
    /// No case was selected.
    NothingSelected,
    /// A suite cannot be used: it was not found, is not readable, or has errors that prevent a run. Also used if the
    /// output could not be written.
    Unusable,
    /// The command line or the configuration is wrong.
    Misused,
    /// A person stopped it.
    Interrupted,
}

impl ExitStatus {
    /// Returns the number of the exit status.
    pub(crate) fn code(self) -> i32 {
        match self {
            ExitStatus::Passed => 0,
            ExitStatus::Failed => 1,
            ExitStatus::Misused => 2,
            ExitStatus::Unusable => 3,
            ExitStatus::NothingSelected => 4,
            ExitStatus::NotJudged => 5,
            ExitStatus::Interrupted => 130,
        }
    }
}

/// Why a command ends early: its exit status, and the reason for people.
#[derive(Debug)]
struct Refusal {
    status: ExitStatus,
    /// `None` if it was printed already.
    reason: Option<String>,
}

impl Refusal {
    fn new(status: ExitStatus, reason: impl Display) -> Refusal {
        Refusal { status, reason: Some(reason.to_string()) }
    }

    /// One whose reason was printed already.
    fn told(status: ExitStatus) -> Refusal {
        Refusal { status, reason: None }
    }

    /// Prints the reason. Returns the exit status.
    fn tell(self, console: &mut Console) -> ExitStatus {
        self.reason.iter().for_each(|reason| console.complain(reason));
        self.status
    }
}

/// `; did you mean NAME?`, if one of the known names is near.
fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, known).map_or_else(String::new, |near| format!("; did you mean {}?", quoted(near)))
}

/// A fault as the reason why a command ends early.
trait OrRefuse<T>: Sized {
    /// The value, else a refusal with that exit status.
    fn or_refuse(self, status: ExitStatus) -> Result<T, Refusal>;

    /// The value; a fault is one of the command line or of the configuration.
    fn or_misused(self) -> Result<T, Refusal> {
        self.or_refuse(ExitStatus::Misused)
    }

    /// The value; a fault is one of a file.
    fn or_unusable(self) -> Result<T, Refusal> {
        self.or_refuse(ExitStatus::Unusable)
    }

    /// The value; a fault is that nothing has such a name.
    fn or_nothing_selected(self) -> Result<T, Refusal> {
        self.or_refuse(ExitStatus::NothingSelected)
    }
}

impl<T, E: Display> OrRefuse<T> for Result<T, E> {
    fn or_refuse(self, status: ExitStatus) -> Result<T, Refusal> {
        self.map_err(|fault| Refusal::new(status, fault))
    }
}
