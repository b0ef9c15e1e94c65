//! What is stored beside a suite moves with its file (`workspace/willRenameFiles`), and with the ids of its cases.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ls_types::WorkspaceEdit;

use crate::analysis::rename::in_member;
use crate::config::{Config, with_path_renamed};
use crate::filed::{Move, Shelves, moves_of_suite};
use crate::lsp::client::support::Support;
use crate::lsp::convert::uris;
use crate::lsp::convert::workspace_edit::Changes;
use crate::lsp::session::configurations::ConfigFile;
use crate::lsp::session::suites;
use crate::workspace::Scope;

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
    let left = renamed.iter().flat_map(|renamed| follow(renamed, support, &mut changes)).collect();
    ((!changes.is_empty()).then(|| changes.finish()), left)
}

/// Moves what is stored beside the suites of a file or folder that is renamed, and changes the configuration. Returns messages about what
/// stays.
pub(crate) fn follow(renamed: &Renamed, support: &Support, changes: &mut Changes<'_>) -> Vec<String> {
    let moved = (&*renamed.from, &*renamed.to);
    if let Some(file) = &renamed.config_file
        && let (Some(from), Some(to)) = (file.relative(moved.0), file.relative(moved.1))
    {
        let edits = with_path_renamed(file.text().as_str(), &from, &to);
        changes.edit(file.uri().clone(), file.version(), file.text(), &edits);
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
