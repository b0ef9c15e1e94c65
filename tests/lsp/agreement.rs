//! All surfaces show the same verdict: the editor's hints, lenses, `eval-ls/verdicts` and `eval-ls/runEvent`, and the
//! runner's results, JUnit and exit status.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use regex::{Captures, Regex};
use serde_json::{Value, json};

use crate::lsp::support::Client;
use crate::support::Folder;

/// The status of a case by the file name of its suite and its id.
type Statuses = BTreeMap<(String, String), String>;

/// The example workspace, and a suite with every status and every reason for a missing verdict.
fn workspace() -> Folder {
    let folder = Folder::with(&[]);
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    copy(&examples, &examples, &folder);
    let evil = "a".repeat(2000);
    for (case, response) in
        [("unknown-hint", "x"), ("evil", evil.as_str()), ("below", "x"), ("hard", "x"), ("stale", "x")]
    {
        let prompt = if case == "stale" { "another" } else { "p" };
        let transcript = json!({
            "format": "eval-ls/transcript@1", "case": case, "prompt": prompt, "response": response,
        });
        folder.write(&format!("evals/transcripts/all/{case}.json"), &transcript.to_string());
    }
    folder.write("evals/transcripts/all/unreadable.json", "{ \"format\":");
    folder.write("evals/all.json", ALL);
    folder
}

const ALL: &str = r#"{ "version": "0.2.0", "cases": [
  { "id": "unknown-hint", "prompt": "p", "expected": { "ui": ["Nobody has defined this."] } },
  { "id": "evil", "prompt": "p", "expected": { "must_match_regex": ["^(?:a|aa|aaa)+(?=[0-9])"] } },
  { "id": "below", "prompt": "p", "expected": { "must_say_any": ["y"], "scoring": { "soft_score": { "threshold": 0.99 } } } },
  { "id": "hard", "prompt": "p", "expected": { "must_say_any": ["y"], "scoring": { "hard_fail": ["formatting"] } } },
  { "id": "stale", "prompt": "p", "expected": { "must_say_any": ["x"] } },
  { "id": "unreadable", "prompt": "p", "expected": { "must_say_any": ["x"] } },
  { "id": "none", "prompt": "p", "expected": { "must_say_any": ["x"] } }
] }"#;

fn copy(from: &Path, root: &Path, to: &Folder) {
    for entry in fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path()) {
        let name = entry.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
        match entry.is_dir() {
            // What it is meant for is to be refused.
            true if name == "faulty" => {}
            true => copy(&entry, root, to),
            false => drop(to.write(&name, fs::read(&entry).unwrap())),
        }
    }
}

fn suites(folder: &Folder) -> Vec<(String, PathBuf)> {
    let names =
        ["brief-eval-set.v0.3.json", "synthesis-eval-set.v0.2.json", "tools-eval-set.v0.1.json", "evals/all.json"];
    names.map(|name| (name.to_owned(), folder.join(name))).to_vec()
}

/// Runs the suites; returns the output and the exit status.
fn run(folder: &Folder, format: &str) -> (String, i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eval-ls"));
    command.args(["run", "--target", "replay", "--no-check", "--no-results", "--format", format]);
    command.args(suites(folder).iter().map(|(_, path)| path));
    let output = command.output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code().unwrap())
}

fn file_name(path: &str) -> String {
    Path::new(path).file_name().unwrap().to_str().unwrap().to_owned()
}

fn from_json(output: &str) -> Statuses {
    let documents: Vec<Value> = serde_json::from_str(output).unwrap();
    let of_suite = |document: &Value| {
        let suite = file_name(document["eval_file"].as_str().unwrap());
        let cases = document["cases"].as_array().unwrap().clone();
        cases.into_iter().map(move |case| {
            let text = |key: &str| case[key].as_str().unwrap().to_owned();
            ((suite.clone(), text("id")), text("status"))
        })
    };
    documents.iter().flat_map(of_suite).collect()
}

fn from_junit(output: &str) -> Statuses {
    let suite = Regex::new(r#"(?s)<testsuite name="([^"]+)".*?</testsuite>"#).unwrap();
    let case = Regex::new(r#"(?s)<testcase name="([^"]+)".*?status: ([A-Z]+).*?</testcase>"#).unwrap();
    let cases = suite.captures_iter(output).flat_map(|suite| {
        let of_case = |case: Captures<'_>| ((file_name(&suite[1]), case[1].to_owned()), case[2].to_owned());
        case.captures_iter(suite.get(0).unwrap().as_str()).map(of_case).collect::<Vec<_>>()
    });
    cases.collect()
}

/// The verdicts that the editor receives.
#[derive(Default)]
struct Told {
    /// From the hints after the ids.
    hints: Statuses,
    /// From `eval-ls/verdicts`.
    verdicts: Statuses,
    /// From the events of a run.
    events: Statuses,
    /// From the lenses above the cases.
    lenses: Statuses,
}

fn told(folder: &Folder) -> Told {
    let mut told = Told::default();
    for (name, path) in suites(folder) {
        let key = |id: &str| (file_name(&name), id.to_owned());
        let uri = folder.uri(&name);
        let text = fs::read_to_string(path).unwrap();
        let mut client = open(folder, &uri, &text);
        told.hints.extend(hints(&mut client, &uri, &text).into_iter().map(|(id, status)| (key(&id), status)));

        let verdicts = client.verdicts(&uri);
        for case in verdicts["cases"].as_array().unwrap() {
            let status = case["status"].as_str().map(|status| (key(case["id"].as_str().unwrap()), status.to_owned()));
            told.verdicts.extend(status);
        }
        let lenses = client.of("codeLens", &uri);
        for command in lenses.as_array().unwrap().iter().map(|lens| &lens["command"]) {
            let title = command["title"].as_str().unwrap();
            let case = command["arguments"][0]["case"].as_str();
            let status = title.strip_prefix("Run · ").and_then(|came| came.split(' ').next());
            told.lenses.extend(case.zip(status).map(|(case, status)| (key(case), status.to_owned())));
        }
        client.request("eval-ls/run", json!({ "suites": [{ "uri": uri }], "target": "replay" }));
        loop {
            let event = client
                .wait_for("eval-ls/runEvent", |event| event["kind"] == "caseFinished" || event["kind"] == "finished");
            let event = &event["params"];
            if event["kind"] == "finished" {
                break;
            }
            told.events.insert(key(event["case"].as_str().unwrap()), event["status"].as_str().unwrap().to_owned());
        }
    }
    told
}

/// A client that has opened the suite and received its verdicts.
fn open(folder: &Folder, uri: &str, text: &str) -> Client {
    let client = Client::session_with(
        json!({
            "textDocument": { "inlayHint": {}, "publishDiagnostics": {}, "codeLens": {} },
            "workspace": { "inlayHint": { "refreshSupport": true } },
        }),
        &[folder],
        json!({ "runEvents": true, "challenges": false }),
    );
    client.open(uri, 1, text);
    client.refreshed("inlayHint");
    client
}

fn hints(client: &mut Client, uri: &str, text: &str) -> Vec<(String, String)> {
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9999, "character": 0 } });
    let hints = client.request("textDocument/inlayHint", json!({ "textDocument": { "uri": uri }, "range": whole }));
    let id = Regex::new(r#""id": "([^"]+)",?$"#).unwrap();
    let of_id = |hint: &Value| {
        let place = |key: &str| usize::try_from(hint["position"][key].as_u64().unwrap()).unwrap();
        let before = &text.lines().nth(place("line")).unwrap()[..place("character")];
        let status = hint["label"].as_str().unwrap().split(' ').next().unwrap();
        id.captures(before).map(|found| (found[1].to_owned(), status.to_owned()))
    };
    hints.as_array().unwrap().iter().filter_map(of_id).collect()
}

#[test]
fn every_surface_shows_the_same_verdicts() {
    let folder = workspace();
    let (json, status) = run(&folder, "json");
    let results = from_json(&json);
    assert_eq!(results.len(), 19, "{results:#?}");
    for kind in ["PASS", "PARTIAL", "FAIL", "ERROR"] {
        assert!(results.values().any(|status| status == kind), "{kind}");
    }
    // A failed case outweighs one that could not be judged.
    assert_eq!(status, 1);
    let (junit, status) = run(&folder, "junit");
    assert_eq!((from_junit(&junit), status), (results.clone(), 1));

    let told = told(&folder);
    assert_eq!(told.events, results);
    for mut shown in [told.hints, told.verdicts, told.lenses] {
        // A case without an answer has no verdict in the editor. A run reports `ERROR` for it.
        let never_answered = ("all.json".to_owned(), "none".to_owned());
        assert_eq!(shown.insert(never_answered, "ERROR".to_owned()), None);
        assert_eq!(shown, results);
    }
}
