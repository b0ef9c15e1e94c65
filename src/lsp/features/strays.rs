//! Fixes that move what is stored for a case or a suite that does not exist to the one where it could belong.

use ls_types::{CodeAction, CodeActionContext, CodeActionKind};

use super::code_actions::of_client;
use super::moved_files::with_move;
use super::rename::follow;
use crate::diagnostic::quoted;
use crate::filed::{Home, Stray};
use crate::lsp::convert::workspace_edit::Changes;
use crate::lsp::session::config_file::ConfigFile;
use crate::lsp::session::snapshot::Snapshot;
use crate::text::Span;

/// The fixes for the findings that the selection `at` touches.
pub(super) fn moves(
    snapshot: &Snapshot,
    config_file: Option<&ConfigFile>,
    context: &CodeActionContext,
    at: Span,
) -> Vec<CodeAction> {
    let action = |stray: &Stray| {
        let finding = stray.finding(snapshot.document.suite());
        let span = finding.span;
        if span.end < at.start || at.end < span.start || !snapshot.support.renames_files {
            return None;
        }
        let mut changes = Changes::new(&snapshot.support);
        let (name, moves) = (quoted(&stray.name), &stray.moves);
        let title = match stray.home.as_ref()? {
            Home::SamePrompt(id) | Home::NearId(id) => {
                follow(snapshot, span.start, (&stray.name, id), moves, (config_file, &[]), &mut changes).ok()?;
                format!("Move what is stored for {name} to {}", quoted(id))
            }
            Home::Suite => {
                moves.iter().for_each(|it| drop(with_move(it, &snapshot.support, &mut changes)));
                format!("Move what is stored for the suite {name} here")
            }
        };
        (!changes.is_empty()).then(|| CodeAction {
            title,
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(of_client(snapshot, &finding, context)),
            edit: Some(changes.finish()),
            ..CodeAction::default()
        })
    };
    snapshot.answers.strays().iter().filter_map(action).collect()
}
