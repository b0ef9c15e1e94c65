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
