use std::path::{Component, Path, PathBuf};

/// The path with the separator of this system. On Windows, command lines and URIs may have `/`, and joined paths then show both.
pub(crate) fn native(path: &Path) -> PathBuf {
    if cfg!(windows) { path.components().collect() } else { path.to_owned() }
}

/// The path without `.` and `..`. As in every URI, `..` goes to the folder that the text names, whatever is on disk.
pub(crate) fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = plain.pop(),
            part => plain.push(part),
        }
    }
    plain
}

/// The path from the file system's root. Links stay as they are, so that people see the names they gave, except if the
/// path contains `..`: the folder above a link is only known by following it. A path that cannot be resolved is returned
/// as it is.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    if !absolute.components().any(|part| part == Component::ParentDir) {
        return absolute;
    }
    let resolved = absolute.canonicalize().ok();
    // A file that is not saved yet: its folder exists.
    let beside = || Some(absolute.parent()?.canonicalize().ok()?.join(absolute.file_name()?));
    resolved.or_else(beside).unwrap_or(absolute)
}
