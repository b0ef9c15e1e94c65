//! What could not be written is reported, and the exit status is not 0.

use crate::run::support::Workspace;

const ANSWER: &str = r#"
import json, sys
json.loads(sys.stdin.readline())
print(json.dumps({"response": "yes"}))
"#;

#[test]
fn recording_into_nothing_is_not_a_success() {
    let workspace = Workspace::new();
    workspace.suite(&[(r#"{ "must_say_any": ["yes"] }"#, None), (r#"{ "must_say_any": ["yes"] }"#, None)]);
    workspace.agent(ANSWER, "");
    // The folder cannot be created, because a file has its name.
    workspace.write("transcripts", "");
    let record = workspace.run(&["record", "s.evals.json"]);
    assert_eq!(record.status, 3, "{}{}", record.out, record.err);
    assert!(record.out.contains("ERROR    C0  the transcript is not stored: "), "{}", record.out);
    assert!(record.out.contains("0 of 2 cases recorded"), "{}", record.out);
    let run = workspace.run(&["run", "s.evals.json", "--record", "--format=jsonl"]);
    assert_eq!(run.status, 3, "{}{}", run.out, run.err);
    assert!(run.out.contains(r#""not_stored":"the transcript is not stored: "#), "{}", run.out);
}

#[test]
fn an_answer_that_may_not_replace_a_transcript_is_no_loss() {
    let workspace = Workspace::new();
    workspace.suite(&[(r#"{ "must_say_any": ["no"] }"#, Some("no"))]);
    workspace.agent(ANSWER, "");
    let record = workspace.run(&["record", "s.evals.json"]);
    assert_eq!(record.status, 1, "{}{}", record.out, record.err);
    assert!(record.out.contains("kept     C0"), "{}", record.out);
}

/// A sparse file of 20 GiB costs nothing on disk.
#[test]
fn a_huge_transcript_is_an_error_and_is_not_read() {
    let workspace = Workspace::new();
    workspace
        .suite(&[(r#"{ "must_say_any": ["yes"] }"#, Some("yes")), (r#"{ "must_say_any": ["yes"] }"#, Some("yes"))]);
    let huge = std::fs::File::create(workspace.path().join("transcripts/s.evals/C0.json")).unwrap();
    huge.set_len(20 << 30).unwrap();
    let run = workspace.run(&["run", "s.evals.json"]);
    assert_eq!(run.status, 5, "{}{}", run.out, run.err);
    assert!(run.out.contains("larger than 128 MiB"), "{}", run.out);
    assert!(run.out.contains("2 cases in 1 suite: 1 passed"), "{}", run.out);
}

/// The agent removes the answers when it is asked for the third time.
#[test]
fn a_run_whose_answers_are_gone_does_not_end_as_a_whole_one() {
    let workspace = Workspace::new();
    workspace.suite(&[(r#"{ "must_say_any": ["yes"] }"#, None); 5]);
    let program = r#"
import glob, json, os, sys
case = json.loads(sys.stdin.readline())["case"]
if case == "C2":
    os.remove(glob.glob("results/runs/2*/answers")[0])
print(json.dumps({"response": "yes " + case}))
"#;
    workspace.agent(program, "");
    let run = workspace.run(&["run", "s.evals.json", "--jobs=1"]);
    assert_eq!(run.status, 3, "{}{}", run.out, run.err);
    assert!(run.err.contains("cannot finish the run without the file `"), "{}", run.err);
}

#[test]
fn a_run_whose_folder_was_removed_is_reported_and_not_created_again() {
    let workspace = Workspace::new();
    workspace.suite(&[(r#"{ "must_say_any": ["yes"] }"#, None)]);
    // The case has no answer, so only its line is written, into a file without a name.
    let program = "import shutil, sys\nshutil.rmtree('results')\nsys.exit(1)";
    workspace.agent(program, "");
    let run = workspace.run(&["run", "s.evals.json"]);
    assert_eq!(run.status, 3, "{}{}", run.out, run.err);
    assert!(run.err.contains("cases.jsonl"), "{}", run.err);
    let records = workspace.files().into_iter().filter(|(path, _)| path.ends_with("run.json")).count();
    assert_eq!(records, 0, "{}", run.err);
}

/// Limits of processes do not apply to the superuser, so the program runs as another user.
#[cfg(target_os = "linux")]
#[test]
fn a_run_without_threads_reports_it() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::process::Command;
    let workspace = Workspace::new();
    workspace.suite(&[(r#"{ "must_say_any": ["yes"] }"#, Some("yes"))]);
    std::fs::set_permissions(workspace.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let program = crate::cli::failing_writes::copied_program();
    let script = "ulimit -u 1 && exec \"$0\" run s.evals.json --no-results";
    let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    let mut command = if is_root { Command::new("setpriv") } else { Command::new("bash") };
    if is_root {
        command.args(["--reuid=65533", "--clear-groups", "--", "bash"]);
    }
    let output = command
        .args(["-c", script])
        .arg(program.path().join("eval-ls"))
        .current_dir(workspace.path())
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{error}");
    assert!(error.contains("cannot start a thread: "), "{error}");
}

/// A program that answers with numbers in spellings that other programs write, and events that are not JSON objects.
const EXACT: &str = r#"
for line in open(0):
    print('\ufeff{"response":"ok","telemetry":[{"source":"tool.pay","event":"start","data":{"price":10.50,"rate":1e5,"far":1e400}}]}', flush=True)
"#;

#[test]
fn numbers_stay_as_they_are_written() {
    let workspace = Workspace::new();
    let expected = r#"{ "telemetry": ["\"price\":10.50", "\"rate\":1e5", "\"far\":1e400"] }"#;
    workspace.suite(&[(expected, None)]);
    workspace.agent(EXACT, "");
    let ran = workspace.run(&["record"]);
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    for arguments in [&["run"][..], &["run", "--target", "replay"], &["run", "--answers-of", "latest", "--no-results"]]
    {
        let ran = workspace.run(arguments);
        assert_eq!(ran.status, 0, "{arguments:?}: {}{}", ran.out, ran.err);
    }
    let written = r#""price":10.50,"rate":1e5,"far":1e400"#;
    let transcript = std::fs::read_to_string(workspace.path().join("transcripts/s.evals/C0.json")).unwrap();
    assert!(transcript.contains(written), "{transcript}");
    for arguments in
        [&["show", "C0"][..], &["show", "C0", "--format", "json"], &["run", "--format", "jsonl", "--answers"]]
    {
        let ran = workspace.run(arguments);
        assert!(ran.out.contains(written), "{arguments:?}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn a_remedy_fits_its_cause() {
    let workspace = Workspace::new();
    workspace.suite(&[(r#"{ "must_say_any": ["ok"] }"#, Some("ok")), (r#"{ "must_say_any": ["no"] }"#, Some("ok"))]);
    // The failed case is deleted.
    assert_eq!(workspace.run(&["run"]).status, 1);
    workspace.write(
        "s.evals.json",
        r#"{ "cases": [ { "id": "C0", "prompt": "p0", "expected": { "must_say_any": ["ok"] } } ] }"#,
    );
    let ran = workspace.run(&["run", "--failed"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, "`C1` failed, and no suite has it any more\n"));
    // A transcript that is cut off is not missing.
    workspace.write("transcripts/s.evals/C0.json", r#"{"format":"eval-ls/transcript@2""#);
    workspace.agent("", "");
    let ran = workspace.run(&["run", "--target", "replay"]);
    let next = "next: repair this transcript (C0), or replace: eval-ls record";
    assert!(ran.err.lines().last().unwrap().starts_with(next), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn a_program_that_cannot_start_has_its_own_remedy() {
    use std::os::unix::fs::PermissionsExt as _;
    for (command, reason) in [
        ("./results", "it is a folder; name a program in `command`"),
        ("./script", "begin its first line with `#!` and its interpreter"),
    ] {
        let workspace = Workspace::new();
        workspace.suite(&[(r#"{ "must_say_any": ["ok"] }"#, None)]);
        std::fs::create_dir(workspace.path().join("results")).unwrap();
        let script = workspace.write("script", "echo ok\n");
        std::fs::set_permissions(script, std::fs::Permissions::from_mode(0o755)).unwrap();
        let config = format!("[targets.agent]\nkind = \"command\"\ncommand = [\"{command}\"]\n");
        workspace.write("eval-ls.toml", &config);
        let ran = workspace.run(&["run", "--target", "agent"]);
        assert!(ran.out.contains(reason), "{command}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn a_suite_is_read_as_it_is_written() {
    let workspace = Workspace::new();
    let suite =
        r#"{ "version": "0.3.0", "cases": [ { "id": "C0", "prompt": "p", "expected": { "must_say_any": ["ok"] } } ] }"#;
    workspace.suite(&[(r#"{ "must_say_any": ["ok"] }"#, Some("ok"))]);
    workspace.write("s.evals.json", &format!("\u{feff}{suite}\n"));
    let ran = workspace.run(&["check"]);
    assert_eq!((ran.status, ran.out.as_str()), (0, ""), "{}", ran.err);
    assert_eq!(workspace.run(&["run"]).status, 0);
    // A number beyond a double is one, and no other one is proposed.
    let large = suite.replace(r#"["ok"]"#, r#"["ok"], "evidence_freshness_max_age_minutes": 1e400"#);
    workspace.write("s.evals.json", &large);
    let ran = workspace.run(&["check"]);
    assert!(ran.status == 1 && ran.out.contains("this number is too large"), "{}", ran.out);
    assert!(!ran.out.contains("replace with"), "{}", ran.out);
}
