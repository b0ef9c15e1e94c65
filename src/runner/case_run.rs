//! One case in the job that runs it. Its steps, from the outside in: `run` sends the events, `compared` compares with a baseline,
//! `repeated` folds several attempts, `attempt` asks and judges, `ask` asks again after an error. A panic while judging becomes an error
//! of the case.

use std::any::Any;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use futures_util::FutureExt;
use tokio::sync::OwnedSemaphorePermit;

use crate::diagnostic::quoted;
use crate::events::{AnswerText, CaseFinished, CaseProgress, CaseRef, CaseStarted, Event, Grade, Policy, Warning};
use crate::runs::EndedCase;
use crate::targets::{Context, Deadline, Progress, Request, Session, off_reactor};
use crate::text::counted;
use crate::transcript::{Store, Transcript};
use crate::verdict::{AgainstBaseline, Attempt, CaseResult, Standing, Status};

use super::case::{JudgedCase, NoAnswer, PATIENCE, ask, judge_answer, mark, request};
use super::run::{Events, Shared, millis};

/// A case of the plan, and the job that runs it.
pub(super) struct CaseRun<'a> {
    pub(super) shared: &'a Arc<Shared>,
    /// The number of the job.
    pub(super) job: usize,
    /// The session of the job, if one is open.
    pub(super) session: &'a mut Option<Box<dyn Session>>,
    /// The index of the case in the plan.
    pub(super) index: usize,
    pub(super) events: &'a Events,
}

impl CaseRun<'_> {
    /// Runs a case, and sends its events.
    pub(super) async fn run(mut self, permit: Option<OwnedSemaphorePermit>) {
        let (shared, index) = (self.shared, self.index);
        let case = &shared.plan.cases[index];
        let events = self.events;
        let send = |event| events.send(index, event);
        send(Event::CaseStarted(CaseStarted { case: self.case_ref() }));
        let started = Instant::now();
        let judged = AssertUnwindSafe(self.compared()).catch_unwind().await;
        let judged = judged.unwrap_or_else(|panic| JudgedCase::error(&case.placed.case, message(&*panic).into()));
        for message in &judged.warnings {
            let message = message.clone();
            send(Event::Warning(Warning { message }));
        }
        // Without a target that is ready, the others end at once, too, each with the reason.
        if shared.target.is_live() && shared.unusable.is_none() && !judged.cancelled {
            shared.enough.note(&judged.result, shared.options.policy);
        }
        events.keep(index, self.ended(judged, None, millis(started.elapsed())), permit);
    }

    /// What the case leaves behind, or the attempt at it with this number.
    pub(super) fn ended(&self, judged: JudgedCase, attempt: Option<usize>, duration_ms: u64) -> EndedCase {
        let JudgedCase { result, transcript, not_stored, answer, answers, picture, cancelled, .. } = judged;
        let handed_over = answer.as_ref().filter(|_| self.shared.options.hand_over && attempt.is_none());
        let case = CaseFinished {
            case: self.case_ref(),
            status: result.status,
            cancelled,
            resumed: false,
            duration_ms,
            transcript: transcript.map(|path| path.display().to_string()),
            not_stored,
            answer: handed_over.map(|answer| AnswerText::new(answer.to_json_line())),
            result: Arc::new(result),
        };
        let suite = self.shared.plan.cases[self.index].suite;
        EndedCase { suite, case: Box::new(case), attempt, answer, attempts: answers, picture }
    }

    /// Runs a case, and compares it with the baseline if there is one.
    async fn compared(&mut self) -> JudgedCase {
        let mut judged = self.repeated().await;
        let options = &self.shared.options;
        if let Some((passed, attempts)) = options.baseline.get(&self.index).copied() {
            let standing = match options.policy.grade(&judged.result) {
                Grade::NotJudged => return judged,
                Grade::Passed => Standing::Passes,
                Grade::Failed if passed < attempts => Standing::KnownFailure,
                Grade::Failed => Standing::Regressed,
            };
            judged.result.baseline = Some(AgainstBaseline { passed, attempts, standing });
        }
        judged
    }

    /// One attempt at a case: asks, judges, and ends the turn.
    pub(super) async fn attempt(&mut self) -> JudgedCase {
        let (shared, index) = (self.shared, self.index);
        let case = &shared.plan.cases[index];
        let is_live = shared.target.is_live();
        let started = Instant::now();
        let request = match &shared.unusable {
            Some(why) => Err(why.clone()),
            None => request(shared.plan.suite_of(case), case, is_live),
        };
        let Asked { answer, attempts, warnings } = match request {
            Err(why) => Asked { answer: Err(why), attempts: Vec::new(), warnings: Vec::new() },
            Ok(request) => self.ask(&request).await,
        };
        let duration = started.elapsed();
        let of_case = Arc::clone(shared);
        let judge = move || {
            let shared = of_case;
            let case = &shared.plan.cases[index];
            let suite = shared.plan.suite_of(case);
            let store = Store::new(&suite.path, &shared.config).private(shared.target.is_private());
            let record = (is_live && shared.options.record).then_some(&store);
            let earlier = case.id().filter(|_| record.is_some()).and_then(|id| store.read(id).ok().flatten());
            let replayed =
                case.id().filter(|_| answer.is_ok()).and_then(|id| shared.target.transcript(&suite.path, id));
            let lacks_answer = answer.as_ref().is_err_and(|why| !why.cancelled);
            let mut judged = judge_answer(&suite.text, case, answer, &shared.config, record, earlier.as_ref());
            if let (true, Some(store), Some(earlier)) = (lacks_answer, record, &earlier) {
                judged.warnings.extend(mark(store, &earlier.case, shared.target.name(), None, Status::Error));
            }
            judged.result.attempts = attempts;
            judged.warnings.extend(warnings);
            if let (false, Some(stored)) = (is_live, &judged.answer) {
                judged.result.newer = shared.options.since.newer(index, stored);
            }
            judged.transcript = judged.transcript.or(replayed);
            if is_live && judged.result.duration_ms.is_none() {
                judged.result.duration_ms = Some(millis(duration));
            }
            judged
        };
        let mut judged = if is_live { off_reactor(judge).await } else { judge() };
        self.store_picture(&mut judged).await;
        judged.warnings.extend(self.finish(case.id().unwrap_or_default()).await);
        judged
    }

    /// How events name the case.
    pub(super) fn case_ref(&self) -> CaseRef {
        self.shared.plan.case_ref(&self.shared.plan.cases[self.index])
    }

    /// Sends a line about the progress of the case.
    pub(super) fn tell(&self, message: String) {
        self.events.send(self.index, Event::CaseProgress(CaseProgress { case: self.case_ref(), message }));
    }
}

/// Calls `work`. The error is the message of a panic.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| message(&*panic))
}

/// The message of a panic.
pub(super) fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("internal error in this case ({}); please report it", text.unwrap_or("no message"))
}

/// The result of asking.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) answer: Result<Transcript, NoAnswer>,
    /// The attempts before the last one.
    pub(super) attempts: Vec<Attempt>,
    pub(super) warnings: Vec<String>,
}

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
    ended: Mutex<EndedCases>,
}

#[derive(Debug, Default)]
struct EndedCases {
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
    fn a_panic_becomes_a_reason() {
        assert_eq!(guarded(|| 1), Ok(1));
        for (work, why) in [
            ((|| panic!("lost {}", 1)) as fn(), "lost 1"),
            (|| panic!("lost"), "lost"),
            (|| std::panic::panic_any(1), "no message"),
        ] {
            assert_eq!(guarded(work), Err(format!("internal error in this case ({why}); please report it")));
        }
    }

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
