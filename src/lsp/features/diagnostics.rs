//! Diagnostics of open suites (`textDocument/publishDiagnostics`): findings, and a verdict for each check that did not pass, on the expectation.

use std::cmp::Reverse;

use ls_types::{Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, NumberOrString, Range, Uri};

use crate::analysis::configuration::configuration_findings;
use crate::analysis::inlay_hints::VerdictHints;
use crate::analysis::{PlacedFinding, VerdictFinding};
use crate::diagnostic::{Finding, Severity};
use crate::lsp::client::settings::Support;
use crate::lsp::convert::to_lsp::{self, Origin, SOURCE};
use crate::lsp::convert::uris;
use crate::lsp::session::configurations::Configuration;
use crate::lsp::session::open_document::Snapshot;
use crate::lsp::session::state::Current;
use crate::lsp::session::suites;
use crate::text::{Span, Text};

/// The maximum number of findings that are sent for one file, and of verdicts, including the note about the rest.
pub(crate) const MAX_DIAGNOSTICS: usize = 1000;

/// The diagnostics of a document: findings, and the verdicts of a suite.
pub(crate) fn of(uri: &Uri, current: &Current, support: &Support) -> Vec<Diagnostic> {
    match current {
        Current::Suite(snapshot) => of_findings(snapshot).into_iter().chain(of_verdicts(snapshot)).collect(),
        Current::Unreadable(_) => vec![internal_error()],
        Current::Configuration(configuration) => of_configuration(configuration, uri, support),
        Current::OpenConfiguration(configuration) => {
            of_text(configuration_findings(&configuration.text), &configuration.origin(support))
        }
        Current::Nothing => Vec::new(),
    }
}

/// The findings in a suite; only one, as `check` reports, if the file is not UTF-8.
pub(crate) fn of_findings(snapshot: &Snapshot) -> Vec<Diagnostic> {
    let Snapshot { document, workspace, .. } = snapshot;
    if let Some(finding) = document.path().and_then(suites::not_utf8) {
        return vec![to_lsp::diagnostic(&finding, &snapshot.origin())];
    }
    let key = |finding: &PlacedFinding| (Reverse(finding.severity), finding.span(), finding.lint());
    let (findings, left_out) = most_severe(document.placed_findings(workspace), key);
    let whole = findings.iter().filter_map(|finding| document.whole(finding, workspace));
    whole.map(|finding| to_lsp::diagnostic(&finding, &snapshot.origin())).chain(left_out).collect()
}

/// The findings in an `eval-ls.toml`, as it is on disk.
fn of_configuration(configuration: &Configuration, uri: &Uri, support: &Support) -> Vec<Diagnostic> {
    let text = Text::new(&configuration.text);
    of_text(configuration.findings.to_vec(), &Origin { uri, text: &text, support })
}

/// The diagnostics of findings in a text.
pub(crate) fn of_text(findings: Vec<Finding>, origin: &Origin<'_>) -> Vec<Diagnostic> {
    let (findings, left_out) = most_severe(findings, |finding| (Reverse(finding.severity), finding.span, finding.lint));
    findings.iter().map(|finding| to_lsp::diagnostic(finding, origin)).chain(left_out).collect()
}

/// The diagnostic of a document that this program panics on.
pub(crate) fn internal_error() -> Diagnostic {
    let message = "internal error while checking this document; see the eval-ls log";
    note(SOURCE, DiagnosticSeverity::ERROR, message)
}

/// How findings are ordered: by severity, then in the order of the text.
type Key = (Reverse<Severity>, Span, &'static str);

/// The most severe findings in the order of the text, and a note about the rest.
fn most_severe<F>(mut findings: Vec<F>, key: impl Fn(&F) -> Key) -> (Vec<F>, Option<Diagnostic>) {
    let mut left_out = None;
    if findings.len() > MAX_DIAGNOSTICS {
        let (_, gravest_of_rest, rest) = findings.select_nth_unstable_by_key(MAX_DIAGNOSTICS - 1, &key);
        left_out = Some(more(rest.len() + 1, key(gravest_of_rest).0.0));
        findings.truncate(MAX_DIAGNOSTICS - 1);
    }
    findings.sort_by_key(|finding| (key(finding).1, key(finding).2));
    (findings, left_out)
}

/// A note about findings that are not sent.
pub(crate) fn more(count: usize, gravest: Severity) -> Diagnostic {
    note(SOURCE, to_lsp::severity(gravest), format!("{count} more findings in this file are not listed"))
}

/// A diagnostic of the whole file.
fn note(source: &str, severity: DiagnosticSeverity, message: impl Into<String>) -> Diagnostic {
    Diagnostic {
        range: Range::default(),
        severity: Some(severity),
        source: Some(source.to_owned()),
        message: message.into(),
        ..Diagnostic::default()
    }
}

/// The source of diagnostics of verdicts.
pub(crate) const VERDICT_SOURCE: &str = "eval-ls verdict";

/// The verdicts of a suite as at most [`MAX_DIAGNOSTICS`], including the note about the rest.
pub(crate) fn of_verdicts(snapshot: &Snapshot) -> Vec<Diagnostic> {
    let is_text = || snapshot.document.path().and_then(suites::not_utf8).is_none();
    if snapshot.settings.verdicts == VerdictHints::None || !is_text() {
        return Vec::new();
    }
    let findings = snapshot.document.verdict_findings(&snapshot.answers);
    let findings = findings.chain(snapshot.document.sample_findings(&snapshot.answers));
    let findings = findings.chain(snapshot.document.stray_findings(&snapshot.answers));
    let mut diagnostics: Vec<_> =
        findings.take(MAX_DIAGNOSTICS + 1).map(|finding| of_verdict(&finding, snapshot)).collect();
    if diagnostics.len() > MAX_DIAGNOSTICS {
        diagnostics.truncate(MAX_DIAGNOSTICS - 1);
        let message = "more checks in this file did not pass than are listed";
        diagnostics.push(note(VERDICT_SOURCE, DiagnosticSeverity::WARNING, message));
    }
    diagnostics
}

fn of_verdict(finding: &VerdictFinding, snapshot: &Snapshot) -> Diagnostic {
    Diagnostic {
        range: snapshot.origin().marked(key_or_itself(snapshot, finding.span)),
        severity: Some(to_lsp::severity(finding.severity)),
        code: Some(NumberOrString::String(finding.code.to_owned())),
        source: Some(VERDICT_SOURCE.to_owned()),
        message: finding.message.clone(),
        related_information: related(finding, snapshot),
        ..Diagnostic::default()
    }
}

/// The only text of a list, the key of another value of several lines, and any other span itself.
fn key_or_itself(snapshot: &Snapshot, span: Span) -> Span {
    let text = snapshot.document.text();
    let written = text.slice(span);
    let only = written.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).map(str::trim);
    if let Some(only) = only.filter(|only| serde_json::from_str::<String>(only).is_ok()) {
        let start = span.start + (written.len() - written[1..].trim_start().len());
        return Span::new(start, start + only.len());
    }
    if !written.contains('\n') {
        return span;
    }
    let before = text.slice(Span::new(0, span.start)).trim_end();
    let key = before.strip_suffix(':').map(str::trim_end).filter(|before| before.ends_with('"'));
    // Keys of suites have no escapes.
    let start = key.and_then(|key| key[..key.len() - 1].rfind('"').map(|start| Span::new(start, key.len())));
    start.unwrap_or(span)
}

fn related(finding: &VerdictFinding, snapshot: &Snapshot) -> Option<Vec<DiagnosticRelatedInformation>> {
    let place = finding.place.as_ref()?;
    let file = place.answer.file.as_ref()?;
    let origin = Origin { uri: &uris::from_path(&file.path)?, text: &file.text, support: &snapshot.support };
    Some(vec![DiagnosticRelatedInformation { location: origin.location(place.span), message: place.message.clone() }])
}
