use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use crate::files::{self, without_dots};

/// The path with the separator of this system. On Windows, command lines and URIs may have `/`, and joined paths then show both.
pub(crate) fn native(path: &Path) -> PathBuf {
    if cfg!(windows) { path.components().collect() } else { path.to_owned() }
}

/// The path from the file system's root. Links stay as they are, so that people see the names they gave, except if the
/// path contains `..`: the folder above a link is only known by following it. A path that cannot be resolved is returned
/// as it is.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    if !absolute.components().any(|part| part == Component::ParentDir) {
        return absolute;
    }
    let resolved = files::resolved(&absolute).ok();
    // A file that is not saved yet: its folder exists.
    let beside = || Some(files::resolved(absolute.parent()?).ok()?.join(absolute.file_name()?));
    resolved.or_else(beside).unwrap_or(absolute)
}

/// Whether a link leads out of the workspace at `root` on the way from the folder `base` to `folder`, although the names of the
/// folders stay inside. Names are a choice of the user; a link may come with a repository. A `base` outside of `root` is
/// a separate workspace.
pub(crate) fn is_linked_out(folder: &Path, base: &Path, root: &Path) -> bool {
    let here = |path: &Path| files::resolved(if path.as_os_str().is_empty() { Path::new(".") } else { path });
    let (Ok(real), Ok(root)) = (here(base), here(root)) else { return false };
    let root = if real.starts_with(&root) { root } else { real.clone() };
    let named = without_dots(&real.join(folder.strip_prefix(base).unwrap_or(folder)));
    named.starts_with(&root) && !files::is_inside(&named, &root)
}

/// The largest suite that is read, in bytes.
pub(crate) const MAX_SUITE_BYTES: u64 = 64 << 20;

/// All bytes of a file that may be a suite.
///
/// # Errors
/// If it cannot be read, is not a file, or has more than 64 MiB.
pub(super) fn read_suite(path: &Path) -> io::Result<Vec<u8>> {
    files::read(path, MAX_SUITE_BYTES)
}

/// All bytes of a suite.
///
/// # Errors
/// If reading fails, or there are more than 64 MiB.
pub(crate) fn read_bounded(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MAX_SUITE_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_SUITE_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "larger than 64 MiB; split the suite"));
    }
    // The text stays in memory. Up to half of the reserved memory is free.
    bytes.shrink_to_fit();
    Ok(bytes)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn only_links_lead_out() {
        let folder = tempfile::tempdir().unwrap();
        let (root, other) = (folder.path().join("root"), folder.path().join("other"));
        let evals = root.join("evals");
        fs::create_dir_all(&evals).unwrap();
        fs::create_dir_all(other.join("evals")).unwrap();
        symlink("../../other", evals.join("out")).unwrap();
        symlink("../evals", evals.join("in")).unwrap();
        symlink("absent", evals.join("dangling")).unwrap();
        symlink("../other/evals", root.join("theirs")).unwrap();
        for (name, expected) in [
            ("out", true),
            ("out/new", true),
            ("in/out/new", true),
            ("dangling", true),
            ("in/new", false),
            ("new/folder", false),
            ("../results", false),
            // These are named, so they are meant.
            ("../../other", false),
        ] {
            assert_eq!(is_linked_out(&evals.join(name), &evals, &root), expected, "{name}");
        }
        assert!(!is_linked_out(&other, &evals, &root));
        // A folder that was named although it is a link is meant, too.
        let theirs = root.join("theirs");
        assert!(!is_linked_out(&theirs.join("results"), &theirs, &root));
        symlink("../../root", other.join("evals/back")).unwrap();
        assert!(is_linked_out(&theirs.join("back"), &theirs, &root));
    }
}
