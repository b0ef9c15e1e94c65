//! Outline and navigation over real stdio.

use serde_json::{Value, json};

use crate::lsp::support::{Client, range, texts};
use crate::support::Folder;

const SUITE: &str = r#"{ "name": "😀", "cases": [
  { "id": "é😀", "prompt": "p", "expected": {
    "tool_calls_none": ["book"], "telemetry": ["tool.book start"],
    "required_sources": ["linear"],
    "must_match_regex": ["é\\d+"]
  } }
] }"#;
const CONFIG: &str = "[sources]\nlinear = [\"ticket\"]\n";

/// A session with the suite open, and an `eval-ls.toml` beside it.
fn session(capabilities: Value) -> (Client, Folder, String) {
    let folder = Folder::with(&[("eval-ls.toml", CONFIG)]);
    let (client, uri) = Client::opened(capabilities, &folder, "evals/a.json", SUITE);
    (client, folder, uri)
}

fn references(uri: &str, line: u32, character: u32, declared: bool) -> Value {
    let position = json!({ "line": line, "character": character });
    json!({ "textDocument": { "uri": uri }, "position": position, "context": { "includeDeclaration": declared } })
}

#[test]
fn the_outline_is_nested() {
    let (mut client, _folder, uri) = session(json!({}));
    let symbols = client.of("documentSymbol", &uri);
    let suite = &symbols[0];
    assert_eq!((&suite["name"], &suite["detail"]), (&json!("😀"), &json!("version 0.3")));
    let case = &suite["children"][0];
    assert_eq!((&case["name"], &case["detail"], &case["kind"]), (&json!("é😀"), &json!("p"), &json!(5)));
    assert_eq!(case["selectionRange"], range(1, 10, 15));
    let fields = ["tool_calls_none", "telemetry", "required_sources", "must_match_regex"];
    assert_eq!(texts(&case["children"], "name"), fields);
}

#[test]
fn definitions_and_references_are_linked() {
    let (mut client, folder, uri) = session(json!({}));
    let found = client.at("definition", &uri, 3, 28);
    assert_eq!(found, json!([{ "uri": folder.uri("eval-ls.toml"), "range": range(1, 0, 6) }]));
    assert_eq!(client.at("definition", &uri, 0, 4), Value::Null);

    let uses = client.request("textDocument/references", references(&uri, 2, 25, true));
    let ranges: Vec<_> = uses.as_array().unwrap().iter().map(|found| found["range"].clone()).collect();
    assert_eq!(ranges, [range(2, 25, 29), range(2, 53, 57)]);
}

#[test]
fn the_uses_of_a_tool_are_found_in_all_suites() {
    let case = |tool: &str| format!(r#"{{ "cases": [ {{ "expected": {{ "tool_calls_any": ["{tool}"] }} }} ] }}"#);
    let folder = Folder::with(&[
        ("evals/a.json", &case("book")),
        ("evals/b.json", &case("book")),
        ("evals/c.json", &case("find")),
    ]);
    let mut client = Client::session(json!({}), &[&folder]);
    let (a, b) = (folder.uri("evals/a.json"), folder.uri("evals/b.json"));
    client.open(&a, 1, &case("book"));
    let asked = references(&a, 0, 49, false);
    let at = range(0, 49, 53);
    // From the disk, and from the editor.
    let uses = client.request("textDocument/references", asked.clone());
    assert_eq!(uses, json!([{ "uri": a, "range": at }, { "uri": b, "range": at }]));
    client.open(&b, 1, &case("find"));
    assert_eq!(client.request("textDocument/references", asked), json!([{ "uri": a, "range": at }]));
}

#[test]
fn shares_and_counts_are_inlay_hints() {
    let suite = r#"{ "cases": [ { "id": "A", "expected": { "must_say_any": ["y"],
"scoring": { "soft_score": { "weights": { "formatting": 1, "uncertainty": 3 } } } } } ] }"#;
    for options in [json!({}), json!({ "challenges": false })] {
        let folder = Folder::with(&[]);
        let capabilities = json!({ "textDocument": { "inlayHint": {} } });
        let mut client = Client::session_with(capabilities, &[&folder], options);
        let uri = folder.uri("evals/a.json");
        client.open(&uri, 1, suite);
        let hints = json!(client.hints(&uri));
        let labels = texts(&hints, "label");
        assert_eq!(labels, ["· \"uncertainty\" 75 % · 0 checks"]);
        let tooltip = hints[0]["tooltip"]["value"].as_str().unwrap();
        let group = labels[0].split('"').nth(1).unwrap();
        assert!(tooltip.starts_with(&format!("{group}: ")), "{tooltip}");
    }
}
