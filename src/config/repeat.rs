use serde::{Deserialize, Serialize};
use time::Date;

use super::CaseGlob;
use crate::text::Span;

/// How often a case may be repeated. A rate of 1 % and one of 3 % differ there, and each repeat may be a paid call.
pub(crate) const MOST_REPEATS: usize = 1000;

/// An entry of `[[policy]]`: how often cases of live targets run, and how often they must pass.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RepeatPolicy {
    /// The place of the entry in the file.
    pub(crate) span: Span,
    /// The ids of the cases; `None` for all cases of the categories.
    pub(crate) cases: Option<CaseGlob>,
    /// The categories; `None` for all.
    pub(crate) category: Option<CaseGlob>,
    /// The number of attempts, at least 1.
    pub(crate) repeat: usize,
    /// The number of attempts that must pass, from 1 to all of them.
    pub(crate) min_pass: usize,
}

/// An entry of `[[quarantine]]`: cases that may be flaky for a while.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Quarantine {
    /// The place of the entry in the file.
    pub(crate) span: Span,
    /// The ids of the cases.
    pub(crate) cases: CaseGlob,
    /// The day on which the entry was made.
    pub(crate) since: Date,
    /// The first day on which the entry has no effect.
    pub(crate) expires: Date,
    /// The reason, for people.
    pub(crate) reason: String,
}

/// What a flaky case means for a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Flaky {
    /// It fails unless enough attempts pass.
    #[default]
    Fail,
    /// It never fails.
    Pass,
    /// It fails as with `Fail`, except if it is in quarantine.
    Quarantine,
}

impl Flaky {
    /// The words of `[run] flaky`.
    pub(crate) const WORDS: [(&'static str, Flaky); 3] =
        [("fail", Flaky::Fail), ("pass", Flaky::Pass), ("quarantine", Flaky::Quarantine)];
}

impl super::Config {
    /// The first policy for a case.
    pub(crate) fn policy_of(&self, id: &str, category: &str) -> Option<&RepeatPolicy> {
        self.policies.iter().find(|policy| {
            policy.cases.as_ref().is_none_or(|glob| glob.matches(id))
                && policy.category.as_ref().is_none_or(|glob| glob.matches(category))
        })
    }

    /// The first entry that has a case in quarantine on a day.
    pub(crate) fn quarantine_of(&self, id: &str, today: Date) -> Option<&Quarantine> {
        self.quarantine.iter().find(|entry| entry.expires > today && entry.cases.matches(id))
    }
}
