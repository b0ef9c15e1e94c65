//! Order independent of timing: of edits, of the requests after them, and of sent messages.

use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::lsp::support::{Client, Gate, frame, initialize_params, push, range, server};
use crate::support::{Folder, Numbers};

const URI: &str = "file:///nowhere/a.evals.json";
const EDITS: i32 = 1000;

/// A suite with the unknown key `k1` and the prompt `p1`. Each edit increments both numbers, so the finding and the prompt identify the version.
const SUITE: &str = "{ \"cases\": [ { \"id\": \"A\", \"prompt\": \"p1\",\n\"expected\": { \"k1\": 1, \"outcome\": \"tool_success\" } } ] }";

fn counted_on(version: i32) -> Value {
    let length = (version - 1).to_string().len() as u32;
    let numbers = SUITE.lines().zip(0..).map(|(line, number)| {
        let start = line.find(["p1", "k1"][number as usize]).unwrap() as u32 + 1;
        json!({ "range": range(number, start, start + length), "text": version.to_string() })
    });
    numbers.collect()
}

fn message(version: i32) -> String {
    format!("the runner ignores the key `k{version}`")
}

fn prompt(tests: &Value) -> &Value {
    &tests["result"]["suites"][0]["cases"][0]["prompt"]
}

/// Returns the bytes of all edits and of a request after them.
fn edits_and_a_request(id: i64) -> Vec<u8> {
    let mut bytes = Vec::new();
    for version in 2..=EDITS {
        let params =
            json!({ "textDocument": { "uri": URI, "version": version }, "contentChanges": counted_on(version) });
        let change = json!({ "jsonrpc": "2.0", "method": "textDocument/didChange", "params": params });
        bytes.extend(frame(&change.to_string()));
    }
    let request = json!({ "jsonrpc": "2.0", "id": id, "method": "eval-ls/tests", "params": { "uri": URI } });
    bytes.extend(frame(&request.to_string()));
    bytes
}

/// Checks that the messages for the document are in order and right; returns their number.
fn check_sent(client: &Client) -> usize {
    let sent: Vec<_> =
        client.untaken().into_iter().filter(|sent| sent["method"] == "textDocument/publishDiagnostics").collect();
    let mut last = 0;
    for sent in &sent {
        let version = sent["params"]["version"].as_i64().unwrap() as i32;
        assert!(version > last, "version {version} came after {last}");
        assert_eq!(sent["params"]["diagnostics"][0]["message"], message(version));
        last = version;
    }
    sent.len()
}

#[test]
fn a_request_sees_every_edit_before_it() {
    for seed in 1..=4 {
        let mut numbers = Numbers(seed);
        let client = Client::reading(push(), URI, SUITE);
        let bytes = edits_and_a_request(-1);
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            let (part, behind) = rest.split_at((1 + numbers.below(4000)).min(rest.len()));
            client.send_raw(part);
            rest = behind;
            match numbers.below(4) {
                0 => thread::sleep(Duration::from_micros(numbers.below(500) as u64)),
                1 => thread::yield_now(),
                _ => {}
            }
        }
        assert_eq!(prompt(&client.response(-1)), &format!("p{EDITS}"));
        let last = client.diagnostics(URI, EDITS);
        assert_eq!(last[0]["message"], message(EDITS));
        check_sent(&client);
    }
}

#[test]
fn a_client_that_pauses_reading_gets_the_last_version() {
    let mut server = server();
    let (open, gate) = channel();
    let output = Gate::new(gate, server.stdout.take().unwrap());
    let mut client = Client::over(output, server.stdin.take().unwrap());
    let initialize = client.send_request("initialize", initialize_params(push(), &[]));
    client.notify("initialized", json!({}));
    // Its diagnostics are more than a pipe holds.
    let many = format!(r#"{{ "cases": [{}] }}"#, vec!["1"; 2000].join(","));
    client.open("file:///nowhere/evals/many.json", 1, &many);
    client.open(URI, 1, SUITE);
    client.send_raw(&edits_and_a_request(-1));
    open.send(()).unwrap();
    client.response(initialize);
    assert_eq!(prompt(&client.response(-1)), &format!("p{EDITS}"));
    assert_eq!(client.diagnostics(URI, EDITS)[0]["message"], message(EDITS));
    // The pending ones were merged.
    client.next_diagnostics("file:///nowhere/evals/many.json");
    assert!(check_sent(&client) < EDITS as usize / 2);
    client.request("shutdown", Value::Null);
    client.notify("exit", Value::Null);
    assert!(server.wait().unwrap().success());
}

#[test]
fn a_client_that_never_answers_is_served() {
    let folder = Folder::with(&[]);
    let uri = folder.uri("evals/a.json");
    let mut client = Client::start();
    for method in ["client/registerCapability", "workspace/inlayHint/refresh"] {
        client.answer(method, |_| None);
    }
    client.initialize(initialize_params(
        json!({ "workspace": {
            "inlayHint": { "refreshSupport": true }, "didChangeWatchedFiles": { "dynamicRegistration": true },
        } }),
        &[&folder],
    ));
    let case = r#"{ "id": "A", "prompt": "p", "expected": { "outcome": "response_only", "must_say_any": ["a"] } }"#;
    client.open(&uri, 1, &format!(r#"{{ "cases": [ {case} ], "verison": "1" }}"#));
    assert_eq!(client.findings(&uri)[0]["severity"], 2);
    for round in 0..100 {
        let (level, severity) = if round % 2 == 0 { ("error", 1) } else { ("hint", 4) };
        folder.write("eval-ls.toml", format!("[lints]\nunknown-key = \"{level}\"\n"));
        client.files_changed();
        assert_eq!(client.findings(&uri)[0]["severity"], severity);
        let verdicts = ["off", "all"][round % 2];
        client.notify("workspace/didChangeConfiguration", json!({ "settings": { "verdicts": verdicts } }));
    }
    for _ in 0..10 {
        client.refreshed("inlayHint");
    }
}
