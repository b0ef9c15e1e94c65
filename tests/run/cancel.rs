#![cfg(unix)]

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::wait_for;
use crate::support::{Folder, Ran, YES};

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

fn workspace() -> Folder {
    let workspace = Folder::new();
    workspace.suite(&[(YES, None); 3]);
    workspace.agent(HANGS, "");
    workspace
}

/// Starts a run and waits until the program of the second case runs.
fn start(workspace: &Folder) -> (Child, BufReader<std::process::ChildStdout>) {
    let mut command = workspace.command(&["run", "s.evals.json", "--format", "jsonl", "--report=html=page.html"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !(line.contains("\"case-started\"") && line.contains("\"C1\"")) {
        line.clear();
        assert!(lines.read_line(&mut line).unwrap() > 0, "the run ended before its second case");
    }
    wait_for(|| workspace.join("pid").exists());
    (child, lines)
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// A workspace with a run that was killed while its second case ran. The next one gets all answers.
fn killed() -> Folder {
    let workspace = workspace();
    let (mut child, _lines) = start(&workspace);
    signal(&child, Signal::KILL);
    child.wait().unwrap();
    release(&workspace);
    workspace
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
    workspace.pipe("pipe");
    let mut command = workspace.command(&["run", "s.evals.json", "--no-results", "--report=jsonl=pipe"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for(|| waits(&child));
    signal(&child, Signal::TERM);
    wait_for(|| child.try_wait().unwrap().is_some());
    assert!(!workspace.join("pid").exists(), "no case has begun");
}

#[test]
pub(super) fn ctrl_c_stops_running_cases_and_writes_reports_of_finished_ones() {
    let workspace = workspace();
    let (child, mut lines) = start(&workspace);
    signal(&child, Signal::INT);
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut lines, &mut rest).unwrap();
    Ran::from(child.wait_with_output().unwrap()).ends(130);
    let events = rest.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let cancelled: Vec<_> = events.filter(|event| event["cancelled"] == true).collect();
    assert_eq!((cancelled.len(), &cancelled[0]["event"]), (1, &json!("run-finished")));
    assert_eq!(cancelled[0]["skipped"].as_array().unwrap().len(), 2);

    assert!(workspace.read("page.html").contains("1 of 3 cases passed, 2 not run"), "the first run has a page, too");
    let results = workspace.join("results");
    let files: Vec<_> = std::fs::read_dir(&results).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 4, "two result files, the runs, and a file for git: {files:?}");
    let json = files.iter().find(|path| path.extension().is_some_and(|end| end == "json")).unwrap();
    let document: Value = serde_json::from_str(&workspace.read(json)).unwrap();
    let cases = document["cases"].as_array().unwrap().iter();
    let cases: Vec<_> = cases.map(|case| [&case["id"], &case["status"], &case["reason"]]).collect();
    assert_eq!(json!(cases), json!([["C0", "PASS", null]]));
    assert_eq!(document["not_run"], 2);
    let pid: i32 = workspace.read("pid").parse().unwrap();
    wait_for(|| rustix::process::test_kill_process(Pid::from_raw(pid).unwrap()).is_err());
}

/// The cases of the lines of the last run.
fn lines(workspace: &Folder) -> Vec<String> {
    workspace.lines().into_iter().map(|line| line["case"].as_str().unwrap().to_owned()).collect()
}

/// The result document of a run without what differs from run to run.
fn comparable(ran: &Ran) -> Value {
    let mut document = ran.json();
    document["generated_at"] = "".into();
    document["summary"]["answers"] = document["summary"]["answers"]["count"].take();
    for case in document["cases"].as_array_mut().unwrap() {
        case["duration_ms"] = 0.into();
        case["answered_at"] = "".into();
    }
    document
}

/// Stops the program that hangs, and lets the next one answer.
fn release(workspace: &Folder) {
    let pid: i32 = workspace.read("pid").parse().unwrap();
    let _ = kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL);
    workspace.write("released", "");
}

#[test]
fn a_killed_run_is_reported_and_resumed() {
    let workspace = killed();
    assert_eq!(lines(&workspace), ["C0"]);
    let run = workspace.last_run();
    workspace.run(&["show", "C1", "latest"]).complains(4, ["no case `C1` ended in a kept run"]);
    let listed = workspace.run(&["runs"]).ends(0);
    assert!(listed.out.starts_with(&format!("{run}  just now  run agent  interrupted, 1 of 3 cases")), "{listed:?}");
    // A run that is not kept reports nothing and changes nothing.
    let ran = workspace.run(&["run", "s.evals.json", "--cases", "C0", "--no-results"]);
    assert!(!ran.err.contains("interrupted"), "{ran:?}");

    let asked = || workspace.join("pid").metadata().unwrap().modified().unwrap();
    let asked_before = asked();
    let resumed = workspace.run(&["run", "--resume", "--format", "json"]).ends(0);
    assert!(asked() > asked_before);
    let whole = workspace.run(&["run", "s.evals.json", "--format", "json"]);
    assert_eq!(comparable(&resumed), comparable(&whole));
    for (arguments, status, message) in [
        (&["run", &format!("--resume={run}")][..], 4, "has ended; no case remains"),
        (&["run", "--resume", "--cases", "C0"], 2, "cannot be used with"),
        (&["run", "--resume=nothing"], 4, "there is no run `nothing`"),
    ] {
        workspace.run(arguments).complains(status, [message]);
    }
}

#[test]
fn the_next_run_reports_a_killed_run() {
    let ran = killed().run(&["run", "s.evals.json", "--cases", "C0"]);
    ran.complains(0, ["was interrupted after 1 cases; `eval-ls run --resume="]);
}

#[test]
pub(super) fn a_cancelled_run_is_resumed() {
    let workspace = workspace();
    let (child, _lines) = start(&workspace);
    signal(&child, Signal::INT);
    Ran::from(child.wait_with_output().unwrap()).complains(130, ["next: eval-ls run --resume"]);
    release(&workspace);
    assert_eq!(lines(&workspace), ["C0"]);
    let duration = || {
        serde_json::from_str::<Value>(&workspace.read("results/runs/latest/run.json")).unwrap()["duration_ms"]
            .as_u64()
            .unwrap()
    };
    let before = duration();
    let resumed = workspace.run(&["run", "--resume", "--format", "jsonl"]).ends(0);
    assert!(duration() > before, "the parts of a run are summed");
    let ends = resumed.events().into_iter().filter(|event| event["event"] == "case-finished");
    let ends: Vec<_> = ends.map(|event| json!([event["case"], event["resumed"] == true])).collect();
    assert_eq!(ends, [json!(["C0", true]), json!(["C1", false]), json!(["C2", false])]);
    assert!(workspace.run(&["runs"]).out.contains("run agent  3 passed"));
    // The result files of both parts belong to the run.
    workspace.run(&["runs", "rm", "latest"]).ends(0);
    assert!(!workspace.files().keys().any(|path| path.to_string_lossy().contains("minimum-eval-results")));
}

#[test]
fn a_run_with_another_target_is_not_resumed() {
    let workspace = killed();
    workspace.run(&["run", "--resume", "--target", "replay"]).complains(2, ["cannot be used with '--target"]);
    let fault = "`--resume` continues a run with the options with which it was started; remove `--repeat`";
    workspace.run(&["run", "--resume", "--repeat", "2"]).complains(2, [fault]);
    workspace.agent(HANGS, "env = { MODE = \"other\" }");
    workspace.run(&["run", "--resume"]).complains(2, ["the target has changed since the run"]);
}

#[test]
fn a_disk_that_is_full_ends_the_keeping_but_not_the_run() {
    let workspace = Folder::stored(&["yes"; 60]);
    // A file must not grow beyond the limit. The write then fails as on a full disk, because the signal is ignored.
    let program = env!("CARGO_BIN_EXE_eval-ls");
    let script = format!("trap '' XFSZ; ulimit -f 24; exec '{program}' run s.evals.json");
    let mut bash = std::process::Command::new("bash");
    let ran = Ran::from(bash.args(["-c", &script]).current_dir(workspace.path()).stdin(Stdio::null()));
    ran.prints(3, ["60 cases in 1 suite: 60 passed"]).complains(3, ["the run is no longer kept: cannot write"]);
    let kept = lines(&workspace).len();
    assert!((1..60).contains(&kept), "{kept}");
    let text = workspace.read("results/runs/latest/cases.jsonl");
    assert!(text.ends_with("}\n"), "the last line is whole");

    let resumed = workspace.run(&["run", "--resume", "--format", "jsonl"]).ends(0);
    let again = resumed.out.lines().filter(|line| line.contains("\"case-started\"")).count();
    assert_eq!((again, lines(&workspace).len()), (60 - kept, 60));
}
