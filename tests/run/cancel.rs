#![cfg(unix)]

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::support::{Ran, Workspace};

/// Answers the first case at once and hangs on all others.
const HANGS: &str = r#"
import json, os, sys, time
case = json.loads(sys.stdin.readline())["case"]
if case != "C0":
    open("pid", "w").write(str(os.getpid()))
    time.sleep(600)
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
    assert_eq!(files.len(), 2, "{files:?}");
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

#[test]
fn the_next_run_reports_a_killed_run_and_its_results() {
    let workspace = workspace();
    let (mut child, _lines) = start(&workspace);
    signal(&child, Signal::KILL);
    child.wait().unwrap();
    let pid: i32 = std::fs::read_to_string(workspace.path().join("pid")).unwrap().parse().unwrap();
    let _ = kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL);

    let ran = workspace.run(&["run", "s.evals.json", "--cases", "C0"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.err.contains("was cut short") && ran.err.contains(".interrupted.jsonl"), "{}", ran.err);
    let kept =
        workspace.files().into_iter().find(|(path, _)| path.to_string_lossy().ends_with(".interrupted.jsonl")).unwrap();
    assert!(String::from_utf8(kept.1).unwrap().contains("\"C0\""));
}
