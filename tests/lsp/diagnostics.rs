//! Diagnostics.

use serde_json::json;

use crate::lsp::support::{Client, codes, push, range};
use crate::support::Folder;

const URI: &str = "file:///nowhere/a.evals.json";

#[test]
fn a_diagnostic_has_every_supported_field() {
    let client = Client::session(push(), &[]);
    let text = r#"{ "cases": [
  { "id": "A", "prompt": "p", "expected": { "outcome": "response_only", "must_say_any": ["a"], "owner": 1 } },
  { "id": "A", "prompt": "q", "expected": { "outcome": "response_only", "must_say_any": ["a"] } }
] }"#;
    client.open(URI, 1, text);
    let ignored = json!({
        "range": range(1, 95, 102), "severity": 2, "code": "unknown-key", "source": "eval-ls",
        "message": "the runner ignores the key `owner`", "tags": [1],
    });
    let twice = json!({
        "range": range(2, 10, 13), "severity": 1, "code": "duplicate-case-id", "source": "eval-ls",
        "message": "case id `A` is used twice",
        "relatedInformation": [
            { "location": { "uri": URI, "range": range(1, 10, 13) }, "message": "first used here" }
        ],
    });
    assert_eq!(client.diagnostics(URI, 1), json!([ignored, twice]));
}

/// Returns a suite whose list of cases has this many numbers, each of the wrong type.
fn numbers(count: usize) -> String {
    format!(r#"{{ "verison": 1, "cases": [{}] }}"#, vec!["1"; count].join(","))
}

#[test]
fn at_most_a_thousand_are_sent_most_severe_first() {
    let client = Client::session(push(), &[]);
    // One is a warning, and comes before all errors in the text.
    client.open(URI, 1, &numbers(999));
    let diagnostics = client.diagnostics(URI, 1);
    assert_eq!(codes(&diagnostics).len(), 1000);
    assert_eq!(diagnostics[0]["code"], "unknown-key");
    assert_eq!(diagnostics[999]["code"], "wrong-type");

    client.open(URI, 2, &numbers(1000));
    let diagnostics = client.diagnostics(URI, 2);
    assert_eq!(codes(&diagnostics).len(), 1000);
    assert_eq!(diagnostics[998]["code"], "wrong-type");
    let note = json!({
        "range": range(0, 0, 0), "severity": 1, "source": "eval-ls",
        "message": "2 more findings in this file are not listed",
    });
    assert_eq!(diagnostics[999], note);
}

#[test]
fn a_file_that_is_not_utf_8_has_the_error_of_check() {
    let suite = r#"{ "cases": [{ "id": "A", "prompt": "p", "expected": { "must_say_any": ["a"] } }] }"#;
    let bytes: Vec<u8> = [0xff, 0xfe].into_iter().chain(suite.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let folder = Folder::with(&[("transcripts/wide.evals/B.json", "{}")]);
    folder.write("wide.evals.json", &bytes);
    let checked = folder.run(&["check", "--fix", "--format", "json"]).json();
    // The editor decodes the file.
    let (client, uri) = Client::opened(push(), &folder, "wide.evals.json", suite);
    let found = client.diagnostics(&uri, 1);
    assert_eq!((codes(&found), &found[0]["message"]), (vec!["invalid-json"], &checked[0]["message"]));
    folder.write("wide.evals.json", suite.as_bytes());
    client.save(&uri);
    client.wait_for("textDocument/publishDiagnostics", |it| codes(&it["diagnostics"]) == ["stored-without-case"]);
}
