use std::path::{Path, PathBuf};

/// The root of the repository that has `folder`, which is absolute: the nearest folder with a `.git`. Starts nothing.
pub(crate) fn root(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().find(|folder| folder.join(".git").exists()).map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_folder_with_a_repository_is_the_root() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("a/b");
        std::fs::create_dir_all(&below).unwrap();
        std::fs::create_dir(folder.path().join(".git")).unwrap();
        assert_eq!(root(&below).as_deref(), Some(folder.path()));
        // A worktree has a file.
        std::fs::write(folder.path().join("a/.git"), "gitdir: elsewhere").unwrap();
        assert_eq!(root(&below), Some(folder.path().join("a")));
    }
}
