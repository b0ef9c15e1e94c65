//! What test explorers show: the list of suites and cases (`eval-ls/tests`), and the verdicts of a suite (`eval-ls/verdicts`).

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use hmac_sha256::Hash as Sha256;
use ls_types::Uri;

use crate::analysis::verdicts::JudgedCheck;
use crate::analysis::{Answer, JudgedCase};
use crate::checks::{CheckOutcome, expectations};
use crate::config::REPLAY;
use crate::lsp::convert::uris;
use crate::lsp::protocol::{self, CheckFailure, Summary, TestCase, TestSuite, TestsResult, VerdictsResult};
use crate::lsp::session::open_document::{Since, Snapshot};
use crate::lsp::session::suites;
use crate::suite::PlacedCase;
use crate::text::hex;

/// The suites in the workspace folders and the open suites, without their cases.
pub(crate) fn all(open: &[Snapshot], folders: &[PathBuf]) -> TestsResult {
    let mut listed: Vec<TestSuite> = open.iter().map(|suite| listed(suite, folders)).collect();
    for path in suites::closed(folders, open) {
        if let (Some(uri), Some(text)) = (uris::from_path(&path), suites::text(&path)) {
            let label = suites::label(&path, folders);
            listed.push(TestSuite { uri, label, hash: hash(text.as_str()), cases: None });
        }
    }
    listed.sort_by(|one, other| one.label.cmp(&other.label));
    TestsResult { suites: listed }
}

/// One suite with its cases; an empty list if there is no such suite.
pub(crate) fn one(suite: Option<&Snapshot>, folders: &[PathBuf]) -> TestsResult {
    let with_cases = |suite: &Snapshot| {
        let cases = suite.document.suite().cases.iter().enumerate();
        let cases = cases.filter_map(|(index, placed)| case(suite, index, placed)).collect();
        TestSuite { cases: Some(cases), ..listed(suite, folders) }
    };
    TestsResult { suites: suite.into_iter().map(with_cases).collect() }
}

/// The hash of a text: 16 hexadecimal digits.
pub(crate) fn hash(text: &str) -> String {
    hex(&Sha256::hash(text.as_bytes())[..8])
}

fn listed(suite: &Snapshot, folders: &[PathBuf]) -> TestSuite {
    let label = suite.document.path().map_or_else(|| name(&suite.uri), |path| suites::label(path, folders));
    TestSuite { uri: suite.uri.clone(), label, hash: hash(suite.document.text().as_str()), cases: None }
}

/// The last part of a URI that is not a file.
fn name(uri: &Uri) -> String {
    let path = uri.path().as_str();
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

/// A case; `None` without an id, because such a case cannot run on its own.
fn case(suite: &Snapshot, index: usize, placed: &PlacedCase) -> Option<TestCase> {
    let id = placed.case.id.as_ref()?;
    let text = suite.document.text();
    let value = |field: &Option<crate::suite::Field<String>>| field.as_ref().map(|field| field.value.clone());
    Some(TestCase {
        id: id.value.clone(),
        index,
        category: value(&placed.case.category).unwrap_or_else(|| "general".to_owned()),
        prompt: value(&placed.case.prompt).unwrap_or_default(),
        range: suite.range(placed.absolute(id.span)),
        case_range: suite.range(placed.span()),
        hash: hash(text.slice(placed.span())),
    })
}

/// The running cases of a suite, and its target.
pub(crate) struct Running {
    pub(crate) cases: HashMap<String, Since>,
    pub(crate) target: String,
    pub(crate) targets: Vec<String>,
    /// Whether the target is not live: it returns the stored transcripts.
    pub(crate) replays: bool,
    /// Whether the suite is open in the editor.
    pub(crate) is_open: bool,
}

/// The verdicts of the current text.
pub(crate) fn verdicts(suite: &Snapshot, running: Running) -> VerdictsResult {
    let mut summary = Summary::default();
    let text = suite.document.text();
    let mut cases = Vec::new();
    let mut answered_by = BTreeSet::new();
    for (index, placed) in suite.document.suite().cases.iter().enumerate() {
        let Some(id) = &placed.case.id else { continue };
        let verdict = suite.document.verdict(index, &suite.answers);
        let verdict = verdict.as_deref();
        // Whether it has started, if it is running.
        let started = running.cases.get(&id.value).map(Option::is_some);
        let is_stale = verdict.is_some_and(JudgedCase::is_stale);
        summary.add(verdict, started);
        if let Some(verdict) = verdict.filter(|_| started.is_none()) {
            answered_by.insert(answered(verdict, &running).to_owned());
            if summary.reason.is_none() && verdict.error().is_some() {
                summary.reason = verdict.headline().split_once(' ').map(|(_, reason)| reason.to_owned());
            }
        }
        cases.push(protocol::CaseVerdict {
            id: id.value.clone(),
            range: suite.range(placed.absolute(id.span)),
            status: verdict.map(JudgedCase::status),
            label: verdict.map(JudgedCase::label),
            running: started.is_some(),
            stale: is_stale,
            soft_score: verdict.and_then(JudgedCase::soft_score),
            checks: expectations(&placed.case).len(),
            failures: verdict.map(|verdict| failures(suite, index, verdict)).unwrap_or_default(),
            hash: hash(text.slice(placed.span())),
            duration_ms: verdict.and_then(|verdict| verdict.answer.transcript.as_ref().ok()?.duration_ms),
            reason: verdict.and_then(JudgedCase::reason),
        });
    }
    let about = about(&answered_by, &running.target);
    let Running { target, targets, is_open, .. } = running;
    VerdictsResult { version: is_open.then_some(suite.version), target, targets, answered_by, about, summary, cases }
}

/// What the counts are about, for people: the selected target, or the targets that answered and the one that runs next.
fn about(answered_by: &BTreeSet<String>, target: &str) -> String {
    if answered_by.iter().all(|name| name == target) {
        return format!("· {target}");
    }
    let names: Vec<_> = answered_by.iter().map(String::as_str).collect();
    format!("by {} · next: {target}", names.join(", "))
}

/// The target that a verdict is about: the one that gave no answer, else the one that answered. A stored transcript is an answer of
/// the selected target if that replays transcripts.
fn answered<'a>(verdict: &'a JudgedCase, running: &'a Running) -> &'a str {
    let Answer { failure, file, .. } = &*verdict.answer;
    match failure {
        Some(failure) => &failure.target,
        None if file.is_some() && running.replays => &running.target,
        None => verdict.answer.target().unwrap_or(REPLAY),
    }
}

/// The checks of a case that did not pass and whose expectation is still in the text.
pub(crate) fn failures(suite: &Snapshot, index: usize, verdict: &JudgedCase) -> Vec<CheckFailure> {
    let placed = &suite.document.suite().cases[index];
    let failure = |check: JudgedCheck<'_>| {
        let span = placed.absolute(check.span?);
        Some(CheckFailure { check: check.result.id.clone(), message: check.message(), range: suite.range(span) })
    };
    let is_failed =
        |check: &JudgedCheck<'_>| matches!(check.result.outcome, CheckOutcome::Failed | CheckOutcome::NotJudged);
    verdict.checks_by_place().into_iter().filter(is_failed).filter_map(failure).collect()
}
