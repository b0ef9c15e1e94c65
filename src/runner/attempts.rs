//! Asking for the answer of one case: again if there was none, and with what belongs to the end of a case.

use std::num::NonZeroUsize;
use std::panic::AssertUnwindSafe;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use futures_util::FutureExt;

use crate::diagnostic::quoted;
use crate::events::{CaseProgress, Event, Grade, Policy, Warning};
use crate::targets::{Context, Deadline, Progress, Request};
use crate::text::counted;
use crate::transcript::Transcript;
use crate::verdict::{Attempt, CaseResult, Status};

use super::case::{NoAnswer, PATIENCE, ask};
use super::case_run::{CaseRun, message};
use super::run::millis;

/// The result of asking.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) answer: Result<Transcript, NoAnswer>,
    /// The attempts before the last one.
    pub(super) attempts: Vec<Attempt>,
    pub(super) warnings: Vec<String>,
}

impl Asked {}

impl CaseRun<'_> {
    /// Asks a case, again if it gave no answer and the run's options say so. An answer is never asked for again, whatever its
    /// verdict. Each attempt has the whole time of a case.
    pub(super) async fn ask(&mut self, request: &Request) -> Asked {
        let shared = self.shared;
        let retries = if shared.target.is_live() { shared.options.retry_errors } else { 0 };
        let (mut attempts, mut warnings) = (Vec::new(), Vec::new());
        loop {
            let begun = Instant::now();
            let context = self.context();
            let answer = ask(&*shared.target, self.job, self.session, request, &context, PATIENCE).await;
            let answer = answer.map_err(|why| why.without_secrets(&*shared.target));
            let reason = match answer {
                Err(why) if attempts.len() < retries && !why.cancelled && !shared.cancel.is_cancelled() => why.reason,
                answer => return Asked { answer, attempts, warnings },
            };
            warnings.extend(self.finish(&request.case).await);
            let first_line = reason.lines().next().unwrap_or_default();
            let number = attempts.len() + 2;
            context.progress.tell(format!("attempt {number} of {}, because of an error: {first_line}", retries + 1));
            attempts.push(Attempt { reason, duration_ms: millis(begun.elapsed()) });
        }
    }

    /// Has the session do what belongs to the end of a case. Returns what went wrong, which changes no verdict.
    pub(super) async fn finish(&mut self, case: &str) -> Option<String> {
        let shared = self.shared;
        if shared.cancel.is_cancelled() {
            return None;
        }
        let open = self.session.as_mut()?;
        let deadline = Deadline::start(shared.options.timeout, &shared.cancel);
        let context = Context { deadline, progress: Progress::ignored() };
        let limit = shared.options.timeout.get() + PATIENCE;
        let finished = AssertUnwindSafe(tokio::time::timeout(limit, open.finish(&context))).catch_unwind().await;
        let (why, is_lost) = match finished {
            Ok(Ok(Ok(()))) => return None,
            Ok(Ok(Err(error))) => (error.to_string(), false),
            Ok(Err(_)) => ("the target did not stop in time and was given up".to_owned(), true),
            Err(panic) => (message(&*panic), true),
        };
        if is_lost {
            *self.session = None;
        }
        let why = shared.target.secrets_of_reasons().redact(why);
        Some(format!("at the end of the case {}: {why}", quoted(case)))
    }

    fn context(&self) -> Context {
        let (shared, index) = (self.shared, self.index);
        let (events, warnings) = (self.events.clone(), self.events.clone());
        let case = self.case_ref();
        let progress = Progress::new(move |message| {
            events.send(index, Event::CaseProgress(CaseProgress { case: case.clone(), message }));
        });
        let progress = progress.warning(move |message| {
            warnings.send(index, Event::Warning(Warning { message }));
        });
        Context { deadline: Deadline::start(shared.options.timeout, &shared.cancel), progress }
    }
}

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
    use crate::suite::Case;

    use super::*;

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
