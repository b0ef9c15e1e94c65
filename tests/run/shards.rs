//! `run --shard` and `merge`: several machines run one suite.

use std::collections::BTreeMap;

use serde_json::Value;

use super::without_lines;
use crate::support::{Folder, Ran, YES};

/// A workspace with 16 cases in two suites. A program answers; every third case fails.
fn workspace() -> Folder {
    let workspace = Folder::new();
    for suite in ["a", "b"] {
        let case = |id: usize| format!(r#"{{ "id": "{suite}{id}", "prompt": "{id}", "expected": {YES} }}"#);
        let cases: Vec<String> = (0..8).map(case).collect();
        workspace.write(format!("{suite}.evals.json"), format!(r#"{{ "cases": [ {} ] }}"#, cases.join(",\n")));
    }
    let agent = "import json, sys\nprompt = int(json.load(sys.stdin)['prompt'])\n\
                 print(json.dumps({'response': 'no' if prompt % 3 == 0 else f'yes {prompt}'}))\n";
    workspace.agent(agent, "");
    workspace
}

/// Runs the shards, each with results in its own folder: `shard-1`, `shard-2`, ….
fn shards(workspace: &Folder, count: usize, more: &[&str]) -> Vec<Ran> {
    let run = |index: usize| {
        let (shard, folder) = (format!("{index}/{count}"), format!("shard-{index}"));
        let mut arguments = vec!["run", "--shard", &shard, "--results", &folder, "--jobs", "1"];
        arguments.extend(more);
        workspace.run(&arguments)
    };
    (1..=count).map(run).collect()
}

/// Every file of a folder of results with its text, without times and ids of runs.
fn contents(workspace: &Folder, results: &str) -> BTreeMap<String, String> {
    let id = std::fs::read_link(workspace.join(results).join("runs/latest")).unwrap().display().to_string();
    let times = regex::Regex::new(
        r#"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z|\d{8}-\d{6}|"(duration_ms|median_ms|p95_ms|timeout_ms|jobs)": ?\d+|\d+(\.\d+)? (ms|s)\b"#,
    )
    .unwrap();
    let clean = |text: &str| times.replace_all(&text.replace(&id, "ID"), "TIME").into_owned();
    let mut files = BTreeMap::new();
    for (path, bytes) in workspace.files() {
        let Ok(name) = path.strip_prefix(results) else { continue };
        let mut text = String::from_utf8(bytes).unwrap();
        if name.ends_with("run.json") {
            let mut record: Value = serde_json::from_str(&text).unwrap();
            record.as_object_mut().unwrap().retain(|key, _| key != "merged" && key != "lines");
            text = record.to_string();
        }
        files.insert(clean(&name.display().to_string()), clean(&text));
    }
    files
}

#[test]
fn a_merged_run_equals_the_run_without_shards() {
    let workspace = workspace();
    workspace.run(&["run", "--jobs", "1", "--results", "whole", "--report", "junit=whole.xml"]).ends(1);
    let size = |shard: &Ran| -> usize {
        let line = shard.err.lines().find(|line| line.starts_with("shard ")).unwrap();
        line.strip_suffix(" of 16 cases").unwrap().split(' ').nth(4).unwrap().parse().unwrap()
    };
    assert_eq!(shards(&workspace, 4, &[]).iter().map(size).sum::<usize>(), 16);
    let merge =
        ["merge", "shard-1", "shard-2", "shard-3", "shard-4", "--results", "merged", "--report", "junit=merged.xml"];
    workspace.run(&merge).ends(1);
    workspace.run(&merge).complains(2, ["these shards are merged already, as the run 2"]);
    let (one, other) = (contents(&workspace, "whole"), contents(&workspace, "merged"));
    assert!(one.len() >= 8, "both suites have results, and the run has answers: {:?}", one.keys());
    assert_eq!(one, other);
    let times = regex::Regex::new(r#" (time|timestamp)="[^"]*""#).unwrap();
    let junit = |name: &str| times.replace_all(&workspace.read(name), "").into_owned();
    assert_eq!(junit("whole.xml"), junit("merged.xml"));
}

#[test]
pub(super) fn a_lost_shard_is_named() {
    let workspace = workspace();
    shards(&workspace, 3, &[]);
    let ran = workspace.run(&["merge", "shard-1", "shard-3", "--no-results"]).ends(3);
    assert_eq!(ran.err, "error: the shards cannot be merged: shard 2 of 3 is missing\n");
    // The whole folder has all shards.
    workspace.run(&["merge", ".", "--no-results"]).ends(1);
}

#[test]
fn doubles_and_differences_are_named() {
    let workspace = workspace();
    shards(&workspace, 2, &[]);
    workspace.run(&["run", "--shard", "2/2", "--results", "again"]);
    let ran = workspace.run(&["merge", "shard-1", "shard-2", "again", "--no-results"]);
    ran.complains(3, ["shard 2 of 2 is there several times: "]);
    workspace.edit("b.evals.json", "\"yes\"", "\"sure\"");
    workspace.run(&["run", "--shard", "2/2", "--results", "edited", "--strict"]);
    let ran = workspace.run(&["merge", "shard-1", "edited", "--no-results"]).ends(3);
    let differ = "differ in what makes the run fail, such as `--strict`, the suite b.evals.json\n";
    assert!(ran.err.contains("shard 1 of 2 (shard-1/runs/") && ran.err.ends_with(differ), "{ran:?}");
}

#[test]
fn cases_that_have_not_ended_are_named() {
    let workspace = workspace();
    shards(&workspace, 2, &[]);
    let cases = "shard-2/runs/latest/cases.jsonl";
    let lost = workspace.lines_in("shard-2").pop().unwrap();
    let lines = workspace.read(cases);
    workspace.write(cases, format!("{}\n", lines.trim_end().rsplit_once('\n').unwrap().0));
    without_lines(&workspace.join("shard-2/runs/latest"));
    let fault = format!(" lacks 1 of its cases: {}; ", lost["case"].as_str().unwrap());
    workspace.run(&["merge", "shard-1", "shard-2", "--no-results"]).complains(3, [fault]);
}

#[test]
fn an_added_case_moves_no_other() {
    let workspace = workspace();
    let cases = |shard: &str, results: &str| -> Vec<String> {
        workspace.run(&["run", "--shard", shard, "--results", results]);
        let lines = workspace.lines_in(results).into_iter();
        let mut ids: Vec<String> = lines.map(|line| line["case"].as_str().unwrap().to_owned()).collect();
        ids.retain(|id| id != "new");
        ids.sort();
        ids
    };
    let before = [cases("1/2", "one"), cases("2/2", "two")];
    let suite = workspace.read("a.evals.json");
    let case = format!(r#"[ {{ "id": "new", "prompt": "9", "expected": {YES} }},"#);
    workspace.write("a.evals.json", suite.replacen('[', &case, 1));
    assert_eq!(before, [cases("1/2", "three"), cases("2/2", "four")]);
}

#[test]
fn a_shard_without_a_case_is_merged_too() {
    let workspace = Folder::stored(&["yes"]);
    let ran = shards(&workspace, 2, &[]);
    assert!(ran.iter().all(|ran| ran.status == 0), "{ran:?}");
    assert!(ran.iter().any(|ran| ran.err.contains(": 0 of 1 cases\n")), "{ran:?}");
    workspace.run(&["merge", "."]).ends(0);
}

#[test]
fn wrong_arguments_have_clear_errors() {
    let workspace = workspace();
    for (arguments, status, message) in [
        (&["run", "--shard", "5/4"][..], 2, "there is no shard 5 of 4; the first one is 1/4"),
        (&["run", "--shard", "0/4"], 2, "expected a shard and the number of shards such as `2/4`"),
        (&["merge", "absent"], 3, "cannot read `absent`"),
        (&["merge", "."], 3, "the folders have no run; `eval-ls run --shard` keeps one in `results/runs`"),
    ] {
        workspace.run(arguments).complains(status, [message]);
    }
}

#[test]
fn results_of_other_shards_are_not_suites() {
    let workspace = workspace();
    shards(&workspace, 2, &[]);
    let ran = workspace.run(&["run", "--results", "whole"]).ends(1);
    assert!(!ran.err.contains("is not run") && ran.out.contains("16 cases"), "{ran:?}");
}
