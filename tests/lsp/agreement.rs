//! All surfaces show the same verdict: the editor's hints, lenses, `eval-ls/verdicts` and `eval-ls/runEvent`, and the
//! runner's results and exit status.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use regex::Regex;
use serde_json::{Value, json};
use walkdir::WalkDir;

use crate::lsp::support::Client;
use crate::support::Folder;

/// The status of a case by the file name of its suite and its id.
type Statuses = BTreeMap<(String, String), String>;

/// The example workspace, and a suite with every status and every reason for a missing verdict.
fn workspace() -> Folder {
    let folder = Folder::with(&[]);
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    // What `faulty` is meant for is to be refused.
    let entries = WalkDir::new(&examples).into_iter().filter_entry(|entry| entry.file_name() != "faulty");
    for entry in entries.map(Result::unwrap).filter(|entry| entry.file_type().is_file()) {
        folder.write(entry.path().strip_prefix(&examples).unwrap(), fs::read(entry.path()).unwrap());
    }
    let evil = "a".repeat(2000);
    for (case, response) in
        [("unknown-hint", "x"), ("evil", evil.as_str()), ("below", "x"), ("hard", "x"), ("stale", "x")]
    {
        let prompt = if case == "stale" { "another" } else { "p" };
        let transcript = json!({
            "format": "eval-ls/transcript@1", "case": case, "prompt": prompt, "response": response,
        });
        folder.write(format!("evals/transcripts/all/{case}.json"), transcript.to_string());
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

const SUITES: [&str; 4] =
    ["brief-eval-set.v0.3.json", "synthesis-eval-set.v0.2.json", "tools-eval-set.v0.1.json", "evals/all.json"];

fn file_name(path: &str) -> String {
    Path::new(path).file_name().unwrap().to_str().unwrap().to_owned()
}

/// The statuses in the results of a run. `run::formats` sees to it that all formats have them.
fn results(folder: &Folder) -> Statuses {
    let mut words = vec!["run", "--target", "replay", "--no-check", "--no-results", "--format", "json"];
    words.extend(SUITES);
    // A failed case outweighs one that could not be judged.
    let documents = folder.run(&words).ends(1).json();
    let of_suite = |document: &Value| {
        let suite = file_name(document["eval_file"].as_str().unwrap());
        let cases = document["cases"].as_array().unwrap().clone();
        cases.into_iter().map(move |case| {
            let text = |key: &str| case[key].as_str().unwrap().to_owned();
            ((suite.clone(), text("id")), text("status"))
        })
    };
    documents.as_array().unwrap().iter().flat_map(of_suite).collect()
}

/// The verdicts that the editor receives: in the hints after the ids, from `eval-ls/verdicts`, in the lenses above the cases, and
/// from the events of a run.
fn told(folder: &Folder) -> [Statuses; 4] {
    let [mut of_hints, mut of_verdicts, mut of_lenses, mut of_events] = [(); 4].map(|()| Statuses::new());
    let capabilities = json!({
        "textDocument": { "inlayHint": {}, "publishDiagnostics": {}, "codeLens": {} },
        "workspace": { "inlayHint": { "refreshSupport": true } },
    });
    for name in SUITES {
        let key = |id: &str| (file_name(name), id.to_owned());
        let (uri, text) = (folder.uri(name), folder.read(name));
        let options = json!({ "runEvents": true, "challenges": false, "verdicts": "all" });
        let mut client = Client::session_with(capabilities.clone(), &[folder], options);
        client.open(&uri, 1, &text);
        client.refreshed("inlayHint");
        of_hints.extend(hints(&mut client, &uri, &text).into_iter().map(|(id, status)| (key(&id), status)));

        for case in client.verdicts(&uri)["cases"].as_array().unwrap() {
            let status = case["status"].as_str().map(|status| (key(case["id"].as_str().unwrap()), status.to_owned()));
            of_verdicts.extend(status);
        }
        for command in client.of("codeLens", &uri).as_array().unwrap().iter().map(|lens| &lens["command"]) {
            let title = command["title"].as_str().unwrap();
            let case = command["arguments"][0]["case"].as_str();
            let status = title.strip_prefix("Run · ").and_then(|came| came.split(' ').next());
            of_lenses.extend(case.zip(status).map(|(case, status)| (key(case), status.to_owned())));
        }
        client.request("eval-ls/run", json!({ "suites": [{ "uri": uri }], "target": "replay" }));
        loop {
            let event = client
                .wait_for("eval-ls/runEvent", |event| event["kind"] == "caseFinished" || event["kind"] == "finished");
            let event = &event["params"];
            if event["kind"] == "finished" {
                break;
            }
            of_events.insert(key(event["case"].as_str().unwrap()), event["status"].as_str().unwrap().to_owned());
        }
    }
    [of_hints, of_verdicts, of_lenses, of_events]
}

fn hints(client: &mut Client, uri: &str, text: &str) -> Vec<(String, String)> {
    let id = Regex::new(r#""id": "([^"]+)",?$"#).unwrap();
    let of_id = |hint: &Value| {
        let place = |key: &str| usize::try_from(hint["position"][key].as_u64().unwrap()).unwrap();
        let before = &text.lines().nth(place("line")).unwrap()[..place("character")];
        let status = hint["label"].as_str().unwrap().split(' ').next().unwrap();
        id.captures(before).map(|found| (found[1].to_owned(), status.to_owned()))
    };
    client.hints(uri).iter().filter_map(of_id).collect()
}

#[test]
fn every_surface_shows_the_same_verdicts() {
    let folder = workspace();
    let results = results(&folder);
    assert_eq!(results.len(), 19, "{results:#?}");
    for kind in ["PASS", "PARTIAL", "FAIL", "ERROR"] {
        assert!(results.values().any(|status| status == kind), "{kind}");
    }
    let [of_hints, of_verdicts, of_lenses, of_events] = told(&folder);
    assert_eq!(of_events, results);
    for mut shown in [of_hints, of_verdicts, of_lenses] {
        // A case without an answer has no verdict in the editor. A run reports `ERROR` for it.
        let never_answered = ("all.json".to_owned(), "none".to_owned());
        assert_eq!(shown.insert(never_answered, "ERROR".to_owned()), None);
        assert_eq!(shown, results);
    }
}
