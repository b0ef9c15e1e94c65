//! Verdicts as diagnostics: one for each check that did not pass, on the text that asked.

use tower_lsp_server::ls_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Range,
};

use crate::analysis::VerdictFinding;
use crate::lsp::convert::to_lsp;
use crate::lsp::convert::uris;
use crate::lsp::session::snapshot::Snapshot;

/// Whose diagnostics these are.
const SOURCE: &str = "eval-ls verdict";

/// What the verdicts on a suite say, in at most `most` diagnostics, the one that says that there are more included.
pub(in crate::lsp) fn of_suite(snapshot: &Snapshot, most: usize) -> Vec<Diagnostic> {
    if !snapshot.settings.verdicts.diagnostics {
        return Vec::new();
    }
    let findings = snapshot.document.verdict_findings(&snapshot.answers);
    let mut diagnostics: Vec<_> = findings.take(most + 1).map(|finding| diagnostic(&finding, snapshot)).collect();
    if diagnostics.len() > most {
        diagnostics.truncate(most.saturating_sub(1));
        diagnostics.push(more());
    }
    diagnostics
}

fn more() -> Diagnostic {
    Diagnostic {
        range: Range::default(),
        severity: Some(DiagnosticSeverity::WARNING),
        source: Some(SOURCE.to_owned()),
        message: "more checks of this file did not pass than are listed".to_owned(),
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
