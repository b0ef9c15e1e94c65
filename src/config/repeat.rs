use serde::{Deserialize, Serialize};
use time::Date;

use super::CaseGlob;
use crate::diagnostic::quoted;
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
    /// The first day (UTC) on which the entry has no effect, and why it has one before.
    pub(crate) until: Option<(Date, String)>,
}

impl RepeatPolicy {
    /// The message that an entry has no effect any more, for the findings and warnings about it.
    pub(crate) fn expired(&self, today: Date) -> Option<String> {
        let (expires, why) = self.until.as_ref().filter(|(expires, _)| *expires <= today)?;
        let why = quoted(why);
        Some(format!("this entry of `[[policy]]` expired on {expires} ({why}); fix its cases, or remove or renew it"))
    }
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
}

impl Flaky {
    /// The words of `[run] flaky`.
    pub(crate) const WORDS: [(&'static str, Flaky); 2] = [("fail", Flaky::Fail), ("pass", Flaky::Pass)];
}

impl super::Config {
    /// The first policy for a case that has not expired.
    pub(crate) fn policy_of(&self, id: &str, category: &str, today: Date) -> Option<&RepeatPolicy> {
        self.policies.iter().filter(|policy| policy.expired(today).is_none()).find(|policy| {
            policy.cases.as_ref().is_none_or(|glob| glob.matches(id))
                && policy.category.as_ref().is_none_or(|glob| glob.matches(category))
        })
    }
}
