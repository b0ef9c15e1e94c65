use std::io;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The state of a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    /// The commit; `None` before the first one.
    pub(crate) commit: Option<String>,
    /// The branch; `None` if `HEAD` is detached.
    pub(crate) branch: Option<String>,
    /// Whether tracked files differ from the commit.
    pub(crate) dirty: Option<bool>,
}

/// Why git did not show a file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GitError {
    /// git could not be started.
    #[error("cannot start git: {0}")]
    Start(io::Error),
    /// git refused: the first line of its message.
    #[error("git: {0}")]
    Refused(String),
}

/// The state of the repository that has `folder`. `None` if there is no repository or no git.
pub(crate) fn state(folder: &Path) -> Option<State> {
    super::root(folder)?;
    let arguments = ["status", "--porcelain=v2", "--branch", "--untracked-files=no", "--ignore-submodules=all"];
    let output = git(folder, &arguments).ok().filter(|output| output.status.success())?;
    Some(read_status(&String::from_utf8_lossy(&output.stdout)))
}

/// The contents of a file, whose path is relative to `folder`, at a revision. `None` if the revision does not have it.
///
/// # Errors
/// If git cannot be started, or there is no such revision.
pub(crate) fn file_at(folder: &Path, revision: &str, path: &str) -> Result<Option<Vec<u8>>, GitError> {
    let commit =
        git(folder, &["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{revision}^{{commit}}")])
            .map_err(GitError::Start)?;
    if !commit.status.success() {
        let message = String::from_utf8_lossy(&commit.stderr);
        let message = message.lines().next().unwrap_or_default().trim();
        let unknown = || format!("there is no revision `{revision}`");
        return Err(GitError::Refused(if message.is_empty() { unknown() } else { message.to_owned() }));
    }
    let commit = String::from_utf8_lossy(&commit.stdout).trim().to_owned();
    let shown = git(folder, &["cat-file", "blob", &format!("{commit}:./{path}")]).map_err(GitError::Start)?;
    Ok(shown.status.success().then_some(shown.stdout))
}

fn git(folder: &Path, arguments: &[&str]) -> io::Result<Output> {
    let mut command = Command::new("git");
    command.args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]).args(arguments);
    command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
    command.current_dir(folder).stdin(Stdio::null()).output()
}

fn read_status(text: &str) -> State {
    let mut state = State { dirty: Some(false), ..State::default() };
    for line in text.lines() {
        if let Some(commit) = line.strip_prefix("# branch.oid ") {
            state.commit = (commit != "(initial)").then(|| commit.to_owned());
        } else if let Some(branch) = line.strip_prefix("# branch.head ") {
            state.branch = (branch != "(detached)").then(|| branch.to_owned());
        } else if !line.starts_with('#') {
            state.dirty = Some(true);
        }
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_read() {
        let state = |commit: Option<&str>, branch: Option<&str>, dirty| State {
            commit: commit.map(str::to_owned),
            branch: branch.map(str::to_owned),
            dirty: Some(dirty),
        };
        for (text, expected) in [
            ("# branch.oid abc\n# branch.head main\n", state(Some("abc"), Some("main"), false)),
            ("# branch.oid abc\n# branch.head (detached)\n1 .M N... a.json\n", state(Some("abc"), None, true)),
            ("# branch.oid (initial)\n# branch.head main\n", state(None, Some("main"), false)),
        ] {
            assert_eq!(read_status(text), expected);
        }
    }

    #[test]
    fn files_are_read_at_a_revision() {
        let folder = tempfile::tempdir().unwrap();
        let run = |arguments: &[&str]| {
            let identity = ["-c", "user.name=a", "-c", "user.email=a@b.example"];
            let done = git(folder.path(), &[&identity[..], arguments].concat()).unwrap();
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        };
        assert_eq!(state(folder.path()), None);
        run(&["init", "--quiet", "--initial-branch=main"]);
        std::fs::write(folder.path().join("a.json"), "one").unwrap();
        run(&["add", "."]);
        run(&["commit", "--quiet", "--message=one"]);
        std::fs::write(folder.path().join("a.json"), "two").unwrap();
        let found = state(folder.path()).unwrap();
        assert_eq!((found.branch.as_deref(), found.dirty), (Some("main"), Some(true)));
        assert_eq!(found.commit.map(|commit| commit.len()), Some(40));
        assert_eq!(file_at(folder.path(), "main", "a.json").unwrap().as_deref(), Some(&b"one"[..]));
        assert_eq!(file_at(folder.path(), "HEAD", "b.json").unwrap(), None);
        for revision in ["nowhere", "--output=owned", ""] {
            let error = file_at(folder.path(), revision, "a.json").unwrap_err().to_string();
            assert!(error.starts_with("git: "), "{error}");
        }
        assert!(!folder.path().join("owned").exists());
    }
}
