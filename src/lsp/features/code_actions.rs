//! Fixes, one by one (`quickfix`) and all that are safe at once (`source.fixAll.eval-ls`).

use tower_lsp_server::ls_types::{
    CodeAction, CodeActionContext, CodeActionKind, CodeActionOrCommand, CodeActionParams, Diagnostic, NumberOrString,
};

use crate::diagnostic::{Finding, Fix, safe_edits};
use crate::lsp::from_lsp;
use crate::lsp::snapshot::Snapshot;
use crate::lsp::to_lsp;

/// The kind of the action that applies every safe fix of a file.
pub(in crate::lsp) const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.eval-ls");

/// What may be done about the faults in a range.
pub(in crate::lsp) fn code_actions(snapshot: &Snapshot, params: &CodeActionParams) -> Vec<CodeActionOrCommand> {
    let findings = snapshot.findings();
    let mut actions = Vec::new();
    if is_wanted(&CodeActionKind::QUICKFIX, &params.context) {
        let text = snapshot.document.text();
        let Ok(range) = from_lsp::span(text, params.range, snapshot.support.encoding) else { return Vec::new() };
        let touched = findings.iter().filter(|found| found.span.start <= range.end && range.start <= found.span.end);
        for finding in touched {
            let fixes = finding.fixes.iter().enumerate();
            actions.extend(fixes.map(|(rank, fix)| quick_fix(snapshot, finding, fix, rank == 0, &params.context)));
        }
    }
    if is_wanted(&FIX_ALL, &params.context) {
        actions.extend(fix_all(snapshot, &findings));
    }
    actions.into_iter().map(CodeActionOrCommand::CodeAction).collect()
}

/// Whether the client asked for that kind, or for a more general one, or for everything.
fn is_wanted(kind: &CodeActionKind, context: &CodeActionContext) -> bool {
    let includes = |wanted: &CodeActionKind| {
        let rest = kind.as_str().strip_prefix(wanted.as_str());
        wanted.as_str().is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    match &context.only {
        Some(only) => only.iter().any(includes),
        None => true,
    }
}

fn quick_fix(
    snapshot: &Snapshot,
    finding: &Finding,
    fix: &Fix,
    is_preferred: bool,
    context: &CodeActionContext,
) -> CodeAction {
    CodeAction {
        title: capitalised(&fix.title),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(of_client(snapshot, finding, context)),
        edit: Some(to_lsp::workspace_edit(&fix.edits, snapshot.version, &snapshot.origin())),
        is_preferred: Some(is_preferred),
        ..CodeAction::default()
    }
}

fn fix_all(snapshot: &Snapshot, findings: &[Finding]) -> Option<CodeAction> {
    let edits = safe_edits(findings);
    (!edits.is_empty()).then(|| CodeAction {
        title: "Apply all safe fixes".to_owned(),
        kind: Some(FIX_ALL),
        edit: Some(to_lsp::workspace_edit(edits, snapshot.version, &snapshot.origin())),
        ..CodeAction::default()
    })
}

/// The client's own diagnostics that tell of the finding.
fn of_client(snapshot: &Snapshot, finding: &Finding, context: &CodeActionContext) -> Vec<Diagnostic> {
    let range = to_lsp::range(snapshot.document.text(), finding.span, snapshot.support.encoding);
    let code = NumberOrString::String(finding.lint.to_owned());
    let same = |known: &&Diagnostic| known.range == range && known.code.as_ref() == Some(&code);
    context.diagnostics.iter().filter(same).cloned().collect()
}

fn capitalised(title: &str) -> String {
    let mut characters = title.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
