//! Challenges in the file: hints, hovers, fixes, the page and the lens.

use serde_json::{Value, json};

use crate::lsp::support::{Client, range, titled};
use crate::support::Folder;

const SUITE: &str = r#"{ "version": "0.2.0", "cases": [
  { "id": "A", "prompt": "Add a section Signals.", "expected": { "must_match_regex": ["Signals"] } },
  { "id": "B", "prompt": "How many?", "expected": { "must_ground_numbers": [{ "value": "12" }] } }
] }"#;
const SIGNALS: (u32, u32, u32) = (1, 86, 95);

fn capabilities() -> Value {
    json!({
        "textDocument": {
            "publishDiagnostics": {}, "inlayHint": {}, "codeLens": {},
            "hover": { "contentFormat": ["plaintext"] },
            "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } },
        },
        "workspace": {
            "inlayHint": { "refreshSupport": true }, "codeLens": { "refreshSupport": true },
            "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create"] },
        },
        "window": { "showDocument": { "support": true } },
    })
}

/// The labels of the hints with their places. Somebody has asked for the challenges, and verdicts are off.
fn hints(client: &mut Client, uri: &str) -> Vec<(u64, u64, String)> {
    let hints = client.hints(uri);
    let number = |hint: &Value, key: &str| hint["position"][key].as_u64().unwrap();
    let shown = |hint: &Value| {
        (number(hint, "line"), number(hint, "character"), hint["label"].as_str().unwrap().trim().to_owned())
    };
    hints.iter().map(shown).collect()
}

fn only_challenges(client: &Client) {
    let settings = json!({ "settings": { "eval-ls": { "verdicts": "off" } } });
    client.notify("workspace/didChangeConfiguration", settings);
}

fn open(folder: &Folder, suite: &str) -> (Client, String) {
    let (client, uri) = Client::opened(capabilities(), folder, "evals/a.json", suite);
    only_challenges(&client);
    (client, uri)
}

/// The same after somebody has asked for the challenges.
fn open_challenged(folder: &Folder, suite: &str) -> (Client, String) {
    let (mut client, uri) = open(folder, suite);
    client.execute("challengeSuite", json!({ "uri": uri }));
    (client, uri)
}

#[test]
fn a_check_that_the_prompt_meets_has_a_hint_and_a_row() {
    let folder = Folder::with(&[]);
    let (mut client, uri) = open_challenged(&folder, SUITE);
    let (line, _, end) = SIGNALS;
    assert_eq!(
        hints(&mut client, &uri),
        [
            (1, 14, "passes 3 challenges".to_owned()),
            (u64::from(line), u64::from(end) + 1, "passes on the prompt alone".to_owned())
        ]
    );
    let hover = client.at("hover", &uri, line, end - 3);
    let page = hover["contents"]["value"].as_str().unwrap();
    assert!(
        page.contains("Challenges: notices silence and refusal; passes on echo, apology and keyword-soup."),
        "{page}"
    );
}

#[test]
fn the_hints_follow_an_edit() {
    let folder = Folder::with(&[]);
    let (mut client, uri) = open_challenged(&folder, SUITE);
    assert_eq!(hints(&mut client, &uri).len(), 2);
    let edit = json!([{ "range": range(1, 87, 87), "text": "^" }]);
    let document = json!({ "uri": uri, "version": 2 });
    client.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": edit }));
    assert_eq!(hints(&mut client, &uri), []);
}

#[test]
fn the_setting_turns_them_off() {
    let folder = Folder::with(&[]);
    let (mut client, uri) = open_challenged(&folder, SUITE);
    let settings = json!({ "settings": { "eval-ls": { "verdicts": "off", "challenges": false } } });
    client.notify("workspace/didChangeConfiguration", settings);
    assert_eq!(hints(&mut client, &uri), []);
}

#[test]
fn the_fixes_edit_the_suite_or_its_configuration() {
    let folder = Folder::with(&[("eval-ls.toml", "[run]\njobs = 1\n")]);
    let (mut client, uri) = open(&folder, SUITE);
    let (line, start, _) = SIGNALS;
    let context = json!({ "diagnostics": [], "only": ["quickfix"] });
    let actions = client.actions(&uri, range(line, start, start + 2), context);
    let reply =
        titled(&actions, "Match it in the reply only: set `prompt_counts = false` under [scoring] in eval-ls.toml");
    let change = &reply["edit"]["documentChanges"][0];
    assert_eq!(change["textDocument"]["uri"], folder.uri("eval-ls.toml"));
    assert_eq!(change["edits"][0]["newText"], "\n[scoring]\nprompt_counts = false\n");
    let anchor = titled(&actions, r"Anchor the pattern: `^\W*Signals`");
    assert_eq!(anchor["edit"]["documentChanges"][0]["edits"][0]["newText"], r#""^\\W*Signals""#);
}

#[test]
fn the_command_shows_a_page_and_then_a_lens() {
    let folder = Folder::with(&[]);
    let (mut client, uri) = open(&folder, SUITE);
    let about = |client: &mut Client| {
        client.lenses(&uri).into_iter().map(|(_, title)| title).find(|title| title.starts_with("Challenges"))
    };
    assert_eq!((about(&mut client), hints(&mut client, &uri)), (None, vec![]));
    client.execute("challengeSuite", json!({ "uri": uri }));
    let shown = client.wait_for("window/showDocument", |_| true);
    assert!(shown["params"]["uri"].as_str().unwrap().ends_with(".md"), "{shown}");
    client.refreshed("codeLens");
    assert_eq!(about(&mut client).unwrap(), "Challenges: 1 of 2 cases pass");
}

#[test]
fn a_brittle_check_has_a_note_a_row_and_the_fix_that_helps() {
    let suite = r#"{ "version": "0.2.0", "cases": [
  { "id": "A", "prompt": "How many?", "expected": { "must_say_any": ["12 bikes"] } }
] }"#;
    let answer = r#"{ "format": "eval-ls/transcript@1", "case": "A", "prompt": "How many?", "response": "There are 12 bikes." }"#;
    let folder = Folder::with(&[("eval-ls.toml", "[run]\njobs = 1\n"), ("evals/transcripts/a/A.json", answer)]);
    let (mut client, uri) = open_challenged(&folder, suite);
    // The answer is read by another thread.
    client.refreshed("inlayHint");
    let labels: Vec<String> = hints(&mut client, &uri).into_iter().map(|(_, _, label)| label).collect();
    assert!(labels.contains(&"fails if the answer is written differently".to_owned()), "{labels:?}");
    let hover = client.at("hover", &uri, 1, 72);
    let page = hover["contents"]["value"].as_str().unwrap();
    assert!(page.contains("Rewrites: passes 1 of 3; fails on bold-numbers and no-break-spaces."), "{page}");
    let context = json!({ "diagnostics": [], "only": ["quickfix"] });
    let actions = client.actions(&uri, range(1, 72, 72), context);
    let title = "Read the answer as a person does: set `reading = \"plain\"` under [scoring] in eval-ls.toml";
    let change = &titled(&actions, title)["edit"]["documentChanges"][0];
    assert_eq!(change["edits"][0]["newText"], "\n[scoring]\nreading = \"plain\"\n");
}

#[test]
fn checks_are_proposed_from_the_answer() {
    let suite = r#"{ "version": "0.2.0", "cases": [
  { "id": "A", "prompt": "How many?", "expected": {} }
] }"#;
    let answer = r#"{ "format": "eval-ls/transcript@1", "case": "A", "prompt": "How many?", "response": "There are 12 bikes." }"#;
    let bad = "There are 12 bikes, all broken.";
    let folder = Folder::with(&[
        ("eval-ls.toml", "[run]\njobs = 1\n"),
        ("evals/transcripts/a/A.json", answer),
        ("evals/samples/a/A/fail-broken.md", bad),
    ]);
    let (mut client, uri) = Client::opened(capabilities(), &folder, "evals/a.json", suite);
    client.refreshed("inlayHint");
    let context = json!({ "diagnostics": [], "only": ["refactor"] });
    let actions = client.actions(&uri, range(1, 10, 10), context);
    let is_proposal = |action: &&Value| action["title"].as_str().unwrap().contains("from the answer");
    let action = actions.as_array().unwrap().iter().find(is_proposal).unwrap_or_else(|| panic!("{actions}"));
    let title = action["title"].as_str().unwrap();
    assert!(title.starts_with("Add ") && title.contains(" from the answer: then "), "{title}");
    let edit = &action["edit"]["documentChanges"][0]["edits"][0];
    assert!(edit["newText"].as_str().unwrap().contains(")12("), "{edit}");
}
