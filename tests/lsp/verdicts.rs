//! Verdicts in the suite: diagnostics and hints that follow the text and the transcripts.

use serde_json::{Value, json};

use crate::lsp::support::{Client, range};
use crate::support::Folder;

const SUITE: &str = r#"{ "version": "0.2.0", "cases": [
  { "id": "A", "prompt": "p", "expected": { "outcome": "response_only", "must_say_any": ["GitHub"] } },
  { "id": "B", "prompt": "q", "expected": { "outcome": "response_only", "must_not_say": ["é😀", "no"] } }
] }"#;
const A: &str = "evals/transcripts/a/A.json";
const B: &str = "evals/transcripts/a/B.json";

fn transcript(case: &str, response: &str) -> String {
    let prompt = if case == "B" { "q" } else { "p" };
    format!(
        r#"{{ "format": "eval-ls/transcript@1", "case": "{case}", "prompt": "{prompt}", "response": "{response}" }}"#
    )
}

fn capabilities() -> Value {
    json!({
        "textDocument": {
            "publishDiagnostics": { "relatedInformation": true, "versionSupport": true },
            "inlayHint": { "resolveSupport": { "properties": ["tooltip"] } },
            "hover": { "contentFormat": ["markdown", "plaintext"] },
        },
        "workspace": { "inlayHint": { "refreshSupport": true } },
    })
}

/// Waits for diagnostics with that many verdicts among them; returns the verdicts.
fn verdicts(client: &Client, uri: &str, count: usize) -> Vec<Value> {
    let verdicts = |params: &Value| -> Vec<Value> {
        let all = params["diagnostics"].as_array().unwrap();
        all.iter().filter(|diagnostic| diagnostic["source"] == "eval-ls verdict").cloned().collect()
    };
    let fits = |params: &Value| params["uri"] == uri && verdicts(params).len() == count;
    verdicts(&client.wait_for("textDocument/publishDiagnostics", fits)["params"])
}

/// Returns the texts and places of the hints.
fn said(hints: &[Value]) -> Vec<(u64, u64, &str)> {
    let place = |hint: &Value, key: &str| hint["position"][key].as_u64().unwrap();
    hints.iter().map(|hint| (place(hint, "line"), place(hint, "character"), hint["label"].as_str().unwrap())).collect()
}

#[test]
fn a_failed_check_is_reported_on_its_element_with_its_evidence() {
    let folder = Folder::with(&[(B, &transcript("B", "one\\nof \\u00e9\\ud83d\\ude00\\nfine"))]);
    let (client, uri) = Client::opened(capabilities(), &folder, "evals/a.json", SUITE);
    let found = verdicts(&client, &uri, 1);
    let there = json!({ "uri": folder.uri(B), "range": range(0, 85, 103) });
    let expected = json!([{
        "range": range(2, 89, 94), "severity": 2, "code": "must_not_say", "source": "eval-ls verdict",
        "message": "`é😀` is said on line 2",
        "relatedInformation": [{ "location": there, "message": "the evidence" }],
    }]);
    assert_eq!(json!(found), expected);
}

#[test]
fn verdicts_follow_the_text_and_the_transcripts() {
    let folder = Folder::with(&[(A, &transcript("A", "Git hub"))]);
    let uri = folder.uri("evals/a.json");
    let mut client = Client::session_with(capabilities(), &[&folder], json!({ "verdicts": "all" }));
    client.open(&uri, 1, SUITE);
    let found = verdicts(&client, &uri, 1);
    assert_eq!(found[0]["range"], range(1, 89, 97));
    client.refreshed("inlayHint");
    let first = client.hints(&uri);
    assert_eq!(
        said(&first),
        [(1, 14, "FAIL 1 of 2 checks"), (1, 71, "✓"), (1, 98, "✗ not said; nearest line 1: \"Git hub\"")]
    );
    assert_eq!(first[0].get("tooltip"), None);
    let resolved = client.request("inlayHint/resolve", first[2].clone());
    assert_eq!(
        resolved["tooltip"],
        json!({ "kind": "markdown", "value": "**Failed**: `GitHub` is not said.\n\n- nearest: line 1, column 1: `Git hub`\n\nCheck `must_say_any`" })
    );

    // The text changes, and so does the verdict.
    client.change(&uri, 2, json!([{ "range": range(1, 93, 93), "text": " " }]));
    client.change(&uri, 3, json!([{ "range": range(1, 94, 95), "text": "h" }]));
    let left = client.diagnostics(&uri, 3);
    assert!(left.as_array().unwrap().iter().all(|it| it["code"] == "only-forbids"), "{left}");
    assert_eq!(said(&client.hints(&uri))[0], (1, 14, "PASS"));
    let outdated = client.request("inlayHint/resolve", first[2].clone());
    assert_eq!(outdated.get("tooltip"), None);

    // Broken text keeps its verdict, with a mark.
    client.change(&uri, 4, json!([{ "range": range(1, 98, 99), "text": "" }]));
    assert_eq!(said(&client.hints(&uri))[0], (1, 14, "PASS · before the syntax error"));
    client.change(&uri, 5, json!([{ "range": range(1, 98, 98), "text": "]" }]));

    // Another answer arrives, and then it is removed.
    folder.write(A, transcript("A", "nothing"));
    client.files_changed();
    assert_eq!(verdicts(&client, &uri, 1)[0]["message"], "`Git hub` is not said");
    client.refreshed("inlayHint");
    folder.remove(A);
    client.files_changed();
    verdicts(&client, &uri, 0);
    client.refreshed("inlayHint");
    assert_eq!(client.hints(&uri), Vec::<Value>::new());
}

#[test]
fn a_refresh_that_the_client_does_not_follow_is_repeated() {
    let folder = Folder::with(&[(A, &transcript("A", "Git hub"))]);
    let (mut client, uri) = Client::opened(capabilities(), &folder, "evals/a.json", SUITE);
    client.refreshed("inlayHint");
    client.hints(&uri);
    folder.remove(A);
    client.files_changed();
    verdicts(&client, &uri, 0);
    client.refreshed("inlayHint");
    client.refreshed("inlayHint");
}

#[test]
fn a_changed_prompt_makes_a_transcript_stale() {
    let folder = Folder::with(&[(A, &transcript("A", "none"))]);
    let (mut client, uri) = Client::opened(capabilities(), &folder, "evals/a.json", SUITE);
    verdicts(&client, &uri, 1);
    client.change(&uri, 2, json!([{ "range": range(1, 26, 26), "text": "q" }]));
    let stale = &verdicts(&client, &uri, 1)[0]["message"];
    assert_eq!(stale, "`GitHub` is not said (stale: the prompts have changed since the answer)");
    assert_eq!(said(&client.hints(&uri))[0].2, "FAIL 1 of 2 checks · stale");
}

#[test]
fn the_settings_choose_where_verdicts_are_shown() {
    let folder = Folder::with(&[(A, &transcript("A", "none"))]);
    let uri = folder.uri("evals/a.json");
    // A lens has the verdict on a case.
    for (shown, diagnostics, behind, beside_lenses) in
        [("failures", 1, 1, 0), ("all", 1, 3, 3), ("hints", 1, 1, 0), ("off", 0, 0, 0)]
    {
        for (lenses, behind) in [(Value::Null, behind), (json!({}), beside_lenses)] {
            let mut capabilities = capabilities();
            capabilities["textDocument"]["codeLens"] = lenses;
            let mut client = Client::session_with(capabilities, &[&folder], json!({ "verdicts": shown }));
            client.open(&uri, 1, SUITE);
            client.refreshed("inlayHint");
            verdicts(&client, &uri, diagnostics);
            assert_eq!(client.hints(&uri).len(), behind, "{shown}");
        }
    }
}

#[test]
fn a_squiggle_covers_one_line() {
    let folder = Folder::with(&[(A, &transcript("A", "none"))]);
    let suite = SUITE.replace("[\"GitHub\"]", "[\n    \"GitHub\",\n    \"Slack\"\n  ]");
    let (client, uri) = Client::opened(capabilities(), &folder, "evals/a.json", &suite);
    // The key of the list, or its only entry.
    assert_eq!(verdicts(&client, &uri, 1)[0]["range"], range(1, 72, 86));
    client.change(&uri, 2, json!([{ "text": suite.replace("\"GitHub\",\n    ", "") }]));
    assert_eq!(verdicts(&client, &uri, 1)[0]["range"], range(2, 4, 11));
}

#[test]
fn a_client_without_markdown_or_resolving_has_plain_tooltips() {
    let folder = Folder::with(&[(A, &transcript("A", "a `b`"))]);
    let uri = folder.uri("evals/a.json");
    let capabilities = json!({ "textDocument": { "inlayHint": {}, "publishDiagnostics": {} } });
    let mut client = Client::session_with(capabilities, &[&folder], json!({ "verdicts": "all" }));
    client.open(&uri, 1, SUITE);
    verdicts(&client, &uri, 1);
    let hints = client.hints(&uri);
    let tooltip = json!({ "kind": "plaintext", "value": "Failed: GitHub is not said.\n\nCheck must_say_any" });
    assert!(hints.iter().any(|hint| hint["tooltip"] == tooltip), "{hints:?}");
}

#[test]
fn at_most_a_thousand_are_sent() {
    let phrases: Vec<_> = (0..1001).map(|number| format!("\"{number} x\"")).collect();
    let suite = |phrases: &[String]| {
        format!(
            r#"{{ "version": "0.2.0", "cases": [ {{ "id": "A", "prompt": "p", "expected": {{ "outcome": "response_only", "required_sources": [{}] }} }} ] }}"#,
            phrases.join(",")
        )
    };
    let folder = Folder::with(&[(A, &transcript("A", "y"))]);
    let (client, uri) = Client::opened(capabilities(), &folder, "evals/a.json", &suite(&phrases[..1000]));
    assert_eq!(verdicts(&client, &uri, 1000)[999]["code"], "required_sources");
    client.open(&uri, 2, &suite(&phrases));
    client.wait_for("textDocument/publishDiagnostics", |params| params["version"] == 2);
    client.change(&uri, 3, json!([]));
    let found = verdicts(&client, &uri, 1000);
    assert_eq!(found[999]["message"], "more checks in this file did not pass than are listed");
    assert_eq!(found[998]["code"], "required_sources");
}

/// After a slow judgement, diagnostics are sent twice: first the new findings with the verdicts of before.
#[test]
fn findings_do_not_wait_for_slow_verdicts() {
    let patterns: Vec<_> = (0..40).map(|number| format!(r#""^(?:a|aa|aaa)+(?=[0-9]{number})""#)).collect();
    let suite = |key: &str| {
        let patterns = patterns.join(", ");
        format!(
            r#"{{ "version": "0.2.0", "cases": [ {{ "id": "A", "prompt": "p", "expected": {{ "{key}": 1, "must_match_regex": [{patterns}] }} }} ] }}"#
        )
    };
    let answer = "a".repeat(3000);
    let folder = Folder::with(&[(A, &transcript("A", &answer))]);
    let (client, uri) = Client::opened(capabilities(), &folder, "evals/a.json", &suite("k1"));
    let before = verdicts(&client, &uri, 40);
    assert_eq!(before[0]["code"], "must_match_regex");
    let start = suite("k1").find("k1").unwrap() as u32;
    client.change(&uri, 2, json!([{ "range": range(0, start, start + 2), "text": "k2" }]));
    for _ in 0..2 {
        let sent = client.diagnostics(&uri, 2);
        let messages: Vec<_> = sent.as_array().unwrap().iter().map(|one| one["message"].as_str().unwrap()).collect();
        assert!(messages.iter().any(|message| message.starts_with("the runner ignores the key `k2`")), "{messages:?}");
        assert!(messages.contains(&before[0]["message"].as_str().unwrap()), "{messages:?}");
    }
}

/// Edits that change no id come between, for which the files are not looked at.
#[test]
fn a_file_of_no_case_becomes_that_of_a_case_by_an_edit() {
    let folder =
        Folder::with(&[(A, &transcript("A", "GitHub")), ("evals/transcripts/a/C.json", &transcript("C", "none"))]);
    let (mut client, uri) = Client::opened(capabilities(), &folder, "evals/a.json", SUITE);
    let at = SUITE.lines().nth(1).unwrap().find("\"A\"").unwrap() as u32 + 1;
    let mut version = 1;
    for (id, status) in [("C", "FAIL"), ("A", "PASS"), ("C", "FAIL")] {
        for text in ["GitHu", "GitHub"] {
            version += 1;
            client.change(&uri, version, json!([{ "text": SUITE.replace("\"A\"", "\"X\"").replace("GitHub", text) }]));
        }
        version += 1;
        client.change(&uri, version, json!([{ "range": range(1, at, at + 1), "text": id }]));
        loop {
            let cases = client.verdicts(&uri)["cases"].take();
            if cases[0]["id"] == id && cases[0]["status"] == status {
                break;
            }
            client.refreshed("inlayHint");
        }
    }
}

#[test]
fn the_answer_of_a_suite_that_was_opened_just_now_is_known() {
    let names: Vec<String> = (0..20).map(|number| format!("s{number}")).collect();
    let folder = Folder::with(&[]);
    for name in &names {
        folder.write(format!("evals/transcripts/{name}/A.json"), transcript("A", "GitHub"));
    }
    let mut client = Client::session(capabilities(), &[&folder]);
    for name in &names {
        let uri = folder.uri(&format!("evals/{name}.json"));
        client.open(&uri, 1, SUITE);
        let page = client.request("eval-ls/transcriptPage", json!({ "uri": uri, "case": "A" }));
        assert!(page["html"].as_str().is_some_and(|html| html.contains("PASS")), "{name}: {page}");
    }
}

#[test]
fn samples_are_judged_at_each_keystroke() {
    let suite = r#"{ "cases": [
  { "id": "A", "prompt": "p", "expected": { "must_say_any": ["yes"] } }
] }"#;
    let folder = Folder::with(&[("s.evals.json", suite), ("samples/s.evals/A/fail-loud.md", "yes, YES!")]);
    let (client, uri) =
        Client::opened(json!({ "textDocument": { "publishDiagnostics": {} } }), &folder, "s.evals.json", suite);
    let has = |code: &'static str| {
        move |params: &Value| params["diagnostics"].as_array().unwrap().iter().any(|found| found["code"] == code)
    };
    let shown = client.wait_for("textDocument/publishDiagnostics", has("passed-sample"));
    let is_of_sample = |found: &&Value| found["code"] == "passed-sample";
    let found = shown["params"]["diagnostics"].as_array().unwrap().iter().find(is_of_sample).unwrap();
    let message = "the case passes the bad sample `fail-loud.md`: no check that decides notices it";
    assert_eq!((&found["message"], &found["severity"]), (&json!(message), &json!(1)));
    // The next text forbids what the sample says, so it fails as it must.
    let edited = suite.replace(r#"["yes"]"#, r#"["yes"], "must_not_say": ["yes!"]"#);
    client.change(&uri, 2, json!([{ "text": edited }]));
    client.wait_for("textDocument/publishDiagnostics", move |params| !has("passed-sample")(params));
}
