//! The verdicts of a suite with the proof of each check (`eval-ls/proofs`), for a page that shows the suite beside its answers.

use ls_types::{Range, Uri};
use serde::{Deserialize, Serialize};

use crate::analysis::JudgedCase;
use crate::analysis::verdicts::JudgedCheck;
use crate::challenge::{CaseChallenges, CheckChallenges};
use crate::checks::CheckOutcome;
use crate::lsp::convert::{to_lsp, uris};
use crate::lsp::session::fence;
use crate::lsp::session::snapshot::Snapshot;
use crate::suite::{Expectation, PlacedCase, expectations};
use crate::text::Span;
use crate::transcript::file_name;
use crate::verdict::Status;
use crate::workspace::{Scope, without_dots};

/// Parameters of `eval-ls/proofs`.
#[derive(Clone, Debug, Deserialize)]
pub(in crate::lsp) struct ProofsParams {
    pub(in crate::lsp) uri: Uri,
    /// The id of the only case that is asked for. Default: all.
    #[serde(default)]
    case: Option<String>,
}

/// A case with its answer, its verdict and what proves its checks.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::lsp) struct CaseProof {
    id: String,
    /// Of the whole case.
    range: Range,
    prompt: String,
    setup_prompts: Vec<String>,
    /// The file of its transcript, which need not exist. `None` if the configured folder is outside of the workspace.
    transcript: Option<Uri>,
    /// The answer; `None` without one, or if it cannot be read.
    response: Option<String>,
    status: Option<Status>,
    /// The verdict in the words of lenses and hints.
    label: Option<String>,
    /// Why there is no verdict on the answer.
    reason: Option<String>,
    /// Whether the prompts have changed since the answer.
    stale: bool,
    /// Whether the case cannot be read now. The verdict is that on its last text that could be read.
    outdated: bool,
    soft_score: Option<f64>,
    checks: Vec<CheckProof>,
    /// The wrong answers that were tried.
    challenges: Vec<String>,
    /// Those that the case passes although it ought to fail them, each with the reason.
    passed_challenges: Vec<PassedChallenge>,
    /// The rewrites of the answer that were tried.
    rewrites: Vec<String>,
}

/// A wrong answer that a case passes.
#[derive(Clone, Debug, Serialize)]
pub(in crate::lsp) struct PassedChallenge {
    challenge: String,
    reason: String,
}

/// A check with its result and its proof.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::lsp) struct CheckProof {
    id: String,
    /// The text that asks for it.
    range: Range,
    /// `None` without an answer.
    outcome: Option<CheckOutcome>,
    message: Option<String>,
    /// The places in the answer that decided it; those nearest to what is missing if there are none.
    evidence: Vec<Place>,
    /// Whether the places are only nearest to what is missing.
    nearest: bool,
    /// The challenges on which it fails.
    notices: Vec<String>,
    met_by_prompt: bool,
    /// Whether some answer can fail it.
    can_fail: bool,
    /// The number of rewrites that it ought to pass.
    rewrites: usize,
    /// The rewrites on which it fails.
    brittle: Vec<String>,
    /// The changes that help it.
    fixes: Vec<String>,
}

/// A part of an answer, in UTF-16 code units, as strings of JavaScript count.
#[derive(Clone, Copy, Debug, Serialize)]
pub(in crate::lsp) struct Place {
    start: usize,
    end: usize,
}

/// The cases of a suite that are asked for and have an id.
pub(in crate::lsp) fn proofs(suite: &Snapshot, wanted: &ProofsParams) -> Vec<CaseProof> {
    let challenges = suite.document.challenges(&suite.answers);
    let cases = suite.document.suite().cases.iter().enumerate();
    let proof = |(index, placed): (usize, &PlacedCase)| {
        let id = placed.case.id.as_ref()?.value.clone();
        if wanted.case.as_ref().is_some_and(|case| *case != id) {
            return None;
        }
        let challenged = challenges.of(index);
        Some(case_proof(suite, id, index, placed, challenged.as_deref()))
    };
    cases.filter_map(proof).collect()
}

fn case_proof(
    suite: &Snapshot,
    id: String,
    index: usize,
    placed: &PlacedCase,
    challenged: Option<&CaseChallenges>,
) -> CaseProof {
    let verdict = suite.document.verdict(index, &suite.answers);
    let verdict = verdict.as_deref();
    let answer = verdict.and_then(|verdict| verdict.answer.transcript.as_ref().ok());
    let file = suite.document.path().and_then(|path| {
        let file = without_dots(&fence::store(path, suite.answers.config()).folder().join(file_name(&id)));
        file.starts_with(Scope::of_file(path).folder()).then_some(file)
    });
    let prompts = placed.case.setup_prompts.iter().flat_map(|list| list.entries());
    let config = &suite.answers.config().challenge;
    let passed =
        challenged.into_iter().flat_map(|judged| judged.breaches(&id, config)).map(|attempt| PassedChallenge {
            challenge: attempt.challenge.to_string(),
            reason: attempt.reason.unwrap_or_default().to_owned(),
        });
    let attempts = challenged.into_iter().flat_map(|judged| &judged.attempts);
    let rewrites =
        challenged.into_iter().flat_map(|judged| &judged.rewrites).filter(|(_, left_out)| left_out.is_none());
    CaseProof {
        range: range(suite, placed.span()),
        prompt: placed.case.prompt.as_ref().map(|prompt| prompt.value.clone()).unwrap_or_default(),
        setup_prompts: prompts.map(|prompt| prompt.value.clone()).collect(),
        transcript: file.and_then(|file| uris::from_path(&file)),
        response: answer.map(|answer| answer.response.clone()),
        status: verdict.map(JudgedCase::status),
        label: verdict.map(JudgedCase::label),
        reason: match verdict {
            Some(verdict) => verdict.reason(),
            None => suite.answers.of(&id).map(|_| "the case cannot be read, so its answer is not judged".to_owned()),
        },
        stale: verdict.and_then(|verdict| verdict.verdict.as_ref()).is_some_and(|verdict| verdict.stale),
        outdated: verdict.is_some_and(|verdict| verdict.outdated),
        soft_score: verdict.and_then(JudgedCase::soft_score),
        checks: checks(suite, placed, verdict, challenged),
        challenges: attempts.map(|attempt| attempt.challenge.to_string()).collect(),
        passed_challenges: passed.collect(),
        rewrites: rewrites.map(|(rewrite, _)| rewrite.name().to_owned()).collect(),
        id,
    }
}

fn checks(
    suite: &Snapshot,
    placed: &PlacedCase,
    verdict: Option<&JudgedCase>,
    challenged: Option<&CaseChallenges>,
) -> Vec<CheckProof> {
    let judged: Vec<JudgedCheck<'_>> = verdict.iter().flat_map(|verdict| verdict.checks()).collect();
    let answer = verdict.and_then(|verdict| verdict.answer.transcript.as_ref().ok());
    let response = answer.map_or("", |answer| answer.response.as_str());
    let check = |(index, asked): (usize, Expectation<'_>)| {
        let result = judged.iter().find(|judged| judged.result.id == asked.id && judged.span == Some(asked.span));
        let proof = challenged.and_then(|judged| judged.checks.get(index));
        let found = result.map_or(&[][..], |judged| &judged.result.evidence);
        let (places, nearest) = match result {
            Some(judged) if found.is_empty() => (judged.nearest, true),
            _ => (found, false),
        };
        let names = |list: fn(&CheckChallenges) -> Vec<String>| proof.map(list).unwrap_or_default();
        CheckProof {
            range: range(suite, placed.absolute(asked.span)),
            outcome: result.map(|judged| judged.result.outcome),
            message: result.map(JudgedCheck::message),
            evidence: places
                .iter()
                .filter_map(|place| place.span_in(response))
                .map(|span| units(response, span))
                .collect(),
            nearest,
            notices: names(|check| check.noticed.iter().map(ToString::to_string).collect()),
            met_by_prompt: proof.is_some_and(|check| check.met_by_prompt),
            can_fail: asked.can_fail(),
            rewrites: proof.map_or(0, |check| check.rewrites.len()),
            brittle: names(|check| check.brittle.iter().map(ToString::to_string).collect()),
            fixes: names(|check| check.remedies.iter().map(|remedy| remedy.title.clone()).collect()),
            id: asked.id,
        }
    };
    expectations(&placed.case).into_iter().enumerate().map(check).collect()
}

fn range(suite: &Snapshot, span: Span) -> Range {
    to_lsp::range(suite.document.text(), span, suite.support.encoding)
}

fn units(response: &str, span: Span) -> Place {
    let before = |end: usize| response[..end].encode_utf16().count();
    Place { start: before(span.start), end: before(span.end) }
}
