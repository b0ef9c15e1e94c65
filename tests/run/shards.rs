//! `run --shard` and `merge`: several machines run one suite.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::run::support::{Ran, Workspace, without_lines};

const YES: &str = r#"{ "must_say_any": ["yes"] }"#;

/// A workspace with 16 cases in two suites. A program answers; every third case fails.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    for suite in ["a", "b"] {
        let case = |id: usize| format!(r#"{{ "id": "{suite}{id}", "prompt": "{id}", "expected": {YES} }}"#);
        let cases: Vec<String> = (0..8).map(case).collect();
        workspace.write(&format!("{suite}.evals.json"), &format!(r#"{{ "cases": [ {} ] }}"#, cases.join(",\n")));
    }
    let agent = "import json, sys\nprompt = int(json.load(sys.stdin)['prompt'])\n\
                 print(json.dumps({'response': 'no' if prompt % 3 == 0 else f'yes {prompt}'}))\n";
    workspace.agent(agent, "");
    workspace
}

/// Runs the shards, each with results in its own folder: `shard-1`, `shard-2`, ….
fn shards(workspace: &Workspace, count: usize, more: &[&str]) -> Vec<Ran> {
    let run = |index: usize| {
        let (shard, folder) = (format!("{index}/{count}"), format!("shard-{index}"));
        let mut arguments = vec!["run", "--shard", &shard, "--results", &folder, "--jobs", "1"];
        arguments.extend(more);
        workspace.run(&arguments)
    };
    (1..=count).map(run).collect()
}

/// The folder of the last run in a folder of results.
fn last(folder: &Path) -> PathBuf {
    let runs = folder.join("runs");
    runs.join(std::fs::read_link(runs.join("latest")).unwrap())
}

/// Every file of a folder of results with its text, without times and ids of runs.
fn contents(folder: &Path) -> BTreeMap<String, String> {
    let run = last(folder);
    let id = run.file_name().unwrap().to_str().unwrap().to_owned();
    let times = regex::Regex::new(
        r#"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z|\d{8}-\d{6}|"(duration_ms|timeout_ms|jobs)": ?\d+|\d+(\.\d+)? (ms|s)\b"#,
    )
    .unwrap();
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for path in std::fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_symlink() {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let mut text = std::fs::read_to_string(&path).unwrap();
            if path.file_name().unwrap() == "run.json" {
                let mut record: Value = serde_json::from_str(&text).unwrap();
                record.as_object_mut().unwrap().retain(|key, _| key != "merged" && key != "lines");
                text = record.to_string();
            }
            let clean = |text: &str| times.replace_all(&text.replace(&id, "ID"), "TIME").into_owned();
            files.insert(clean(&path.strip_prefix(folder).unwrap().display().to_string()), clean(&text));
        }
    }
    files
}

#[test]
fn a_merged_run_equals_the_run_without_shards() {
    let workspace = workspace();
    let whole = workspace.run(&["run", "--jobs", "1", "--results", "whole", "--report", "junit=whole.xml"]);
    assert_eq!(whole.status, 1, "{}", whole.err);
    let sizes: Vec<usize> = shards(&workspace, 4, &[])
        .iter()
        .map(|shard| {
            let line = shard.err.lines().find(|line| line.starts_with("shard ")).unwrap();
            assert!(line.ends_with(" of 16 cases"), "{line}");
            line.split(' ').nth(4).unwrap().parse().unwrap()
        })
        .collect();
    assert_eq!((sizes.len(), sizes.iter().sum::<usize>()), (4, 16));
    let merge =
        ["merge", "shard-1", "shard-2", "shard-3", "shard-4", "--results", "merged", "--report", "junit=merged.xml"];
    let merged = workspace.run(&merge);
    assert_eq!(merged.status, 1, "{}", merged.err);
    let (one, other) = (contents(&workspace.path().join("whole")), contents(&workspace.path().join("merged")));
    assert!(one.len() >= 8, "both suites have results, and the run has answers: {:?}", one.keys());
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, text) in &one {
        assert_eq!(text, &other[name], "{name}");
    }
    let junit = |name: &str| {
        let text = std::fs::read_to_string(workspace.path().join(name)).unwrap();
        regex::Regex::new(r#" (time|timestamp)="[^"]*""#).unwrap().replace_all(&text, "").into_owned()
    };
    assert_eq!(junit("whole.xml"), junit("merged.xml"));
}

#[test]
fn a_lost_shard_is_named() {
    let workspace = workspace();
    shards(&workspace, 3, &[]);
    let ran = workspace.run(&["merge", "shard-1", "shard-3", "--no-results"]);
    assert_eq!((ran.status, ran.err.as_str()), (3, "error: the shards cannot be merged: shard 2 of 3 is missing\n"));
    // The whole folder has all shards.
    assert_eq!(workspace.run(&["merge", ".", "--no-results"]).status, 1);
}

#[test]
fn doubles_and_differences_are_named() {
    let workspace = workspace();
    shards(&workspace, 2, &[]);
    workspace.run(&["run", "--shard", "2/2", "--results", "again"]);
    let ran = workspace.run(&["merge", "shard-1", "shard-2", "again", "--no-results"]);
    assert_eq!(ran.status, 3);
    assert!(ran.err.contains("shard 2 of 2 is there several times: "), "{}", ran.err);
    let suite = std::fs::read_to_string(workspace.path().join("b.evals.json")).unwrap();
    workspace.write("b.evals.json", &suite.replace("\"yes\"", "\"sure\""));
    workspace.run(&["run", "--shard", "2/2", "--results", "edited", "--strict"]);
    let ran = workspace.run(&["merge", "shard-1", "edited", "--no-results"]);
    assert_eq!(ran.status, 3);
    let differ = "differ in what makes the run fail, such as `--strict`, the suite b.evals.json\n";
    assert!(ran.err.contains("shard 1 of 2 (shard-1/runs/") && ran.err.ends_with(differ), "{}", ran.err);
}

#[test]
fn cases_that_have_not_ended_are_named() {
    let workspace = workspace();
    shards(&workspace, 2, &[]);
    let cases = last(&workspace.path().join("shard-2")).join("cases.jsonl");
    let lines = std::fs::read_to_string(&cases).unwrap();
    let (head, tail) = lines.trim_end().rsplit_once('\n').unwrap();
    std::fs::write(&cases, format!("{head}\n")).unwrap();
    without_lines(cases.parent().unwrap());
    let lost: Value = serde_json::from_str(tail).unwrap();
    let ran = workspace.run(&["merge", "shard-1", "shard-2", "--no-results"]);
    assert_eq!(ran.status, 3);
    let fault = format!(" lacks 1 of its cases: {}; ", lost["case"].as_str().unwrap());
    assert!(ran.err.contains(&fault), "{}", ran.err);
}

#[test]
fn an_added_case_moves_no_other() {
    let workspace = workspace();
    let cases = |shard: &str, results: &str| -> Vec<String> {
        workspace.run(&["run", "--shard", shard, "--results", results]);
        let lines = std::fs::read_to_string(last(&workspace.path().join(results)).join("cases.jsonl")).unwrap();
        let id = |line: &str| serde_json::from_str::<Value>(line).unwrap()["case"].as_str().unwrap().to_owned();
        let mut ids: Vec<String> = lines.lines().map(id).filter(|id| id != "new").collect();
        ids.sort();
        ids
    };
    let before = [cases("1/2", "one"), cases("2/2", "two")];
    let suite = std::fs::read_to_string(workspace.path().join("a.evals.json")).unwrap();
    let case = format!(r#"[ {{ "id": "new", "prompt": "9", "expected": {YES} }},"#);
    workspace.write("a.evals.json", &suite.replacen('[', &case, 1));
    assert_eq!(before, [cases("1/2", "three"), cases("2/2", "four")]);
}

#[test]
fn a_shard_without_a_case_is_merged_too() {
    let workspace = Workspace::new();
    workspace.suite(&[(YES, Some("yes"))]);
    let ran = shards(&workspace, 2, &[]);
    assert!(ran.iter().all(|ran| ran.status == 0), "{}{}", ran[0].err, ran[1].err);
    assert!(ran.iter().any(|ran| ran.err.contains(": 0 of 1 cases\n")), "{}{}", ran[0].err, ran[1].err);
    let merged = workspace.run(&["merge", "."]);
    assert_eq!(merged.status, 0, "{}", merged.err);
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
        let ran = workspace.run(arguments);
        assert_eq!(ran.status, status, "{arguments:?} {}", ran.err);
        assert!(ran.err.contains(message), "{arguments:?} {}", ran.err);
    }
}

#[test]
fn results_of_other_shards_are_not_suites() {
    let workspace = workspace();
    shards(&workspace, 2, &[]);
    let ran = workspace.run(&["run", "--results", "whole"]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(!ran.err.contains("is not run") && ran.out.contains("16 cases"), "{}{}", ran.err, ran.out);
}
