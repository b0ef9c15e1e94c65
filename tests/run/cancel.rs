#![cfg(unix)]

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::run::support::{Ran, Workspace};

/// Answers the first case at once and hangs on all others.
const HANGS: &str = r#"
import json, os, sys, time
case = json.loads(sys.stdin.readline())["case"]
if case != "C0":
    open("pid.new", "w").write(str(os.getpid()))
    os.replace("pid.new", "pid")
    while not os.path.exists("released"):
        time.sleep(0.01)
print(json.dumps({"response": "yes"}))
"#;

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let asks = r#"{ "must_say_any": ["yes"] }"#;
    workspace.suite(&[(asks, None), (asks, None), (asks, None)]);
    workspace.agent(HANGS, "");
    workspace
}

/// Starts a run and waits until the program of the second case runs.
fn start(workspace: &Workspace) -> (Child, BufReader<std::process::ChildStdout>) {
    let mut command = workspace.command(&["run", "s.evals.json", "--format", "jsonl"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !(line.contains("\"case-started\"") && line.contains("\"C1\"")) {
        line.clear();
        assert!(lines.read_line(&mut line).unwrap() > 0, "the run ended before its second case");
    }
    wait_for(|| workspace.path().join("pid").exists());
    (child, lines)
}

fn wait_for(mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(60), "timed out after 60 s");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// Whether the main thread of a process that has others waits for something.
#[cfg(target_os = "linux")]
fn waits(child: &Child) -> bool {
    let of = format!("/proc/{}", child.id());
    let threads = std::fs::read_dir(format!("{of}/task")).map_or(0, Iterator::count);
    let stat = std::fs::read_to_string(format!("{of}/task/{}/stat", child.id())).unwrap_or_default();
    threads > 1 && stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('S'))
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_a_run_that_waits_for_the_reader_of_a_report() {
    let workspace = workspace();
    let pipe = workspace.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut command = workspace.command(&["run", "s.evals.json", "--no-results", "--report=jsonl=pipe"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for(|| waits(&child));
    signal(&child, Signal::TERM);
    wait_for(|| child.try_wait().unwrap().is_some());
    assert!(!workspace.path().join("pid").exists(), "no case has begun");
}

#[test]
fn ctrl_c_stops_running_cases_and_writes_reports_of_finished_ones() {
    let workspace = workspace();
    let (child, mut lines) = start(&workspace);
    signal(&child, Signal::INT);
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut lines, &mut rest).unwrap();
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.status, 130, "{}", ran.err);
    let events = rest.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let cancelled: Vec<_> = events.filter(|event| event["cancelled"] == true).collect();
    assert_eq!(
        cancelled.iter().map(|event| event["event"].as_str().unwrap()).collect::<Vec<_>>(),
        ["case-finished", "run-finished"]
    );
    assert_eq!(cancelled[0]["case"], "C1");

    let results = workspace.path().join("results");
    let files: Vec<_> = std::fs::read_dir(&results).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 4, "two result files, the runs, and a file for git: {files:?}");
    let json = files.iter().find(|path| path.extension().is_some_and(|end| end == "json")).unwrap();
    let document: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
    let cases: Vec<_> = document["cases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|case| (case["id"].as_str().unwrap(), case["status"].as_str().unwrap(), case["reason"].as_str()))
        .collect();
    assert_eq!(cases, [("C0", "PASS", None), ("C1", "ERROR", Some("cancelled"))]);
    assert_eq!(document["not_run"], 1);
    let pid: i32 = std::fs::read_to_string(workspace.path().join("pid")).unwrap().parse().unwrap();
    wait_for(|| rustix::process::test_kill_process(Pid::from_raw(pid).unwrap()).is_err());
}

/// The lines of the last run: the case, and whether it was cancelled.
fn lines(workspace: &Workspace) -> Vec<(String, bool)> {
    let text = std::fs::read_to_string(workspace.path().join("results/runs/latest/cases.jsonl")).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    lines.map(|line| (line["case"].as_str().unwrap().to_owned(), line["cancelled"] == true)).collect()
}

/// The result document of a run without what differs from run to run.
fn comparable(out: &str) -> serde_json::Value {
    let mut document: serde_json::Value = serde_json::from_str(out).unwrap_or_else(|_| panic!("{out}"));
    document["generated_at"] = "".into();
    for case in document["cases"].as_array_mut().unwrap() {
        case["duration_ms"] = 0.into();
        case["answered_at"] = "".into();
    }
    document
}

/// Stops the program that hangs, and lets the next one answer.
fn release(workspace: &Workspace) {
    let pid: i32 = std::fs::read_to_string(workspace.path().join("pid")).unwrap().parse().unwrap();
    let _ = kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL);
    workspace.write("released", "");
}

#[test]
fn a_killed_run_is_reported_and_resumed() {
    let workspace = workspace();
    let (mut child, _lines) = start(&workspace);
    signal(&child, Signal::KILL);
    child.wait().unwrap();
    release(&workspace);
    assert_eq!(lines(&workspace), [("C0".to_owned(), false)]);

    let run = std::fs::read_link(workspace.path().join("results/runs/latest")).unwrap();
    let run = run.to_str().unwrap();
    let listed = workspace.run(&["runs"]);
    assert!(
        listed.out.starts_with(&format!("{run}  just now  run agent  interrupted, 1 of 3 cases")),
        "{}",
        listed.out
    );
    // A run that is not kept reports nothing and changes nothing.
    let ran = workspace.run(&["run", "s.evals.json", "--cases", "C0", "--no-results"]);
    assert!(!ran.err.contains("interrupted"), "{}", ran.err);

    let asked_before = std::fs::metadata(workspace.path().join("pid")).unwrap().modified().unwrap();
    let resumed = workspace.run(&["run", "--resume", "--format", "json"]);
    assert_eq!(resumed.status, 0, "{}", resumed.err);
    assert!(std::fs::metadata(workspace.path().join("pid")).unwrap().modified().unwrap() > asked_before);
    let whole = workspace.run(&["run", "s.evals.json", "--format", "json"]);
    assert_eq!(comparable(&resumed.out), comparable(&whole.out));

    let again = workspace.run(&["run", &format!("--resume={run}")]);
    assert_eq!(again.status, 4);
    assert!(again.err.contains("has ended; no case remains"), "{}", again.err);
    let faults = [
        (&["run", "--resume", "--cases", "C0"][..], 2, "cannot be used with"),
        (&["run", "--resume=nothing"], 4, "there is no run `nothing`"),
    ];
    for (arguments, status, message) in faults {
        let ran = workspace.run(arguments);
        assert_eq!(ran.status, status, "{}", ran.err);
        assert!(ran.err.contains(message), "{}", ran.err);
    }
}

#[test]
fn the_next_run_reports_a_killed_run() {
    let workspace = workspace();
    let (mut child, _lines) = start(&workspace);
    signal(&child, Signal::KILL);
    child.wait().unwrap();
    release(&workspace);
    let ran = workspace.run(&["run", "s.evals.json", "--cases", "C0"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.err.contains("was interrupted after 1 cases; `eval-ls run --resume="), "{}", ran.err);
}

#[test]
fn a_cancelled_run_is_resumed() {
    let workspace = workspace();
    let (child, _lines) = start(&workspace);
    signal(&child, Signal::INT);
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.status, 130);
    assert!(ran.err.contains("next: eval-ls run --resume"), "{}", ran.err);
    release(&workspace);
    assert_eq!(lines(&workspace), [("C0".to_owned(), false), ("C1".to_owned(), true)]);
    let resumed = workspace.run(&["run", "--resume", "--format", "jsonl"]);
    assert_eq!(resumed.status, 0, "{}", resumed.err);
    let events = resumed.out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let ends: Vec<_> = events
        .filter(|event| event["event"] == "case-finished")
        .map(|event| (event["case"].as_str().unwrap().to_owned(), event["resumed"] == true))
        .collect();
    assert_eq!(ends, [("C0".to_owned(), true), ("C1".to_owned(), false), ("C2".to_owned(), false)]);
    assert!(workspace.run(&["runs"]).out.contains("run agent  3 passed"));
}

#[test]
fn a_run_with_another_target_is_not_resumed() {
    let workspace = workspace();
    let (mut child, _lines) = start(&workspace);
    signal(&child, Signal::KILL);
    child.wait().unwrap();
    release(&workspace);
    let ran = workspace.run(&["run", "--resume", "--target", "replay"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("cannot be used with '--target"), "{}", ran.err);
    let ran = workspace.run(&["run", "--resume", "--repeat", "2"]);
    let fault = "`--resume` continues a run with the options with which it was started; remove `--repeat`";
    assert!(ran.status == 2 && ran.err.contains(fault), "{}", ran.err);
    workspace.agent(HANGS, "env = { MODE = \"other\" }");
    let ran = workspace.run(&["run", "--resume"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("the target has changed since the run"), "{}", ran.err);
}

#[test]
fn a_disk_that_is_full_ends_the_keeping_but_not_the_run() {
    let workspace = Workspace::new();
    let case = (r#"{ "must_say_any": ["yes"] }"#, Some("yes"));
    workspace.suite(&[case; 60]);
    // A file must not grow beyond the limit. The write then fails as on a full disk, because the signal is ignored.
    let program = env!("CARGO_BIN_EXE_eval-ls");
    let limited = |arguments: &str| {
        let script = format!("trap '' XFSZ; ulimit -f 24; exec '{program}' {arguments}");
        let mut bash = std::process::Command::new("bash");
        let output = bash.args(["-c", &script]).current_dir(workspace.path()).stdin(Stdio::null()).output().unwrap();
        Ran::from(output)
    };
    let ran = limited("run s.evals.json");
    assert_eq!(ran.status, 3, "{}", ran.err);
    assert!(ran.err.contains("the run is no longer kept: cannot write"), "{}", ran.err);
    assert!(ran.out.contains("60 cases in 1 suite: 60 passed"), "{}", ran.out);
    let kept = lines(&workspace).len();
    assert!((1..60).contains(&kept), "{kept}");
    let text = std::fs::read_to_string(workspace.path().join("results/runs/latest/cases.jsonl")).unwrap();
    assert!(text.ends_with("}\n"), "the last line is whole");

    let resumed = workspace.run(&["run", "--resume", "--format", "jsonl"]);
    assert_eq!(resumed.status, 0, "{}", resumed.err);
    let again = resumed.out.lines().filter(|line| line.contains("\"case-started\"")).count();
    assert_eq!((again, lines(&workspace).len()), (60 - kept, 60));
}
