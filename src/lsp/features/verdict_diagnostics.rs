//! Verdicts as diagnostics: one for each check that did not pass, on the expectation.

use tower_lsp_server::ls_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Range,
};

use crate::analysis::VerdictFinding;
use crate::lsp::convert::to_lsp;
use crate::lsp::convert::uris;
use crate::lsp::session::snapshot::Snapshot;

/// The source of these diagnostics.
const SOURCE: &str = "eval-ls verdict";

/// The verdicts of a suite as at most `limit` diagnostics, including the note about the rest.
pub(in crate::lsp) fn of_suite(snapshot: &Snapshot, limit: usize) -> Vec<Diagnostic> {
    if !snapshot.settings.verdicts.diagnostics {
        return Vec::new();
    }
    let findings = snapshot.document.verdict_findings(&snapshot.answers);
    let mut diagnostics: Vec<_> = findings.take(limit + 1).map(|finding| diagnostic(&finding, snapshot)).collect();
    if diagnostics.len() > limit {
        diagnostics.truncate(limit.saturating_sub(1));
        diagnostics.push(more());
    }
    diagnostics
}

fn more() -> Diagnostic {
    Diagnostic {
        range: Range::default(),
        severity: Some(DiagnosticSeverity::WARNING),
        source: Some(SOURCE.to_owned()),
        message: "more checks in this file did not pass than are listed".to_owned(),
        ..Diagnostic::default()
    }
}

fn diagnostic(finding: &VerdictFinding, snapshot: &Snapshot) -> Diagnostic {
    Diagnostic {
        range: to_lsp::range(snapshot.document.text(), finding.span, snapshot.support.encoding),
        severity: Some(to_lsp::severity(finding.severity)),
        code: Some(NumberOrString::String(finding.code.to_owned())),
        source: Some(SOURCE.to_owned()),
        message: finding.message.clone(),
        related_information: snapshot.support.related_information.then(|| related(finding, snapshot)).flatten(),
        ..Diagnostic::default()
    }
}

fn related(finding: &VerdictFinding, snapshot: &Snapshot) -> Option<Vec<DiagnosticRelatedInformation>> {
    let place = finding.place.as_ref()?;
    let file = place.answer.file.as_ref()?;
    let range = to_lsp::range(&file.text, place.span, snapshot.support.encoding);
    let location = Location { uri: uris::from_path(&file.path)?, range };
    Some(vec![DiagnosticRelatedInformation { location, message: place.message.clone() }])
}
