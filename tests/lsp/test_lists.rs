//! `eval-ls/tests`: the suites and cases that can run.

use serde_json::{Value, json};

use crate::lsp::support::{Client, initialize_params, push, range, texts};
use crate::support::Folder;

const SUITE: &str = r#"{ "cases": [
  { "id": "A", "prompt": "Which bikes? 🚲" },
  { "prompt": "no id" },
  { "id": "B", "category": "tools", "prompt": "p" }
] }"#;

fn labels(result: &Value) -> Vec<&str> {
    texts(&result["suites"], "label")
}

#[test]
fn the_suites_of_all_folders_and_of_the_editor() {
    let first = Folder::with(&[
        ("evals/b.json", SUITE),
        ("deep/a.evals.json", SUITE),
        ("deep/node_modules/x.evals.json", SUITE),
        ("plain.json", SUITE),
        ("own/eval-ls.toml", "[files]\ninclude = [\"*.eval\"]\n"),
        ("own/c.eval", SUITE),
        ("own/d.evals.json", SUITE),
    ]);
    let second = Folder::with(&[("evals/z.json", SUITE)]);
    let mut client = Client::session(push(), &[&first, &second]);
    client.open(&first.uri("evals/unsaved.json"), 1, SUITE);
    client.open(&first.uri("evals/b.json"), 1, "{}");
    let result = client.request("eval-ls/tests", json!({}));
    let expected = ["deep/a.evals.json", "evals/b.json", "evals/unsaved.json", "evals/z.json", "own/c.eval"];
    assert_eq!(labels(&result), expected);
    let suites = result["suites"].as_array().unwrap();
    assert!(suites.iter().all(|suite| suite.get("cases").is_none()), "{result}");
    assert_eq!(suites[0]["hash"], suites[2]["hash"]);
    assert_ne!(suites[0]["hash"], suites[1]["hash"], "what is in the editor counts");
}

#[test]
fn the_cases_of_a_suite_on_disk_and_in_the_editor() {
    let folder = Folder::with(&[("evals/a.json", SUITE), ("plain.json", SUITE)]);
    let mut client = Client::session(push(), &[&folder]);
    let uri = folder.uri("evals/a.json");
    let on_disk = client.request("eval-ls/tests", json!({ "uri": uri }));
    let suite = &on_disk["suites"][0];
    assert_eq!((&suite["uri"], &suite["label"]), (&json!(uri), &json!("evals/a.json")));
    let cases = suite["cases"].as_array().unwrap();
    let hash = cases[0]["hash"].clone();
    let first = json!({
        "id": "A", "index": 0, "category": "general", "prompt": "Which bikes? 🚲", "range": range(1, 10, 13),
        "caseRange": range(1, 2, 44), "hash": hash,
    });
    assert_eq!(cases[0], first);
    assert_eq!((&cases[1]["id"], &cases[1]["index"], &cases[1]["category"]), (&json!("B"), &json!(2), &json!("tools")));
    assert_eq!(cases.len(), 2);

    client.open(&uri, 1, SUITE);
    assert_eq!(client.request("eval-ls/tests", json!({ "uri": uri })), on_disk);
    let edit = json!([{ "range": range(1, 2, 2), "text": "  " }, { "range": range(3, 10, 13), "text": "\"C\"" }]);
    client.change(&uri, 2, edit);
    let edited = client.request("eval-ls/tests", json!({ "uri": uri }));
    let cases = edited["suites"][0]["cases"].as_array().unwrap();
    assert_eq!((&cases[0]["hash"], &cases[0]["range"]), (&hash, &range(1, 12, 15)), "a case that has only moved");
    assert_eq!(cases[1]["id"], "C");
    assert_ne!(edited["suites"][0]["hash"], suite["hash"]);

    for other in [folder.uri("evals/none.json"), folder.uri("plain.json"), "untitled:a".to_owned()] {
        assert_eq!(client.request("eval-ls/tests", json!({ "uri": other })), json!({ "suites": [] }), "{other}");
    }
}

#[test]
fn a_subscribed_client_is_notified_of_changes() {
    let folder = Folder::with(&[("evals/a.json", SUITE)]);
    let mut client = Client::start();
    let mut capabilities = push();
    capabilities["workspace"] = json!({ "didChangeWatchedFiles": { "dynamicRegistration": true } });
    let mut params = initialize_params(capabilities, &[&folder]);
    params["initializationOptions"] = json!({ "runEvents": true });
    client.initialize(params);
    let watched = client.wait_for("client/registerCapability", |_| true);
    let watchers = &watched["params"]["registrations"][0]["registerOptions"]["watchers"];
    let globs: Vec<_> = watchers.as_array().unwrap().iter().map(|watcher| watcher["globPattern"].clone()).collect();
    assert!(globs.contains(&json!("**/evals/*.json")) && globs.contains(&json!("**/*.evals.json")), "{globs:?}");

    let told = |client: &Client, uri: &str| {
        client.wait_for("eval-ls/testsChanged", |params| params["uris"].as_array().unwrap().contains(&json!(uri)));
    };
    let (open, new) = (folder.uri("evals/a.json"), folder.uri("evals/new.json"));
    client.open(&open, 1, SUITE);
    told(&client, &open);
    client.change(&open, 2, json!([{ "range": range(1, 2, 2), "text": " " }]));
    told(&client, &open);
    folder.write("evals/new.json", SUITE);
    let changes = json!([{ "uri": new, "type": 1 }, { "uri": folder.uri("plain.json"), "type": 1 }]);
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
    let told = client.wait_for("eval-ls/testsChanged", |_| true);
    assert_eq!(told["params"]["uris"], json!([new]));
}

#[test]
fn suites_of_added_and_removed_folders_are_reported() {
    let folder = Folder::with(&[("more/evals/b.json", SUITE)]);
    let client = Client::session_with(push(), &[], json!({ "runEvents": true }));
    let more = json!([{ "uri": folder.uri("more"), "name": "more" }]);
    for (added, removed) in [(&more, &json!([])), (&json!([]), &more)] {
        client.change_folders(added.clone(), removed.clone());
        let changed = client.wait_for("eval-ls/testsChanged", |_| true);
        assert_eq!(changed["params"]["uris"], json!([folder.uri("more/evals/b.json")]));
    }
}
