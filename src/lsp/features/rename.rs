//! Renaming of cases, with their transcripts, and of sources (`textDocument/prepareRename`, `textDocument/rename`).

use std::path::Path;

use ls_types::{Position, PrepareRenameResponse, WorkspaceEdit};

use crate::analysis::Document;
use crate::analysis::rename::{Named, NamedKind, RenameError, hashes_under, named_at, rename_case, rename_source};
use crate::config::{Config, with_case_renamed, with_source_renamed};
use crate::diagnostic::{Edit, quoted};
use crate::filed::{Move, Shelves};
use crate::lsp::convert::uris;
use crate::lsp::convert::workspace_edit::Changes;
use crate::lsp::session::configurations::ConfigFile;
use crate::lsp::session::snapshot::Snapshot;
use crate::lsp::session::suites;
use crate::runs::Baseline;
use crate::text::Span;
use crate::workspace::Scope;

use super::moved_files::with_move;

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
    let ids = document.suite().cases.iter().filter_map(|placed| placed.case.id.as_ref());
    if ids.filter(|id| id.value == named.name).count() > 1 {
        return Ok(None);
    }
    let scope = Scope::of_file(path);
    let moves = Shelves::of(path, snapshot.answers.config(), scope.folder()).moves(&named.name, new);
    follow(snapshot, named.span.start, (&named.name, new), &moves, (around.config_file.as_ref(), &around.open), changes)
}

/// Gives all that is filed under the case `old` to the case `new`, which is at the byte `at`: what moves, its entries in baselines, and
/// where the configuration names it. Returns a message about what stays.
pub(crate) fn follow(
    snapshot: &Snapshot,
    at: usize,
    (old, new): (&str, &str),
    moves: &[Move],
    (config_file, open): (Option<&ConfigFile>, &[Snapshot]),
    changes: &mut Changes<'_>,
) -> Result<Option<String>, Fault> {
    in_baselines(snapshot, at, old, new, changes)?;
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
    let edits = with_case_renamed(file.text().as_str(), old, new, &relative);
    if edits.is_empty() {
        return None;
    }
    let has_case = |document: &Document| {
        let mut ids = document.suite().cases.iter().filter_map(|placed| placed.case.id.as_ref());
        ids.any(|id| id.value == old)
    };
    let is_open = |path: &Path| {
        snapshot.document.path() == Some(path) || open.iter().any(|open| open.document.path() == Some(path))
    };
    let on_disk =
        |path: &Path| suites::text(path).is_some_and(|text| has_case(&Document::new(text, Some(path.to_owned()))));
    let is_elsewhere = open.iter().any(|open| open.uri != snapshot.uri && has_case(&open.document))
        || suites::below(&[root]).iter().any(|path| !is_open(path) && on_disk(path));
    if is_elsewhere {
        let old = quoted(old);
        return Some(format!(
            "the entries of `eval-ls.toml` for {old} stay, because another suite has a case of that id"
        ));
    }
    changes.edit(file.uri().clone(), file.version(), file.text(), &edits);
    None
}

/// Renames a case in the baselines of its suite.
fn in_baselines(snapshot: &Snapshot, at: usize, old: &str, new: &str, changes: &mut Changes<'_>) -> Result<(), Fault> {
    let (document, config) = (&snapshot.document, snapshot.answers.config());
    let (Some(path), Some([then, now])) = (document.path(), hashes_under(document, at, [old, new], config)) else {
        return Ok(());
    };
    for file in Shelves::of(path, config, Scope::of_file(path).folder()).baselines().into_keys() {
        let Ok(Some(baseline)) = Baseline::read(&file) else { continue };
        let (Some(text), Some(uri)) = (suites::text(&file), uris::from_path(&file)) else { continue };
        let has = |name: &str| baseline.cases.iter().any(|case| case.id == name);
        if has(old) && has(new) {
            return Err(Fault::Exists(format!(
                "{} has an entry for {}",
                quoted(&file.display().to_string()),
                quoted(new)
            )));
        }
        if let Some(renamed) = baseline.renamed(old, new, &then, &now) {
            let all = Span::new(0, text.as_str().len());
            changes.edit(uri, None, &text, &[Edit::replace(all, renamed)]);
        }
    }
    Ok(())
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
    let of_file = with_source_renamed(file.text().as_str(), old, new).ok_or(Fault::Configuration)?;
    let root = file.path().and_then(|path| Some(path.parent()?.to_owned()));
    let is_of_file =
        |path: &Path| path.parent().and_then(|folder| Scope::of_folder(folder).config_path()) == file.path();
    let others = around.open.iter().filter(|other| other.uri != snapshot.uri);
    for other in others.filter(|other| other.document.path().is_some_and(is_of_file)) {
        let edits = rename_source(&other.document, old, new, config)?;
        changes.edit(other.uri.clone(), Some(other.version), other.document.text(), &edits);
    }
    let is_open = |path: &Path| around.open.iter().any(|open| open.document.path() == Some(path));
    for path in root.map(|root| suites::below(&[root])).unwrap_or_default() {
        if !is_open(&path) && is_of_file(&path) {
            on_disk(&path, old, new, config, changes)?;
        }
    }
    changes.edit(file.uri().clone(), file.version(), file.text(), &of_file);
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
