use std::path::{Component, Path};

/// Whether `path` is below `root` when links are followed. Parts that do not exist yet are below the part that does. A path
/// that goes up from such a part does not count.
pub(crate) fn is_inside(path: &Path, root: &Path) -> bool {
    let Ok(root) = root.canonicalize() else { return false };
    for existing in path.ancestors() {
        // A link that leads nowhere exists, and may lead anywhere later.
        if existing.symlink_metadata().is_err() {
            continue;
        }
        let rest = path.strip_prefix(existing).unwrap_or(path);
        let goes_up = rest.components().any(|part| part == Component::ParentDir);
        return !goes_up && existing.canonicalize().is_ok_and(|real| real.starts_with(&root));
    }
    false
}

#[cfg(all(test, unix))]
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
    }
}
