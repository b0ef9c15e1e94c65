//! Writes that fail. On a full disk, a write fails part of the way: the limit of the system for the size of a file makes it
//! fail at any byte. In a folder of another user, no file can be created. The files have their old contents or their new
//! contents, no draft is left, and the exit status is not 0.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use super::FAULTY;
use crate::support::{Folder, Ran};

/// Runs the program in a folder where no file may be larger than this, in KiB.
fn run_limited(folder: &Folder, kib: usize, arguments: &str) -> Ran {
    let script = format!("ulimit -f {kib}; exec \"$EVAL_LS\" {arguments}");
    let mut command = Command::new("bash");
    command.args(["-c", &script]).env("EVAL_LS", env!("CARGO_BIN_EXE_eval-ls")).current_dir(folder.path()).into()
}

/// A folder with a copy of the program: that of the tests may be in a folder that another user may not enter.
///
/// Another process writes the copy. A child that another test starts meanwhile would hold the file open, and a file that is open for
/// writing cannot be started.
pub(crate) fn copied_program() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::set_permissions(place.path(), Permissions::from_mode(0o755)).unwrap();
    let program = env!("CARGO_BIN_EXE_eval-ls");
    let copied = Command::new("cp").arg(program).arg(place.path().join("eval-ls")).status().unwrap();
    assert!(copied.success());
    place
}

/// Runs the program in a folder where it may read and not write. Permissions do not apply to the superuser, so the program
/// then runs as another user.
fn run_read_only(program: &Path, folder: &Folder, arguments: &str) -> Ran {
    set_modes(folder.path(), 0o555, 0o444);
    let is_superuser = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    let mut command = if is_superuser { Command::new("setpriv") } else { Command::new("env") };
    if is_superuser {
        command.args(["--reuid=65533", "--regid=65533", "--clear-groups", "--"]);
    }
    command.arg(program).args(arguments.split(' ')).current_dir(folder.path());
    let ran = command.into();
    set_modes(folder.path(), 0o755, 0o644);
    ran
}

/// Sets the permissions of a folder and of all folders and files in it.
fn set_modes(folder: &Path, of_folders: u32, of_files: u32) {
    // First, because a folder that may not be read cannot be listed.
    fs::set_permissions(folder, Permissions::from_mode(of_folders)).unwrap();
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match path.symlink_metadata().unwrap() {
            metadata if metadata.is_symlink() => {}
            metadata if metadata.is_dir() => set_modes(&path, of_folders, of_files),
            _ => fs::set_permissions(&path, Permissions::from_mode(of_files)).unwrap(),
        }
    }
}

/// Checks a command whose writes `run` makes fail.
fn check(folder: &Folder, reason: &str, run: impl FnOnce() -> Ran) {
    let before = folder.files();
    let ran = run();
    assert!(ran.status > 0, "{ran:?}");
    assert!(format!("{}{}", ran.err, ran.out).contains(reason), "not `{reason}`: {ran:?}");
    let mut after = folder.files();
    assert_eq!(after.keys().find(|path| path.to_string_lossy().contains(".eval-ls-")), None, "{ran:?}");
    // What was created is empty: nothing may be written into it.
    after.retain(|path, bytes| before.contains_key(path) || !bytes.is_empty());
    assert_eq!(after, before, "{ran:?}");
}

fn faulty() -> Folder {
    Folder::with(&[("a/a.json", FAULTY)])
}

fn workspace() -> Folder {
    let folder = Folder::with(&[(
        "eval-ls.toml",
        "[targets.agent]\nkind = \"command\"\ncommand = [\"echo\", '{\"response\":\"yes no\"}']\n",
    )]);
    folder.suite(&[(crate::support::YES, Some("yes"))]);
    folder
}

fn kept() -> Folder {
    let folder = workspace();
    folder.run(&["run", "--target", "agent"]).ends(0);
    folder
}

/// What makes a folder, a command, and what the command says on a full disk and without the permission to write.
type Writer = (fn() -> Folder, &'static str, &'static str, &'static str);

const WRITERS: [Writer; 15] = [
    (faulty, "check --fix a/a.json", "a/a.json: File too large", "a/a.json: the file is read-only"),
    (Folder::new, "init", "cannot write eval-ls.toml", "cannot write eval-ls.toml: Permission denied"),
    (workspace, "init node", "cannot write ", "Permission denied"),
    (Folder::new, "init browser --url http://localhost:1", "cannot write ", "Permission denied"),
    (
        workspace,
        "init browser --url http://localhost:1",
        "eval-ls.toml: File too large",
        "eval-ls.toml: the file is read-only",
    ),
    (workspace, "record s.evals.json --target agent", "cannot write", "Permission denied"),
    (
        workspace,
        "run --target agent --record --no-results",
        "the transcript is not stored: cannot write",
        "the transcript is not stored: cannot write",
    ),
    (workspace, "run", "cannot write", "Permission denied"),
    (workspace, "run --no-results --report json=out", OUT_TOO_LARGE, OUT_DENIED),
    (workspace, "run --no-results --report junit=out", OUT_TOO_LARGE, OUT_DENIED),
    (workspace, "run --no-results --report md=out", OUT_TOO_LARGE, OUT_DENIED),
    // This one is written while the run goes on.
    (workspace, "run --no-results --report jsonl=out", OUT_TOO_LARGE, OUT_DENIED),
    (kept, "report --html out", OUT_TOO_LARGE, OUT_DENIED),
    (kept, "accept --yes", "cannot write", "Permission denied"),
    // A full disk is a reason to remove, so that must succeed there.
    (kept, "runs rm latest", "", "Permission denied"),
];
const OUT_TOO_LARGE: &str = "cannot write out: File too large";
const OUT_DENIED: &str = "cannot write out: Permission denied";

#[test]
fn every_writer_reports_a_full_disk() {
    for (folder, arguments, reason, _) in WRITERS {
        let folder = folder();
        match reason {
            "" => drop(run_limited(&folder, 0, arguments).ends(0)),
            _ => check(&folder, reason, || run_limited(&folder, 0, arguments)),
        }
    }
}

#[test]
fn every_writer_reports_a_missing_permission() {
    let place = copied_program();
    for (folder, arguments, _, reason) in WRITERS {
        let folder = folder();
        check(&folder, reason, || run_read_only(&place.path().join("eval-ls"), &folder, arguments));
    }
}

/// As on a disk that is full at any byte of a large file.
#[test]
fn no_writer_leaves_a_part_of_a_file() {
    let folder = workspace();
    folder.store("C0", &"yes, a line of an answer\n".repeat(2_000));
    folder.run(&["run"]).ends(0);
    folder.write("page.html", "old");
    check(&folder, "cannot write page.html", || run_limited(&folder, 16, "report --html page.html"));

    folder.write("answer.json", format!("{{\"response\":\"{}\"}}", "yes".repeat(64 << 10)));
    folder.write("eval-ls.toml", "[targets.agent]\nkind = \"command\"\ncommand = [\"cat\", \"answer.json\"]\n");
    let record = "run --target agent --record --no-results";
    check(&folder, "the transcript is not stored", || run_limited(&folder, 32, record).ends(3));
}

/// Files that vanish or are replaced while the program works: each writer reports it, and ends.
#[test]
fn a_folder_in_the_place_of_a_file_is_reported() {
    for format in ["junit", "jsonl"] {
        let folder = workspace();
        fs::create_dir(folder.join("out")).unwrap();
        let ran = folder.run(&["run", "--no-results", "--report", &format!("{format}=out")]);
        assert!(ran.status != 0 && ran.err.contains("cannot write out"), "{ran:?}");
    }
    let folder = workspace();
    let mut command = folder.command(&["run", "--no-results", "--format", "github"]);
    let ran = Ran::from(command.env("GITHUB_STEP_SUMMARY", folder.path()));
    assert!(ran.status != 0 && ran.err.contains("cannot write the step summary "), "{ran:?}");
}
