//! `eval-ls/tests`: what there is to run.

use serde_json::{Value, json};

use crate::support::{Client, Folder, push, range};

const SUITE: &str = r#"{ "cases": [
  { "id": "A", "prompt": "Which bikes? 🚲" },
  { "prompt": "no id" },
  { "id": "B", "category": "tools", "prompt": "p" }
] }"#;

fn labels(result: &Value) -> Vec<&str> {
    result["suites"].as_array().unwrap().iter().map(|suite| suite["label"].as_str().unwrap()).collect()
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
