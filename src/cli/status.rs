/// The exit status of the program. Where several hold, the greater one wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// All passed; for `check`, no error was found.
    Passed,
    /// A case could not be judged, and none failed.
    NotJudged,
    /// A case failed; for `check`, an error was found.
    Failed,
    /// No case was selected.
    NothingSelected,
    /// A suite cannot be used: not found, not readable, or with errors that keep it from being run. Also where the
    /// output could not be written.
    Unusable,
    /// The command line or the configuration is wrong.
    Misused,
    /// Somebody stopped it.
    Interrupted,
}

impl Status {
    /// The number that the program ends with.
    pub fn code(self) -> i32 {
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
