//! The capabilities for clients of several editors; `clients/` has the capabilities that these editors send. The scripts
//! `capture-neovim`, `capture-others`, `capture-kate`, `capture-agents` and `capture-vscode` in it record them.

use serde_json::{Value, json};

use crate::lsp::support::{Client, codes, initialize_params, texts};
use crate::support::Folder;

/// A suite with an unknown key and a duplicate id.
const SUITE: &str = r#"{ "cases": [
  { "id": "A", "prompt": "p", "expected": { "outcome": "response_only", "owner": "me", "must_say_any": ["a"] } },
  { "id": "A", "prompt": "q", "expected": { "outcome": "response_only", "must_say_any": ["a"] } }
] }"#;

/// Checks what the server agrees on with a client: the encoding, and what it does for this client. It `watches` files, and shows
/// `fixes`.
#[track_caller]
fn check(capabilities: &str, encoding: &str, agreed: &[&str]) {
    let capabilities: Value = serde_json::from_str(capabilities).unwrap();
    let has = |what: &str| agreed.contains(&what);
    let folder = Folder::new();
    let uri = folder.uri("evals/a.json");
    let mut client = Client::start();
    let result = client.initialize(initialize_params(capabilities, &[&folder]));

    assert_eq!(result["serverInfo"], json!({ "name": "eval-ls", "version": env!("CARGO_PKG_VERSION") }));
    let announced = &result["capabilities"];
    assert_eq!(announced["positionEncoding"], encoding);
    assert_eq!(announced["experimental"], json!({ "eval-ls": { "protocol": 1 } }));
    let sync = json!({ "openClose": true, "change": 2, "save": { "includeText": false } });
    assert_eq!(announced["textDocumentSync"], sync);
    assert_eq!(announced.get("codeActionProvider").is_some(), has("fixes"));
    // Clients use these features although some do not list them.
    let unlisted = ["completion", "codeLens", "inlayHint", "rename", "hover"];
    for feature in unlisted {
        assert!(announced.get(format!("{feature}Provider")).is_some(), "{feature}: {announced}");
    }
    assert_eq!(announced["completionProvider"], json!({ "triggerCharacters": ["\"", ":", " "] }));
    let folders = json!({ "supported": true, "changeNotifications": true });
    assert_eq!(announced["workspace"]["workspaceFolders"], folders);
    assert_eq!(announced.get("diagnosticProvider"), None);

    client.open(&uri, 7, SUITE);
    assert_eq!(codes(&client.diagnostics(&uri, 7)), ["unknown-key", "duplicate-case-id"]);

    if has("watches") {
        let registered = client.wait_for("client/registerCapability", |params| {
            params["registrations"][0]["method"] == "workspace/didChangeWatchedFiles"
        });
        let patterns = texts(&registered["params"]["registrations"][0]["registerOptions"]["watchers"], "globPattern");
        let places = ["eval-ls.toml", "results/runs/*/run.json", "samples/*/*/*", "transcripts/*/*.json"];
        assert_eq!(patterns, places.map(|place| format!("**/{place}")));
    }
    // The server asks the client for its configuration and for notifications of changes, if the client supports it.
    let of_settings = |message: &Value| {
        let method = &message["params"]["registrations"][0]["method"];
        message["method"] == "workspace/configuration" || *method == "workspace/didChangeConfiguration"
    };
    let mut untaken = client.untaken();
    untaken.retain(|message| !of_settings(message));
    assert!(untaken.is_empty(), "{untaken:#?}");
    assert!(client.stop().success());
}

#[test]
fn every_client_gets_what_it_supports() {
    check(include_str!("clients/vscode.json"), "utf-16", &["watches", "fixes"]);
    check(include_str!("clients/neovim.json"), "utf-8", &["fixes"]);
    check(include_str!("clients/helix.json"), "utf-8", &["watches", "fixes"]);
    check(include_str!("clients/eglot.json"), "utf-8", &["watches", "fixes"]);
    check(include_str!("clients/lsp-mode.json"), "utf-8", &["watches", "fixes"]);
    check(include_str!("clients/kate.json"), "utf-16", &["fixes"]);
    // A coding agent: it shows findings to a model, and offers no fixes.
    check(include_str!("clients/opencode.json"), "utf-16", &["watches"]);
    check("{}", "utf-16", &[]);
}
