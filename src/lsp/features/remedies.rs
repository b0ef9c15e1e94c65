//! Fixes for checks that the prompt alone meets, and for brittle ones (`quickfix`). Their checks have a hint and no diagnostic.

use ls_types::{CodeAction, CodeActionKind};

use crate::analysis::actions::{match_reply_only, read_plain};
use crate::analysis::challenges::{RemedyChange, remedies as remedies_at};
use crate::diagnostic::Edit;
use crate::lsp::convert::to_lsp;
use crate::lsp::session::config_file::ConfigFile;
use crate::lsp::session::snapshot::Snapshot;
use crate::text::Span;

/// The title and the edits of a change of the text of an `eval-ls.toml`.
type Setting = fn(&str) -> Option<(String, Vec<Edit>)>;

/// The fixes for the checks that the selection `at` touches.
pub(super) fn remedies(snapshot: &Snapshot, config_file: Option<&ConfigFile>, at: Span) -> Vec<CodeAction> {
    if !snapshot.settings.challenges {
        return Vec::new();
    }
    let action = |title: &str, edit| CodeAction {
        title: to_lsp::capitalised(title),
        kind: Some(CodeActionKind::QUICKFIX),
        edit: Some(edit),
        ..CodeAction::default()
    };
    let here = remedies_at(&snapshot.document, &snapshot.answers, at).into_iter();
    let setting = |with: Setting| {
        let file = config_file?;
        let (title, edits) = with(file.text().as_str())?;
        Some(action(&title, file.workspace_edit(&edits, &snapshot.support)?))
    };
    let actions = here.filter_map(|remedy| match &remedy.change {
        RemedyChange::Edits(edits) => {
            let edit = to_lsp::workspace_edit(edits, snapshot.version, &snapshot.origin());
            Some(action(&remedy.title, edit))
        }
        RemedyChange::ReplyOnly => setting(match_reply_only),
        RemedyChange::PlainReading => setting(read_plain),
    });
    actions.collect()
}
