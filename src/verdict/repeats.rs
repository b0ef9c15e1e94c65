//! Several attempts at one case, folded to one status.

use serde::{Deserialize, Serialize};

use crate::transcript::Usage;

use super::{CheckLists, Status};

/// How often a case runs, and how often it must pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RepeatRule {
    /// The number of attempts, at least 1.
    pub(crate) attempts: usize,
    /// The number of attempts that must pass, from 1 to all of them.
    pub(crate) min_pass: usize,
    /// Whether no further attempt is made once the status cannot change.
    pub(crate) stops_early: bool,
    /// Whether a failed case counts otherwise if it is flaky, so that this must be known too.
    pub(crate) flaky_matters: bool,
    /// If the rule counts for a while only: until when.
    pub(crate) quarantine: Option<Quarantine>,
}

/// The attempts at a case that ran several times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Repeats {
    /// The number of attempts that were planned.
    pub(crate) planned: usize,
    /// The number of attempts that must pass.
    pub(crate) min_pass: usize,
    /// Whether some judged attempts have another status than others.
    pub(crate) flaky: bool,
    /// The attempts, in order. There are fewer than planned if the rest could not change the status.
    pub(crate) attempts: Vec<Repeat>,
    /// If the rule counts for a while only: until when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) quarantine: Option<Quarantine>,
}

/// A rule that counts for a while.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Quarantine {
    /// The first day on which the rule does not count any more, for example `2026-04-01`.
    pub(crate) until: String,
    /// The reason, for people.
    pub(crate) why: String,
}

/// One attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Repeat {
    /// The status of its verdict.
    pub(crate) status: Status,
    /// Why it could not be judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// The soft score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) soft_score: Option<f64>,
    /// The ids of the checks by result.
    pub(crate) checks: CheckLists,
    /// The duration in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) duration_ms: Option<u64>,
    /// What its answer took, if its target stated it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) usage: Option<Usage>,
}

impl RepeatRule {
    /// The status of a case with these attempts: the best status that at least `min_pass` attempts reach. `ERROR` if that
    /// depends on attempts that could not be judged, or that are missing.
    pub(crate) fn status(&self, attempts: &[Status]) -> Status {
        self.certain(attempts).unwrap_or(Status::Error)
    }

    /// Whether further attempts cannot change what the case counts as.
    pub(crate) fn is_decided(&self, attempts: &[Status]) -> bool {
        let stops = self.stops_early && !attempts.is_empty();
        let certain = self.certain(attempts).filter(|_| stops);
        let is_open = |status: Status| status == Status::Fail && self.flaky_matters && !is_flaky(attempts);
        attempts.len() >= self.attempts || certain.is_some_and(|status| !is_open(status))
    }

    /// The status, whatever the attempts without a verdict and the missing ones would give.
    fn certain(&self, attempts: &[Status]) -> Option<Status> {
        let mut judged: Vec<Status> = attempts.iter().copied().filter(|status| *status != Status::Error).collect();
        // From best to worst.
        judged.sort_unstable();
        let unknown = self.attempts.saturating_sub(judged.len());
        let at = |place: usize| judged.get(place).copied();
        let best = if unknown >= self.min_pass { Some(Status::Pass) } else { at(self.min_pass - 1 - unknown) };
        let worst = at(self.min_pass - 1).unwrap_or(Status::Fail);
        best.filter(|best| *best == worst)
    }
}

/// Whether some judged attempts have another status than others.
pub(crate) fn is_flaky(attempts: &[Status]) -> bool {
    let mut judged = attempts.iter().filter(|status| **status != Status::Error);
    judged.next().is_some_and(|first| judged.any(|status| status != first))
}

impl Repeats {
    /// The attempts that passed, of those that were judged.
    pub(crate) fn passed(&self) -> (usize, usize) {
        let judged = self.attempts.iter().filter(|attempt| attempt.status != Status::Error);
        (judged.clone().filter(|attempt| attempt.status == Status::Pass).count(), judged.count())
    }
}

#[cfg(test)]
mod tests {
    use super::Status::{Error, Fail, Partial, Pass};
    use super::*;

    fn rule(attempts: usize, min_pass: usize) -> RepeatRule {
        RepeatRule { attempts, min_pass, stops_early: true, flaky_matters: false, quarantine: None }
    }

    #[test]
    fn attempts_without_a_verdict_do_not_count() {
        let attempt = |status| Repeat {
            status,
            reason: None,
            soft_score: None,
            checks: CheckLists::default(),
            duration_ms: None,
            usage: None,
        };
        let attempts = [Pass, Partial, Error, Pass, Fail].map(attempt).to_vec();
        let repeats = Repeats { planned: 5, min_pass: 5, flaky: true, attempts, quarantine: None };
        assert_eq!(repeats.passed(), (2, 4));
    }

    #[test]
    fn enough_attempts_decide() {
        for (min_pass, attempts, status) in [
            (5, &[Pass; 5][..], Pass),
            (4, &[Pass, Pass, Fail, Pass, Pass], Pass),
            (4, &[Pass, Pass, Fail, Pass, Fail], Fail),
            (4, &[Pass, Pass, Partial, Pass, Fail], Partial),
            (1, &[Fail, Fail, Fail, Fail, Pass], Pass),
            // The attempt without a verdict would decide.
            (4, &[Pass, Pass, Pass, Fail, Error], Error),
            (3, &[Pass, Pass, Pass, Fail, Error], Pass),
            (4, &[Fail, Fail, Pass, Fail, Error], Fail),
            (1, &[Error; 5], Error),
        ] {
            assert_eq!(rule(5, min_pass).status(attempts), status, "{min_pass} {attempts:?}");
        }
    }

    #[test]
    fn attempts_end_once_the_status_cannot_change() {
        for (min_pass, attempts, decided) in [
            (4, &[][..], false),
            (4, &[Pass, Pass, Pass], false),
            (4, &[Pass; 4], true),
            (4, &[Fail, Pass], false),
            (4, &[Fail, Fail], true),
            (5, &[Fail], true),
            (1, &[Pass], true),
            (1, &[Error, Fail], false),
        ] {
            assert_eq!(rule(5, min_pass).is_decided(attempts), decided, "{min_pass} {attempts:?}");
        }
        assert!(!RepeatRule { stops_early: false, ..rule(5, 5) }.is_decided(&[Fail]));
        let unsure = RepeatRule { flaky_matters: true, ..rule(5, 5) };
        assert!(!unsure.is_decided(&[Fail, Fail]) && unsure.is_decided(&[Fail, Pass]) && unsure.is_decided(&[Fail; 5]));
    }

    #[test]
    fn attempts_that_disagree_are_flaky() {
        for (attempts, flaky) in
            [(&[Pass, Fail][..], true), (&[Pass, Error], false), (&[Error], false), (&[Pass, Partial], true)]
        {
            assert_eq!(is_flaky(attempts), flaky, "{attempts:?}");
        }
    }
}
