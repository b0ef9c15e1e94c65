//! The client's settings: options at the start, and its configuration.

use serde_json::{Value, json};

use super::configuration::TWICE;
use crate::lsp::support::{Client, codes, initialize_params, push};
use crate::support::Folder;

fn level(level: &str) -> Value {
    json!({ "lints": { "duplicate-case-id": level } })
}

fn severity(diagnostics: &Value) -> Option<i64> {
    diagnostics[0]["severity"].as_i64()
}

#[test]
fn the_configuration_overrides_levels_from_the_client() {
    let folder = Folder::with(&[]);
    let uri = folder.uri("evals/a.json");
    let client = Client::session_with(push(), &[&folder], level("hint"));
    client.open(&uri, 1, TWICE);
    assert_eq!(severity(&client.diagnostics(&uri, 1)), Some(4));
    // With the section, as most clients send it, and without.
    let changed = |settings: Value| client.notify("workspace/didChangeConfiguration", json!({ "settings": settings }));
    changed(json!({ "eval-ls": level("warning") }));
    assert_eq!(severity(&client.diagnostics(&uri, 1)), Some(2));
    changed(level("off"));
    assert_eq!(codes(&client.diagnostics(&uri, 1)), [""; 0]);
    folder.write("eval-ls.toml", "[lints]\nduplicate-case-id = \"error\"\n");
    client.files_changed();
    // The server may publish the empty list twice before it reads the file.
    client.wait_for("textDocument/publishDiagnostics", |params| {
        params["uri"] == uri && severity(&params["diagnostics"]) == Some(1)
    });
}

#[test]
fn settings_are_requested_from_a_client_that_supports_it() {
    let folder = Folder::with(&[]);
    let uri = folder.uri("evals/a.json");
    let mut capabilities = push();
    capabilities["workspace"] =
        json!({ "configuration": true, "didChangeConfiguration": { "dynamicRegistration": true } });
    let mut client = Client::start();
    let mut levels = ["off", "hint"].into_iter();
    client.answer("workspace/configuration", move |params| {
        assert_eq!(params, &json!({ "items": [{ "section": "eval-ls" }] }));
        levels.next().map(|said| json!([level(said)]))
    });
    client.initialize(initialize_params(capabilities, &[&folder]));
    client.wait_for("workspace/configuration", |_| true);
    let registered = client.wait_for("client/registerCapability", |_| true);
    let options = json!({ "section": "eval-ls" });
    assert_eq!(registered["params"]["registrations"][0]["registerOptions"], options);
    client.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
    client.wait_for("workspace/configuration", |_| true);
    client.open(&uri, 1, TWICE);
    // The answer may come before the document or after it.
    let found = client.wait_for("textDocument/publishDiagnostics", |params| {
        params["uri"] == *uri && params["diagnostics"][0]["severity"] == 4
    });
    assert_eq!(codes(&found["params"]["diagnostics"]), ["duplicate-case-id"]);
}
