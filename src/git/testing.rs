//! Repositories for tests.

use std::path::Path;
use std::process::Command;

/// Runs git in a folder, as a user would. Returns what it prints.
#[track_caller]
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "core.hooksPath=/dev/null"]);
    command.args(["-c", "core.fsmonitor=false"]).args(arguments).current_dir(folder);
    let done = command.env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8_lossy(&done.stdout).into_owned()
}

/// Commits all files of a folder, at least one.
pub(crate) fn commit_all(folder: &Path) {
    std::fs::write(folder.join(".keep"), "").unwrap();
    git(folder, &["add", "--all"]);
    git(folder, &["commit", "--quiet", "--message=one"]);
}
