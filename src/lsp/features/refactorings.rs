//! Changes that a person may choose, faults aside (`refactor`).

use ls_types::{CodeAction, CodeActionKind};

use crate::analysis::actions::{Action, ActionKind, actions, propose_checks};
use crate::lsp::convert::to_lsp;
use crate::lsp::session::snapshot::Snapshot;
use crate::text::Span;

/// What may be done where `at` is.
pub(super) fn refactorings(snapshot: &Snapshot, at: Span) -> Vec<CodeAction> {
    let actions = actions(&snapshot.document, at, &snapshot.workspace);
    actions.into_iter().map(|action| code_action(snapshot, &action)).collect()
}

/// Checks from the answer of the case. They cost a judgement for each candidate, so this is only for a person who asks.
pub(super) fn proposal(snapshot: &Snapshot, at: Span) -> Option<CodeAction> {
    let proposed = propose_checks(&snapshot.document, &snapshot.answers, at)?;
    Some(code_action(snapshot, &proposed))
}

fn code_action(snapshot: &Snapshot, action: &Action) -> CodeAction {
    CodeAction {
        title: to_lsp::capitalised(&action.title),
        kind: Some(match action.kind {
            ActionKind::Rewrite => CodeActionKind::REFACTOR_REWRITE,
            ActionKind::Add => CodeActionKind::REFACTOR,
        }),
        edit: Some(to_lsp::workspace_edit(&action.edits, snapshot.version, &snapshot.origin())),
        ..CodeAction::default()
    }
}
