//! The list of suites and cases (`eval-ls/tests`).

use std::path::PathBuf;

use hmac_sha256::Hash as Sha256;
use ls_types::Uri;

use crate::cancellation::checkpoint;
use crate::lsp::convert::uris;
use crate::lsp::protocol::{TestCase, TestSuite, TestsResult};
use crate::lsp::session::snapshot::Snapshot;
use crate::lsp::session::suites;
use crate::suite::PlacedCase;
use crate::text::hex;

/// The suites in the workspace folders and the open suites, without their cases.
pub(crate) fn all(open: &[Snapshot], folders: &[PathBuf]) -> TestsResult {
    let mut listed: Vec<TestSuite> = open.iter().map(|suite| listed(suite, folders)).collect();
    for path in suites::below(folders) {
        checkpoint();
        if open.iter().any(|suite| suite.document.path() == Some(&path)) {
            continue;
        }
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
