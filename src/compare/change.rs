use serde::Serialize;

/// What happened to a case between two sides, from what matters most to what matters least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Change {
    /// Its status is worse.
    Regressed,
    /// The later side does not have the case.
    Vanished,
    /// It could be judged before, and not now, or the reverse.
    NotJudged,
    /// Its attempts disagree, and the difference is not larger than chance.
    Flaky,
    /// Its prompts or expectations were edited.
    CaseEdited,
    /// What the configuration or the program adds to its meaning was edited.
    ConfigurationEdited,
    /// The answer on one side was given to other prompts than the case has.
    Stale,
    /// Its status is better.
    Fixed,
    /// Only the later side has the case.
    New,
    /// Its status is the same, and its checks are not.
    ChecksMoved,
    /// The later side did not select the case, or was stopped before it.
    NotRun,
    /// Nothing changed.
    Unchanged,
}

impl Change {
    /// All changes, from what matters most to what matters least.
    pub(crate) const ALL: [Change; 12] = [
        Change::Regressed,
        Change::Vanished,
        Change::NotJudged,
        Change::Flaky,
        Change::CaseEdited,
        Change::ConfigurationEdited,
        Change::Stale,
        Change::Fixed,
        Change::New,
        Change::ChecksMoved,
        Change::NotRun,
        Change::Unchanged,
    ];

    /// The words for people.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Change::Regressed => "regressed",
            Change::Vanished => "vanished",
            Change::NotJudged => "could not be judged",
            Change::Flaky => "flaky",
            Change::CaseEdited => "case edited",
            Change::ConfigurationEdited => "hint or configuration edited",
            Change::Stale => "stale",
            Change::Fixed => "fixed",
            Change::New => "new",
            Change::ChecksMoved => "same status, other checks",
            Change::NotRun => "not run",
            Change::Unchanged => "unchanged",
        }
    }
}
