use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use crate::files;
use crate::processes::{ALWAYS, Group, Watched};

/// How long git may take, with all that it starts: a status of a large repository takes a few seconds. After it, git is ended.
const LIMIT: Duration = Duration::from_secs(10);

/// The largest file of a revision, in bytes: that of a suite.
const MOST: u64 = 64 << 20;

/// Why git did not show a file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GitError {
    /// git could not be started, or did not end in time.
    #[error("cannot run git: {0}")]
    Run(io::Error),
    /// The folder is in no repository.
    #[error("`{}` is not in a git repository", .0.display())]
    NoRepository(PathBuf),
    /// The repository belongs to somebody else.
    #[error(
        "`{}` {}, so git is not started there; if you trust it, add its folder to `safe.directory` of git",
        .path.display(),
        .reason
    )]
    Foreign {
        /// The folder `.git`.
        path: PathBuf,
        /// Whose it is: a lower-case fragment.
        reason: String,
    },
    /// git refused: the first line of its message.
    #[error("git: {0}")]
    Refused(String),
}

/// Whether tracked files of the repository that has `folder`, which is absolute, differ from its commit. `None` if that is
/// unknown: if there is no repository, if git needs more than ten seconds, or if the repository's own configuration names a
/// program that git would start.
pub(crate) fn is_dirty(folder: &Path) -> Option<bool> {
    let repository = Repository::around(folder).ok()?;
    if repository.has_filters().ok()? {
        return None;
    }
    let arguments = ["status", "--porcelain=v2", "--untracked-files=no", "--ignore-submodules=all"];
    let output = repository.git(folder, &arguments).ok().filter(|output| output.status.success())?;
    Some(!output.stdout.is_empty())
}

/// The contents of a file, whose path is relative to `folder`, at a revision. `None` if the revision does not have it.
///
/// # Errors
/// If there is no such repository or revision, or git cannot be run.
pub(crate) fn file_at(folder: &Path, revision: &str, path: &str) -> Result<Option<Vec<u8>>, GitError> {
    let repository = Repository::around(folder)?;
    let arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{revision}^{{commit}}")];
    let commit = repository.git(folder, &arguments).map_err(GitError::Run)?;
    if !commit.status.success() {
        let message = String::from_utf8_lossy(&commit.stderr);
        let message = message.lines().next().unwrap_or_default().trim();
        let unknown = || format!("there is no revision `{revision}`");
        return Err(GitError::Refused(if message.is_empty() { unknown() } else { message.to_owned() }));
    }
    let commit = String::from_utf8_lossy(&commit.stdout).trim().to_owned();
    let object = format!("{commit}:./{path}");
    let size = repository.git(folder, &["cat-file", "-s", &object]).map_err(GitError::Run)?;
    let Ok(size) = String::from_utf8_lossy(&size.stdout).trim().parse::<u64>() else { return Ok(None) };
    if size > MOST {
        return Err(GitError::Refused(format!("`{path}` is larger than {} MiB at this revision", MOST >> 20)));
    }
    let shown = repository.git(folder, &["cat-file", "blob", &object]).map_err(GitError::Run)?;
    Ok(shown.status.success().then_some(shown.stdout))
}

/// A repository in which git may be started.
struct Repository {
    root: PathBuf,
}

impl Repository {
    /// The repository that has `folder`, which is absolute.
    fn around(folder: &Path) -> Result<Repository, GitError> {
        let root = super::root(folder).ok_or_else(|| GitError::NoRepository(folder.to_owned()))?;
        let path = root.join(".git");
        let repository = Repository { root };
        match files::foreign(&path).filter(|_| !repository.is_safe()) {
            Some(reason) => Err(GitError::Foreign { path, reason: reason.to_string() }),
            None => Ok(repository),
        }
    }

    /// Whether git trusts the repository: it belongs to the user, or `safe.directory` lists it. git looks at the owner before it
    /// reads the repository's configuration, but only if it finds the repository by itself.
    fn is_safe(&self) -> bool {
        let mut command = Command::new("git");
        command.args(["rev-parse", "--git-dir"]);
        run(command, &self.root).is_ok_and(|output| output.status.success())
    }

    /// Whether the repository's own configuration has filters, which are programs. Those of the user's configuration are the
    /// user's choice.
    fn has_filters(&self) -> io::Result<bool> {
        let listed = self.git(&self.root, &["config", "--show-scope", "--name-only", "--get-regexp", "^filter\\."])?;
        let of_user = [&b"system\t"[..], b"global\t"];
        let mut lines = listed.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        Ok(lines.any(|line| !of_user.iter().any(|scope| line.starts_with(scope))))
    }

    /// Runs git in `folder`, on this repository and no other: a folder of the repository may have the files of a second one.
    fn git(&self, folder: &Path, arguments: &[&str]) -> io::Result<Output> {
        let mut command = Command::new("git");
        command.arg("--git-dir").arg(self.root.join(".git")).arg("--work-tree").arg(&self.root);
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        command.args(arguments);
        run(command, folder)
    }
}

/// Runs git in a folder, with no more variables than it needs.
fn run(mut command: Command, folder: &Path) -> io::Result<Output> {
    command.current_dir(folder).env_clear().envs(VARIABLES);
    command.envs(ALWAYS.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    ended_in_time(command)
}

/// git starts no hook and no monitor of files, and no repository is found by its shape alone.
const SETTINGS: [&str; 3] = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "safe.bareRepository=explicit"];

/// git does not write, does not ask, does not fetch what is missing, and uses no protocol.
const VARIABLES: [(&str, &str); 5] = [
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", ""),
    ("LC_ALL", "C"),
];

/// Runs a program, which is ended with all that it has started after the time limit, and with this process.
fn ended_in_time(mut command: Command) -> io::Result<Output> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Group::lead(&mut command);
    let watched = Watched::program(&mut command);
    let child = command.spawn()?;
    let group = Group::of(&child);
    watched.leader(child.id());
    let (sender, output) = channel();
    thread::Builder::new().spawn(move || drop(sender.send(child.wait_with_output())))?;
    let output = output.recv_timeout(LIMIT);
    // What git has started must not stay, either.
    group.kill();
    output.unwrap_or_else(|_| Err(io::Error::new(io::ErrorKind::TimedOut, "it did not end in ten seconds")))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::git::testing::{commit_all, git};

    #[test]
    fn files_are_read_at_a_revision() {
        let folder = tempfile::tempdir().unwrap();
        let error = file_at(folder.path(), "main", "a.json").unwrap_err().to_string();
        assert!(error.ends_with("is not in a git repository"), "{error}");
        git(folder.path(), &["init", "--quiet", "--initial-branch=main"]);
        fs::create_dir(folder.path().join("below")).unwrap();
        fs::write(folder.path().join("below/a.json"), "one").unwrap();
        commit_all(folder.path());
        assert_eq!(is_dirty(folder.path()), Some(false));
        fs::write(folder.path().join("below/a.json"), "two").unwrap();
        assert_eq!(is_dirty(&folder.path().join("below")), Some(true));
        let at = |revision: &str, path: &str| file_at(&folder.path().join("below"), revision, path);
        assert_eq!(at("main", "a.json").unwrap().as_deref(), Some(&b"one"[..]));
        assert_eq!(at("HEAD", "b.json").unwrap(), None);
        for revision in ["nowhere", "--output=owned", ""] {
            let error = at(revision, "a.json").unwrap_err().to_string();
            assert!(error.starts_with("git: "), "{error}");
        }
        assert!(!folder.path().join("owned").exists() && !folder.path().join("below/owned").exists());
    }

    #[test]
    fn a_file_that_is_too_large_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        git(folder.path(), &["init", "--quiet", "--initial-branch=main"]);
        fs::File::create(folder.path().join("a.json")).unwrap().set_len(MOST + 1).unwrap();
        commit_all(folder.path());
        let error = file_at(folder.path(), "main", "a.json").unwrap_err().to_string();
        assert_eq!(error, "git: `a.json` is larger than 64 MiB at this revision");
    }

    #[cfg(unix)]
    #[test]
    fn a_repository_that_everybody_can_write_is_not_used() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        git(folder.path(), &["init", "--quiet", "--initial-branch=main"]);
        commit_all(folder.path());
        let path = folder.path().join(".git");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o777)).unwrap();
        // git looks at the owner only, so it works here by itself.
        assert_eq!(file_at(folder.path(), "main", ".keep").unwrap().as_deref(), Some(&b""[..]));
        assert_eq!(
            crate::files::foreign(&path).map(|reason| reason.to_string()).as_deref(),
            Some("can be written by everybody")
        );
    }

    #[cfg(unix)]
    mod of_a_hostile_repository {
        use super::*;

        /// A repository with an edited file, and the file that a started program would create.
        fn repository() -> (tempfile::TempDir, PathBuf) {
            let folder = tempfile::tempdir().unwrap();
            git(folder.path(), &["init", "--quiet", "--initial-branch=main"]);
            fs::write(folder.path().join("notes.txt"), "one").unwrap();
            commit_all(folder.path());
            fs::write(folder.path().join("notes.txt"), "two").unwrap();
            let owned = folder.path().join("owned");
            (folder, owned)
        }

        #[test]
        fn a_filter_is_not_started() {
            let (folder, owned) = repository();
            let filter = format!("touch {}; cat", owned.display());
            for (place, key) in [(".git/config", "clean"), (".git/config", "process"), (".git/more", "clean")] {
                let (folder, owned) = (folder.path(), &owned);
                fs::write(folder.join(".git/more"), "").unwrap();
                fs::write(
                    folder.join(".git/config"),
                    "[core]\n\trepositoryformatversion = 0\n[include]\n\tpath = more\n",
                )
                .unwrap();
                fs::write(folder.join(".gitattributes"), "* filter=x\n").unwrap();
                git(folder, &["config", "--file", place, &format!("filter.x.{key}"), &filter]);
                assert_eq!((is_dirty(folder), owned.exists()), (None, false), "{key} in {place}");
            }
        }

        #[test]
        fn a_repository_of_a_subfolder_is_not_used() {
            let (folder, owned) = repository();
            let inner = folder.path().join("evals");
            fs::create_dir(&inner).unwrap();
            git(&inner, &["init", "--quiet", "--bare", "."]);
            fs::write(inner.join(".gitattributes"), "* filter=x\n").unwrap();
            fs::write(inner.join("notes.txt"), "one").unwrap();
            for (key, value) in [
                ("core.bare", "false"),
                ("core.worktree", "."),
                ("filter.x.clean", &format!("touch {}; cat", owned.display())),
            ] {
                git(&inner, &["config", "--file", "config", key, value]);
            }
            assert_eq!((is_dirty(&inner), owned.exists()), (Some(true), false));
        }

        #[test]
        fn nothing_is_fetched() {
            let (folder, owned) = repository();
            let tree = git(folder.path(), &["rev-parse", "HEAD^{tree}"]);
            let (start, rest) = tree.trim().split_at(2);
            fs::remove_file(folder.path().join(".git/objects").join(start).join(rest)).unwrap();
            for (key, value) in [
                ("core.repositoryformatversion", "1"),
                ("extensions.partialClone", "origin"),
                ("remote.origin.url", "."),
                ("remote.origin.promisor", "true"),
                ("remote.origin.uploadpack", &format!("touch {}; git-upload-pack", owned.display())),
            ] {
                git(folder.path(), &["config", key, value]);
            }
            assert_eq!((is_dirty(folder.path()), owned.exists()), (None, false));
            assert_eq!(file_at(folder.path(), "main", "notes.txt").unwrap(), None);
            assert!(!owned.exists());
        }

        #[test]
        fn hooks_and_monitors_are_not_started() {
            let (folder, owned) = repository();
            let script = folder.path().join("hook");
            fs::write(&script, format!("#!/bin/sh\ntouch {}\n", owned.display())).unwrap();
            fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
            for name in ["post-index-change", "fsmonitor-watchman", "reference-transaction"] {
                fs::copy(&script, folder.path().join(".git/hooks").join(name)).unwrap();
            }
            git(folder.path(), &["config", "core.fsmonitor", script.to_str().unwrap()]);
            assert_eq!((is_dirty(folder.path()), owned.exists()), (Some(true), false));
        }
    }
}
