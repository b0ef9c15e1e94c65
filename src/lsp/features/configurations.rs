//! An open `eval-ls.toml`: its errors, completions, hovers and quick fixes.

use ls_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CompletionList, CompletionParams, Diagnostic,
    Hover, Position,
};

use super::code_actions::is_wanted;
use super::{completion, diagnostics, hover};
use crate::analysis::configuration::{configuration_completions, configuration_findings, configuration_hover};
use crate::diagnostic::Finding;
use crate::lsp::convert::from_lsp;
use crate::lsp::convert::to_lsp;
use crate::lsp::session::snapshot::OpenConfiguration;

/// The errors in its text, saved or not.
pub(in crate::lsp) fn diagnostics(open: &OpenConfiguration) -> Vec<Diagnostic> {
    diagnostics::of_text(configuration_findings(&open.text), &open.origin())
}

/// The completions, the best first.
pub(in crate::lsp) fn completion(open: &OpenConfiguration, params: &CompletionParams) -> CompletionList {
    let offset = from_lsp::offset(&open.text, params.text_document_position.position, open.support.encoding);
    let trigger = params.context.as_ref().and_then(|context| context.trigger_character.as_ref()?.chars().next());
    completion::list(configuration_completions(&open.text, offset, trigger), &open.origin())
}

/// The hover of the text at a position.
pub(in crate::lsp) fn hover(open: &OpenConfiguration, at: Position) -> Option<Hover> {
    let offset = from_lsp::offset(&open.text, at, open.support.encoding);
    configuration_hover(&open.text, offset).map(|hover| hover::shown(&hover, &open.origin()))
}

/// The fixes of the errors in a range.
pub(in crate::lsp) fn code_actions(open: &OpenConfiguration, params: &CodeActionParams) -> Vec<CodeActionOrCommand> {
    let Ok(range) = from_lsp::span(&open.text, params.range, open.support.encoding) else { return Vec::new() };
    if !is_wanted(&CodeActionKind::QUICKFIX, &params.context) {
        return Vec::new();
    }
    let mut findings = configuration_findings(&open.text);
    findings.retain(|finding| finding.span.start <= range.end && range.start <= finding.span.end);
    findings.iter().flat_map(|finding| quick_fixes(open, finding, params)).collect()
}

fn quick_fixes(open: &OpenConfiguration, finding: &Finding, params: &CodeActionParams) -> Vec<CodeActionOrCommand> {
    let shown = to_lsp::diagnostic(finding, &open.origin());
    let is_of_finding = |known: &&Diagnostic| known.range == shown.range && known.message == shown.message;
    let diagnostics: Vec<_> = params.context.diagnostics.iter().filter(is_of_finding).cloned().collect();
    let action = |fix: &crate::diagnostic::Fix| {
        CodeActionOrCommand::CodeAction(CodeAction {
            title: to_lsp::capitalised(&fix.title),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(diagnostics.clone()),
            edit: Some(to_lsp::workspace_edit(&fix.edits, open.version, &open.origin())),
            is_preferred: open.support.preferred_actions.then_some(true),
            ..CodeAction::default()
        })
    };
    finding.fixes.iter().map(action).collect()
}
