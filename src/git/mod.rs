//! The commit and the branch of a folder, read from `.git`. git is never started.

use std::path::{Path, PathBuf};

use crate::files::{Folder, is_inside};

/// The largest file of a repository that is read, in bytes: `packed-refs` has about 70 bytes for each branch and tag.
const MOST: u64 = 16 << 20;

/// What a repository has checked out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    /// The commit; `None` before the first one, and if its name is not in a file of `refs` or in `packed-refs`.
    pub(crate) commit: Option<String>,
    /// The branch; `None` if `HEAD` is detached.
    pub(crate) branch: Option<String>,
}

/// What the repository that has `folder`, which is absolute, has checked out. Reads `.git` and starts nothing. `None` if there is
/// no repository, or it cannot be read.
pub(crate) fn head(folder: &Path) -> Option<Head> {
    let (own, common) = folders(&self::root(folder)?)?;
    let head = text(&own, "HEAD")?;
    let Some(reference) = head.strip_prefix("ref:").map(str::trim) else {
        return Some(Head { commit: commit(&head), branch: None });
    };
    let branch = reference.strip_prefix("refs/heads/").filter(|branch| is_name(branch))?;
    Some(Head { commit: commit_of(&common, branch), branch: Some(branch.to_owned()) })
}

/// The folder of `HEAD`, and that of the branches. They differ in a worktree, whose `.git` is a file that names the first one;
/// `commondir` in it leads to the second one.
fn folders(root: &Path) -> Option<(Folder, Folder)> {
    let folder = Folder::open(root, MOST).ok()?;
    let open = |path: &Path| Folder::open(path, MOST).ok();
    if let Ok(own) = folder.enter(".git") {
        return Some((own, folder.enter(".git").ok()?));
    }
    let pointer = text(&folder, ".git")?;
    let path = root.join(pointer.strip_prefix("gitdir:")?.trim());
    let own = open(&path)?;
    // git makes two kinds of such files. The folder of a worktree names the file, and that of a submodule is in the `.git` of a
    // repository around it. A file that names any other folder is not followed.
    let is_worktree = text(&own, "gitdir").is_some_and(|back| is_same(&path.join(back), &root.join(".git")));
    if is_worktree {
        let common = path.join(text(&own, "commondir")?);
        return Some((own, open(&common)?));
    }
    let around = self::root(root.parent()?)?;
    let is_submodule = is_inside(&path, &around.join(".git/modules"));
    if is_submodule { Some((own, open(&path)?)) } else { None }
}

fn is_same(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// The commit of a branch: a file below `refs/heads`, or a line of `packed-refs`.
fn commit_of(common: &Folder, branch: &str) -> Option<String> {
    let loose = || {
        let mut folder = common.enter("refs").ok()?.enter("heads").ok()?;
        let (folders, name) = branch.rsplit_once('/').map_or(("", branch), |(folders, name)| (folders, name));
        for part in folders.split('/').filter(|part| !part.is_empty()) {
            folder = folder.enter(part).ok()?;
        }
        commit(&text(&folder, name)?)
    };
    let packed = || {
        let packed = text(common, "packed-refs")?;
        let mut lines = packed.lines().filter_map(|line| line.split_once(' '));
        lines.find(|(_, name)| name.strip_prefix("refs/heads/") == Some(branch)).and_then(|(id, _)| commit(id))
    };
    loose().or_else(packed)
}

fn text(folder: &Folder, name: &str) -> Option<String> {
    String::from_utf8(folder.read(name, MOST).ok()?).ok().map(|text| text.trim_end().to_owned())
}

/// The text as the hash of a commit: 40 hexadecimal digits, or 64 in a repository with SHA-256.
fn commit(text: &str) -> Option<String> {
    let is_hash = matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| text.to_owned())
}

/// Whether this can be the name of a branch, by the rules of `git check-ref-format` about parts and characters.
fn is_name(branch: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock");
    let is_forbidden = |c: char| c.is_control() || c.is_whitespace() || "~^:?*[\\".contains(c);
    branch.split('/').all(is_part) && !branch.contains(is_forbidden) && !branch.contains("..")
}

/// The root of the repository that has `folder`, which is absolute: the nearest folder with a `.git`. Starts nothing.
pub(crate) fn root(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().find(|folder| folder.join(".git").exists()).map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_types, reason = "starts git")]

    use std::fs;
    use std::process::Command;

    use super::*;

    /// Runs git in a folder, as a user would. Returns what it prints.
    #[track_caller]
    fn git(folder: &Path, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "core.hooksPath=/dev/null"]);
        command.args(["-c", "core.fsmonitor=false"]).args(arguments).current_dir(folder);
        let done = command.env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8_lossy(&done.stdout).into_owned()
    }

    /// Commits all files of a folder, at least one.
    fn commit_all(folder: &Path) {
        std::fs::write(folder.join(".keep"), "").unwrap();
        git(folder, &["add", "--all"]);
        git(folder, &["commit", "--quiet", "--message=one"]);
    }

    fn state(folder: &Path) -> (Option<String>, Option<usize>) {
        let head = head(folder).unwrap();
        (head.branch, head.commit.map(|commit| commit.len()))
    }

    #[test]
    fn branch_and_commit_are_read_without_git() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir_all(root.join("below")).unwrap();
        assert_eq!(head(&root), None);
        git(&root, &["init", "--quiet", "--initial-branch=feature/one"]);
        assert_eq!(state(&root), (Some("feature/one".to_owned()), None));
        commit_all(&root);
        let expected = (Some("feature/one".to_owned()), Some(40));
        assert_eq!(state(&root.join("below")), expected);
        git(&root, &["pack-refs", "--all"]);
        assert_eq!(state(&root), expected);

        let worktree = folder.path().join("worktree");
        git(&root, &["worktree", "add", "--quiet", "-b", "two", worktree.to_str().unwrap()]);
        assert_eq!(state(&worktree), (Some("two".to_owned()), Some(40)));
        git(&root, &["checkout", "--quiet", "--detach"]);
        assert_eq!(state(&root), (None, Some(40)));
    }

    #[test]
    fn no_text_in_a_repository_leads_out_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        let other = folder.path().join("other");
        for path in [&root, &other] {
            fs::create_dir(path).unwrap();
            git(path, &["init", "--quiet", "--initial-branch=main"]);
            commit_all(path);
        }
        let id = head(&other).unwrap().commit.unwrap();
        fs::write(folder.path().join("secret"), &id).unwrap();
        for text in ["ref: refs/heads/../../../../secret", "ref: ../secret", "ref: refs/heads/.x", "not a hash"] {
            fs::write(root.join(".git/HEAD"), text).unwrap();
            let found = head(&root).unwrap_or_default();
            assert_eq!(found, Head::default(), "{text}");
        }
        fs::remove_dir_all(root.join(".git")).unwrap();
        fs::write(root.join(".git"), "gitdir: ../other/.git").unwrap();
        assert_eq!(head(&root), None);
    }

    #[cfg(unix)]
    #[test]
    fn links_in_a_repository_are_not_followed() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        git(folder.path(), &["init", "--quiet", "--initial-branch=main"]);
        commit_all(folder.path());
        let heads = folder.path().join(".git/refs/heads");
        fs::rename(heads.join("main"), folder.path().join("moved")).unwrap();
        symlink("../../../moved", heads.join("main")).unwrap();
        assert_eq!(state(folder.path()), (Some("main".to_owned()), None));
    }

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
