//! A run that is killed and resumed ends as one that was not.
#![cfg(unix)]

use std::process::Stdio;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::Value;

use super::wait_for;
use crate::support::Folder;

/// Runs, and kills the run when it waits for the answer with that index. Returns whether it was killed.
pub(super) fn killed(workspace: &Folder, arguments: &[&str], stop_at: usize) -> bool {
    let waits = workspace.join("waits");
    let _ = std::fs::remove_file(&waits);
    workspace.write("stop-at", stop_at.to_string());
    let mut run = workspace.command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for(|| waits.exists() || run.try_wait().unwrap().is_some());
    run.kill().unwrap();
    run.wait().unwrap();
    workspace.remove("stop-at");
    waits.exists()
}

/// What a run leaves behind: the results without times, the transcripts, and the last line of the output.
fn outcome(workspace: &Folder, status: i32) -> (i32, Vec<Value>, Vec<String>) {
    let lines = workspace.lines().into_iter().filter(|line| line["attempt"].is_null());
    let mut results: Vec<Value> = lines.map(|mut line| line["result"].take()).collect();
    results.sort_by_key(|result| result["id"].to_string());
    fn without_times(value: &mut Value) {
        match value {
            Value::Object(map) => {
                map.retain(|key, _| !["duration_ms", "answered_at", "transcript"].contains(&key.as_str()));
                map.values_mut().for_each(without_times);
            }
            Value::Array(list) => list.iter_mut().for_each(without_times),
            _ => {}
        }
    }
    results.iter_mut().for_each(without_times);
    let stored = |case: usize| {
        let path = workspace.join(format!("transcripts/s.evals/C{case}.json"));
        let text = std::fs::read_to_string(path).ok()?;
        Some(serde_json::from_str::<Value>(&text).unwrap()["response"].to_string())
    };
    (status, results, (0..4).filter_map(stored).collect())
}

#[test]
fn a_resumed_run_ends_as_one_that_was_not_interrupted() {
    let word = prop::sample::select(vec!["yes", "no"]);
    let words = prop::collection::vec(prop::collection::vec(word, 1..5), 1..4);
    let options = prop::sample::select(vec![
        &["run"][..],
        &["run", "--repeat", "3"],
        &["run", "--repeat", "2", "--strict"],
        &["run", "--max-failures", "1", "--jobs", "1"],
        &["record"],
    ]);
    let policy = prop::sample::select(vec!["", "[[policy]]\ncases = \"*\"\nrepeat = 4\nmin_pass = 2\n"]);
    let mut runner = TestRunner::new(Config { cases: 24, failure_persistence: None, ..Config::default() });
    let run =
        runner.run(&(words, options, policy, any::<prop::sample::Index>()), |(words, options, policy, stop_at)| {
            let words: Vec<String> = words.iter().map(|words| words.join(" ")).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let [whole, parts] = [(), ()].map(|()| Folder::asking(&words, policy));
            let at_once = whole.run(options);
            let asked = std::fs::read_to_string(whole.path().join("asked")).unwrap();
            prop_assert!(killed(&parts, options, stop_at.index(asked.len())));
            let resumed = parts.run(&["run", "--resume"]);
            prop_assert_eq!(
                outcome(&parts, resumed.status),
                outcome(&whole, at_once.status),
                "{}{}\n{}{}",
                at_once.out,
                at_once.err,
                resumed.out,
                resumed.err
            );
            Ok(())
        });
    run.unwrap();
}

#[test]
fn attempts_at_an_edited_prompt_begin_again() {
    let workspace = Folder::asking(&["no no no yes yes yes yes"], "");
    let repeat = &["run", "--repeat", "3"];
    assert!(killed(&workspace, repeat, 2));
    workspace.edit("s.evals.json", "\"p0\"", "\"another\"");
    // It is killed again before an answer to the new prompt is there.
    assert!(killed(&workspace, &["run", "--resume"], 2));
    let ran = workspace.run(&["run", "--resume"]);
    assert!(ran.out.contains("2 of 3 attempts passed"), "{ran:?}");
}

#[test]
fn a_run_is_of_one_assistant() {
    let workspace = Folder::asking(&["yes", "yes", "yes"], "");
    workspace.write("lib/desk.py", "NAME = 1\n");
    assert!(killed(&workspace, &["run", "--jobs", "1"], 1));
    workspace.write("lib/desk.py", "NAME = 2\n");
    let ran = workspace.run(&["run", "--resume"]);
    let fault = "the program of `agent` has changed since the run ";
    assert!(ran.status == 2 && ran.err.contains(fault), "{ran:?}");
    let mixed = "agent (python3 agent.py, in several versions), asked ";
    workspace.run(&["run"]).ends(0);
    let agent = workspace.read("agent.py");
    workspace.write("agent.py", format!("open('lib/desk.py', 'w').write('NAME = 9')\n{agent}"));
    workspace.run(&["run"]).complains(0, ["the program of `agent` changed during the run"]);
    workspace.run(&["show", "C0"]).prints(0, [mixed]);
    workspace.run(&["compare"]).prints(0, ["target agent, in several versions\n"]);
    // An earlier run does not pass for one that cannot be read.
    let last = workspace.last_run();
    workspace.write(format!("results/runs/{last}/run.json"), "{");
    workspace.run(&["show", "C0", "latest"]).complains(4, ["results/runs/"]);
}

#[test]
fn attempts_that_were_judged_count_after_a_kill_and_after_an_interrupt() {
    let workspace = Folder::asking(&["no no no no yes yes"], "[[policy]]\ncases = \"*\"\nrepeat = 5\nmin_pass = 1\n");
    assert!(killed(&workspace, &["run"], 4));
    workspace.run(&["run", "--resume"]).prints(0, ["1 of 5 attempts passed"]);
    assert_eq!(std::fs::metadata(workspace.join("asked")).unwrap().len(), 5);
}
