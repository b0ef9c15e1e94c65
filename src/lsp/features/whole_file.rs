//! Code actions that edit a whole file (`source.fixAll.eval-ls`, `source.sortCases.eval-ls`). A client that can resolve an
//! action gets the edits only when a person chooses it (`codeAction/resolve`).

use ls_types::{CodeAction, CodeActionKind, Uri, WorkspaceEdit};
use serde::{Deserialize, Serialize};

use crate::analysis::PlacedFinding;
use crate::analysis::actions::{can_sort_cases, sorted_cases};
use crate::diagnostic::{Finding, safe_edits};
use crate::lsp::session::snapshot::Snapshot;

/// The kind of the action that applies every safe fix of a file.
pub(crate) const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.eval-ls");

/// The kind of the action that sorts the cases of a suite.
pub(crate) const SORT_CASES: CodeActionKind = CodeActionKind::new("source.sortCases.eval-ls");

/// What an unresolved action is about.
#[derive(Serialize, Deserialize)]
struct About {
    uri: Uri,
    change: Change,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Change {
    FixAll,
    SortCases,
}

/// The action that applies all safe fixes; `None` if there are none.
pub(crate) fn fix_all(snapshot: &Snapshot) -> Option<CodeAction> {
    let has_fixes = snapshot.document.has_safe_fix(&snapshot.workspace);
    has_fixes.then(|| action(snapshot, "Apply all safe fixes", FIX_ALL, Change::FixAll))
}

/// The action that sorts the cases by id; `None` if they are sorted, or cannot be sorted.
pub(crate) fn sort_cases(snapshot: &Snapshot) -> Option<CodeAction> {
    let can_sort = can_sort_cases(&snapshot.document);
    can_sort.then(|| action(snapshot, "Sort the cases by id", SORT_CASES, Change::SortCases))
}

/// The open document that an unresolved action is about; `None` for other actions.
pub(crate) fn document_of(action: &CodeAction) -> Option<Uri> {
    about(action).map(|about| about.uri)
}

/// The action with its edit of the text as it is now.
pub(crate) fn resolve(snapshot: &Snapshot, action: CodeAction) -> CodeAction {
    let edit = about(&action).map(|about| edit(snapshot, about.change));
    CodeAction { edit, ..action }
}

fn action(snapshot: &Snapshot, title: &str, kind: CodeActionKind, change: Change) -> CodeAction {
    let about = About { uri: snapshot.uri.clone(), change };
    let data = snapshot.support.resolves_edits.then(|| serde_json::to_value(about).ok()).flatten();
    CodeAction {
        title: title.to_owned(),
        kind: Some(kind),
        edit: data.is_none().then(|| edit(snapshot, change)),
        data,
        ..CodeAction::default()
    }
}

fn edit(snapshot: &Snapshot, change: Change) -> WorkspaceEdit {
    let sorted;
    let fixable;
    let edits = match change {
        Change::FixAll => {
            fixable = fixable_findings(snapshot);
            safe_edits(&fixable)
        }
        Change::SortCases => {
            sorted = sorted_cases(&snapshot.document);
            sorted.iter().collect()
        }
    };
    snapshot.edit(edits)
}

/// The findings with a safe fix, in the order of the text.
fn fixable_findings(snapshot: &Snapshot) -> Vec<Finding> {
    let findings = snapshot.document.placed_findings(&snapshot.workspace);
    let fixable = findings.iter().filter(|finding| finding.has_safe_fix());
    let mut fixable: Vec<_> = fixable.map(PlacedFinding::to_finding).collect();
    fixable.sort_by_key(|finding| (finding.span, finding.lint));
    fixable
}

fn about(action: &CodeAction) -> Option<About> {
    serde_json::from_value(action.data.clone()?).ok()
}
