//! Challenges in editors: the proof of each check (`eval-ls/proofs`), for a page that shows the suite beside its answers; fixes for
//! checks that the prompt alone meets, and for brittle ones.

use ls_types::{CodeAction, CodeActionKind, Range, Uri};
use serde::{Deserialize, Serialize};

use crate::analysis::JudgedCase;
use crate::analysis::challenges::remedies as remedies_at;
use crate::analysis::verdicts::JudgedCheck;
use crate::challenge::{CaseChallenges, Change, CheckChallenges};
use crate::checks::{CheckOutcome, Expectation, expectations};
use crate::config::with_setting;
use crate::lsp::convert::to_lsp::{self};
use crate::lsp::convert::uris;
use crate::lsp::session::configurations::ConfigFile;
use crate::lsp::session::open_document::Snapshot;
use crate::lsp::session::suites;
use crate::suite::PlacedCase;
use crate::text::Span;
use crate::transcript::file_name;
use crate::verdict::Status;
use crate::workspace::{Scope, without_dots};

/// Parameters of `eval-ls/proofs`.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ProofsParams {
    pub(crate) uri: Uri,
    /// The id of the only case that is asked for. Default: all.
    case: Option<String>,
}

/// A case with its answer, its verdict and what proves its checks.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CaseProof {
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
    /// The wrong answers that the case passes, each with the reason.
    passed_challenges: Vec<PassedChallenge>,
    /// The rewrites of the answer that were tried.
    rewrites: Vec<String>,
}

/// A wrong answer that a case passes.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PassedChallenge {
    challenge: String,
    reason: String,
}

/// A check with its result and its proof.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CheckProof {
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
pub(crate) struct Place {
    start: usize,
    end: usize,
}

/// The cases of a suite that are asked for and have an id.
pub(crate) fn proofs(suite: &Snapshot, wanted: &ProofsParams) -> Vec<CaseProof> {
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
        let file = without_dots(&suites::store(path, suite.answers.config()).folder().join(file_name(&id)));
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
        stale: verdict.is_some_and(JudgedCase::is_stale),
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
        let found = result.map_or(&[][..], |judged| &*judged.result.evidence);
        let (places, nearest) = match result {
            Some(judged) if found.is_empty() => (&*judged.result.nearest, true),
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
            can_fail: asked.rule.can_fail(),
            rewrites: proof.map_or(0, |check| check.rewrites.len()),
            brittle: names(|check| check.brittle.iter().map(ToString::to_string).collect()),
            fixes: names(|check| check.remedies.iter().map(|remedy| remedy.title.clone()).collect()),
            id: asked.id,
        }
    };
    expectations(&placed.case).into_iter().enumerate().map(check).collect()
}

fn range(suite: &Snapshot, span: Span) -> Range {
    suite.range(span)
}

fn units(response: &str, span: Span) -> Place {
    let before = |end: usize| response[..end].encode_utf16().count();
    Place { start: before(span.start), end: before(span.end) }
}

/// The fixes for the checks that the selection `at` touches.
pub(crate) fn remedies(snapshot: &Snapshot, config_file: Option<&ConfigFile>, at: Span) -> Vec<CodeAction> {
    if !snapshot.settings.challenges {
        return Vec::new();
    }
    let action = |title: &str, edit| CodeAction {
        title: to_lsp::capitalised(title),
        kind: Some(CodeActionKind::QUICKFIX),
        edit: Some(edit),
        ..CodeAction::default()
    };
    let here = remedies_at(&snapshot.document, &snapshot.answers, at).into_iter();
    let actions = here.filter_map(|remedy| {
        let edit = match &remedy.change {
            Change::Case(edits) => snapshot.edit(edits),
            Change::Scoring { key, value } => {
                let file = config_file?;
                let edits =
                    with_setting(file.text.as_str(), "scoring", key, value).filter(|edits| !edits.is_empty())?;
                file.workspace_edit(&edits, &snapshot.support)?
            }
        };
        Some(action(&remedy.title, edit))
    });
    actions.collect()
}
