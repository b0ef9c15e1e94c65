//! Renaming: of cases and sources (`textDocument/prepareRename`, `textDocument/rename`), and of files (`workspace/willRenameFiles`). What is
//! stored beside a suite moves with its file and with the ids of its cases.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ls_types::{Position, PrepareRenameResponse, WorkspaceEdit};

use crate::analysis::Document;
use crate::analysis::rename::{Named, NamedKind, RenameError, in_member, named_at, rename_case, rename_source};
use crate::config::{Config, with_case_renamed, with_path_renamed, with_source_renamed};
use crate::diagnostic::{Edit, quoted};
use crate::filed::{Move, Shelves, moves_of_suite};
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
    #[error("`eval-ls.toml` cannot be changed so that it gives the source that name")]
    Configuration,
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
    let left = match named.kind {
        NamedKind::Case => case(snapshot, &named, new, around, &mut changes)?,
        NamedKind::Source => source(snapshot, &named.name, new, around, &mut changes).map(|()| None)?,
    };
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

/// Where the configuration defines the source, it is every suite's of the workspace.
fn source(snapshot: &Snapshot, old: &str, new: &str, around: &Around, changes: &mut Changes<'_>) -> Result<(), Fault> {
    let config = snapshot.answers.config();
    let edits = rename_source(&snapshot.document, old, new, config)?;
    changes.edit(snapshot.uri.clone(), Some(snapshot.version), snapshot.document.text(), &edits);
    if edits.is_empty() || !config.sources.contains_key(old) {
        return Ok(());
    }
    let file = around.config_file.as_ref().ok_or(Fault::Configuration)?;
    let of_file = with_source_renamed(file.text.as_str(), old, new).ok_or(Fault::Configuration)?;
    let root = file.path().and_then(|path| Some(path.parent()?.to_owned()));
    let is_of_file =
        |path: &Path| path.parent().and_then(|folder| Scope::of_folder(folder).config_path()) == file.path();
    let others = around.open.iter().filter(|other| other.uri != snapshot.uri);
    for other in others.filter(|other| other.document.path().is_some_and(is_of_file)) {
        let edits = rename_source(&other.document, old, new, config)?;
        changes.edit(other.uri.clone(), Some(other.version), other.document.text(), &edits);
    }
    for path in root.iter().flat_map(|root| suites::closed(std::slice::from_ref(root), &around.open)) {
        if is_of_file(&path) {
            on_disk(&path, old, new, config, changes)?;
        }
    }
    changes.edit(file.uri.clone(), file.version, &file.text, &of_file);
    Ok(())
}

fn on_disk(path: &Path, old: &str, new: &str, config: &Config, changes: &mut Changes<'_>) -> Result<(), Fault> {
    let Some(text) = suites::text(path) else { return Ok(()) };
    let document = Document::new(text, Some(path.to_owned()));
    let edits = rename_source(&document, old, new, config)?;
    if let Some(uri) = uris::from_path(path) {
        changes.edit(uri, None, document.text(), &edits);
    }
    Ok(())
}

/// A file or folder that is renamed, and the suites in it.
#[derive(Debug)]
pub(crate) struct Renamed {
    /// The path before.
    pub(crate) from: PathBuf,
    /// The path after.
    pub(crate) to: PathBuf,
    /// The suites, each with its configuration before and after.
    pub(crate) suites: Vec<[(Arc<Config>, PathBuf); 2]>,
    /// The configuration that may name them.
    pub(crate) config_file: Option<ConfigFile>,
}

/// The suites of a file or folder that is renamed, before and after. It is on disk under one of both names.
pub(crate) fn suites_of(from: &Path, to: &Path) -> Vec<[PathBuf; 2]> {
    let Some(folder) = [from, to].into_iter().find(|path| path.is_dir()) else {
        return vec![[from.to_owned(), to.to_owned()]];
    };
    let found = suites::below(&[folder.to_owned()]);
    let below = found.iter().filter_map(|path| path.strip_prefix(folder).ok());
    below.map(|below| [from.join(below), to.join(below)]).collect()
}

/// The edit after which everything has its place, and messages about what stays. `None` if nothing changes.
pub(crate) fn edit(renamed: &[Renamed], support: &Support) -> (Option<WorkspaceEdit>, Vec<String>) {
    let mut changes = Changes::new(support);
    let left = renamed.iter().flat_map(|renamed| follow_files(renamed, support, &mut changes)).collect();
    ((!changes.is_empty()).then(|| changes.finish()), left)
}

/// Moves what is stored beside the suites of a file or folder that is renamed, and changes the configuration. Returns messages about what
/// stays.
fn follow_files(renamed: &Renamed, support: &Support, changes: &mut Changes<'_>) -> Vec<String> {
    let moved = (&*renamed.from, &*renamed.to);
    if let Some(file) = &renamed.config_file
        && let (Some(from), Some(to)) = (file.relative(moved.0), file.relative(moved.1))
    {
        let edits = with_path_renamed(file.text.as_str(), &from, &to);
        changes.edit(file.uri.clone(), file.version, &file.text, &edits);
    }
    let of_suite = |[from, to]: &[(Arc<Config>, PathBuf); 2]| {
        let root = Scope::of_file(&from.1).folder().to_owned();
        let along = root.strip_prefix(moved.0).ok().map(|below| moved.1.join(below));
        let new_root = along.clone().unwrap_or_else(|| Scope::of_file(&to.1).folder().to_owned());
        // The configuration moves along.
        let config = if along.is_some() { &from.0 } else { &to.0 };
        let shelves = [Shelves::of(&from.1, &from.0, &root), Shelves::of(&to.1, config, &new_root)];
        moves_of_suite(&shelves[0], &shelves[1], moved)
    };
    let moves = renamed.suites.iter().flat_map(of_suite);
    moves.filter_map(|it| it.taken().or_else(|| with_move(&it, support, changes))).collect()
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

/// The edits of the suite, then the rename of its file to `name` in the same folder. `None` without edits and without a
/// rename: the client cannot rename files, or a file with that name exists.
pub(crate) fn with_rename(
    snapshot: &Snapshot,
    edits: &[Edit],
    name: &str,
    config_file: Option<&ConfigFile>,
) -> Option<WorkspaceEdit> {
    let (document, support) = (&snapshot.document, &snapshot.support);
    let mut changes = Changes::new(support);
    changes.edit(snapshot.uri.clone(), Some(snapshot.version), document.text(), edits);
    let to = document.path().map(|path| (path, path.with_file_name(name)));
    if let Some((path, to)) = to.filter(|(_, to)| support.renames_files && !to.exists()) {
        changes.rename(snapshot.uri.clone(), uris::from_path(&to)?);
        let suite = [path, &to].map(|path| (Arc::clone(snapshot.answers.config()), path.to_owned()));
        let config_file = config_file.cloned();
        follow_files(&Renamed { from: path.to_owned(), to, suites: vec![suite], config_file }, support, &mut changes);
    }
    (!changes.is_empty()).then(|| changes.finish())
}
