//! One case in the job that runs it. Its steps, from the outside in: `run` sends the events, `repeated` folds
//! several attempts, `attempt` asks and judges, `ask` asks again after an error. A panic while judging becomes an error of the case.

use std::any::Any;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use tokio::sync::OwnedSemaphorePermit;

use crate::clock;
use crate::config::Config;
use crate::diagnostic::quoted;
use crate::events::{AnswerText, CaseFinished, CaseProgress, CaseRef, CaseStarted, Event, Grade, Policy, Warning};
use crate::filed::Filed;
use crate::files::{self, Access};
use crate::runs::EndedCase;
use crate::suite::{Case, List, PlacedCase};
use crate::targets::{Context, Deadline, Progress, Request, Session, Stop, Target, TargetError, off_reactor};
use crate::text::{Text, counted};
use crate::transcript::{LastRecord, Store, Transcript};
use crate::verdict::{Attempt, CaseResult, Repeat, RepeatRule, Repeats, Status, is_flaky, judge};

use super::run::{Events, Shared, millis};
use super::run::{PlannedCase, SuiteInput};

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
        let judged = AssertUnwindSafe(self.repeated()).catch_unwind().await;
        let judged = judged.unwrap_or_else(|panic| JudgedAttempt::error(&case.placed.case, message(&*panic).into()));
        let unknown = shared.unknown_keys(judged.answer.iter().chain(judged.answers.iter().flatten()));
        for message in judged.warnings.iter().cloned().chain(unknown) {
            send(Event::Warning(Warning { message }));
        }
        // Without a target that is ready, the others end at once, too, each with the reason.
        // A case that was stopped has no result. Its attempts that ended are kept.
        if judged.cancelled {
            return;
        }
        if shared.target.is_live() && shared.unusable.is_none() {
            shared.enough.note(&judged.result, shared.options.policy);
        }
        events.keep(index, self.ended(judged, None, millis(started.elapsed())), permit);
    }

    /// What the case leaves behind, or the attempt at it with this number.
    pub(super) fn ended(&self, judged: JudgedAttempt, attempt: Option<usize>, duration_ms: u64) -> EndedCase {
        let JudgedAttempt { result, transcript, not_stored, answer, answers, picture, .. } = judged;
        let handed_over = answer.as_ref().filter(|_| self.shared.options.hand_over && attempt.is_none());
        let case = CaseFinished {
            case: self.case_ref(),
            status: result.status,
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

    /// One attempt at a case: asks, judges, and ends the turn.
    pub(super) async fn attempt(&mut self) -> JudgedAttempt {
        let (shared, index) = (self.shared, self.index);
        let case = &shared.plan.cases[index];
        let is_live = shared.target.is_live();
        let started = Instant::now();
        let suite = shared.plan.suite_of(case);
        let request = shared.unusable.clone().map_or_else(|| request(suite, case, is_live), Err);
        let Asked { answer, attempts, warnings } = match request {
            Err(why) => Asked { answer: Err(why), attempts: Vec::new(), warnings: Vec::new() },
            Ok(request) => self.ask(&request).await,
        };
        let answer = answer.map_err(|why| suite.explained(why, case, &shared.config));
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
    /// Whether it has ended this run before, which now continues.
    is_again: bool,
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
    pub(super) fn new(most: Option<NonZeroUsize>, is_again: bool) -> Enough {
        Enough { most, is_again, ended: Mutex::default() }
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
            let cases = counted(ended.failures, if self.is_again { "more case" } else { "case" });
            Some(format!("`--max-failures`: {cases} did not pass"))
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

impl CaseRun<'_> {
    /// Runs a case as often as its rule says, and folds the attempts to one result: that of the first attempt with the status of
    /// the case. Each attempt is kept before the next one starts, so a run that is resumed continues with the next one.
    pub(super) async fn repeated(&mut self) -> JudgedAttempt {
        let (shared, index) = (self.shared, self.index);
        let Some(rule) = shared.options.repeats.get(&index).filter(|rule| rule.attempts > 1) else {
            return self.attempt().await;
        };
        let begun = shared.begun.lock().unwrap_or_else(PoisonError::into_inner).remove(&index);
        let mut attempts: Vec<JudgedAttempt> = begun.unwrap_or_default();
        while !is_decided(&attempts, rule) {
            let number = attempts.len() + 1;
            self.tell(format!("attempt {number} of {}", rule.attempts));
            let attempt = self.attempt().await;
            let is_cancelled = attempt.cancelled;
            if !is_cancelled {
                if shared.options.kept.is_some() {
                    let duration_ms = attempt.result.duration_ms.unwrap_or_default();
                    let kept = JudgedAttempt { transcript: None, picture: None, ..attempt.clone() };
                    self.events.keep(self.index, self.ended(kept, Some(number), duration_ms), None);
                }
                self.tell(format!("attempt {number} of {}: {}", rule.attempts, attempt.result.status));
            }
            // A cancelled attempt does not count beside others.
            if !is_cancelled || attempts.is_empty() {
                attempts.push(attempt);
            }
            if is_cancelled || shared.cancel.is_cancelled() {
                let cancelled = !is_decided(&attempts, rule);
                return JudgedAttempt { cancelled, ..folded(attempts, rule) };
            }
            if self.session.as_ref().is_some_and(|session| !session.can_be_asked_again()) {
                break;
            }
        }
        folded(attempts, rule)
    }
}

fn statuses(attempts: &[JudgedAttempt]) -> Vec<Status> {
    attempts.iter().map(|attempt| attempt.result.status).collect()
}

fn is_decided(attempts: &[JudgedAttempt], rule: &RepeatRule) -> bool {
    rule.is_decided(&statuses(attempts))
}

/// The result of a case with these attempts: that of the first one with the status of the case.
fn folded(mut attempts: Vec<JudgedAttempt>, rule: &RepeatRule) -> JudgedAttempt {
    let statuses = statuses(&attempts);
    let status = rule.status(&statuses);
    let repeats = Repeats {
        planned: rule.attempts,
        min_pass: rule.min_pass,
        flaky: is_flaky(&statuses),
        attempts: attempts.iter().map(|attempt| repeat(&attempt.result)).collect(),
    };
    let warnings = attempts.iter_mut().flat_map(|attempt| std::mem::take(&mut attempt.warnings)).collect();
    let answers = attempts.iter().map(|attempt| attempt.answer.clone()).collect();
    // A case without a certain status has an attempt without a verdict, or was cancelled.
    let place = statuses.iter().position(|one| *one == status).unwrap_or(statuses.len() - 1);
    let chosen = attempts.swap_remove(place);
    let result = CaseResult { status, repeats: Some(repeats), ..chosen.result };
    let reason = (status == Status::Error)
        .then(|| result.reason.clone().unwrap_or_else(|| "the missing attempts would decide the status".to_owned()));
    JudgedAttempt { result: CaseResult { reason, ..result }, warnings, answers, ..chosen }
}

fn repeat(result: &CaseResult) -> Repeat {
    Repeat {
        status: result.status,
        reason: result.reason.clone(),
        soft_score: result.metrics.scoring.soft_score.shown(),
        checks: result.checks.clone(),
        duration_ms: result.duration_ms,
        usage: result.usage,
    }
}

/// The time that a target has to stop after its deadline.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// A case with its result.
#[derive(Clone, Debug)]
pub(super) struct JudgedAttempt {
    pub(super) result: CaseResult,
    /// The file of its transcript.
    pub(super) transcript: Option<PathBuf>,
    /// Why its answer could not be written as a transcript.
    pub(super) not_stored: Option<String>,
    pub(super) answer: Option<Transcript>,
    /// The answer of each attempt, if the case runs several times.
    pub(super) answers: Vec<Option<Transcript>>,
    /// A picture of the app after the case (PNG).
    pub(super) picture: Option<Vec<u8>>,
    pub(super) cancelled: bool,
    /// Problems that change no verdict.
    pub(super) warnings: Vec<String>,
}

/// Why a case has no answer.
#[derive(Clone, Debug)]
pub(super) struct NoAnswer {
    pub(super) reason: String,
    /// Whether the reason is that the run was cancelled.
    pub(super) cancelled: bool,
    /// Whether no answer is stored.
    pub(super) is_missing: bool,
}

impl NoAnswer {
    /// Why the case has no answer, without the secrets of the target.
    pub(super) fn without_secrets(self, target: &dyn Target) -> NoAnswer {
        NoAnswer { reason: target.secrets_of_reasons().redact(self.reason), ..self }
    }
}

impl From<TargetError> for NoAnswer {
    fn from(error: TargetError) -> Self {
        let is_missing = matches!(error, TargetError::NoTranscript);
        Self { reason: error.to_string(), cancelled: error.is_cancelled(), is_missing }
    }
}

impl From<String> for NoAnswer {
    fn from(reason: String) -> Self {
        Self { reason, cancelled: false, is_missing: false }
    }
}

impl JudgedAttempt {
    fn new(result: CaseResult) -> Self {
        Self {
            result,
            transcript: None,
            not_stored: None,
            answer: None,
            answers: Vec::new(),
            picture: None,
            cancelled: false,
            warnings: Vec::new(),
        }
    }

    /// A case without an answer.
    pub(super) fn error(case: &Case, why: NoAnswer) -> Self {
        Self { cancelled: why.cancelled, ..Self::new(CaseResult::not_run(case, why.reason)) }
    }
}

/// The request of a case, or the reason why there is none. A replayed case does not need a prompt.
pub(super) fn request(suite: &SuiteInput, case: &PlannedCase, is_live: bool) -> Result<Request, NoAnswer> {
    if let Some(fault) = suite.faults.get(&case.index) {
        return Err(NoAnswer::from(fault.clone()));
    }
    let fields: &Case = &case.placed.case;
    let id = case.id().ok_or_else(|| "the case has no `id`".to_owned())?;
    let prompt = fields.prompt.as_ref().map(|prompt| prompt.value.clone()).filter(|prompt| !prompt.is_empty());
    let prompt =
        if is_live { prompt.ok_or_else(|| "the case has no `prompt`".to_owned())? } else { prompt.unwrap_or_default() };
    let setup_prompts = fields.setup_prompts.iter().flat_map(List::entries).map(|prompt| prompt.value.clone());
    let preconditions = fields.preconditions.iter().flat_map(List::entries).map(|text| text.value.clone());
    Ok(Request {
        suite: suite.path.clone(),
        case: id.to_owned(),
        preconditions: preconditions.collect(),
        setup_prompts: setup_prompts.collect(),
        prompt,
    })
}

/// Asks the target in the job's session and opens one if there is none. Gives up a session that panics, or that does not
/// stop within `patience` after the deadline.
pub(super) async fn ask(
    target: &dyn Target,
    job: usize,
    session: &mut Option<Box<dyn Session>>,
    request: &Request,
    context: &Context,
    patience: Duration,
) -> Result<Transcript, NoAnswer> {
    let answered = async {
        let open = match session.as_mut() {
            Some(open) => open,
            None => session.insert(target.session(job, context).await?),
        };
        open.ask(request, context).await
    };
    let overdue = async {
        let stop = context.deadline.reached().await;
        tokio::time::sleep(patience).await;
        stop
    };
    let failed = tokio::select! {
        answer = AssertUnwindSafe(answered).catch_unwind() => match answer {
            Ok(answer) => return answer.map_err(NoAnswer::from),
            Err(panic) => NoAnswer::from(message(&*panic)),
        },
        stop = overdue => NoAnswer {
            reason: format!("{stop}; the target did not stop in time and was given up"),
            cancelled: stop == Stop::Cancelled,
            is_missing: false,
        },
    };
    *session = None;
    Err(failed)
}

/// Judges an answer, and stores it in `record` if that is given. An answer that does not pass never replaces `earlier`, the
/// transcript, if that passes: it stays, and a warning names the case.
pub(super) fn judge_answer(
    suite: &Text,
    case: &PlannedCase,
    answer: Result<Transcript, NoAnswer>,
    config: &Config,
    record: Option<&Store>,
    earlier: Option<&Transcript>,
) -> JudgedAttempt {
    let fields: &Case = &case.placed.case;
    let transcript = match answer {
        Ok(transcript) => transcript,
        Err(why) => return JudgedAttempt::error(fields, why),
    };
    let mut judged = JudgedAttempt::new(judged(suite, &case.placed, &transcript, config));
    if let Some(store) = record {
        if let Some(warning) = keeps_earlier(earlier, fields, &transcript, judged.result.status, config) {
            judged.warnings.push(warning);
            let target = transcript.target.as_deref().unwrap_or_default();
            let at = transcript.recorded_at.clone();
            judged.warnings.extend(mark(store, &transcript.case, target, at, judged.result.status));
        } else {
            match store.write(&transcript) {
                Ok(path) => judged.transcript = Some(path),
                Err(error) => judged.not_stored = Some(format!("the transcript is not stored: {error}")),
            }
        }
    }
    judged.warnings.extend(judged.not_stored.clone());
    judged.answer = Some(transcript);
    judged
}

/// Judges the answer of a case as a run does; `suite` is the text with the case. An error is the reason why there is no
/// answer, and becomes the reason of a result with the status `ERROR`.
pub(crate) fn judge_kept(
    suite: &Text,
    case: &PlacedCase,
    answer: Result<Transcript, String>,
    config: &Config,
) -> CaseResult {
    match answer {
        Ok(transcript) => judged(suite, case, &transcript, config),
        Err(reason) => CaseResult::not_run(&case.case, reason),
    }
}

fn judged(suite: &Text, case: &PlacedCase, answer: &Transcript, config: &Config) -> CaseResult {
    let judged = guarded(|| judge(&case.case, answer, config).placed(suite, case.start));
    judged.unwrap_or_else(|reason| CaseResult::not_run(&case.case, reason))
}

/// Notes in the transcript of a case that its last recording, at `at` or now, had this status. Returns what went wrong.
pub(super) fn mark(store: &Store, id: &str, target: &str, at: Option<String>, status: Status) -> Option<String> {
    let at = at.unwrap_or_else(|| clock::rfc3339(clock::now()));
    let last = LastRecord { at, target: target.to_owned(), status: status.name().to_owned() };
    store.mark(id, &last).err().map(|error| format!("the transcript of {} is not marked: {error}", quoted(id)))
}

/// The warning that the transcript of a case stays.
fn keeps_earlier(
    earlier: Option<&Transcript>,
    case: &Case,
    answer: &Transcript,
    status: Status,
    config: &Config,
) -> Option<String> {
    // A transcript that cannot be read or judged does not pass.
    let verdict = guarded(|| earlier.map(|earlier| judge(case, earlier, config))).ok().flatten();
    let before = verdict.filter(|verdict| !verdict.stale).map(|verdict| verdict.status);
    before.is_some_and(|before| before.stays(status)).then(|| {
        let case = quoted(&answer.case);
        format!(
            "the transcript of {case} passes and stays, because the new answer does not pass; `eval-ls accept --failing` takes \
             the answer of a kept run"
        )
    })
}

impl CaseRun<'_> {
    /// Stores a screenshot of a case that did not pass beside its transcript. If the case passed, removes the screenshot of an
    /// earlier run. Does nothing if the session takes no screenshots, or if the run writes no files and emits no answers.
    pub(super) async fn store_picture(&mut self, judged: &mut JudgedAttempt) {
        let (shared, index) = (self.shared, self.index);
        let options = &shared.options;
        let writes = options.record || options.results.is_some() || options.kept.is_some() || options.hand_over;
        let Some(session) = self.session.as_mut().filter(|session| writes && session.takes_pictures()) else { return };
        let case = &shared.plan.cases[index];
        let Some(id) = case.id().filter(|_| !shared.cancel.is_cancelled()) else { return };
        let path = Filed::Screenshot(&shared.config.run.transcripts).path(&shared.plan.suite_of(case).path, id);
        let written = match judged.result.status {
            Status::Pass | Status::Partial => remove(path).await,
            Status::Fail | Status::Error => match tokio::time::timeout(PATIENCE, session.picture()).await {
                Ok(Some(picture)) => {
                    judged.picture = options.kept.is_some().then(|| picture.clone());
                    let access = Access::private_if(shared.target.is_private());
                    let written = write(path.clone(), access, picture).await;
                    judged.result.screenshot = written.is_ok().then(|| path.display().to_string());
                    written
                }
                // A page that is already closed does not change the verdict.
                Ok(None) | Err(_) => Ok(()),
            },
        };
        judged.warnings.extend(written.err());
    }
}

async fn write(path: PathBuf, access: Access, picture: Vec<u8>) -> Result<(), String> {
    let write = move || files::replace_with(&path, access, |file| file.write_all(&picture));
    off_reactor(write).await.map_err(|error| format!("the screenshot is not stored: {error}"))
}

async fn remove(path: PathBuf) -> Result<(), String> {
    let gone = |path: &Path| match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("cannot remove the screenshot of an earlier run: {}: {error}", path.display()))
        }
        _ => Ok(()),
    };
    off_reactor(move || gone(&path)).await
}

#[cfg(test)]
mod tests {
    use crate::suite::Case;

    use super::*;

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
            let enough = Enough::new(most, false);
            reasons.iter().for_each(|reason| enough.note(&case(reason), Policy::default()));
            assert_eq!(enough.why().is_some(), is_enough, "{reasons:?}");
        }
    }
}
