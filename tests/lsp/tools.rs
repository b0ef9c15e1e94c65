//! Tools in the files around a suite.

use serde_json::json;

use crate::lsp::support::{Client, codes, push};
use crate::support::Folder;

const SUITE: &str = r#"{ "cases": [ { "id": "A", "prompt": "p",
  "expected": { "outcome": "tool_success", "tool_calls_any": ["book_slto"] } } ] }"#;
const TRANSCRIPT: &str = r#"{ "format": "eval-ls/transcript@1", "case": "B", "response": "",
  "telemetry": [ { "source": "tool.book_slot", "event": "start" } ] }"#;
const FILE: &str = "evals/transcripts/a/B.json";

/// Waits for diagnostics with an unknown tool, or without one.
fn wait_for(client: &Client, uri: &str, is_unknown: bool) {
    client.wait_for("textDocument/publishDiagnostics", |params| {
        params["uri"] == uri && codes(&params["diagnostics"]).contains(&"unknown-tool") == is_unknown
    });
}

#[test]
fn tools_follow_the_transcripts_on_disk() {
    for config in [None, Some("[run]\ntranscripts = \"transcripts\"\n")] {
        let folder = Folder::with(&[]);
        if let Some(config) = config {
            folder.write("eval-ls.toml", config);
        }
        let uri = folder.uri("evals/a.json");
        folder.write("evals/a.json", SUITE);
        let client = Client::session(push(), &[&folder]);
        client.open(&uri, 1, SUITE);
        wait_for(&client, &uri, false);
        folder.write(FILE, TRANSCRIPT);
        client.files_changed();
        wait_for(&client, &uri, true);
        folder.remove(FILE);
        client.files_changed();
        // The tools and what is stored for no case may become known one after the other.
        client.wait_for("textDocument/publishDiagnostics", |params| {
            params["uri"] == uri && params["diagnostics"] == json!([])
        });
    }
}
