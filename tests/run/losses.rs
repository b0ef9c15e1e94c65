//! What could not be written is reported, and the exit status is not 0.

use crate::support::{Folder, Ran, YES};

#[test]
fn recording_into_nothing_is_not_a_success() {
    let workspace = Folder::asking(&["yes", "yes"], "");
    // The folder cannot be created, because a file has its name.
    workspace.write("transcripts", "");
    let record = workspace.run(&["record", "s.evals.json"]);
    record.prints(3, ["ERROR    C0  the transcript is not stored: ", "0 of 2 cases recorded"]);
    let run = workspace.run(&["run", "s.evals.json", "--record", "--format=jsonl"]);
    run.prints(3, [r#""not_stored":"the transcript is not stored: "#]);
}

/// A sparse file of 20 GiB costs nothing on disk.
#[test]
fn a_huge_transcript_is_an_error_and_is_not_read() {
    let workspace = Folder::stored(&["yes", "yes"]);
    let huge = std::fs::File::create(workspace.join("transcripts/s.evals/C0.json")).unwrap();
    huge.set_len(20 << 30).unwrap();
    workspace.run(&["run", "s.evals.json"]).prints(5, ["larger than 128 MiB", "2 cases in 1 suite: 1 passed"]);
}

/// The agent removes the answers when it is asked for the third time.
#[test]
fn a_run_whose_answers_are_gone_does_not_end_as_a_whole_one() {
    let program = r#"
import glob, json, os, sys
case = json.loads(sys.stdin.readline())["case"]
if case == "C2":
    os.remove(glob.glob("results/runs/2*/answers")[0])
print(json.dumps({"response": "yes " + case}))
"#;
    let workspace = Folder::of_program(5, program, "");
    workspace.run(&["run", "s.evals.json", "--jobs=1"]).complains(3, ["cannot finish the run without the file `"]);
}

#[test]
fn a_run_whose_folder_was_removed_is_reported_and_not_created_again() {
    // The case has no answer, so only its line is written, into a file without a name.
    let program = "import shutil, sys\nshutil.rmtree('results')\nsys.exit(1)";
    let workspace = Folder::of_program(1, program, "");
    let run = workspace.run(&["run", "s.evals.json"]).complains(3, ["cases.jsonl"]);
    assert!(!workspace.files().keys().any(|path| path.ends_with("run.json")), "{run:?}");
}

/// Limits of processes do not apply to the superuser, so the program runs as another user.
#[cfg(target_os = "linux")]
#[test]
fn a_run_without_threads_reports_it() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::process::Command;
    let workspace = Folder::stored(&["yes"]);
    std::fs::set_permissions(workspace.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let program = crate::cli::failing_writes::copied_program();
    let script = "ulimit -u 1 && exec \"$0\" run s.evals.json --no-results";
    let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    let mut command = if is_root { Command::new("setpriv") } else { Command::new("bash") };
    if is_root {
        command.args(["--reuid=65533", "--clear-groups", "--", "bash"]);
    }
    command.args(["-c", script]).arg(program.path().join("eval-ls")).current_dir(workspace.path());
    Ran::from(command).complains(3, ["cannot start a thread: "]);
}

/// A program that answers with numbers in spellings that other programs write, and events that are not JSON objects.
const EXACT: &str = r#"
for line in open(0):
    print('\ufeff{"response":"ok","telemetry":[{"source":"tool.pay","event":"start","data":{"price":10.50,"rate":1e5,"far":1e400}}]}', flush=True)
"#;

#[test]
fn numbers_stay_as_they_are_written() {
    let workspace = Folder::of_program(1, EXACT, "");
    workspace.suite(&[(r#"{ "telemetry": ["\"price\":10.50", "\"rate\":1e5", "\"far\":1e400"] }"#, None)]);
    workspace.run(&["record"]).ends(0);
    for arguments in [&["run"][..], &["run", "--target", "replay"], &["run", "--answers-of", "latest", "--no-results"]]
    {
        workspace.run(arguments).ends(0);
    }
    let written = r#""price":10.50,"rate":1e5,"far":1e400"#;
    assert!(workspace.read("transcripts/s.evals/C0.json").contains(written));
    for arguments in
        [&["show", "C0"][..], &["show", "C0", "--format", "json"], &["run", "--format", "jsonl", "--answers"]]
    {
        workspace.run(arguments).prints(0, [written]);
    }
}

#[test]
fn a_remedy_fits_its_cause() {
    let workspace = Folder::stored(&["yes", "no"]);
    // The failed case is deleted.
    workspace.run(&["run"]).ends(1);
    workspace.suite(&[(YES, Some("yes"))]);
    let ran = workspace.run(&["run", "--failed"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, "`C1` failed, and no suite has it any more\n"));
    // A transcript that is cut off is not missing.
    workspace.write("transcripts/s.evals/C0.json", r#"{"format":"eval-ls/transcript@2""#);
    workspace.agent("", "");
    let ran = workspace.run(&["run", "--target", "replay"]);
    let next = "next: repair this transcript (C0), or replace: eval-ls record";
    assert!(ran.last_line().starts_with(next), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn a_program_that_cannot_start_has_its_own_remedy() {
    for (command, reason) in [
        ("./results", "it is a folder; name a program in `command`"),
        ("./script", "begin its first line with `#!` and its interpreter"),
    ] {
        let workspace = Folder::of_program(1, "", "");
        std::fs::create_dir(workspace.join("results")).unwrap();
        workspace.program("script", "echo ok\n");
        workspace.edit("eval-ls.toml", "\"python3\", \"agent.py\"", &format!("{command:?}"));
        workspace.run(&["run", "--target", "agent"]).prints(5, [reason]);
    }
}

#[test]
fn a_suite_is_read_as_it_is_written() {
    let workspace = Folder::stored(&["ok"]);
    let suite =
        r#"{ "version": "0.3.0", "cases": [ { "id": "C0", "prompt": "p", "expected": { "must_say_any": ["ok"] } } ] }"#;
    workspace.write("s.evals.json", format!("\u{feff}{suite}\n"));
    let ran = workspace.run(&["check"]);
    assert_eq!((ran.status, ran.out.as_str()), (0, ""), "{ran:?}");
    assert_eq!(workspace.run(&["run"]).status, 0);
    // A number beyond a double is one, and no other one is proposed.
    let large = suite.replace(r#"["ok"]"#, r#"["ok"], "evidence_freshness_max_age_minutes": 1e400"#);
    workspace.write("s.evals.json", large);
    let ran = workspace.run(&["check"]).prints(1, ["this number is too large"]);
    assert!(!ran.out.contains("replace with"), "{ran:?}");
}
