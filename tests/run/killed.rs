//! Runs that are killed: no program survives them.
#![cfg(target_os = "linux")]

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::collections::BTreeSet;
use std::io::Write as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::wait_for;
use crate::support::Folder;

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

fn start(workspace: &Folder) -> Child {
    let mut command = workspace.command(&["run", "s.evals.json"]);
    command.env("TMPDIR", workspace.path()).env("AGENT_BROWSER", workspace.join("agent-browser"));
    command.stdout(Stdio::null()).stderr(Stdio::null()).process_group(0).spawn().unwrap()
}

/// The processes in the folder of the workspace.
fn processes(workspace: &Folder) -> BTreeSet<i32> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let is_here = |entry: &std::fs::DirEntry| {
        std::fs::read_link(entry.path().join("cwd")).is_ok_and(|folder| folder.starts_with(workspace.path()))
    };
    entries.filter(is_here).filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

fn check_nothing_is_left(workspace: &Folder, mut run: Child, kill: impl FnOnce(Pid)) {
    kill(Pid::from_child(&run));
    run.wait().unwrap();
    wait_for(|| processes(workspace).is_empty());
}

#[test]
fn no_program_survives_a_killed_run_or_group() {
    for kill in [kill_process, kill_process_group] {
        let workspace = Folder::of_program(1, HANGS, "");
        let run = start(&workspace);
        wait_for(|| workspace.join("started").exists());
        assert!(processes(&workspace).len() >= 5, "the run, the program, and what it started");
        check_nothing_is_left(&workspace, run, |run| kill(run, Signal::KILL).unwrap());
    }
}

#[test]
fn no_browser_survives_a_killed_run() {
    let workspace = Folder::of_program(1, "", "");
    workspace.program("agent-browser", AGENT_BROWSER);
    let app = "[run]\ntarget = \"app\"\n[targets.app]\nkind = \"browser\"\nurl = \"http://127.0.0.1:9/\"\n";
    workspace.write("eval-ls.toml", app);
    let run = start(&workspace);
    let has_started = |entry: std::fs::DirEntry| entry.path().join("started").exists();
    wait_for(|| std::fs::read_dir(workspace.path()).unwrap().flatten().any(has_started));
    check_nothing_is_left(&workspace, run, |run| kill_process(run, Signal::KILL).unwrap());
}

#[test]
fn no_program_survives_if_the_run_is_killed_while_it_starts() {
    let workspace = Folder::of_program(1, HANGS, "");
    for delay in 0..40 {
        let _ = std::fs::remove_dir(workspace.join("started"));
        let run = start(&workspace);
        // At another moment each time, from before the first process to after the last.
        wait_for(|| processes(&workspace).len() > 1 || !processes(&workspace).contains(&(run.id() as i32)));
        std::thread::sleep(Duration::from_micros(delay * 200));
        check_nothing_is_left(&workspace, run, |run| kill_process(run, Signal::KILL).unwrap());
    }
}

#[test]
fn the_reaper_leaves_alone_what_has_ended() {
    let workspace = Folder::new();
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
