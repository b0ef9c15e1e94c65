//! Code actions for a finding that edit `eval-ls.toml` (`quickfix`): turn the lint off, define the UI hint.

use tower_lsp_server::ls_types::{CodeAction, CodeActionKind};

use crate::analysis::actions::{define_ui_hint, turn_lint_off};
use crate::diagnostic::{Edit, Finding};
use crate::lsp::convert::to_lsp;
use crate::lsp::session::config_file::ConfigFile;
use crate::lsp::session::snapshot::Snapshot;

/// Syntax errors cannot be turned off.
const ALWAYS_ON: &str = "invalid-json";
const UNDEFINED_HINT: &str = "undefined-ui-hint";

/// Returns the edits of the configuration's file for the finding, and whether they fix it.
pub(super) fn configurings(snapshot: &Snapshot, finding: &Finding, file: &ConfigFile) -> Vec<CodeAction> {
    let config = file.text().as_str();
    let hint =
        (finding.lint == UNDEFINED_HINT).then(|| snapshot.document.root().find(finding.span)?.as_str()).flatten();
    let define = hint.and_then(|hint| define_ui_hint(&hint, config)).map(|change| (change, true));
    let turn_off = (finding.lint != ALWAYS_ON).then(|| turn_lint_off(finding.lint, config)).flatten();
    let changes = define.into_iter().chain(turn_off.map(|change| (change, false)));
    changes.filter_map(|((title, edits), mends)| code_action(snapshot, file, &title, &edits, mends)).collect()
}

fn code_action(
    snapshot: &Snapshot,
    file: &ConfigFile,
    title: &str,
    edits: &[Edit],
    is_preferred: bool,
) -> Option<CodeAction> {
    Some(CodeAction {
        title: to_lsp::capitalised(title),
        kind: Some(CodeActionKind::QUICKFIX),
        edit: Some(file.workspace_edit(edits, &snapshot.support)?),
        is_preferred: snapshot.support.preferred_actions.then_some(is_preferred),
        ..CodeAction::default()
    })
}
