//! Changes that a person may choose, faults aside (`refactor`).

use tower_lsp_server::ls_types::{CodeAction, CodeActionKind};

use crate::analysis::actions::{Action, ActionKind, actions, propose_checks};
use crate::lsp::convert::{to_lsp, uris};
use crate::lsp::session::snapshot::Snapshot;
use crate::text::Span;
use crate::workspace::{root_of_file, samples_of};

/// What may be done where `at` is.
pub(super) fn refactorings(snapshot: &Snapshot, at: Span) -> Vec<CodeAction> {
    let actions = actions(&snapshot.document, at, &snapshot.workspace);
    let samples = |index: usize| {
        let placed = &snapshot.document.suite().cases[index];
        let path = uris::to_path(&snapshot.uri);
        path.map(|path| samples_of(&root_of_file(&path), &path, &placed.case)).unwrap_or_default()
    };
    let proposed = propose_checks(&snapshot.document, &snapshot.answers, at, samples);
    actions.into_iter().chain(proposed).map(|action| code_action(snapshot, &action)).collect()
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
