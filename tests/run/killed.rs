//! Runs that are killed: no program survives them.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::io::Write as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::run::support::Workspace;

/// Starts a process in its group, one in a separate session, and one without an environment, and hangs.
const HANGS: &str = r#"
import os, subprocess, time
sleep = ["sleep", "600"]
subprocess.Popen(sleep)
subprocess.Popen(sleep, start_new_session=True)
subprocess.Popen(sleep, env={})
os.mkdir("started")
time.sleep(600)
"#;

/// agent-browser, as far as it leaves a driver and a browser running. The browser has no environment.
const AGENT_BROWSER: &str = r#"#!/bin/sh
setsid sh -c 'env -i sleep 600 & mkdir started; sleep 600' >/dev/null 2>&1 </dev/null &
sleep 600
"#;

fn workspace(agent: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.suite(&[(r#"{ "must_say_any": ["yes"] }"#, None)]);
    workspace.agent(agent, "");
    workspace
}

fn start(workspace: &Workspace) -> Child {
    let mut command = workspace.command(&["run", "s.evals.json"]);
    command.env("TMPDIR", workspace.path()).env("AGENT_BROWSER", workspace.path().join("agent-browser"));
    command.stdout(Stdio::null()).stderr(Stdio::null()).process_group(0).spawn().unwrap()
}

/// The processes in the folder of the workspace.
fn processes(workspace: &Workspace) -> BTreeSet<i32> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let is_here = |entry: &std::fs::DirEntry| {
        std::fs::read_link(entry.path().join("cwd")).is_ok_and(|folder| folder.starts_with(workspace.path()))
    };
    entries.filter(is_here).filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

fn wait_for(mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(60), "timed out after 60 s");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn check_nothing_is_left(workspace: &Workspace, mut run: Child, kill: impl FnOnce(Pid)) {
    kill(Pid::from_child(&run));
    run.wait().unwrap();
    wait_for(|| processes(workspace).is_empty());
}

#[test]
fn no_program_survives_a_killed_run() {
    let workspace = workspace(HANGS);
    let run = start(&workspace);
    wait_for(|| workspace.path().join("started").exists());
    assert!(processes(&workspace).len() >= 5, "the run, the program, and what it started");
    check_nothing_is_left(&workspace, run, |run| kill_process(run, Signal::KILL).unwrap());
}

#[test]
fn no_program_survives_a_killed_group() {
    let workspace = workspace(HANGS);
    let run = start(&workspace);
    wait_for(|| workspace.path().join("started").exists());
    check_nothing_is_left(&workspace, run, |run| kill_process_group(run, Signal::KILL).unwrap());
}

#[test]
fn no_browser_survives_a_killed_run() {
    let workspace = workspace("");
    let program = workspace.write("agent-browser", AGENT_BROWSER);
    std::fs::set_permissions(program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    workspace.write(
        "eval-ls.toml",
        "[run]\ntarget = \"app\"\n[targets.app]\nkind = \"browser\"\nurl = \"http://127.0.0.1:9/\"\n",
    );
    let run = start(&workspace);
    let has_started = || {
        let here = std::fs::read_dir(workspace.path()).unwrap().flatten();
        here.into_iter().any(|entry| entry.path().join("started").exists())
    };
    wait_for(has_started);
    check_nothing_is_left(&workspace, run, |run| kill_process(run, Signal::KILL).unwrap());
}

#[test]
fn no_program_survives_if_the_run_is_killed_while_it_starts() {
    let workspace = workspace(HANGS);
    for delay in 0..40 {
        let _ = std::fs::remove_dir(workspace.path().join("started"));
        let run = start(&workspace);
        // At another moment each time, from before the first process to after the last.
        wait_for(|| processes(&workspace).len() > 1 || !processes(&workspace).contains(&(run.id() as i32)));
        std::thread::sleep(Duration::from_micros(delay * 200));
        check_nothing_is_left(&workspace, run, |run| kill_process(run, Signal::KILL).unwrap());
    }
}

#[test]
fn the_reaper_leaves_alone_what_has_ended() {
    let workspace = Workspace::new();
    let start = |mark: &str| {
        let mut sleep = Command::new("sleep");
        sleep.arg("600").env("EVAL_LS_PROGRAM", mark).current_dir(workspace.path()).process_group(0).spawn().unwrap()
    };
    let (mut ended, mut marked, mut group) = (start("ended"), start("marked"), start("other"));
    let mut reaper = workspace.command(&["reap"]).stdin(Stdio::piped()).spawn().unwrap();
    let messages = format!(
        "0 start EVAL_LS_PROGRAM=ended\x000 group {}\x001 start EVAL_LS_PROGRAM=marked\x002 start EVAL_LS_PROGRAM=x\x00\
         2 group {}\x000 end \x001 half a message",
        ended.id(),
        group.id()
    );
    reaper.stdin.take().unwrap().write_all(messages.as_bytes()).unwrap();
    assert!(reaper.wait().unwrap().success());
    for killed in [&mut marked, &mut group] {
        assert_eq!(killed.wait().unwrap().signal(), Some(9));
    }
    assert_eq!(ended.try_wait().unwrap(), None);
    ended.kill().unwrap();
    ended.wait().unwrap();
}
