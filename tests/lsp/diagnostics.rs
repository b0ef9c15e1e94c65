//! Pushed and pulled diagnostics.

use serde_json::{Value, json};

use crate::lsp::support::{Client, codes, initialize_params, pull, push, range};
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

fn ask(client: &mut Client, previous: Option<&Value>) -> Value {
    client.request(
        "textDocument/diagnostic",
        json!({ "textDocument": { "uri": URI }, "identifier": "eval-ls", "previousResultId": previous }),
    )
}

#[test]
fn an_unchanged_report_is_not_repeated() {
    let mut client = Client::reading(pull(), URI, "{");
    let first = ask(&mut client, None);
    assert_eq!(first["kind"], "full");
    assert_eq!(codes(&first["items"]), ["invalid-json"]);
    let id = &first["resultId"];
    assert_eq!(ask(&mut client, Some(id)), json!({ "kind": "unchanged", "resultId": id }));
    assert_eq!(ask(&mut client, Some(&json!("of another session")))["kind"], "full");

    client.change(URI, 2, json!([{ "text": r#"{"cases":[]}"# }]));
    let second = ask(&mut client, Some(id));
    assert_eq!((&second["kind"], codes(&second["items"])), (&json!("full"), vec!["empty-suite"]));
    client.change(URI, 3, json!([{ "text": "{" }]));
    let third = ask(&mut client, Some(&second["resultId"]));
    assert_eq!(third, first);
    client.change(URI, 4, json!([{ "text": "\n" }]));
    assert_eq!(codes(&ask(&mut client, None)["items"]), ["invalid-json"], "an empty file");
}

/// Opens a session with the option to report suites that are not open.
fn reporting(folder: &Folder, is_on: bool) -> Client {
    Client::session_with(pull(), &[folder], json!({ "workspaceDiagnostics": is_on }))
}

fn ask_all(client: &mut Client, previous: &[(&str, &Value)], token: Option<&str>) -> i64 {
    let previous: Vec<_> = previous.iter().map(|(uri, id)| json!({ "uri": uri, "value": id })).collect();
    let mut params = json!({ "identifier": "eval-ls", "previousResultIds": previous });
    if let Some(token) = token {
        params["partialResultToken"] = token.into();
    }
    client.send_request("workspace/diagnostic", params)
}

fn items(response: &Value) -> &[Value] {
    response["result"]["items"].as_array().unwrap()
}

#[test]
fn suites_that_are_not_open_are_reported_on_request() {
    let judged =
        r#"{ "version": "0.2.0", "cases": [{ "id": "A", "prompt": "p", "expected": { "must_say_any": ["x"] } }] }"#;
    let answer = r#"{ "format": "eval-ls/transcript@1", "case": "A", "prompt": "p", "response": "y" }"#;
    let folder = Folder::with(&[("evals/a.json", "{"), ("evals/b.json", r#"{"cases":[]}"#), ("other.json", "{")]);
    folder.write("evals/c.json", judged);
    folder.write("evals/transcripts/c/A.json", answer);
    let [a, b, c] = ["evals/a.json", "evals/b.json", "evals/c.json"].map(|name| folder.uri(name));
    let mut client = reporting(&folder, true);
    let id = ask_all(&mut client, &[], None);
    let first = client.response(id);
    let found: Vec<_> =
        items(&first).iter().map(|item| (&item["uri"], codes(&item["items"]), &item["version"])).collect();
    let [a_, b_, c_] = [&a, &b, &c].map(|uri| json!(uri));
    let none = &Value::Null;
    // Failed checks, too: the list does not depend on what is open.
    let expected =
        [(&a_, vec!["invalid-json"], none), (&b_, vec!["empty-suite"], none), (&c_, vec!["must_say_any"], none)];
    assert_eq!(found, expected);

    // An open suite has its own reports, and a removed one none.
    client.open(&a, 1, "{");
    folder.remove("evals/b.json");
    let ids = items(&first).iter().map(|item| &item["resultId"]).collect::<Vec<_>>();
    let id = ask_all(&mut client, &[(&a, ids[0]), (&b, ids[1]), (&c, ids[2])], None);
    let second = client.response(id);
    assert_eq!(items(&second)[0]["kind"], "unchanged");
    assert_eq!(items(&second)[1], json!({ "kind": "full", "uri": b, "version": null, "items": [] }));
    client.close(&a);
    // A client drops what it knew of a closed document.
    for kind in ["full", "unchanged"] {
        let id = ask_all(&mut client, &[(&a, ids[0])], None);
        assert_eq!(items(&client.response(id))[0]["kind"], kind);
    }
}

#[test]
fn reports_arrive_in_parts_and_wait_for_changes() {
    let names: Vec<_> = (0..40).map(|number| format!("evals/{number:02}.json")).collect();
    let files: Vec<_> = names.iter().map(|name| (name.as_str(), "{")).collect();
    let folder = Folder::with(&files);
    let mut client = reporting(&folder, true);
    let id = ask_all(&mut client, &[], Some("first"));
    let mut parts = Vec::new();
    while parts.len() < files.len() {
        let mut part = client.wait_for("$/progress", |params| params["token"] == "first");
        parts.extend(part["params"]["value"]["items"].take().as_array().unwrap().clone());
    }
    let uris: Vec<_> = parts.iter().map(|part| part["uri"].as_str().unwrap()).collect();
    assert_eq!(uris, names.iter().map(|name| folder.uri(name)).collect::<Vec<_>>());
    assert_eq!(client.response(id)["result"], json!({ "items": [] }));

    let known: Vec<_> = parts.iter().map(|part| (part["uri"].as_str().unwrap(), &part["resultId"])).collect();
    let id = ask_all(&mut client, &known, Some("second"));
    for _ in 0..3 {
        let mut part = client.wait_for("$/progress", |params| params["token"] == "second");
        let part = part["params"]["value"]["items"].take();
        assert!(part.as_array().unwrap().iter().all(|item| item["kind"] == "unchanged"), "{part}");
    }
    // The response waits for a change.
    folder.write("evals/07.json", r#"{"cases":[]}"#);
    let changes = json!([{ "uri": folder.uri("evals/07.json"), "type": 2 }]);
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
    let has_changed = |params: &Value| {
        let items = params["value"]["items"].as_array().unwrap();
        params["token"] == "second" && items.iter().any(|item| item["kind"] == "full")
    };
    let part = client.wait_for("$/progress", has_changed);
    let changed =
        part["params"]["value"]["items"].as_array().unwrap().iter().find(|item| item["kind"] == "full").unwrap();
    assert_eq!((&changed["uri"], codes(&changed["items"])), (&json!(folder.uri("evals/07.json")), vec!["empty-suite"]));
    assert_eq!(client.response(id)["result"], json!({ "items": [] }));
}

#[test]
fn reports_of_the_workspace_are_an_option() {
    let folder = Folder::with(&[("evals/a.json", "{")]);
    for is_on in [true, false] {
        let mut params = initialize_params(pull(), &[&folder]);
        params["initializationOptions"] = json!({ "workspaceDiagnostics": is_on });
        let result = Client::start().initialize(params);
        assert_eq!(result["capabilities"]["diagnosticProvider"]["workspaceDiagnostics"], is_on);
    }
    let mut client = reporting(&folder, false);
    let id = ask_all(&mut client, &[], None);
    assert_eq!(client.response(id)["result"], json!({ "items": [] }));
}

#[test]
fn a_suite_that_is_closed_is_reported_again() {
    let folder = Folder::with(&[("evals/a.json", "{")]);
    let a = folder.uri("evals/a.json");
    let mut client = reporting(&folder, true);
    let id = ask_all(&mut client, &[], Some("first"));
    let first = client.wait_for("$/progress", |params| params["token"] == "first");
    client.response(id);
    let known = &first["params"]["value"]["items"][0]["resultId"];
    let id = ask_all(&mut client, &[(&a, known)], Some("second"));
    client.wait_for("$/progress", |params| params["token"] == "second");
    client.open(&a, 1, "{");
    client.close(&a);
    let again = client.wait_for("$/progress", |params| params["value"]["items"][0]["kind"] == "full");
    assert_eq!(codes(&again["params"]["value"]["items"][0]["items"]), ["invalid-json"]);
    assert_eq!(client.response(id)["result"], json!({ "items": [] }));
    assert_eq!(codes(&client.findings(&a)), ["invalid-json"]);
}

#[test]
fn a_file_that_is_not_utf_8_has_the_error_of_check_open_and_closed() {
    let suite = r#"{ "cases": [{ "id": "A", "prompt": "p", "expected": { "must_say_any": ["a"] } }] }"#;
    let bytes: Vec<u8> = [0xff, 0xfe].into_iter().chain(suite.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let folder = Folder::with(&[("transcripts/wide.evals/B.json", "{}")]);
    let uri = folder.uri("wide.evals.json");
    folder.write("wide.evals.json", &bytes);
    let checked = folder.run(&["check", "--fix", "--format", "json"]).json();
    let (mut client, pushed) = (reporting(&folder, true), Client::session(push(), &[&folder]));
    let id = ask_all(&mut client, &[], None);
    let closed = items(&client.response(id))[0]["items"].clone();
    assert_eq!((codes(&closed), &closed[0]["message"]), (vec!["invalid-json"], &checked[0]["message"]));
    // The editor decodes the file.
    [&client, &pushed].iter().for_each(|client| client.open(&uri, 1, suite));
    assert_eq!([client.findings(&uri), pushed.diagnostics(&uri, 1)], [closed.clone(), closed]);
    folder.write("wide.evals.json", suite.as_bytes());
    pushed.save(&uri);
    pushed.wait_for("textDocument/publishDiagnostics", |it| codes(&it["diagnostics"]) == ["stored-without-case"]);
    assert_eq!(codes(&client.findings(&uri)), ["stored-without-case"]);
}
