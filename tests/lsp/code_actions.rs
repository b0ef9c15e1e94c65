//! Fixes as code actions.

use serde_json::{Value, json};

use crate::support::{Client, push, range};

const URI: &str = "file:///nowhere/evals/a.json";

/// Opens a text as version 1 and asks what may be done about it.
fn actions(capabilities: Value, text: &str, asked: Value, only: Value) -> Value {
    let mut client = Client::session(capabilities, &[]);
    client.open(URI, 1, text);
    let context = json!({ "diagnostics": client.diagnostics(URI, 1), "only": only });
    let params = json!({ "textDocument": { "uri": URI }, "range": asked, "context": context });
    client.request("textDocument/codeAction", params)
}

fn versioned() -> Value {
    let mut capabilities = push();
    capabilities["workspace"] = json!({ "workspaceEdit": { "documentChanges": true } });
    capabilities
}

fn titles(actions: &Value) -> Vec<&str> {
    actions.as_array().unwrap().iter().map(|action| action["title"].as_str().unwrap()).collect()
}

const TRAILING: &str = "{ \"cases\": [ ], }\n";

#[test]
fn a_fix_is_an_edit_of_the_version_it_was_made_for() {
    let actions = actions(versioned(), TRAILING, range(0, 14, 14), json!(["quickfix"]));
    let edit = json!({ "range": range(0, 14, 15), "newText": "" });
    let expected = json!([{
        "title": "Remove the trailing comma",
        "kind": "quickfix",
        "isPreferred": true,
        "diagnostics": [{
            "range": range(0, 14, 15), "severity": 1, "code": "invalid-json", "source": "eval-ls",
            "message": "trailing comma before `}`",
        }],
        "edit": { "documentChanges": [{ "textDocument": { "uri": URI, "version": 1 }, "edits": [edit] }] },
    }]);
    assert_eq!(actions, expected);
}

#[test]
fn a_client_without_versions_gets_plain_edits() {
    let actions = actions(push(), TRAILING, range(0, 14, 14), json!(["quickfix"]));
    assert_eq!(actions[0]["edit"], json!({ "changes": { URI: [{ "range": range(0, 14, 15), "newText": "" }] } }));
}

#[test]
fn only_what_is_asked_for() {
    for (asked, only, expected) in [
        (range(0, 14, 14), Value::Null, &["Remove the trailing comma", "Apply all safe fixes"][..]),
        (range(0, 0, 17), json!([""]), &["Remove the trailing comma", "Apply all safe fixes"]),
        (range(0, 15, 15), json!(["quickfix"]), &["Remove the trailing comma"]),
        (range(0, 0, 3), Value::Null, &["Apply all safe fixes"]),
        (range(0, 0, 3), json!(["source"]), &["Apply all safe fixes"]),
        (range(0, 0, 3), json!(["source.fixAll"]), &["Apply all safe fixes"]),
        (range(0, 0, 3), json!(["source.fixAll.eval-ls"]), &["Apply all safe fixes"]),
        (range(0, 0, 3), json!(["source.fixAll.eval"]), &[]),
        (range(0, 14, 14), json!(["refactor", "source.organizeImports"]), &[]),
    ] {
        let actions = actions(versioned(), TRAILING, asked, only.clone());
        assert_eq!(titles(&actions), expected, "{only}");
    }
}

#[test]
fn all_safe_fixes_at_once_and_no_others() {
    let text = "{ \"cases\": [ { \"id\": \"A\", }, ], }\n";
    let actions = actions(push(), text, range(0, 0, 0), json!(["source.fixAll"]));
    let edits = actions[0]["edit"]["changes"][URI].as_array().unwrap();
    let ranges: Vec<_> = edits.iter().map(|edit| edit["range"].clone()).collect();
    assert_eq!(ranges, [range(0, 24, 25), range(0, 27, 28), range(0, 30, 31)]);
}

#[test]
fn what_is_no_suite_has_none() {
    let mut client = Client::session(push(), &[]);
    client.open("file:///nowhere/a.json", 1, TRAILING);
    let context = json!({ "diagnostics": [] });
    let params =
        json!({ "textDocument": { "uri": "file:///nowhere/a.json" }, "range": range(0, 0, 9), "context": context });
    assert_eq!(client.request("textDocument/codeAction", params), Value::Null);
}
