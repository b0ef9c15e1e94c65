//! Verdicts as diagnostics: one for each check that did not pass, on the text that asked.

use tower_lsp_server::ls_types::{Diagnostic, DiagnosticRelatedInformation, Location, NumberOrString};

use crate::analysis::VerdictFinding;
use crate::lsp::snapshot::Snapshot;
use crate::lsp::{to_lsp, uris};

/// Whose diagnostics these are.
const SOURCE: &str = "eval-ls verdict";

/// What the verdicts on a suite say, at most `room` of it.
pub(in crate::lsp) fn of_suite(snapshot: &Snapshot, room: usize) -> Vec<Diagnostic> {
    if !snapshot.settings.verdicts.diagnostics {
        return Vec::new();
    }
    let findings = snapshot.document.verdict_findings(&snapshot.answers);
    findings.iter().take(room).map(|finding| diagnostic(finding, snapshot)).collect()
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
