//! Logs of conversations: nothing is reported in them, and they can be imported.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::lsp::support::{Client, push, range, texts};
use crate::support::Folder;

const TITLE: &str = "Import conversations as a suite";

const LOG: &str = r#"{"messages":[{"role":"user","content":"Which \"prompt\" repair takes longest?"},{"role":"assistant","content":"The gear hub: it needs 3 hours."}]}
{"messages":[{"role":"user","content":"Who repairs order 7?"}],"prompt":"","cases":[]}
"#;

/// The same as one list.
fn list() -> String {
    format!("[\n{}\n]\n", LOG.trim().replace('\n', ",\n"))
}

/// The titles of the actions at the start of a file.
fn titles(client: &mut Client, uri: &str, context: Value) -> Vec<String> {
    let actions = client.actions(uri, range(0, 0, 0), context);
    texts(&actions, "title").into_iter().map(str::to_owned).collect()
}

#[test]
fn a_log_has_no_findings_and_is_not_a_suite() {
    let broken = format!("{LOG}{{\"messages\":[{{\"role\"");
    let files = [
        ("a.jsonl", LOG),
        ("evals/a.jsonl", LOG),
        ("evals/b.json", LOG),
        ("evals/c.json", &list()),
        ("evals/d.json", &broken),
    ];
    let folder = Folder::with(&files);
    let mut client = Client::session(push(), &[&folder]);
    for (name, text) in files {
        let uri = folder.uri(name);
        let answer = client.request("eval-ls/isSuite", json!({ "uri": uri }));
        assert_eq!(answer["isSuite"], false, "{name}: {answer}");
        client.open(&uri, 1, text);
        // Also while somebody types.
        for version in 1..3 {
            let answer = client.request("eval-ls/isSuite", json!({ "uri": uri }));
            assert_eq!(answer["isSuite"], false, "{name}: {answer}");
            assert_eq!(client.findings(&uri), json!([]), "{name}");
            assert_eq!(client.of("documentSymbol", &uri), Value::Null, "{name}");
            client.change(&uri, version + 1, json!([{ "range": range(0, 0, 0), "text": " " }]));
        }
    }
    assert_eq!(client.request("eval-ls/tests", json!({}))["suites"], json!([]));
}

#[test]
fn a_log_offers_its_import_only_if_a_person_asks() {
    let suite = r#"{ "cases": [ { "id": "A", "prompt": "p", "expected": { "must_say_any": ["x"] } } ] }"#;
    let large = format!("{}{LOG}", "{\"n\":1}\n".repeat(30));
    let files = [
        ("a.jsonl", LOG, true),
        ("b.json", &list(), true),
        ("half.jsonl", &format!("{{\"a\": }}\n{LOG}"), true),
        ("late.jsonl", &large, false),
        ("prompts.jsonl", "{\"prompt\":\"p\"}\n", false),
        ("other.json", "{ \"scripts\": {} }", false),
        ("empty.jsonl", "", false),
        ("s.json", suite, false),
        ("s.evals.json", suite, false),
    ];
    let folder = Folder::with(&files.map(|(name, text, _)| (name, text)));
    let mut client = Client::session(push(), &[&folder]);
    for (name, text, is_log) in files {
        let uri = folder.uri(name);
        // A client need not open the log.
        for is_open in [false, true] {
            if is_open {
                client.open(&uri, 1, text);
            }
            let found = titles(&mut client, &uri, json!({}));
            assert_eq!(found.iter().any(|title| title == TITLE), is_log, "{name}: {found:?}");
        }
    }
    let uri = folder.uri("a.jsonl");
    let actions = client.actions(&uri, range(1, 9, 9), json!({ "only": ["eval-ls"] }));
    let command = json!({ "title": TITLE, "command": "eval-ls.import", "arguments": [{ "uri": uri }] });
    assert_eq!(actions, json!([{ "title": TITLE, "kind": "eval-ls.import", "command": command }]));
    for context in [json!({ "triggerKind": 2 }), json!({ "only": ["quickfix"] })] {
        assert_eq!(titles(&mut client, &uri, context), [""; 0]);
    }
    client.open("untitled:Untitled-1", 1, LOG);
    assert_eq!(client.actions("untitled:Untitled-1", range(0, 0, 0), json!({})), Value::Null);
    assert_eq!(titles(&mut client, &folder.uri("absent.jsonl"), json!({})), [""; 0]);
}

/// A client that shows documents, and chooses the answer with this number.
fn client(folder: &Folder, choice: usize) -> Client {
    let mut capabilities = push();
    capabilities["window"] = json!({ "showDocument": { "support": true } });
    let client = Client::session(capabilities, &[folder]);
    client.answer("window/showDocument", |_| Some(json!({ "success": true })));
    client.answer("window/showMessageRequest", move |params| Some(params["actions"][choice].clone()));
    client
}

/// The path of the next file that the client is asked to show.
fn shown(client: &Client) -> String {
    let uri = client.wait_for("window/showDocument", |_| true)["params"]["uri"].as_str().unwrap().to_owned();
    uri.strip_prefix("file://").unwrap().replace("%7E", "~")
}

#[test]
fn a_log_becomes_a_suite() {
    let folder = Folder::with(&[("logs/a.jsonl", LOG)]);
    let uri = folder.uri("logs/a.jsonl");
    let mut client = client(&folder, 0);
    client.open(&uri, 1, LOG);
    assert_eq!(client.execute("import", json!({ "uri": uri })), Value::Null);
    let printed = std::fs::read_to_string(shown(&client)).unwrap();
    assert!(printed.starts_with("a.jsonl: a log of OpenAI, 1 case of 2 conversations\n"), "{printed}");
    assert!(
        printed.contains("the last question has no answer: line 2") && printed.contains("no findings"),
        "{printed}"
    );
    assert_eq!(shown(&client), folder.join("logs/a.evals.json").display().to_string());
    let suite = folder.read("logs/a.evals.json");
    client.open(&folder.uri("logs/a.evals.json"), 1, &suite);
    assert_eq!(client.diagnostics(&folder.uri("logs/a.evals.json"), 1), json!([]), "{suite}");

    // What is not saved is not imported, and the page has a note.
    client.change(&uri, 2, json!([{ "range": range(0, 0, 0), "text": "\n" }]));
    client.execute("import", json!({ "uri": uri }));
    let printed = std::fs::read_to_string(shown(&client)).unwrap();
    assert!(printed.starts_with("The log has changes that are not saved."), "{printed}");
}

#[test]
fn an_import_that_fails_gives_the_reason_of_the_program() {
    let folder = Folder::with(&[("a.jsonl", "{\"note\":1}\n")]);
    let mut client = client(&folder, 0);
    let why = client.refuses("import", json!({ "uri": folder.uri("a.jsonl") }));
    assert!(why.starts_with("error: cannot import `a.jsonl`: none of its keys is a prompt"), "{why}");
    assert_eq!(client.refuses("import", json!({})), "specify `uri`, that of a log");
    assert_eq!(client.refuses("import", json!({ "uri": "untitled:a" })), "save the log in a file first");
    assert!(!folder.join("a.evals.json").exists());
}

#[test]
fn a_person_can_cancel_an_import() {
    let folder = Folder::with(&[("a.jsonl", LOG)]);
    assert_eq!(client(&folder, 2).execute("import", json!({ "uri": folder.uri("a.jsonl") })), Value::Null);
    assert!(!folder.join("a.evals.json").exists());
}

#[test]
fn personal_data_is_replaced_if_a_person_chooses_so() {
    let folder =
        Folder::with(&[("a.jsonl", &LOG.replace("The gear hub", "Write to mara@bikes.dev about the gear hub"))]);
    let mut client = client(&folder, 1);
    client.execute("import", json!({ "uri": folder.uri("a.jsonl") }));
    let printed = std::fs::read_to_string(shown(&client)).unwrap();
    assert!(printed.contains("redacted: 1 e-mail address"), "{printed}");
    let files = folder.files().into_iter().filter(|(name, _)| !name.ends_with("a.jsonl"));
    let texts: Vec<_> = files.map(|(_, text)| String::from_utf8_lossy(&text).into_owned()).collect();
    assert!(texts.iter().all(|text| !text.contains("mara")), "{texts:?}");
}

#[test]
fn a_large_log_delays_no_keystroke() {
    let text = LOG.repeat((16 << 20) / LOG.len());
    let folder = Folder::with(&[("evals/a.json", &text)]);
    let (mut client, uri) = Client::opened(push(), &folder, "evals/a.json", &text);
    assert_eq!(client.findings(&uri), json!([]));
    let start = Instant::now();
    for version in 2..22 {
        client.change(&uri, version, json!([{ "range": range(1, 0, 0), "text": " " }]));
        assert_eq!(titles(&mut client, &uri, json!({})), [TITLE]);
    }
    let took = start.elapsed();
    assert!(took < Duration::from_secs(10), "{took:?}");
}
