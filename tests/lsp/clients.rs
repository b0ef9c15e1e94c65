//! The capabilities for clients of several editors; `clients/` has the capabilities that these editors send. The scripts
//! `capture-neovim`, `capture-others`, `capture-kate`, `capture-agents` and `capture-vscode` in it record them.

use serde_json::{Value, json};

use crate::lsp::support::{Client, codes, initialize_params};
use crate::support::Folder;

/// A suite with an unknown key and a duplicate id.
const SUITE: &str = r#"{ "cases": [
  { "id": "A", "prompt": "p", "expected": { "outcome": "response_only", "owner": "me", "must_say_any": ["a"] } },
  { "id": "A", "prompt": "q", "expected": { "outcome": "response_only", "must_say_any": ["a"] } }
] }"#;

struct Agreed {
    encoding: &'static str,
    pulls: bool,
    /// Returns whether pushed diagnostics name the document's version.
    versions: bool,
    related_information: bool,
    watches: bool,
    code_actions: bool,
}

fn check(capabilities: &str, agreed: &Agreed) {
    let capabilities: Value = serde_json::from_str(capabilities).unwrap();
    let folder = Folder::with(&[]);
    let uri = folder.uri("evals/a.json");
    let mut client = Client::start();
    let result = client.initialize(initialize_params(capabilities, &[&folder]));

    assert_eq!(result["serverInfo"], json!({ "name": "eval-ls", "version": env!("CARGO_PKG_VERSION") }));
    let announced = &result["capabilities"];
    assert_eq!(announced["positionEncoding"], agreed.encoding);
    assert_eq!(announced["experimental"], json!({ "eval-ls": { "protocol": 1 } }));
    let sync = json!({ "openClose": true, "change": 2, "save": { "includeText": false } });
    assert_eq!(announced["textDocumentSync"], sync);
    assert_eq!(announced.get("codeActionProvider").is_some(), agreed.code_actions);
    // Clients use these features although some do not list them.
    for feature in [
        "completion",
        "codeLens",
        "inlayHint",
        "rename",
        "documentFormatting",
        "documentRangeFormatting",
        "semanticTokens",
        "hover",
    ] {
        assert!(announced.get(format!("{feature}Provider")).is_some(), "{feature}: {announced}");
    }
    let folders = json!({ "supported": true, "changeNotifications": true });
    assert_eq!(announced["workspace"]["workspaceFolders"], folders);
    let pulling = json!({ "identifier": "eval-ls", "interFileDependencies": false, "workspaceDiagnostics": false });
    assert_eq!(announced.get("diagnosticProvider"), agreed.pulls.then_some(&pulling));

    client.open(&uri, 7, SUITE);
    let diagnostics = if agreed.pulls {
        client.request("textDocument/diagnostic", json!({ "textDocument": { "uri": uri } }))["items"].take()
    } else {
        let mut sent = client.next_diagnostics(&uri);
        assert_eq!(sent.get("version"), agreed.versions.then_some(&json!(7)));
        sent["diagnostics"].take()
    };
    assert_eq!(codes(&diagnostics), ["unknown-key", "duplicate-case-id"]);
    assert_eq!(diagnostics[1].get("relatedInformation").is_some(), agreed.related_information);

    if agreed.watches {
        let registered = client.wait_for("client/registerCapability", |params| {
            params["registrations"][0]["method"] == "workspace/didChangeWatchedFiles"
        });
        let watchers = &registered["params"]["registrations"][0]["registerOptions"]["watchers"];
        assert_eq!(
            *watchers,
            json!([
                { "globPattern": "**/baselines/*.json" },
                { "globPattern": "**/eval-ls.toml" },
                { "globPattern": "**/results/runs/*/run.json" },
                { "globPattern": "**/samples/*/*/*" },
                { "globPattern": "**/transcripts/*/*.json" }
            ])
        );
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
fn vscode() {
    check(
        include_str!("clients/vscode.json"),
        &Agreed {
            encoding: "utf-16",
            pulls: true,
            versions: false,
            related_information: true,
            watches: true,
            code_actions: true,
        },
    );
}

#[test]
fn neovim() {
    check(
        include_str!("clients/neovim.json"),
        &Agreed {
            encoding: "utf-8",
            pulls: true,
            versions: false,
            related_information: true,
            watches: false,
            code_actions: true,
        },
    );
}

/// The client asks for diagnostics, but has no way to be asked again. So the server sends them.
#[test]
fn neovim_0_10() {
    check(
        include_str!("clients/neovim-0.10.json"),
        &Agreed {
            encoding: "utf-16",
            pulls: false,
            versions: false,
            related_information: true,
            watches: false,
            code_actions: true,
        },
    );
}

/// The client asks for diagnostics, but has no way to be asked again. So the server sends them.
#[test]
fn helix() {
    check(
        include_str!("clients/helix.json"),
        &Agreed {
            encoding: "utf-8",
            pulls: false,
            versions: true,
            related_information: false,
            watches: true,
            code_actions: true,
        },
    );
}

#[test]
fn eglot() {
    check(
        include_str!("clients/eglot.json"),
        &Agreed {
            encoding: "utf-8",
            pulls: false,
            versions: false,
            related_information: false,
            watches: true,
            code_actions: true,
        },
    );
}

#[test]
fn lsp_mode() {
    check(
        include_str!("clients/lsp-mode.json"),
        &Agreed {
            encoding: "utf-8",
            pulls: false,
            versions: true,
            related_information: true,
            watches: true,
            code_actions: true,
        },
    );
}

#[test]
fn kate() {
    check(
        include_str!("clients/kate.json"),
        &Agreed {
            encoding: "utf-16",
            pulls: false,
            versions: false,
            related_information: true,
            watches: false,
            code_actions: true,
        },
    );
}

/// A coding agent: it shows findings to a model, and offers no fixes.
#[test]
fn opencode() {
    check(
        include_str!("clients/opencode.json"),
        &Agreed {
            encoding: "utf-16",
            pulls: false,
            versions: false,
            related_information: false,
            watches: true,
            code_actions: false,
        },
    );
}

#[test]
fn a_client_without_capabilities_is_served() {
    check(
        "{}",
        &Agreed {
            encoding: "utf-16",
            pulls: false,
            versions: false,
            related_information: false,
            watches: false,
            code_actions: false,
        },
    );
}

#[test]
fn the_encoding_is_one_that_the_client_offers() {
    for (offered, chosen) in [
        (json!(["utf-16", "utf-8"]), "utf-8"),
        (json!(["utf-32", "utf-16"]), "utf-16"),
        (json!(["utf-32"]), "utf-32"),
        (json!(["ebcdic"]), "utf-16"),
        (json!([]), "utf-16"),
    ] {
        let mut client = Client::start();
        let capabilities = json!({ "general": { "positionEncodings": offered } });
        let result = client.initialize(initialize_params(capabilities, &[]));
        assert_eq!(result["capabilities"]["positionEncoding"], chosen, "{offered}");
    }
}
