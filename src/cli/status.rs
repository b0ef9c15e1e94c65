/// The exit status of the program. If several apply, the greater one wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Status {
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

impl Status {
    /// Returns the number of the exit status.
    pub(crate) fn code(self) -> i32 {
        match self {
            Status::Passed => 0,
            Status::Failed => 1,
            Status::Misused => 2,
            Status::Unusable => 3,
            Status::NothingSelected => 4,
            Status::NotJudged => 5,
            Status::Interrupted => 130,
        }
    }
}
