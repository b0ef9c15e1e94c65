//! One case, from its prompts to its result, with a screenshot if it does not pass.

use std::io::Write as _;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures_util::FutureExt;

use crate::clock;
use crate::config::Config;
use crate::diagnostic::quoted;
use crate::filed::Filed;
use crate::files::{self, Access};
use crate::suite::{Case, List, PlacedCase};
use crate::targets::{Context, Request, Session, Stop, Target, TargetError, off_reactor};
use crate::text::Text;
use crate::transcript::{LastRecord, Store, Transcript};
use crate::verdict::{CaseResult, Status, judge};

use super::case_run::{CaseRun, guarded, message};
use super::plan::{PlannedCase, SuiteInput};

/// The time that a target has to stop after its deadline.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// A case with its result.
#[derive(Clone, Debug)]
pub(super) struct JudgedCase {
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
}

impl NoAnswer {
    /// The same without the secrets of the target.
    pub(super) fn without_secrets(self, target: &dyn Target) -> NoAnswer {
        NoAnswer { reason: target.secrets_of_reasons().redact(self.reason), ..self }
    }
}

impl From<TargetError> for NoAnswer {
    fn from(error: TargetError) -> Self {
        Self { reason: error.to_string(), cancelled: error.is_cancelled() }
    }
}

impl From<String> for NoAnswer {
    fn from(reason: String) -> Self {
        Self { reason, cancelled: false }
    }
}

impl JudgedCase {
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
) -> JudgedCase {
    let fields: &Case = &case.placed.case;
    let transcript = match answer {
        Ok(transcript) => transcript,
        Err(why) => return JudgedCase::error(fields, why),
    };
    let mut judged = JudgedCase::new(judged(suite, &case.placed, &transcript, config));
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
    pub(super) async fn store_picture(&mut self, judged: &mut JudgedCase) {
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
    let written = off_reactor(write).await;
    written.map_err(|error| format!("the screenshot is not stored: {error}"))
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
