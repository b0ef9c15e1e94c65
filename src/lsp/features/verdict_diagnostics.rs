//! Verdicts as diagnostics: one for each check that did not pass, on the expectation.

use ls_types::{Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, NumberOrString, Range};

use crate::analysis::VerdictFinding;
use crate::lsp::convert::to_lsp::{self, Origin};
use crate::lsp::convert::uris;
use crate::lsp::session::snapshot::Snapshot;
use crate::text::Span;

/// The source of these diagnostics.
pub(crate) const SOURCE: &str = "eval-ls verdict";

/// The verdicts of a suite as at most `limit` diagnostics, including the note about the rest.
pub(crate) fn of_suite(snapshot: &Snapshot, limit: usize) -> Vec<Diagnostic> {
    if !snapshot.settings.verdicts.diagnostics {
        return Vec::new();
    }
    let findings = snapshot.document.verdict_findings(&snapshot.answers);
    let findings = findings.chain(snapshot.document.sample_findings(&snapshot.answers));
    let findings = findings.chain(snapshot.document.stray_findings(&snapshot.answers));
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
        range: snapshot.origin().marked(key_or_itself(snapshot, finding.span)),
        severity: Some(to_lsp::severity(finding.severity)),
        code: Some(NumberOrString::String(finding.code.to_owned())),
        source: Some(SOURCE.to_owned()),
        message: finding.message.clone(),
        related_information: snapshot.support.related_information.then(|| related(finding, snapshot)).flatten(),
        ..Diagnostic::default()
    }
}

/// The key of a value of several lines, and any other span itself.
fn key_or_itself(snapshot: &Snapshot, span: Span) -> Span {
    let text = snapshot.document.text();
    if !text.slice(span).contains('\n') {
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
