//! Renaming of cases (`textDocument/prepareRename`, `textDocument/rename`). What is stored for a case moves along.

use std::path::Path;

use ls_types::{Position, PrepareRenameResponse, WorkspaceEdit};

use crate::analysis::Document;
use crate::analysis::rename::{Named, RenameError, in_member, named_at, rename_case};
use crate::config::with_case_renamed;
use crate::diagnostic::quoted;
use crate::filed::{Move, Shelves};
use crate::lsp::client::settings::Support;
use crate::lsp::convert::to_lsp::Changes;
use crate::lsp::convert::uris;
use crate::lsp::session::configurations::ConfigFile;
use crate::lsp::session::open_document::Snapshot;
use crate::lsp::session::suites;
use crate::workspace::Scope;

/// What a new name may also be a matter of, beside the suite.
#[derive(Debug)]
pub(crate) struct Around {
    /// The configuration's file, where it can be edited.
    pub(crate) config_file: Option<ConfigFile>,
    /// The suites that are open, the one at hand among them.
    pub(crate) open: Vec<Snapshot>,
}

/// Why something is not renamed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    #[error(transparent)]
    Rename(#[from] RenameError),
    #[error("{0}; remove it, or choose another id")]
    Exists(String),
}

/// What can be renamed at a position, and its name.
pub(crate) fn prepare(snapshot: &Snapshot, position: Position) -> Option<PrepareRenameResponse> {
    let named = named(snapshot, position)?;
    let range = snapshot.range(named.span);
    Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder: named.name })
}

/// An edit that renames something.
#[derive(Debug)]
pub(crate) struct Renaming {
    /// The edit after which it has the new name wherever it is named.
    pub(crate) edit: WorkspaceEdit,
    /// What the edit leaves to the person.
    pub(crate) left: Option<String>,
}

/// Renames what is at a position.
pub(crate) fn rename(snapshot: &Snapshot, position: Position, new: &str, around: &Around) -> Result<Renaming, Fault> {
    let named = named(snapshot, position).ok_or(RenameError::Nothing)?;
    let mut changes = Changes::new(&snapshot.support);
    let left = case(snapshot, &named, new, around, &mut changes)?;
    Ok(Renaming { edit: changes.finish(), left })
}

fn named(snapshot: &Snapshot, position: Position) -> Option<Named> {
    let offset = snapshot.offset(position);
    named_at(&snapshot.document, offset)
}

/// Renames a case. Returns a message about what keeps its name.
fn case(
    snapshot: &Snapshot,
    named: &Named,
    new: &str,
    around: &Around,
    changes: &mut Changes<'_>,
) -> Result<Option<String>, Fault> {
    let document = &snapshot.document;
    let edits = rename_case(document, named, new)?;
    let Some(path) = document.path().filter(|_| !edits.is_empty()) else { return Ok(None) };
    changes.edit(snapshot.uri.clone(), Some(snapshot.version), document.text(), &edits);
    if suites::ids(document).filter(|id| *id == named.name).count() > 1 {
        return Ok(None);
    }
    let scope = Scope::of_file(path);
    let moves = Shelves::of(path, snapshot.answers.config(), scope.folder()).moves(&named.name, new);
    follow_case(snapshot, (&named.name, new), &moves, (around.config_file.as_ref(), &around.open), changes)
}

/// Gives all that is filed under the case `old` to the case `new`: what moves, and where the configuration names it. Returns a message about what stays.
pub(crate) fn follow_case(
    snapshot: &Snapshot,
    (old, new): (&str, &str),
    moves: &[Move],
    (config_file, open): (Option<&ConfigFile>, &[Snapshot]),
    changes: &mut Changes<'_>,
) -> Result<Option<String>, Fault> {
    let in_configuration = config_file.and_then(|file| in_configuration(snapshot, file, open, old, new, changes));
    let mut left = Vec::from_iter(in_configuration);
    if let Some(taken) = moves.iter().filter(|_| snapshot.support.renames_files).find_map(Move::taken) {
        return Err(Fault::Exists(taken));
    }
    left.extend(moves.iter().filter_map(|it| with_move(it, &snapshot.support, changes)));
    Ok((!left.is_empty()).then(|| left.join("; ")))
}

/// Renames a case in the entries of the configuration that name it. They are about all suites of the workspace, so they stay, with a
/// message, if another suite has a case with this id.
fn in_configuration(
    snapshot: &Snapshot,
    file: &ConfigFile,
    open: &[Snapshot],
    old: &str,
    new: &str,
    changes: &mut Changes<'_>,
) -> Option<String> {
    let (root, relative) = (file.path()?.parent()?.to_owned(), file.relative(snapshot.document.path()?)?);
    let edits = with_case_renamed(file.text.as_str(), old, new, &relative);
    if edits.is_empty() {
        return None;
    }
    let has_case = |document: &Document| suites::ids(document).any(|id| id == old);
    let on_disk =
        |path: &Path| suites::text(path).is_some_and(|text| has_case(&Document::new(text, Some(path.to_owned()))));
    let is_elsewhere = open.iter().any(|open| open.uri != snapshot.uri && has_case(&open.document))
        || suites::closed(&[root], open).any(|path| snapshot.document.path() != Some(&path) && on_disk(&path));
    if is_elsewhere {
        let old = quoted(old);
        return Some(format!(
            "the entries of `eval-ls.toml` for {old} stay, because another suite has a case of that id"
        ));
    }
    changes.edit(file.uri.clone(), file.version, &file.text, &edits);
    None
}

/// Moves something that is stored, and changes its text. Returns a message if the client cannot rename files.
pub(crate) fn with_move(it: &Move, support: &Support, changes: &mut Changes<'_>) -> Option<String> {
    if !support.renames_files {
        return Some(it.by_hand());
    }
    let (from, to) = (uris::from_path(&it.from)?, uris::from_path(&it.to)?);
    let text = it.from.extension().is_some_and(|end| end == "json").then(|| suites::text(&it.from)).flatten();
    let (key, old, new) = &it.member;
    if let Some(text) = text
        && let Some(edit) = in_member(text.as_str(), key, old, new)
    {
        // VS Code cannot undo an edit of a file that follows its renaming.
        changes.edit(from.clone(), None, &text, &[edit]);
    }
    changes.rename(from, to);
    None
}
