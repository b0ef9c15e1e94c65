//! Diagnostics, sent (`textDocument/publishDiagnostics`) or asked for (`textDocument/diagnostic`).

use std::cmp::Reverse;
use std::hash::{DefaultHasher, Hasher};

use tower_lsp_server::ls_types::{
    Diagnostic, DiagnosticSeverity, DocumentDiagnosticReport, FullDocumentDiagnosticReport, Range,
    RelatedFullDocumentDiagnosticReport, RelatedUnchangedDocumentDiagnosticReport, UnchangedDocumentDiagnosticReport,
    Uri,
};

use super::verdict_diagnostics;
use crate::diagnostic::Finding;
use crate::lsp::client::support::Support;
use crate::lsp::convert::to_lsp::{self, Origin, SOURCE};
use crate::lsp::session::configurations::Configuration;
use crate::lsp::session::snapshot::Snapshot;
use crate::lsp::session::state::Current;
use crate::text::Text;

/// The maximum number of findings that are sent for one file, and of verdicts, including the note about the rest.
const MAX_DIAGNOSTICS: usize = 1000;

/// The findings in a suite, and its verdicts.
pub(in crate::lsp) fn of_suite(snapshot: &Snapshot) -> Vec<Diagnostic> {
    let mut diagnostics = diagnostics(snapshot.findings(), &snapshot.origin());
    diagnostics.extend(verdict_diagnostics::of_suite(snapshot, MAX_DIAGNOSTICS));
    diagnostics
}

/// The findings in an `eval-ls.toml`.
pub(in crate::lsp) fn of_configuration(configuration: &Configuration, uri: &Uri, support: &Support) -> Vec<Diagnostic> {
    let text = Text::new(configuration.text());
    diagnostics(configuration.findings().to_vec(), &Origin { uri, text: &text, support })
}

/// The diagnostic of a document that this program panics on.
pub(in crate::lsp) fn internal_error() -> Diagnostic {
    let message = "internal error while checking this document; see the eval-ls log";
    note(DiagnosticSeverity::ERROR, message)
}

/// The response to a request for diagnostics: `unchanged` if the client has them from `previous_result`.
pub(in crate::lsp) fn report(current: &Current, previous_result: Option<&str>) -> DocumentDiagnosticReport {
    let items = match current {
        Current::Suite(snapshot) => of_suite(snapshot),
        Current::Unreadable(_) => vec![internal_error()],
        Current::Configuration(_) | Current::Nothing => Vec::new(),
    };
    let result_id = fingerprint(&items);
    if result_id.is_some() && result_id.as_deref() == previous_result {
        return DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport {
                result_id: result_id.unwrap_or_default(),
            },
        });
    }
    DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
        related_documents: None,
        full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id, items },
    })
}

/// The most severe findings, in the order of the text.
fn diagnostics(mut findings: Vec<Finding>, origin: &Origin<'_>) -> Vec<Diagnostic> {
    let mut left_out = None;
    if findings.len() > MAX_DIAGNOSTICS {
        findings.sort_by_key(|finding| Reverse(finding.severity));
        let rest = findings.split_off(MAX_DIAGNOSTICS - 1);
        findings.sort_by_key(|finding| finding.span);
        let message = format!("{} more findings in this file are not listed", rest.len());
        left_out = Some(note(to_lsp::severity(rest[0].severity), message));
    }
    let listed = findings.iter().map(|finding| to_lsp::diagnostic(finding, origin));
    listed.chain(left_out).collect()
}

/// A diagnostic of the whole file.
fn note(severity: DiagnosticSeverity, message: impl Into<String>) -> Diagnostic {
    Diagnostic {
        range: Range::default(),
        severity: Some(severity),
        source: Some(SOURCE.to_owned()),
        message: message.into(),
        ..Diagnostic::default()
    }
}

/// Identifies exactly these diagnostics.
fn fingerprint(diagnostics: &[Diagnostic]) -> Option<String> {
    let mut hasher = DefaultHasher::new();
    hasher.write(&serde_json::to_vec(diagnostics).ok()?);
    Some(format!("{:016x}", hasher.finish()))
}
