use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use crate::events::{Grade, Policy};
use crate::text::counted;
use crate::verdict::{CaseResult, Status};

/// How many equal errors at the beginning of a run show that the target cannot answer. Fewer may be chance, and each may cost a minute.
const HOPELESS: usize = 5;

/// Decides when the cases that ended are enough, so that no further one is started.
#[derive(Debug, Default)]
pub(super) struct Enough {
    /// `--max-failures`.
    most: Option<NonZeroUsize>,
    ended: Mutex<Ended>,
}

#[derive(Debug, Default)]
struct Ended {
    cases: usize,
    failures: usize,
    /// Why the first case could not be judged, as long as all have the same reason.
    reason: Option<String>,
    /// How many have that reason.
    equal: usize,
    why: Option<String>,
}

impl Enough {
    pub(super) fn new(most: Option<NonZeroUsize>) -> Enough {
        Enough { most, ended: Mutex::default() }
    }

    /// Notes how a case ended.
    pub(super) fn note(&self, case: &CaseResult, policy: Policy) {
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.cases += 1;
        ended.failures += usize::from(policy.grade(case) != Grade::Passed);
        let reason = case.reason.as_deref().filter(|_| case.status == Status::Error).and_then(|why| why.lines().next());
        if ended.cases == 1 {
            ended.reason = reason.map(str::to_owned);
        }
        if reason.is_some() && ended.reason.as_deref() == reason {
            ended.equal += 1;
        }
        if ended.why.is_some() {
            return;
        }
        ended.why = if self.most.is_some_and(|most| ended.failures >= most.get()) {
            Some(format!("`--max-failures`: {} did not pass", counted(ended.failures, "case")))
        } else if ended.equal == HOPELESS && ended.cases == HOPELESS {
            Some(format!("the first {HOPELESS} cases ended with the same error"))
        } else {
            None
        };
    }

    /// Why no further case is started; `None` if cases are.
    pub(super) fn why(&self) -> Option<String> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner).why.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::Case;

    #[test]
    fn equal_errors_at_the_beginning_are_enough() {
        let case = |reason: &str| match reason {
            "" => CaseResult { status: Status::Pass, reason: None, ..CaseResult::not_run(&Case::default(), "") },
            reason => CaseResult::not_run(&Case::default(), reason),
        };
        for (reasons, most, is_enough) in [
            (&["a\nx", "a\ny", "a", "a", "a"][..], None, true),
            (&["a", "a", "a", "a"], None, false),
            (&["a", "a", "b", "a", "a", "a", "a"], None, false),
            (&["", "a", "a", "a", "a", "a", "a"], None, false),
            (&["a", "", "a"], NonZeroUsize::new(2), true),
            (&["a", "", ""], NonZeroUsize::new(2), false),
        ] {
            let enough = Enough::new(most);
            reasons.iter().for_each(|reason| enough.note(&case(reason), Policy::default()));
            assert_eq!(enough.why().is_some(), is_enough, "{reasons:?}");
        }
    }
}
