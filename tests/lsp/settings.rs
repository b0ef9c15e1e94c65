//! The client's settings: options at the start, and its configuration.

use serde_json::{Value, json};

use crate::lsp::support::{Client, codes, initialize_params, push};
use crate::support::Folder;

const SUITE: &str =
    r#"{ "version": "0.2.0", "cases": [{ "id": "A", "prompt": "p", "expected": { "must_say_any": ["yes"] } }] }"#;
const ANSWER: &str = r#"{ "format": "eval-ls/transcript@1", "case": "A", "prompt": "p", "response": "No." }"#;

fn shown(verdicts: &str) -> Value {
    json!({ "verdicts": verdicts })
}

#[test]
fn settings_change_with_and_without_their_section() {
    let folder = Folder::with(&[("evals/transcripts/a/A.json", ANSWER)]);
    let uri = folder.uri("evals/a.json");
    let client = Client::session_with(push(), &[&folder], shown("off"));
    client.open(&uri, 1, SUITE);
    assert_eq!(codes(&client.diagnostics(&uri, 1)), [""; 0]);
    let published = |is_wanted: fn(&Value) -> bool| {
        client.wait_for("textDocument/publishDiagnostics", |params| {
            params["uri"] == uri && is_wanted(&params["diagnostics"][0]["severity"])
        });
    };
    // With the section, as most clients send it, and without.
    let changed = |settings: Value| client.notify("workspace/didChangeConfiguration", json!({ "settings": settings }));
    changed(json!({ "eval-ls": shown("failures") }));
    published(Value::is_number);
    changed(shown("off"));
    published(Value::is_null);
}

#[test]
fn settings_are_requested_from_a_client_that_supports_it() {
    let folder = Folder::with(&[("evals/transcripts/a/A.json", ANSWER)]);
    let uri = folder.uri("evals/a.json");
    let mut capabilities = push();
    capabilities["workspace"] =
        json!({ "configuration": true, "didChangeConfiguration": { "dynamicRegistration": true } });
    let mut client = Client::start();
    let mut settings = ["off", "failures"].into_iter();
    client.answer("workspace/configuration", move |params| {
        assert_eq!(params, &json!({ "items": [{ "section": "eval-ls" }] }));
        settings.next().map(|said| json!([shown(said)]))
    });
    client.initialize(initialize_params(capabilities, &[&folder]));
    client.wait_for("workspace/configuration", |_| true);
    let registered = client.wait_for("client/registerCapability", |_| true);
    let options = json!({ "section": "eval-ls" });
    assert_eq!(registered["params"]["registrations"][0]["registerOptions"], options);
    client.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
    client.wait_for("workspace/configuration", |_| true);
    client.open(&uri, 1, SUITE);
    // The answer may come before the document or after it.
    client.wait_for("textDocument/publishDiagnostics", |params| {
        params["uri"] == *uri && params["diagnostics"][0]["source"] == "eval-ls verdict"
    });
}
