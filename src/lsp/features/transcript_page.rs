//! The last answer of a case with its verdict, as an HTML page (`eval-ls/transcriptPage`).

use std::time::SystemTime;

use crate::analysis::{JudgedCase, PastVerdict, SinceBaseline};
use crate::lsp::protocol::{CheckPlace, TranscriptPage};
use crate::lsp::session::snapshot::Snapshot;
use crate::report::html::{self, PastLine, TranscriptHead, TranscriptSource, transcript_html};
use crate::wording::{age, main_reason};

/// How many earlier verdicts a page has. They fit on one line.
const PAST: usize = 5;

/// The page of a case; `None` if the suite has no such case, or it has no answer.
pub(crate) fn transcript_page(suite: &Snapshot, case: &str, now: SystemTime) -> Option<TranscriptPage> {
    let cases = &suite.document.suite().cases;
    let index = cases.iter().position(|placed| placed.case.id.as_ref().is_some_and(|id| id.value == case))?;
    let verdict = suite.document.verdict(index, &suite.answers)?;
    let page = html::TranscriptPage::new(TranscriptSource {
        transcript: verdict.answer.transcript.as_ref().ok(),
        checks: verdict.checks_by_place().into_iter().map(|check| (check.result, check.nearest)).collect(),
        terms: verdict.terms(),
        head: head(suite, index, case, &verdict, now),
    });
    let placed = &cases[index];
    let range = |span| suite.range(placed.absolute(span));
    let id = placed.case.id.as_ref()?;
    Some(TranscriptPage {
        html: transcript_html(&page),
        data: serde_json::to_string(&page).ok()?,
        range: range(id.span),
        checks: verdict
            .checks_by_place()
            .into_iter()
            .map(|check| CheckPlace { check: check.result.id.clone(), range: check.span.map(range) })
            .collect(),
    })
}

fn head(suite: &Snapshot, index: usize, case: &str, verdict: &JudgedCase, now: SystemTime) -> TranscriptHead {
    let since = suite.document.since_baseline(index, verdict, &suite.answers);
    let is_new = verdict.answer.file.is_none() && verdict.answer.transcript.is_ok();
    let is_stored = suite.answers.is_stored(case);
    let judged = verdict.verdict.as_ref().filter(|judged| judged.error.is_none());
    TranscriptHead {
        uri: suite.uri.as_str().to_owned(),
        case: case.to_owned(),
        status: verdict.status(),
        headline: verdict.reason().unwrap_or_else(|| verdict.headline().reasons()),
        about: about(verdict, is_stored, now),
        acceptable: is_new && !is_stored,
        replaces: is_new && !is_stored && suite.answers.kept(case).is_some_and(|kept| kept.transcript.is_ok()),
        reason: verdict.error().filter(|reason| reason.trim().contains('\n')).map(str::to_owned),
        baseline: since.as_ref().and_then(SinceBaseline::was).map(|(_, was)| format!("The case {was}.")),
        soft_score: judged.map(|judged| judged.soft_score.value),
        threshold: judged.and_then(|judged| judged.soft_score.threshold),
        history: suite.answers.history().last(case).iter().take(PAST).map(|past| line(past, now)).collect(),
    }
}

/// Where the answer comes from, and what keeps the verdict from being about the current text.
fn about(verdict: &JudgedCase, is_stored: bool, now: SystemTime) -> Vec<String> {
    let answer = &verdict.answer;
    let mut parts = Vec::new();
    parts.extend(verdict.label_before().map(|before| format!("the checks are about the previous answer: {before}")));
    parts.extend(answer.target().map(|target| format!("by {target}")));
    let duration = answer.transcript.as_ref().ok().and_then(|transcript| transcript.duration_ms);
    parts.extend(duration.map(|milliseconds| format!("took {:.1} s", milliseconds as f64 / 1000.0)));
    parts.extend(answer.moment.map(|moment| age(moment, now)));
    parts.push(match &answer.file {
        Some(file) => format!("stored in {}", file.path.file_name().unwrap_or_default().to_string_lossy()),
        None if is_stored => "the same answer as the stored one".to_owned(),
        None => "not accepted as the transcript".to_owned(),
    });
    if verdict.outdated {
        parts.push("stale: about the text before it was broken".to_owned());
    }
    parts
}

fn line(past: &PastVerdict, now: SystemTime) -> PastLine {
    let mut about = format!("by {}", past.target);
    about.extend(past.at.map(|at| format!(", {}", age(at, now))));
    about.extend(past.reason.as_ref().map(|reason| format!(": {}", main_reason(reason))));
    PastLine { status: past.status, about }
}
