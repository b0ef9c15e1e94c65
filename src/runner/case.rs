//! One case, from its prompts to its result.

use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::time::Duration;

use futures::FutureExt;

use crate::config::Config;
use crate::suite::{Case, List};
use crate::targets::{Context, Request, Session, Target};
use crate::text::Text;
use crate::transcript::{Store, Transcript};
use crate::verdict::{CaseResult, judge};

use super::guard::{guarded, message};
use super::plan::{PlannedCase, SuiteInput};

/// How long a target may take to come back once it is time to stop.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// What is known of a case in the end.
#[derive(Debug)]
pub(super) struct Concluded {
    pub(super) result: CaseResult,
    /// The file that has its transcript.
    pub(super) transcript: Option<PathBuf>,
    /// What was answered.
    pub(super) answer: Option<Transcript>,
    /// What went wrong beside.
    pub(super) warnings: Vec<String>,
}

impl Concluded {
    /// A case that there is nothing to judge of.
    pub(super) fn error(case: &Case, reason: String) -> Self {
        Self { result: CaseResult::not_run(case, reason), transcript: None, answer: None, warnings: Vec::new() }
    }
}

/// The request of a case, or why there is none. A case that is replayed needs no prompt.
pub(super) fn request(suite: &SuiteInput, case: &PlannedCase, is_live: bool) -> Result<Request, String> {
    let fields: &Case = &case.placed.case;
    let id = case.id().ok_or("the case has no `id`")?;
    let prompt = fields.prompt.as_ref().map(|prompt| prompt.value.clone()).filter(|prompt| !prompt.is_empty());
    let prompt = if is_live { prompt.ok_or("the case has no `prompt`")? } else { prompt.unwrap_or_default() };
    let setup_prompts = fields.setup_prompts.iter().flat_map(List::entries).map(|prompt| prompt.value.clone());
    Ok(Request { suite: suite.path.clone(), case: id.to_owned(), setup_prompts: setup_prompts.collect(), prompt })
}

/// Asks the target, in the session of that job, which is opened where there is none. A session that panics, or takes
/// longer than `patience` to come back once it is time to stop, is given up.
pub(super) async fn ask(
    target: &dyn Target,
    job: usize,
    session: &mut Option<Box<dyn Session>>,
    request: &Request,
    context: &Context,
    patience: Duration,
) -> Result<Transcript, String> {
    let asking = async {
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
        answer = AssertUnwindSafe(asking).catch_unwind() => match answer {
            Ok(answer) => return answer.map_err(|error| error.to_string()),
            Err(panic) => message(&*panic),
        },
        stop = overdue => format!("{stop}; the target did not stop in time and was given up"),
    };
    *session = None;
    Err(failed)
}

/// Judges what was answered, and keeps it where `record` says where.
pub(super) fn conclude(
    suite: &Text,
    case: &PlannedCase,
    answer: Result<Transcript, String>,
    config: &Config,
    record: Option<&Store>,
) -> Concluded {
    let fields: &Case = &case.placed.case;
    let transcript = match answer {
        Ok(transcript) => transcript,
        Err(reason) => return Concluded::error(fields, reason),
    };
    // It is kept first: whatever comes after this, the answer is not lost.
    let (kept, warnings) = match record.map(|store| store.write(&transcript)) {
        Some(Err(error)) => (None, vec![format!("the transcript is not kept: {error}")]),
        Some(Ok(path)) => (Some(path), Vec::new()),
        None => (None, Vec::new()),
    };
    let judged = guarded(|| {
        let verdict = judge(fields, &transcript, config);
        CaseResult::new(fields, &transcript, config, &verdict).placed(suite, case.placed.start)
    });
    let result = judged.unwrap_or_else(|reason| CaseResult::not_run(fields, reason));
    Concluded { result, transcript: kept, answer: Some(transcript), warnings }
}
