use std::path::Path;
use std::sync::Arc;

use super::{ConfigCache, Membership, absolute, membership};
use crate::config::CONFIG_FILE;
use crate::filed::Filed;
use crate::files::Reader;
use crate::foreign::Recognized;

/// The bytes of a file that are looked at.
const HEAD: u64 = 64 * 1024;

/// How deep the files of a kept run are below its folder.
const DEPTH: usize = 3;

/// What this program reads the file at an absolute path as. A suite does not count if it is replaced by suites.
pub(crate) fn read_as(path: &Path, configurations: &mut ConfigCache, replaces_suites: bool) -> Option<&'static str> {
    if path.file_name()? == CONFIG_FILE {
        return Some("a configuration");
    }
    if path.ancestors().skip(1).take(DEPTH).any(|folder| folder.join("run.json").is_file()) {
        return Some("a part of a kept run");
    }
    let loaded = configurations.of_folder(path.parent()?);
    let config = loaded.as_ref().as_ref().map_or_else(|_| Arc::default(), |loaded| Arc::clone(&loaded.config));
    // The suite need not have an extension.
    let is_suite = |suite: &Path| suite.is_file() || suite.with_added_extension("json").is_file();
    if let Some(kind) = Filed::all(&config).into_iter().find(|kind| kind.owner(path).is_some_and(|it| is_suite(&it))) {
        return Some(kind.place());
    }
    let by_path = membership(path, &[absolute(Path::new("."))], &mut |folder| configurations.rules_in(folder));
    let head = Reader::default().read_part(path, 0, HEAD);
    match head.map(|head| Recognized::of(&String::from_utf8_lossy(&head))) {
        Ok(Recognized::Written(format)) if format.starts_with("eval-ls/transcript@") => Some("a transcript"),
        Ok(Recognized::Written(format)) if format.starts_with("eval-ls/baseline@") => Some("a baseline"),
        Err(_) if by_path == Membership::Suite && !replaces_suites => Some("a suite by its name"),
        Ok(_) if by_path.on_disk(path) == Membership::Suite && !replaces_suites => Some("a suite"),
        _ => None,
    }
}
