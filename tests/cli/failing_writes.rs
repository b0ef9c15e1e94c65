//! Writes that fail. On a full disk, a write fails part of the way: the limit of the system for the size of a file makes it
//! fail at any byte. In a folder of another user, no file can be created. The files have their old contents or their new
//! contents, no draft is left, and the exit status is not 0.

use std::collections::BTreeMap;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::support::{FAULTY, Folder};

/// Runs the program in a folder where no file may be larger than this, in KiB.
fn run_limited(folder: &Folder, kib: usize, arguments: &str) -> Output {
    let script = format!("ulimit -f {kib}; exec \"$EVAL_LS\" {arguments}");
    let mut command = Command::new("bash");
    command.args(["-c", &script]).env("EVAL_LS", env!("CARGO_BIN_EXE_eval-ls")).current_dir(folder.path());
    command.output().unwrap()
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match path.is_dir() {
            true => files.extend(self::files(&path)),
            false => _ = files.insert(path.clone(), std::fs::read(&path).unwrap()),
        }
    }
    files
}

/// A folder with a copy of the program: that of the tests may be in a folder that another user may not enter.
///
/// Another process writes the copy. A child that another test starts meanwhile would hold the file open, and a file that is open for
/// writing cannot be started.
pub(crate) fn copied_program() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    std::fs::set_permissions(place.path(), Permissions::from_mode(0o755)).unwrap();
    let program = env!("CARGO_BIN_EXE_eval-ls");
    let copied = Command::new("cp").arg(program).arg(place.path().join("eval-ls")).status().unwrap();
    assert!(copied.success());
    place
}

/// Runs the program in a folder where it may read and not write. Permissions do not apply to the superuser, so the program
/// then runs as another user.
fn run_read_only(program: &Path, folder: &Folder, arguments: &str) -> Output {
    set_modes(folder.path(), 0o555, 0o444);
    let is_superuser = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    let mut command = if is_superuser { Command::new("setpriv") } else { Command::new("env") };
    if is_superuser {
        command.args(["--reuid=65533", "--regid=65533", "--clear-groups", "--"]);
    }
    command.arg(program).args(arguments.split(' ')).current_dir(folder.path());
    let output = command.output().unwrap();
    set_modes(folder.path(), 0o755, 0o644);
    output
}

/// Sets the permissions of a folder and of all folders and files in it.
fn set_modes(folder: &Path, of_folders: u32, of_files: u32) {
    // First, because a folder that may not be read cannot be listed.
    std::fs::set_permissions(folder, Permissions::from_mode(of_folders)).unwrap();
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match path.symlink_metadata().unwrap() {
            metadata if metadata.is_symlink() => {}
            metadata if metadata.is_dir() => set_modes(&path, of_folders, of_files),
            _ => std::fs::set_permissions(&path, Permissions::from_mode(of_files)).unwrap(),
        }
    }
}

/// Checks a command whose writes fail as on a full disk.
fn check(folder: &Folder, arguments: &str, reason: &str) {
    check_failure(folder, |folder| run_limited(folder, 0, arguments), arguments, reason);
}

/// Checks a command whose writes `run` makes fail.
fn check_failure(folder: &Folder, run: impl FnOnce(&Folder) -> Output, arguments: &str, reason: &str) {
    let before = files(folder.path());
    let output = run(folder);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code().is_some_and(|code| code != 0), "{arguments}: {:?} {error}", output.status);
    let said = format!("{error}{}", String::from_utf8_lossy(&output.stdout));
    assert!(said.contains(reason), "{arguments}: {said}");
    let mut after = files(folder.path());
    // What was created is empty: nothing may be written into it.
    after.retain(|path, bytes| before.contains_key(path) || !bytes.is_empty());
    assert_eq!(after, before, "{arguments}");
    let drafts = files(folder.path()).into_keys().filter(|path| path.to_string_lossy().contains(".eval-ls-")).count();
    assert_eq!(drafts, 0, "{arguments}");
}

const SUITE: &str =
    r#"{ "version": "0.1.0", "cases": [ { "id": "A", "prompt": "p", "expected": { "must_say_any": ["a"] } } ] }"#;

fn workspace() -> Folder {
    let config = "[targets.agent]\nkind = \"command\"\ncommand = [\"echo\", '{\"response\":\"a b\"}']\n";
    let transcript = r#"{ "format": "eval-ls/transcript@1", "case": "A", "prompt": "p", "response": "a" }"#;
    Folder::with(&[("a.evals.json", SUITE), ("eval-ls.toml", config), ("transcripts/a.evals/A.json", transcript)])
}

#[test]
fn every_writer_reports_a_full_disk() {
    check(&Folder::with(&[("a/a.json", FAULTY)]), "check --fix a/a.json", "a/a.json: File too large");
    check(&Folder::new(), "init", "cannot write eval-ls.toml");
    check(&workspace(), "record a.evals.json --target agent", "cannot write");
    check(&workspace(), "run a.evals.json", "cannot write");
    check(&workspace(), "run a.evals.json --no-results --report junit=out.xml", "out.xml");
    for format in REPORTS {
        let arguments = format!("run a.evals.json --no-results --report {format}=out");
        check(&workspace(), &arguments, "cannot write out: File too large");
    }
    check(&workspace(), "init node", "cannot write ");
    check(&workspace(), "init browser --url http://localhost:1", "eval-ls.toml: File too large");
    check(&Folder::new(), "init browser --url http://localhost:1", "cannot write ");
    let folder = sharded();
    check(&folder, "merge shards --results merged", "cannot write");
    check(&folder, "merge shards --no-results --report junit=out.xml", "cannot write out.xml: File too large");
    let folder = workspace();
    assert_eq!(folder.run(&["run", "a.evals.json", "--target", "agent"]).status, 0);
    check(&folder, "report --html page.html", "cannot write page.html: File too large");
    check(&folder, "accept --yes", "cannot write");
    check(&folder, "baseline accept latest", "cannot write");
}

/// The reports that are written at the end of a run that is not kept. `jsonl` is written while it goes on.
const REPORTS: [&str; 4] = ["json", "junit", "md", "jsonl"];

/// A workspace with the shards of a run in `shards`.
fn sharded() -> Folder {
    let folder = workspace();
    for shard in ["1/2", "2/2"] {
        let ran = folder.run(&["run", "a.evals.json", "--shard", shard, "--results", "shards"]);
        assert_eq!(ran.status, 0, "{ran:?}");
    }
    folder
}

/// As on a disk that is full at any byte of a large file.
#[test]
fn no_writer_leaves_a_part_of_a_file() {
    let folder = workspace();
    let answer = "a line of an answer\n".repeat(2_000);
    let transcript =
        serde_json::json!({ "format": "eval-ls/transcript@1", "case": "A", "prompt": "p", "response": answer });
    folder.write("transcripts/a.evals/A.json", transcript.to_string());
    assert_eq!(folder.run(&["run", "a.evals.json"]).status, 0);
    folder.write("page.html", "old");
    let arguments = "report --html page.html";
    let run = |folder: &Folder| run_limited(folder, 16, arguments);
    check_failure(&folder, run, arguments, "cannot write page.html");
}

/// Files that vanish or are replaced while the program works: each writer reports it, and ends.
#[test]
fn a_folder_in_the_place_of_a_file_is_reported() {
    for (arguments, path) in [
        ("run a.evals.json --no-results --report junit=out", "out"),
        ("run a.evals.json --no-results --report jsonl=out", "out"),
    ] {
        let folder = workspace();
        std::fs::create_dir_all(folder.join(path)).unwrap();
        let ran = folder.run(&arguments.split(' ').collect::<Vec<_>>());
        assert!(ran.status != 0 && ran.err.contains(&format!("cannot write {path}")), "{arguments}: {ran:?}");
    }
    let folder = workspace();
    let mut command = folder.command(&["run", "a.evals.json", "--no-results", "--format", "github"]);
    let output = command.env("GITHUB_STEP_SUMMARY", folder.path()).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && error.contains("cannot write the step summary "), "{error}");
}

#[test]
fn every_writer_reports_a_missing_permission() {
    let place = copied_program();
    let program = place.path().join("eval-ls");
    let check = |folder: &Folder, arguments: &str, reason: &str| {
        check_failure(folder, |folder| run_read_only(&program, folder, arguments), arguments, reason);
    };
    check(&Folder::with(&[("a/a.json", FAULTY)]), "check --fix a/a.json", "a/a.json: the file is read-only");
    check(&Folder::new(), "init", "cannot write eval-ls.toml: Permission denied");
    check(&workspace(), "record a.evals.json --target agent", "Permission denied");
    let record = "run a.evals.json --target agent --record --no-results";
    check(&workspace(), record, "the transcript is not stored: cannot write");
    check(&workspace(), "run a.evals.json", "Permission denied");
    check(
        &workspace(),
        "run a.evals.json --no-results --report junit=out.xml",
        "cannot write out.xml: Permission denied",
    );
    let folder = workspace();
    assert_eq!(folder.run(&["run", "a.evals.json", "--target", "agent"]).status, 0);
    check(&folder, "accept --yes", "Permission denied");
    check(&folder, "baseline accept latest", "Permission denied");
    check(&folder, "runs rm latest", "Permission denied");
    check(&folder, "report --html page.html", "cannot write page.html: Permission denied");
    for format in REPORTS {
        let arguments = format!("run a.evals.json --no-results --report {format}=out");
        check(&workspace(), &arguments, "cannot write out: Permission denied");
    }
    check(&workspace(), "init node", "Permission denied");
    check(&workspace(), "init browser --url http://localhost:1", "eval-ls.toml: the file is read-only");
    let folder = sharded();
    check(&folder, "merge shards --results merged", "Permission denied");
    check(&folder, "merge shards --no-results --report junit=out.xml", "cannot write out.xml: Permission denied");
}

/// The limit is at a byte within the answer.
#[test]
fn half_an_answer_is_not_kept() {
    let folder = workspace();
    let large = format!("{{\"response\":\"{}\"}}", "a".repeat(64 << 10));
    folder.write("answer.json", &large);
    folder.write("eval-ls.toml", "[targets.agent]\nkind = \"command\"\ncommand = [\"cat\", \"answer.json\"]\n");
    let before = folder.read("transcripts/a.evals/A.json");
    let output = run_limited(&folder, 32, "run a.evals.json --target agent --record");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert_eq!(folder.read("transcripts/a.evals/A.json"), before);
    let drafts = files(folder.path()).into_keys().filter(|path| path.to_string_lossy().contains(".eval-ls-")).count();
    assert_eq!(drafts, 0, "{said}");
}
