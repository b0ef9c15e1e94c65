use std::io;
use std::path::{Component, Path, PathBuf};

/// Whether `path` is below `root` when links are followed. Parts that do not exist yet are below the part that does. A path
/// that goes up from such a part does not count.
pub(crate) fn is_inside(path: &Path, root: &Path) -> bool {
    real(root).is_some_and(|root| real(path).is_some_and(|path| path.starts_with(root)))
}

/// The path without links; `None` if it goes up from a part that does not exist.
pub(crate) fn real(path: &Path) -> Option<PathBuf> {
    let existing = path.ancestors().find(|part| part.as_os_str().is_empty() || part.symlink_metadata().is_ok())?;
    let rest = path.strip_prefix(existing).ok()?;
    let goes_up = rest.components().any(|part| part == Component::ParentDir);
    let existing = if existing.as_os_str().is_empty() { Path::new(".") } else { existing };
    // A link that leads nowhere exists, and may lead anywhere later.
    let real = resolved(existing).ok().filter(|_| !goes_up)?;
    Some(if rest.as_os_str().is_empty() { real } else { real.join(rest) })
}

/// The path of a file below a folder, with `/` between the parts; `None` if it is not below it. Links are not followed.
pub(crate) fn below(path: &Path, folder: &Path) -> Option<String> {
    let parts = path.strip_prefix(folder).ok()?.components();
    Some(parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/"))
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

/// The absolute path of something that exists, without links. In a browser there are no links, and nothing that resolves them.
///
/// # Errors
/// If it does not exist, or cannot be looked at.
pub(crate) fn resolved(path: &Path) -> io::Result<PathBuf> {
    if !cfg!(target_os = "wasi") {
        return path.canonicalize();
    }
    path.symlink_metadata()?;
    let mut real = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::Normal(name) => real.push(name),
            Component::ParentDir => drop(real.pop()),
            Component::Prefix(_) | Component::RootDir | Component::CurDir => {}
        }
    }
    Ok(real)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn paths_that_lead_out_are_not_inside() {
        let folder = tempfile::tempdir().unwrap();
        let (root, other) = (folder.path().join("root"), folder.path().join("other"));
        for path in [&root.join("evals"), &other] {
            fs::create_dir_all(path).unwrap();
        }
        symlink(&other, root.join("out")).unwrap();
        symlink(root.join("evals"), root.join("in")).unwrap();
        symlink(other.join("absent"), root.join("dangling")).unwrap();
        for (path, expected) in [
            ("evals/transcripts/a", true),
            ("evals/../transcripts", true),
            ("in/transcripts", true),
            ("new/folder", true),
            ("../other", false),
            ("evals/../../other/new", false),
            ("new/../../other", false),
            ("out", false),
            ("out/new", false),
            ("dangling", false),
            ("dangling/new", false),
            ("/etc", false),
        ] {
            assert_eq!(is_inside(&root.join(path), &root), expected, "{path}");
        }
        assert!(is_inside(&root.join("new/file"), &root.join("new")));
        assert!(!is_inside(&root.join("other/file"), &root.join("new")));
        assert!(is_inside(Path::new("absent/file"), Path::new(".")) && !is_inside(Path::new(".."), Path::new(".")));
    }
}
