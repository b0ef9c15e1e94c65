//! Stopped runs leave no process behind.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::bench::{Bench, event, finished};
use crate::lsp::support::{Client, range};

/// Waits until the program runs, so that there is a process to end.
pub(super) fn wait_for_processes(bench: &Bench, count: usize) {
    let start = Instant::now();
    while bench.processes().len() < count {
        assert!(start.elapsed() < Duration::from_secs(30), "the program was not started");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Returns whether a process runs; a zombie does not.
#[cfg(target_os = "linux")]
fn runs(process: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().next()).is_some_and(|state| state != "Z")
}

#[cfg(windows)]
fn runs(process: i32) -> bool {
    let listed =
        std::process::Command::new("tasklist").args(["/NH", "/FI", &format!("PID eq {process}")]).output().unwrap();
    String::from_utf8_lossy(&listed.stdout).contains(&process.to_string())
}

#[cfg(all(unix, not(target_os = "linux")))]
fn runs(process: i32) -> bool {
    rustix::process::Pid::from_raw(process).is_some_and(|process| rustix::process::test_kill_process(process).is_ok())
}

fn stopped(client: &mut Client, params: Value) -> u64 {
    client.request("eval-ls/stop", params)["stopped"].as_u64().unwrap()
}

#[test]
fn a_stopped_run_leaves_no_process() {
    for (manner, processes) in [("hang", 1), ("deaf", 2)] {
        let (bench, mut client) = Bench::started(manner);
        let run = bench.run(&mut client, &["A", "B"]);
        wait_for_processes(&bench, processes);
        // The server answers as usual while a program hangs.
        let verdicts = client.verdicts(&bench.uri());
        assert_eq!((&verdicts["summary"]["running"], &verdicts["cases"][0]["running"]), (&json!(2), &json!(true)));
        assert_eq!(verdicts["summary"]["queued"], 1);
        assert_eq!(stopped(&mut client, json!({ "run": run })), 2);
        for case in ["A", "B"] {
            assert_eq!(finished(&client, case)["status"], "CANCELLED");
        }
        let end = event(&client, "finished");
        assert_eq!((&end["cancelled"], &end["reason"]), (&json!(true), &Value::Null));
        assert_eq!(bench.processes().into_iter().filter(|process| runs(*process)).count(), 0, "{manner}");
        assert_eq!(stopped(&mut client, json!({})), 0);
        assert_eq!(bench.asked(), ["p1"]);
    }
}

#[test]
fn one_case_is_stopped_and_the_others_continue() {
    let (bench, mut client) = Bench::started("answer");
    client.change(&bench.uri(), 2, json!([{ "range": range(1, 26, 26), "text": "hang " }]));
    bench.run(&mut client, &["A", "B"]);
    wait_for_processes(&bench, 1);
    assert_eq!(stopped(&mut client, json!({ "uri": bench.uri(), "case": "C" })), 0);
    assert_eq!(stopped(&mut client, json!({ "uri": bench.uri(), "case": "A" })), 1);
    assert_eq!(finished(&client, "A")["status"], "CANCELLED");
    assert_eq!(finished(&client, "B")["status"], "FAIL");
    assert_eq!(event(&client, "finished")["cancelled"], true);
}

#[test]
fn a_later_run_of_a_case_replaces_the_earlier() {
    let (bench, mut client) = Bench::started("answer");
    client.change(&bench.uri(), 2, json!([{ "range": range(1, 26, 26), "text": "hang " }]));
    let first = bench.run(&mut client, &["A"]);
    wait_for_processes(&bench, 1);
    client.change(&bench.uri(), 3, json!([{ "range": range(1, 26, 31), "text": "" }]));
    let second = bench.run(&mut client, &["A"]);
    let (one, other) = (finished(&client, "A"), finished(&client, "A"));
    assert_eq!((&one["run"], &one["status"]), (&json!(first), &json!("CANCELLED")));
    assert_eq!((&other["run"], &other["status"]), (&json!(second), &json!("PASS")));
}

#[test]
fn a_server_that_ends_or_is_killed_leaves_no_process() {
    // Only on Unix, somebody ends the runs of a killed server, and only on Linux, processes that leave a session are found.
    let killed = if cfg!(unix) { &[("hang", 1, false)][..] } else { &[] };
    let escaped = if cfg!(target_os = "linux") { &[("escape", 2, false)][..] } else { &[] };
    for (manner, processes, is_polite) in [&[("hang", 1, true)], killed, escaped].concat() {
        let (bench, mut client) = Bench::started(manner);
        bench.run(&mut client, &["A"]);
        wait_for_processes(&bench, processes);
        if is_polite {
            assert!(client.stop().success());
        } else {
            // Kills it: it cannot end its runs.
            drop(client);
        }
        wait_for_the_end(&bench);
    }
}

fn wait_for_the_end(bench: &Bench) {
    let start = Instant::now();
    while bench.processes().into_iter().any(runs) {
        assert!(start.elapsed() < Duration::from_secs(30), "the program still runs");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn progress_is_shown_and_can_be_cancelled() {
    let (bench, mut client) = Bench::started("hang");
    let run = bench.run(&mut client, &["A", "B"]);
    let token = json!(format!("eval-ls/run/{run}"));
    let created = client.wait_for("window/workDoneProgress/create", |params| {
        // On a slow machine, the check of the suite has progress, too.
        params["token"].as_str().unwrap().starts_with("eval-ls/run/")
    });
    assert_eq!(created["params"]["token"], token);
    let next = |kind: &str| {
        let fits = |params: &Value| params["token"] == token && params["value"]["kind"] == kind;
        client.wait_for("$/progress", fits)["params"]["value"].take()
    };
    let begin = next("begin");
    let expected =
        json!({ "kind": "begin", "title": "Running 2 cases with agent", "cancellable": true, "percentage": 0 });
    assert_eq!(begin, expected);
    assert_eq!(next("report")["message"], "A");
    client.notify("window/workDoneProgress/cancel", json!({ "token": token }));
    let fits = |params: &Value| params["token"] == token && params["value"]["kind"] == "end";
    assert_eq!(
        client.wait_for("$/progress", fits)["params"]["value"]["message"],
        "0 of 2 cases passed; the run was stopped"
    );
    assert_eq!(finished(&client, "B")["status"], "CANCELLED");
}

#[test]
fn runs_stop_when_the_workspace_loses_trust() {
    let (bench, mut client) = Bench::started("hang");
    bench.run(&mut client, &["A"]);
    wait_for_processes(&bench, 1);
    client.notify("eval-ls/trust", json!({ "trusted": false }));
    assert_eq!(finished(&client, "A")["status"], "CANCELLED");
}
