//! The answers of kept runs: `run --answers-of` judges them again, and `accept` takes them.

use serde_json::{Value, json};

use crate::run::support::{WORDS_AGENT, Workspace};

const YES: &str = r#"{ "must_say_any": ["yes"] }"#;

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let hinted = r#"{ "must_say_any": ["yes"], "ui": ["A list."] }"#;
    workspace.suite(&[(YES, Some("yes")), (YES, Some("no")), (hinted, Some("yes, a list")), (YES, None)]);
    workspace.write("eval-ls.toml", "[[ui_hints]]\nhint = \"A list.\"\nall = [\"list\"]\n");
    workspace
}

/// The results of the last run.
fn results(workspace: &Workspace) -> Vec<Value> {
    let text = std::fs::read_to_string(workspace.path().join("results/runs/latest/cases.jsonl")).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    // Each attempt has a line, too.
    lines.filter(|line| line["attempt"].is_null()).map(|line| line["result"].clone()).collect()
}

fn statuses(workspace: &Workspace) -> Vec<String> {
    results(workspace).iter().map(|case| case["status"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn without_an_edit_every_result_is_the_same() {
    let workspace = workspace();
    workspace.run(&["run"]);
    let before = results(&workspace);
    let ran = workspace.run(&["run", "--answers-of", "latest"]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(ran.out.contains("4 cases in 1 suite: 2 passed, 1 failed, 1 error"), "{}", ran.out);
    assert_eq!(results(&workspace), before);
    // The answers of that run are those of the first one.
    workspace.run(&["run", "--answers-of", "latest"]);
    assert_eq!(results(&workspace), before);
}

#[test]
fn answers_are_judged_by_what_was_edited() {
    let workspace = workspace();
    workspace.run(&["run"]);
    // A hint, an expectation, a prompt, and a case that is gone.
    workspace.write("eval-ls.toml", "[[ui_hints]]\nhint = \"A list.\"\nall = [\"table\"]\n");
    let text = std::fs::read_to_string(workspace.path().join("s.evals.json")).unwrap();
    let text = text
        .replace(r#""p0", "expected": { "must_say_any": ["yes"] }"#, r#""p0", "expected": { "must_say_any": ["no"] }"#);
    workspace.write("s.evals.json", &text.replace("\"C3\"", "\"D3\"").replace("\"p1\"", "\"another\""));
    let ran = workspace.run(&["run", "--answers-of", "latest"]);
    assert!(ran.err.contains("the case `C3` of the run is gone"), "{}", ran.err);
    assert_eq!(statuses(&workspace), ["FAIL", "FAIL", "FAIL"]);
    let compared = workspace.run(&["compare"]);
    assert!(compared.out.contains("C2") && compared.out.contains("edited: hints"), "{}", compared.out);
    assert_eq!(workspace.run(&["run", "--answers-of", "nothing"]).status, 4);
}

#[test]
fn all_attempts_are_judged() {
    let workspace = Workspace::new();
    workspace.suite(&[(YES, None)]);
    workspace.agent(WORDS_AGENT, "");
    workspace.write("C0.txt", "yes no yes crash");
    assert_eq!(workspace.run(&["run", "--repeat", "4"]).status, 1);
    let attempts = |workspace: &Workspace| -> Vec<Value> {
        let result = &results(workspace)[0];
        result["repeats"]["attempts"].as_array().unwrap().iter().map(|one| one["status"].clone()).collect()
    };
    assert_eq!(attempts(&workspace), ["PASS", "FAIL", "PASS", "ERROR"]);
    let text = std::fs::read_to_string(workspace.path().join("s.evals.json")).unwrap();
    workspace.write("s.evals.json", &text.replace("yes", "no"));
    let ran = workspace.run(&["run", "--answers-of", "latest"]);
    assert_eq!(statuses(&workspace), ["FAIL"], "{}", ran.out);
    assert_eq!(attempts(&workspace), ["FAIL", "PASS", "FAIL", "ERROR"]);
    assert_eq!(std::fs::metadata(workspace.path().join("C0.asked")).unwrap().len(), 4, "nobody is asked");
}

/// A target whose program leaves a trace when it is started.
const AGENT: &str = r#"
import json, sys
open("asked", "a").write("x")
print(json.dumps({"response": open("answer").read()}))
"#;

#[test]
fn nothing_is_started_and_without_results_nothing_is_written() {
    let workspace = Workspace::new();
    workspace.suite(&[(YES, None), (YES, None)]);
    workspace.agent(AGENT, "");
    workspace.write("answer", "yes");
    assert_eq!(workspace.run(&["run"]).status, 0);
    assert_eq!(std::fs::read_to_string(workspace.path().join("asked")).unwrap(), "xx");
    // There is no git repository to ask about, so that every program that is started comes from the command.
    workspace.write("eval-ls.toml", &std::fs::read_to_string(workspace.path().join("eval-ls.toml")).unwrap());
    let before = workspace.files();
    let mut command = workspace.command(&["run", "--answers-of", "latest", "--no-results"]);
    // Without a search path no program can be started by name.
    let output = command.env("PATH", "").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(std::fs::read_to_string(workspace.path().join("asked")).unwrap(), "xx");
    let mut after = workspace.files();
    let mut before = before;
    before.sort();
    after.sort();
    assert!(before == after, "nothing is written");
}

/// Runs a program that the kernel kills, with the signal SIGSYS, as soon as it starts another process. Threads are allowed.
#[cfg(target_os = "linux")]
const ALONE: &str = r#"
import ctypes, os, platform, struct, sys

class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]

FORK, VFORK, CLONE = {"x86_64": (57, 58, 56), "aarch64": (-1, -1, 220)}[platform.machine()]
CLONE3, CLONE_THREAD = 435, 0x10000
LOAD, EQUAL, HAS, RETURN = 0x20, 0x15, 0x45, 0x06
ALLOW, KILL, NO_SUCH_CALL = 0x7FFF0000, 0x80000000, 0x00050000 | 38
code = [
    (LOAD, 0, 0, 0),
    # The arguments of clone3 are in memory, where no filter looks. Without it, the C library uses clone.
    (EQUAL, 7, 0, CLONE3),
    (EQUAL, 5, 0, FORK),
    (EQUAL, 4, 0, VFORK),
    (EQUAL, 0, 2, CLONE),
    (LOAD, 0, 0, 16),
    (HAS, 0, 1, CLONE_THREAD),
    (RETURN, 0, 0, ALLOW),
    (RETURN, 0, 0, KILL),
    (RETURN, 0, 0, NO_SUCH_CALL),
]
code = b"".join(struct.pack("HBBI", kind, yes, no, value & 0xFFFFFFFF) for kind, yes, no, value in code)
libc = ctypes.CDLL(None, use_errno=True)
# PR_SET_NO_NEW_PRIVS, and PR_SET_SECCOMP with SECCOMP_MODE_FILTER.
for arguments in [(38, 1, 0, 0, 0), (22, 2, ctypes.byref(Filter(len(code) // 8, code)), 0, 0)]:
    if libc.prctl(*arguments) != 0:
        sys.exit(os.strerror(ctypes.get_errno()))
os.execv(sys.argv[1], sys.argv[1:])
"#;

#[cfg(target_os = "linux")]
#[test]
fn answers_of_a_run_start_no_process() {
    use std::os::unix::process::ExitStatusExt as _;
    let workspace = Workspace::new();
    workspace.suite(&[(YES, None), (YES, None)]);
    workspace.agent(AGENT, "");
    workspace.write("answer", "yes");
    workspace.write(".git/HEAD", "ref: refs/heads/main\n");
    assert_eq!(workspace.run(&["run"]).status, 0);
    let alone = |arguments: &[&str]| {
        let mut python = std::process::Command::new("python3");
        python.args(["-c", ALONE, env!("CARGO_BIN_EXE_eval-ls")]).args(arguments).current_dir(workspace.path());
        python.output().unwrap()
    };
    for arguments in [&["run", "--answers-of", "latest"][..], &["accept", "--yes"]] {
        let output = alone(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    // A run starts the agent.
    const SIGSYS: i32 = 31;
    let output = alone(&["run"]);
    assert_eq!(output.status.signal(), Some(SIGSYS), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_changed_answer_is_not_judged() {
    let workspace = workspace();
    workspace.run(&["run", "--cases", "C1"]);
    let answer = workspace.path().join("results/runs/latest/answers");
    let text = std::fs::read_to_string(&answer).unwrap();
    std::fs::write(&answer, text.replace("\"no\"", "\"yes\"")).unwrap();
    let ran = workspace.run(&["run", "--answers-of", "latest"]);
    assert_eq!(ran.status, 5, "{}", ran.out);
    assert!(results(&workspace)[0]["reason"].as_str().unwrap().ends_with("its contents were changed"));
}

#[cfg(unix)]
#[test]
fn accepting_never_writes_outside_of_the_workspace() {
    let workspace = Workspace::new();
    workspace.suite(&[(YES, None)]);
    workspace.agent(AGENT, "");
    workspace.write("answer", "yes");
    workspace.run(&["run"]);
    let victim = tempfile::tempdir().unwrap();
    std::fs::create_dir(victim.path().join("s.evals")).unwrap();
    let file = victim.path().join("s.evals/C0.json");
    std::fs::write(&file, "VICTIM").unwrap();
    std::os::unix::fs::symlink(victim.path(), workspace.path().join("transcripts")).unwrap();
    let ran = workspace.run(&["accept", "C0"]);
    assert_eq!(ran.status, 3, "{}", ran.err);
    assert!(ran.err.contains("is outside of the workspace, so no answer is accepted there"), "{}", ran.err);
    assert_eq!(std::fs::read_to_string(file).unwrap(), "VICTIM");
}

#[cfg(unix)]
#[test]
fn a_transcript_of_a_private_run_is_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let workspace = Workspace::new();
    workspace.suite(&[(YES, Some("old"))]);
    workspace.agent(AGENT, "pass_env = [\"SECRET_KEY\"]");
    workspace.write("answer", "yes");
    let ran = workspace.command(&["run"]).env("SECRET_KEY", "sk-canary-0123456789").output().unwrap();
    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
    let ran = workspace.run(&["accept", "C0"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let file = workspace.path().join("transcripts/s.evals/C0.json").metadata().unwrap();
    assert_eq!(file.permissions().mode() & 0o077, 0);
}

#[cfg(unix)]
#[test]
fn a_run_of_private_answers_is_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let workspace = Workspace::new();
    workspace.suite(&[(YES, None)]);
    workspace.agent(AGENT, "pass_env = [\"SECRET_KEY\"]");
    workspace.write("answer", "yes");
    let ran = workspace.command(&["run"]).env("SECRET_KEY", "sk-canary-0123456789").output().unwrap();
    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
    assert_eq!(workspace.run(&["run", "--answers-of", "latest"]).status, 0);
    let runs = std::fs::read_dir(workspace.path().join("results/runs")).unwrap().map(|entry| entry.unwrap());
    let runs: Vec<_> = runs.filter(|entry| entry.file_type().unwrap().is_dir()).collect();
    assert_eq!(runs.len(), 2);
    for run in runs {
        assert_eq!(run.metadata().unwrap().permissions().mode() & 0o077, 0, "{run:?}");
    }
}

#[test]
fn answers_are_accepted_by_name() {
    let workspace = Workspace::new();
    workspace.suite(&[(YES, Some("yes")), (YES, None)]);
    workspace.agent(AGENT, "");
    workspace.write("answer", "no");
    let ran = workspace.run(&["run", "--record"]);
    assert!(ran.err.contains("the transcript of `C0` passes and stays"), "{}", ran.err);
    let transcript = |case: &str| -> Value {
        let path = workspace.path().join(format!("transcripts/s.evals/{case}.json"));
        serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
    };
    assert_eq!((&transcript("C0")["response"], &transcript("C1")["response"]), (&json!("yes"), &json!("no")));

    let ran = workspace.run(&["accept"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("name the cases"), "{}", ran.err);
    let ran = workspace.run(&["accept", "C9"]);
    assert_eq!(ran.status, 4);
    let ran = workspace.run(&["accept", "C*"]);
    assert_eq!((ran.status, &*ran.out), (1, "kept     C0  agent  PASS → FAIL; `--failing` takes it\n"), "{}", ran.err);
    assert_eq!(transcript("C0")["response"], "yes");
    let ran = workspace.run(&["accept", "C*", "--failing"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!(ran.out.lines().count(), 1, "{}", ran.out);
    assert!(ran.out.starts_with("accepted C0  agent  PASS → FAIL  "), "{}", ran.out);
    assert!(ran.err.contains("1 answer accepted") && ran.err.contains("1 already accepted"), "{}", ran.err);
    assert_eq!((&transcript("C0")["response"], &transcript("C0")["case"]), (&json!("no"), &json!("C0")));
    assert_eq!((&transcript("C0")["prompt"], &transcript("C0")["target"]), (&json!("p0"), &json!("agent")));

    // An answer of an earlier run.
    let first = std::fs::read_link(workspace.path().join("results/runs/latest")).unwrap();
    workspace.write("answer", "maybe");
    workspace.run(&["run"]);
    workspace.run(&["accept", "--yes"]);
    assert_eq!(transcript("C1")["response"], "maybe");
    workspace.run(&["accept", "C1", "--run", first.to_str().unwrap()]);
    assert_eq!(transcript("C1")["response"], "no");
}

#[test]
fn record_keeps_a_run_and_passing_transcripts() {
    let workspace = Workspace::new();
    workspace.suite(&[(YES, Some("yes")), (YES, None)]);
    workspace.agent(AGENT, "");
    workspace.write("answer", "no");
    let ran = workspace.run(&["record"]);
    assert_eq!(ran.status, 1, "the next run would pass with an earlier answer: {}", ran.err);
    assert!(ran.out.contains("kept     C0") && ran.out.contains("recorded C1"), "{}", ran.out);
    let next = "C0: the new answer does not pass, so the earlier one stays; look: eval-ls show C0; take it: eval-ls accept --failing C0";
    assert_eq!(ran.err.lines().last(), Some(next), "{}", ran.err);
    assert!(!workspace.files().iter().any(|(path, _)| path.to_string_lossy().contains("minimum-eval-results")));
    assert_eq!(workspace.run(&["accept", "C0", "--yes", "--failing"]).status, 0);
    assert_eq!(workspace.run(&["run"]).status, 1);
    workspace.write("answer", "yes");
    assert_eq!(workspace.run(&["record"]).status, 0);
    let listed: Vec<Value> = serde_json::from_str(&workspace.run(&["runs", "--format", "json"]).out).unwrap();
    assert_eq!((listed.len(), &listed[0]["mode"]), (3, &json!("record")));
}

#[test]
fn a_run_that_fails_ends_with_the_line_to_type_next() {
    let workspace = workspace();
    let ran = workspace.run(&["run", "s.evals.json"]);
    assert!(
        ran.err.ends_with("next: edit the case, and judge the same answer: eval-ls run --cases C1 s.evals.json\n"),
        "{}",
        ran.err
    );
    let ran = workspace.run(&["run", "--no-results", "--target", "replay"]);
    assert!(ran.err.ends_with("judge the same answer: eval-ls run --cases C1\n"), "{}", ran.err);
    let ran = workspace.run(&["run", "--cases", "C3"]);
    assert!(
        ran.err.ends_with("1 case has no stored answer; next: add your assistant: eval-ls init python\n"),
        "{}",
        ran.err
    );
    workspace.write("eval-ls.toml", "[targets.agent]\nkind = \"command\"\ncommand = [\"python3\", \"agent.py\"]\n");
    let ran = workspace.run(&["run", "--cases", "C3"]);
    assert!(ran.err.ends_with("1 case has no stored answer; next: eval-ls record --cases C3\n"), "{}", ran.err);
    let ran = workspace.run(&["run", "--cases", "C0"]);
    assert!(!ran.err.contains("next:"), "{}", ran.err);
}

#[test]
fn the_line_to_type_next_has_no_path_that_looks_like_an_option() {
    let workspace = workspace();
    let suite = std::fs::read_to_string(workspace.path().join("s.evals.json")).unwrap();
    workspace.write("eval-ls.toml", "[targets.agent]\nkind = \"command\"\ncommand = [\"python3\", \"agent.py\"]\n");
    workspace.write("-h.evals.json", &suite);
    let ran = workspace.run(&["run", "--no-check", "--results=-r", "--", "-h.evals.json"]);
    assert!(ran.err.ends_with("--results=-r -- -h.evals.json\n"), "{}", ran.err);
}

#[test]
fn lines_appear_as_cases_end() {
    let workspace = workspace();
    let lines = |level: &str| {
        let err = workspace.run(&["run", "--no-results", "--status-level", level]).err;
        err.lines()
            .filter(|line| line.starts_with(['P', 'F', 'E']))
            .map(|line| line[..10].trim().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(lines("all"), ["PASS    C0", "FAIL    C1", "PASS    C2", "ERROR   C3"]);
    assert_eq!(lines("fail"), ["FAIL    C1", "ERROR   C3"]);
    assert_eq!(lines("none"), [""; 0]);
}

#[test]
fn result_files_of_several_suites_are_named_after_them() {
    let workspace = workspace();
    workspace.write(
        "t.evals.json",
        r#"{ "cases": [ { "id": "T", "prompt": "p", "expected": { "must_say_any": ["x"] } } ] }"#,
    );
    workspace.run(&["run"]);
    let names = std::fs::read_dir(workspace.path().join("results")).unwrap();
    let mut names: Vec<String> = names
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".json"))
        .map(|name| name.split_once("results-").unwrap().1[16..].to_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["s.evals.json", "t.evals.json"]);
}

#[test]
fn an_answer_becomes_a_sample_and_the_transcript_stays() {
    let workspace = Workspace::new();
    workspace.suite(&[(YES, Some("yes, stored"))]);
    workspace.agent(AGENT, "");
    workspace.write("answer", "yes, but wrong");
    workspace.run(&["run"]);
    let ran = workspace.run(&["accept", "C0", "--sample", "bad"]);
    assert!(ran.status == 0 && ran.out.starts_with("stored a bad sample of C0  samples/s.evals/C0/fail-"), "{ran:?}");
    let again = workspace.run(&["accept", "C0", "--sample", "bad"]);
    assert!(again.status == 0 && again.out.starts_with("stored already"), "{again:?}");
    let ran = workspace.run(&["check"]);
    assert!(ran.status == 1 && ran.out.contains("passed-sample"), "{ran:?}");
    let stored = std::fs::read_to_string(workspace.path().join("transcripts/s.evals/C0.json")).unwrap();
    assert!(stored.contains("yes, stored"), "{stored}");
    assert_eq!(workspace.run(&["accept", "--sample", "good"]).status, 2, "a case is named");
    #[cfg(unix)]
    {
        let victim = tempfile::tempdir().unwrap();
        std::fs::remove_dir_all(workspace.path().join("samples")).unwrap();
        std::os::unix::fs::symlink(victim.path(), workspace.path().join("samples")).unwrap();
        let ran = workspace.run(&["accept", "C0", "--sample", "good"]);
        assert!(ran.status == 3 && ran.err.contains("out of the workspace"), "{ran:?}");
        assert_eq!(std::fs::read_dir(victim.path()).unwrap().count(), 0);
    }
}
