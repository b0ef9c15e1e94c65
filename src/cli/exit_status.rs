use std::fmt::Display;

use super::Console;

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
pub(super) struct Refusal {
    status: ExitStatus,
    /// `None` if it was printed already.
    reason: Option<String>,
}

impl Refusal {
    pub(super) fn new(status: ExitStatus, reason: impl Display) -> Refusal {
        Refusal { status, reason: Some(reason.to_string()) }
    }

    /// One whose reason was printed already.
    pub(super) fn told(status: ExitStatus) -> Refusal {
        Refusal { status, reason: None }
    }

    /// The reason for people; empty if it was printed already.
    pub(super) fn reason(&self) -> &str {
        self.reason.as_deref().unwrap_or_default()
    }

    /// Prints the reason. Returns the exit status.
    pub(super) fn tell(self, console: &mut Console) -> ExitStatus {
        self.reason.iter().for_each(|reason| console.complain(reason));
        self.status
    }
}

/// A fault as the reason why a command ends early.
pub(super) trait OrRefuse<T>: Sized {
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
