use std::fmt::Display;

use super::{Console, ExitStatus};

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
pub(super) trait OrRefuse<T> {
    /// The value, else a refusal with that exit status.
    fn or_refuse(self, status: ExitStatus) -> Result<T, Refusal>;

    /// The value; a fault is one of the command line or of the configuration.
    fn or_misused(self) -> Result<T, Refusal>
    where
        Self: Sized,
    {
        self.or_refuse(ExitStatus::Misused)
    }

    /// The value; a fault is one of a file.
    fn or_unusable(self) -> Result<T, Refusal>
    where
        Self: Sized,
    {
        self.or_refuse(ExitStatus::Unusable)
    }

    /// The value; a fault is that nothing has such a name.
    fn or_nothing_selected(self) -> Result<T, Refusal>
    where
        Self: Sized,
    {
        self.or_refuse(ExitStatus::NothingSelected)
    }
}

impl<T, E: Display> OrRefuse<T> for Result<T, E> {
    fn or_refuse(self, status: ExitStatus) -> Result<T, Refusal> {
        self.map_err(|fault| Refusal::new(status, fault))
    }
}
