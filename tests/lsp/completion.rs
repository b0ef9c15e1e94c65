//! Completion.

use std::time::Duration;

use serde_json::{Value, json};

use crate::lsp::support::{Client, range};
use crate::support::Folder;

const URI: &str = "file:///nowhere/a.evals.json";

fn rich() -> Value {
    json!({ "textDocument": { "completion": {
        "completionItem": {
            "snippetSupport": true,
            "documentationFormat": ["markdown", "plaintext"],
            "labelDetailsSupport": true,
            "insertReplaceSupport": true,
            "insertTextModeSupport": { "valueSet": [1, 2] },
        },
        "contextSupport": true,
    } } })
}

fn plain() -> Value {
    json!({ "textDocument": { "completion": {} } })
}

/// Opens a text with a `|` in it and requests the completions there.
fn complete(capabilities: Value, uri: &str, marked: &str, context: Value) -> Value {
    let mut client = Client::reading(capabilities, uri, &marked.replacen('|', "", 1));
    ask(&mut client, uri, marked, context)
}

fn ask(client: &mut Client, uri: &str, marked: &str, context: Value) -> Value {
    let before = &marked[..marked.find('|').unwrap()];
    let line = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap().encode_utf16().count();
    let position = json!({ "line": line, "character": column });
    client.request(
        "textDocument/completion",
        json!({ "textDocument": { "uri": uri }, "position": position, "context": context }),
    )
}

fn invoked() -> Value {
    json!({ "triggerKind": 1 })
}

fn labels(list: &Value) -> Vec<&str> {
    list["items"].as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect()
}

fn item<'a>(list: &'a Value, label: &str) -> &'a Value {
    list["items"].as_array().unwrap().iter().find(|item| item["label"] == label).unwrap()
}

const KEY: &str = "{ \"cases\": [\n  { \"id\": \"é😀\", \"prompt\": \"p\" \"exp| }\n] }\n";

#[test]
fn a_key_is_inserted_with_its_value_and_punctuation() {
    let list = complete(rich(), URI, KEY, invoked());
    assert_eq!(list["isIncomplete"], false);
    assert_eq!(labels(&list), ["expected", "setup_prompts", "category", "preconditions"]);
    let outcomes = "tool_success,tool_started,needs_input,graceful_block,graceful_error,response_only";
    let mut expected = item(&list, "expected").clone();
    let documentation = expected["documentation"].take();
    assert_eq!(documentation["kind"], "markdown");
    assert!(documentation["value"].as_str().unwrap().contains("The case is `FAIL` if a check failed"));
    assert_eq!(
        expected,
        json!({
            "label": "expected",
            "labelDetails": { "description": "required" },
            "kind": 10,
            "documentation": null,
            "sortText": "0000",
            "filterText": "\"expected\"",
            "insertTextFormat": 2,
            "insertTextMode": 2,
            "textEdit": {
                "range": range(1, 31, 35),
                "newText": format!("\"expected\": {{\n  \"outcome\": \"${{1|{outcomes}|}}\"\n\\}}"),
            },
            "additionalTextEdits": [{ "range": range(1, 30, 30), "newText": "," }],
        })
    );
}

#[test]
fn a_basic_client_gets_plain_text() {
    let list = complete(plain(), URI, KEY, invoked());
    let expected = item(&list, "expected");
    assert_eq!(expected["insertTextFormat"], 1);
    assert_eq!(expected["textEdit"]["newText"], "\"expected\": {\n    \"outcome\": \"tool_success\"\n  }");
    assert_eq!(expected["detail"], "required");
    let description = "The expectations for the response and the telemetry; every key adds checks.";
    assert_eq!(expected["documentation"], description);
    for absent in ["labelDetails", "insertTextMode", "insertText", "command"] {
        assert_eq!(expected.get(absent), None, "{absent}");
    }
}

/// Neovim and Helix do not announce modes. blink.cmp announces mode 1 and indents snippets nevertheless.
#[test]
fn snippets_are_not_indented_for_clients_that_indent() {
    for (modes, mode) in [(json!([]), Value::Null), (json!([1]), Value::Null), (json!([1, 2]), json!(2))] {
        let item_support = json!({ "snippetSupport": true, "insertTextModeSupport": { "valueSet": modes } });
        let capabilities = json!({ "textDocument": { "completion": { "completionItem": item_support } } });
        let list = complete(capabilities, URI, KEY, invoked());
        let expected = item(&list, "expected");
        let text = expected["textEdit"]["newText"].as_str().unwrap();
        assert!(text.starts_with("\"expected\": {\n  \"outcome\"") && text.ends_with("\n\\}"), "{text}");
        assert_eq!(expected["insertTextMode"], mode);
    }
}

const CONFIGURATION: &str = r#"
[[ui_hints]]
hint = "The \"board\" is empty."
all = ["board"]
[sources]
orders = ["orders"]
"#;

#[test]
fn names_of_the_workspace_are_offered() {
    let transcript = json!({
        "format": "eval-ls/transcript@1", "case": "A1", "response": "- orders: 23 open",
        "telemetry": [{ "source": "tool.book_slot", "event": "start" }],
    });
    let folder = Folder::with(&[
        ("eval-ls.toml", CONFIGURATION),
        ("evals/a.json", "{ \"cases\": [] }"),
        ("evals/transcripts/a/A1.json", &transcript.to_string()),
    ]);
    let case = |expected: &str| {
        format!("{{ \"cases\": [ {{ \"id\": \"A1\", \"prompt\": \"p\", \"expected\": {{ {expected} }} }} ] }}")
    };
    for (expected, label, text) in [
        ("\"ui\": [|]", "The \"board\" is empty.", "\"The \\\"board\\\" is empty.\""),
        ("\"required_sources\": [\"|\"]", "orders", "\"orders\""),
        ("\"tool_calls_any\": [\"|\"]", "book_slot", "\"book_slot\""),
        ("\"must_match_regex\": [\"|\"]", "orders: [0-9]+ open", "\"orders: [0-9]+ open\""),
    ] {
        let (mut client, uri) = (Client::session(rich(), &[&folder]), folder.uri("evals/a.json"));
        let marked = case(expected);
        client.open(&uri, 1, &marked.replacen('|', "", 1));
        // The server learns the names in other files in the background.
        let mut list = ask(&mut client, &uri, &marked, invoked());
        for _ in 0..1000 {
            if labels(&list).contains(&label) {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
            list = ask(&mut client, &uri, &marked, invoked());
        }
        assert_eq!(item(&list, label)["textEdit"]["newText"], text);
    }
}

#[test]
fn nothing_is_offered_after_a_closing_quote() {
    let typed = |character: &str| json!({ "triggerKind": 2, "triggerCharacter": character });
    let opened = complete(rich(), URI, "{ \"cases\": [ { \"|\" } ] }", typed("\""));
    assert_eq!(labels(&opened)[..3], ["id", "prompt", "expected"]);
    let closed = complete(rich(), URI, "{ \"cases\": [ { \"id\": \"A\"| } ] }", typed("\""));
    assert_eq!(closed["items"], json!([]));
}
