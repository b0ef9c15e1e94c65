//! One case, from its prompts to its result.

use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::time::Duration;

use futures::FutureExt;

use crate::config::Config;
use crate::suite::{Case, List};
use crate::targets::{Context, Request, Session, Stop, Target, TargetError};
use crate::text::Text;
use crate::transcript::{Store, Transcript};
use crate::verdict::{CaseResult, judge};

use super::guard::{guarded, message};
use super::plan::{PlannedCase, SuiteInput};

/// The time that a target has to stop after its deadline.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// A case with its result.
#[derive(Debug)]
pub(super) struct JudgedCase {
    pub(super) result: CaseResult,
    /// The file of its transcript.
    pub(super) transcript: Option<PathBuf>,
    pub(super) answer: Option<Transcript>,
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
    /// A case without an answer.
    pub(super) fn error(case: &Case, why: NoAnswer) -> Self {
        Self {
            result: CaseResult::not_run(case, why.reason),
            transcript: None,
            answer: None,
            cancelled: why.cancelled,
            warnings: Vec::new(),
        }
    }
}

/// The request of a case, or the reason why there is none. A replayed case does not need a prompt.
pub(super) fn request(suite: &SuiteInput, case: &PlannedCase, is_live: bool) -> Result<Request, NoAnswer> {
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

/// Judges an answer, and stores it in `record` first if that is given.
pub(super) fn judge_answer(
    suite: &Text,
    case: &PlannedCase,
    answer: Result<Transcript, NoAnswer>,
    config: &Config,
    record: Option<&Store>,
) -> JudgedCase {
    let fields: &Case = &case.placed.case;
    let transcript = match answer {
        Ok(transcript) => transcript,
        Err(why) => return JudgedCase::error(fields, why),
    };
    // Stored first, so that a failure below does not lose the answer.
    let (stored, warnings) = match record.map(|store| store.write(&transcript)) {
        Some(Err(error)) => (None, vec![format!("the transcript is not stored: {error}")]),
        Some(Ok(path)) => (Some(path), Vec::new()),
        None => (None, Vec::new()),
    };
    let judged = guarded(|| {
        let verdict = judge(fields, &transcript, config);
        CaseResult::new(fields, &transcript, config, &verdict).placed(suite, case.placed.start)
    });
    let result = judged.unwrap_or_else(|reason| CaseResult::not_run(fields, reason));
    JudgedCase { result, transcript: stored, answer: Some(transcript), cancelled: false, warnings }
}
