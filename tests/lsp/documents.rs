//! Which documents are suites, and how they change.

use serde_json::{Value, json};

use crate::lsp::support::{Client, codes, initialize_params, push, range};
use crate::support::Folder;

const URI: &str = "file:///nowhere/a.evals.json";

/// Opens a document with a language id.
fn open(client: &Client, uri: &str, language: &str, text: &str) {
    let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
    client.notify("textDocument/didOpen", json!({ "textDocument": document }));
}

/// Requests the lints with findings in an open document.
fn asked(client: &mut Client, uri: &str) -> Vec<String> {
    codes(&client.findings(uri)).into_iter().map(str::to_owned).collect()
}

#[test]
fn suites_are_recognised_by_path_or_language() {
    let folder = Folder::with(&[]);
    let mut client = Client::session(push(), &[&folder]);
    let no_faults: &[&str] = &[];
    for (uri, language, faults) in [
        (folder.uri("chat-eval-set.v0.3.json"), "json", &["invalid-json"][..]),
        (folder.uri("evals/chat.json"), "json", &["invalid-json"]),
        (folder.uri("%C3%A9/%5Bx%5D%20y.evals.json"), "jsonc", &["invalid-json"]),
        (folder.uri("chat.json"), "json", no_faults),
        (folder.uri("results/a.evals.json"), "json", no_faults),
        (folder.uri("results/a.evals.json"), "eval-suite", &["invalid-json"]),
        ("untitled:Untitled-1".to_owned(), "json", no_faults),
        ("untitled:Untitled-2".to_owned(), "eval-suite", &["invalid-json"]),
        ("git:/x/evals/chat.json?%7B%7D".to_owned(), "json", no_faults),
    ] {
        open(&client, &uri, language, "{");
        assert_eq!(asked(&mut client, &uri), faults, "{uri} in {language}");
    }
}

#[test]
fn other_files_have_nothing() {
    let folder = Folder::new();
    let mut client = Client::session(push(), &[&folder]);
    for (name, text) in [("package.json", "{"), ("Cargo.toml", "[run]\njob = 2\n"), ("a.json", "{ \"cases\": [ ], }\n")]
    {
        let uri = folder.uri(name);
        client.open(&uri, 1, text);
        for method in ["hover", "completion"] {
            assert_eq!(client.at(method, &uri, 0, 2), Value::Null, "{method} in {name}");
        }
        assert_eq!(client.actions(&uri, range(0, 0, 9), json!({})), json!([]), "{name}");
        client.change(&uri, 2, json!([{ "text": "[" }]));
    }
    client.open(&folder.uri("evals/a.json"), 1, "{");
    client.diagnostics(&folder.uri("evals/a.json"), 1);
    assert_eq!(client.untaken(), Vec::<Value>::new());
}

#[test]
fn changes_are_applied_in_their_order_until_the_document_is_closed() {
    let client = Client::reading(push(), URI, r#"{"cases":[]}"#);
    assert_eq!(codes(&client.diagnostics(URI, 1)), ["empty-suite"]);
    // Each change applies to the text after those before it.
    let changes = json!([
        { "range": range(0, 10, 10), "text": "{}" },
        { "range": range(0, 11, 11), "text": "\"id\":1" },
        { "range": range(0, 16, 17), "rangeLength": 1, "text": "\"\u{1f600}\"" },
    ]);
    client.change(URI, 2, changes);
    let diagnostics = client.diagnostics(URI, 2);
    assert_eq!(codes(&diagnostics), ["missing-key", "missing-key"], "{diagnostics}");
    client.change(URI, 3, json!([{ "text": "[" }, { "range": range(0, 1, 1), "text": "]" }, { "text": "[1" }]));
    let diagnostics = client.diagnostics(URI, 3);
    assert_eq!(codes(&diagnostics), ["invalid-json"], "{diagnostics}");
    // Many at once, as a formatter sends them.
    let typed: Vec<_> = (0..20).map(|at| json!({ "range": range(0, at, at), "text": " " })).collect();
    client.change(URI, 4, Value::Array([vec![json!({ "text": r#"{"cases":[]}"# })], typed].concat()));
    assert_eq!(codes(&client.diagnostics(URI, 4)), ["empty-suite"]);
    // A closed document has none, and an opened one begins again.
    client.close(URI);
    assert_eq!(client.next_diagnostics(URI), json!({ "uri": URI, "diagnostics": [] }));
    client.open(URI, 1, "[");
    assert_eq!(codes(&client.diagnostics(URI, 1)), ["invalid-json"]);
}

#[test]
fn an_invalid_change_is_ignored() {
    let client = Client::session(push(), &[]);
    let backwards = json!([
        { "range": { "start": { "line": 1, "character": 0 }, "end": { "line": 0, "character": 0 } }, "text": "x" }
    ]);
    client.change(URI, 1, backwards.clone());
    client.close(URI);
    client.open(URI, 1, "{\"cases\":[]}\n");
    client.change(URI, 2, backwards);
    assert_eq!(codes(&client.diagnostics(URI, 2)), ["empty-suite"]);
    // A position after the end is the end.
    client.change(URI, 3, json!([{ "range": range(99, 99, 99), "text": "x" }]));
    let diagnostics = client.diagnostics(URI, 3);
    assert_eq!(diagnostics[0]["range"], range(1, 0, 1), "{diagnostics}");
}

#[test]
fn a_document_may_be_as_large_as_a_message() {
    let mut client = Client::session(push(), &[]);
    let prompt = "x".repeat(35 << 20);
    client.open(URI, 1, &format!(r#"{{"cases":[{{"id":"A","prompt":"{prompt}","expected":{{"owner":1}}}}]}}"#));
    let diagnostics = client.diagnostics(URI, 1);
    let found = diagnostics.as_array().unwrap().iter().find(|found| found["code"] == "unknown-key").unwrap();
    let start = 30 + (35 << 20) + 14;
    assert_eq!(found["range"], range(0, start, start + 7));
    client.change(URI, 2, json!([{ "range": range(0, start, start + 7), "text": "\"outcome\"" }]));
    assert!(!codes(&client.diagnostics(URI, 2)).contains(&"unknown-key"));
    client.request("shutdown", Value::Null);
}

/// Helix and Zed do not encode these characters. Some clients compare URIs as texts.
#[test]
fn every_spelling_of_a_uri_is_accepted_and_the_clients_own_is_sent() {
    let folder = Folder::new();
    let mut params = initialize_params(push(), &[&folder]);
    params["rootUri"] = folder.uri("app/[slug]").into();
    let mut client = Client::start();
    client.initialize(params);
    for (written, encoded) in [
        ("app/[slug]/a.evals.json", "app/%5Bslug%5D/a.evals.json"),
        ("a|b^c/a.evals.json", "a%7Cb%5Ec/a.evals.json"),
        ("with space/\u{e9}.evals.json", "with%20space/%C3%A9.evals.json"),
    ] {
        let (written, encoded) = (folder.uri(written), folder.uri(encoded));
        client.open(&written, 1, "{");
        for uri in [&written, &encoded] {
            assert!(client.of("documentSymbol", uri).is_array(), "{uri}");
        }
        assert_eq!(codes(&client.diagnostics(&written, 1)), ["invalid-json"], "{written}");
    }
}

#[test]
fn spellings_of_one_file_are_one_document() {
    let mut client = Client::session(push(), &[]);
    let spellings = [
        "file:///nowhere/evals/a(1).json",
        "file:///nowhere/evals/a%281%29.json",
        "file:///nowhere/evals/%61(1).json",
        "FILE:///nowhere/evals/a(1).json",
        "file://localhost/nowhere/evals/a(1).json",
        "file:///nowhere//evals/./a(1).json",
    ];
    client.open(spellings[0], 1, "{");
    for spelling in spellings {
        assert!(client.of("documentSymbol", spelling).is_array(), "{spelling}");
        client.change(spelling, 2, json!([{ "text": "[]" }]));
        assert_eq!(asked(&mut client, spellings[0]), ["wrong-type"], "{spelling}");
        client.open(spelling, 3, "{");
        assert_eq!(asked(&mut client, spellings[0]), ["invalid-json"], "{spelling}");
    }
    client.close(spellings[1]);
    assert_eq!(asked(&mut client, spellings[0]), Vec::<String>::new());
}
