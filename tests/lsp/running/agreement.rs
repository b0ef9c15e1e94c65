//! One verdict, whoever shows it: the editor's lens, hint, list and run events, the command line's results and JUnit, and
//! its exit status.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

use super::bench::finished_in;
use crate::support::{Client, initialize_params, push, range};

type Statuses = BTreeMap<String, String>;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")
}

/// The suites of the example workspace whose transcripts are kept.
fn suites() -> Vec<PathBuf> {
    let mut suites: Vec<_> = fs::read_dir(examples()).unwrap().map(|entry| entry.unwrap().path()).collect();
    suites.retain(|path| path.is_file() && path.to_string_lossy().contains("eval-set"));
    suites.sort();
    assert!(suites.len() >= 3, "{suites:?}");
    suites
}

fn run(suite: &Path, format: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eval-ls"));
    command.arg("run").arg(suite).args(["--target", "replay", "--no-results", "--format", format]);
    command.output().unwrap()
}

/// What the result document says, with the messages of the checks that failed.
fn by_json(suite: &Path) -> (Statuses, BTreeMap<String, Vec<String>>, i32) {
    let ran = run(suite, "json");
    let result: Value = serde_json::from_slice(&ran.stdout).unwrap();
    let mut failures = BTreeMap::new();
    let mut statuses = Statuses::new();
    for case in result["cases"].as_array().unwrap() {
        let id = case["id"].as_str().unwrap().to_owned();
        let details = case["check_details"].as_array().unwrap().iter();
        let failed = details.filter(|check| check["outcome"] == "failed");
        failures.insert(id.clone(), failed.map(|check| check["message"].as_str().unwrap().to_owned()).collect());
        statuses.insert(id, case["status"].as_str().unwrap().to_owned());
    }
    (statuses, failures, ran.status.code().unwrap())
}

/// The cases that JUnit counts as failed or as errors.
fn by_junit(suite: &Path) -> BTreeMap<String, &'static str> {
    let xml = String::from_utf8(run(suite, "junit").stdout).unwrap();
    let case = regex::Regex::new(r#"(?s)<testcase [^>]*?\bname="([^"]*)"[^>]*?(?:/>|>(.*?)</testcase>)"#).unwrap();
    let kind = |body: &str| match (body.contains("<failure"), body.contains("<error")) {
        (true, _) => "FAIL",
        (_, true) => "ERROR",
        _ => "passed",
    };
    let found = case.captures_iter(&xml);
    found.map(|found| (found[1].to_owned(), kind(found.get(2).map_or("", |body| body.as_str())))).collect()
}

#[test]
fn every_view_of_a_verdict_agrees() {
    let mut client = Client::start();
    let mut capabilities = push();
    capabilities["textDocument"]["codeLens"] = json!({});
    capabilities["textDocument"]["inlayHint"] = json!({});
    let mut params = initialize_params(capabilities, &[]);
    params["initializationOptions"] = json!({ "runEvents": true });
    client.initialize(params);
    for suite in suites() {
        let uri = format!("file://{}", suite.display());
        let (statuses, failures, exit) = by_json(&suite);
        let text = fs::read_to_string(&suite).unwrap();
        client.open(&uri, 1, &text);

        // The exit status is that of the gravest.
        let has = |status: &str| statuses.values().any(|known| known == status);
        let expected = if has("FAIL") {
            1
        } else if has("ERROR") {
            5
        } else {
            0
        };
        assert_eq!(exit, expected, "{}", suite.display());
        for (id, kind) in by_junit(&suite) {
            let status = &statuses[&id];
            assert_eq!(kind, if status == "PASS" || status == "PARTIAL" { "passed" } else { status }, "{id}");
        }

        client.request("eval-ls/run", json!({ "suites": [{ "uri": uri }], "target": "replay" }));
        for (id, status) in &statuses {
            let event = finished_in(&client, &uri, id);
            assert_eq!(event["status"], **status, "{id}");
            let messages: Vec<_> = event["failures"]
                .as_array()
                .unwrap()
                .iter()
                .map(|failure| failure["message"].as_str().unwrap())
                .collect();
            assert_eq!(messages, failures[id], "{id}");
        }

        // What was read from disk by then is what the run replayed.
        let verdicts = client.request("eval-ls/verdicts", json!({ "uri": uri }));
        let document = json!({ "uri": uri });
        let lenses = client.request("textDocument/codeLens", json!({ "textDocument": document }));
        let lines = u32::try_from(text.lines().count()).unwrap();
        let whole = json!({ "start": range(0, 0, 0)["start"], "end": range(lines, 0, 0)["start"] });
        let hints = client.request("textDocument/inlayHint", json!({ "textDocument": document, "range": whole }));
        for case in verdicts["cases"].as_array().unwrap() {
            let id = case["id"].as_str().unwrap();
            let line = &case["range"]["start"]["line"];
            let has_answer =
                suite.with_file_name("transcripts").join(suite.file_stem().unwrap()).join(format!("{id}.json"));
            if !has_answer.exists() {
                assert_eq!((&case["status"], statuses[id].as_str()), (&Value::Null, "ERROR"), "{id}");
                continue;
            }
            assert_eq!(case["status"], *statuses[id], "{id}");
            let title = lenses.as_array().unwrap().iter().find(|lens| lens["range"]["start"]["line"] == *line).unwrap();
            let title = title["command"]["title"].as_str().unwrap();
            assert!(title.starts_with(&format!("Run again · {}", statuses[id])), "{id}: {title}");
            let end = &case["range"]["end"];
            let hint = hints.as_array().unwrap().iter().find(|hint| hint["position"] == *end);
            let hint = hint.unwrap_or_else(|| panic!("{id}: {hints}"))["label"].as_str().unwrap();
            assert!(hint.starts_with(&statuses[id]), "{id}: {hint}");
        }
    }
}
