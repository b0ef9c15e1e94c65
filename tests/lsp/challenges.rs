//! Challenges in the file: hints, hovers, fixes, the page and the lens.

use serde_json::{Value, json};

use crate::lsp::support::{Client, range};
use crate::support::Folder;

const SUITE: &str = r#"{ "version": "0.2.0", "cases": [
  { "id": "A", "prompt": "Add a section Signals.", "expected": { "must_match_regex": ["Signals"] } },
  { "id": "B", "prompt": "How many?", "expected": { "must_ground_numbers": [{ "value": "12" }] } }
] }"#;
const SIGNALS: (u32, u32, u32) = (1, 86, 95);
const B: &str = "evals/transcripts/a/B.json";
const TRANSCRIPT: &str =
    r#"{ "format": "eval-ls/transcript@1", "case": "B", "prompt": "How many?", "response": "Hello.\nThere are 12." }"#;

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
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let hints = client.request("textDocument/inlayHint", json!({ "textDocument": { "uri": uri }, "range": whole }));
    let hints = hints.as_array().cloned().unwrap_or_default();
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

fn open(folder: &Folder) -> (Client, String) {
    let uri = folder.uri("evals/a.json");
    let client = Client::session(capabilities(), &[folder]);
    only_challenges(&client);
    client.open(&uri, 1, SUITE);
    (client, uri)
}

/// The same after somebody has asked for the challenges.
fn open_challenged(folder: &Folder) -> (Client, String) {
    let (mut client, uri) = open(folder);
    let arguments = json!([{ "uri": uri }]);
    client.request("workspace/executeCommand", json!({ "command": "eval-ls.challengeSuite", "arguments": arguments }));
    (client, uri)
}

#[test]
fn a_check_that_the_prompt_meets_has_a_hint_and_a_row() {
    let folder = Folder::with(&[]);
    let (mut client, uri) = open_challenged(&folder);
    let (line, _, end) = SIGNALS;
    assert_eq!(
        hints(&mut client, &uri),
        [
            (1, 14, "passes 3 challenges".to_owned()),
            (u64::from(line), u64::from(end) + 1, "passes on the prompt alone".to_owned())
        ]
    );
    let at = json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": end - 3 } });
    let hover = client.request("textDocument/hover", at);
    let page = hover["contents"]["value"].as_str().unwrap();
    assert!(
        page.contains("Challenges: notices silence and refusal; passes on echo, apology and keyword-soup."),
        "{page}"
    );
}

#[test]
fn the_hints_follow_an_edit() {
    let folder = Folder::with(&[]);
    let (mut client, uri) = open_challenged(&folder);
    assert_eq!(hints(&mut client, &uri).len(), 2);
    let edit = json!([{ "range": range(1, 87, 87), "text": "^" }]);
    let document = json!({ "uri": uri, "version": 2 });
    client.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": edit }));
    assert_eq!(hints(&mut client, &uri), []);
}

#[test]
fn the_setting_turns_them_off() {
    let folder = Folder::with(&[]);
    let (mut client, uri) = open_challenged(&folder);
    let settings = json!({ "settings": { "eval-ls": { "verdicts": "off", "challenges": false } } });
    client.notify("workspace/didChangeConfiguration", settings);
    assert_eq!(hints(&mut client, &uri), []);
}

#[test]
fn the_fixes_edit_the_suite_or_its_configuration() {
    let folder = Folder::with(&[("eval-ls.toml", "[run]\njobs = 1\n")]);
    let (mut client, uri) = open(&folder);
    let (line, start, _) = SIGNALS;
    let context = json!({ "diagnostics": [], "only": ["quickfix"] });
    let params = json!({ "textDocument": { "uri": uri }, "range": range(line, start, start + 2), "context": context });
    let actions = client.request("textDocument/codeAction", params);
    let action = |title: &str| {
        let all = actions.as_array().unwrap();
        all.iter().find(|action| action["title"] == title).unwrap_or_else(|| panic!("{actions}"))
    };
    let reply = action("Match it in the reply only: set `prompt_counts = false` in eval-ls.toml");
    let change = &reply["edit"]["documentChanges"][0];
    assert_eq!(change["textDocument"]["uri"], folder.uri("eval-ls.toml"));
    assert_eq!(change["edits"][0]["newText"], "\n[scoring]\nprompt_counts = false\n");
    let anchor = action(r"Anchor the pattern: `^\W*Signals`");
    assert_eq!(anchor["edit"]["documentChanges"][0]["edits"][0]["newText"], r#""^\\W*Signals""#);
}

#[test]
fn the_command_shows_the_table_and_then_a_lens() {
    let folder = Folder::with(&[]);
    let (mut client, uri) = open(&folder);
    let lenses = |client: &mut Client| -> Vec<String> {
        let lenses = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
        lenses.as_array().unwrap().iter().map(|lens| lens["command"]["title"].as_str().unwrap().to_owned()).collect()
    };
    assert!(!lenses(&mut client).iter().any(|title| title.starts_with("Challenges")));
    let arguments = json!([{ "uri": uri }]);
    client.request("workspace/executeCommand", json!({ "command": "eval-ls.challengeSuite", "arguments": arguments }));
    let shown = client.wait_for("window/showDocument", |_| true);
    assert!(shown["params"]["uri"].as_str().unwrap().ends_with(".md"), "{shown}");
    client.wait_for("workspace/codeLens/refresh", |_| true);
    let lens = lenses(&mut client).into_iter().find(|title| title.starts_with("Challenges"));
    assert_eq!(lens.unwrap(), "Challenges: 1 of 2 cases pass · 1 of 4 checks worth nothing");
}

#[test]
fn an_answer_that_the_configuration_lists_is_a_challenge() {
    let folder =
        Folder::with(&[("eval-ls.toml", "[challenge]\nanswers = [\"answers/*.txt\"]\n"), ("answers/dozen.txt", "12")]);
    let (mut client, uri) = open_challenged(&folder);
    client.wait_for("workspace/inlayHint/refresh", |_| true);
    assert!(hints(&mut client, &uri).contains(&(2, 14, "passes the challenge dozen".to_owned())));
}

#[test]
fn a_check_that_passes_the_control_as_often_has_a_row() {
    let config = "[challenge]\ncontrol = \"target:control\"\n[targets.control]\nkind = \"command\"\ncommand = [\"cat\", \"control.json\"]\n";
    let folder = Folder::with(&[
        ("eval-ls.toml", config),
        ("control.json", r#"{ "response": "I see 12 of them." }"#),
        ("evals/a.json", SUITE),
        (B, TRANSCRIPT),
    ]);
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_eval-ls"))
        .args(["run", "--target", "control", "--cases", "B"])
        .current_dir(folder.join("."))
        .output()
        .unwrap();
    assert!(run.status.success(), "{run:?}");
    let (mut client, uri) = open_challenged(&folder);
    client.wait_for("workspace/inlayHint/refresh", |_| true);
    assert!(
        hints(&mut client, &uri).iter().any(|(line, _, label)| *line == 2 && label == "passes the control as often")
    );
    let at = json!({ "textDocument": { "uri": uri }, "position": { "line": 2, "character": 90 } });
    let hover = client.request("textDocument/hover", at);
    let page = hover["contents"]["value"].as_str().unwrap();
    assert!(page.contains("Control: passes 1 of 1 answers of the control, and 1 of 1 here."), "{page}");
}

#[test]
fn a_brittle_check_has_a_note_a_row_and_the_fix_that_helps() {
    let suite = r#"{ "version": "0.2.0", "cases": [
  { "id": "A", "prompt": "How many?", "expected": { "must_say_any": ["12 bikes"] } }
] }"#;
    let answer = r#"{ "format": "eval-ls/transcript@1", "case": "A", "prompt": "How many?", "response": "There are 12 bikes." }"#;
    let folder = Folder::with(&[("eval-ls.toml", "[run]\njobs = 1\n"), ("evals/transcripts/a/A.json", answer)]);
    let uri = folder.uri("evals/a.json");
    let mut client = Client::session(capabilities(), &[&folder]);
    only_challenges(&client);
    client.open(&uri, 1, suite);
    let arguments = json!([{ "uri": uri }]);
    client.request("workspace/executeCommand", json!({ "command": "eval-ls.challengeSuite", "arguments": arguments }));
    // The answer is read by another thread.
    client.wait_for("workspace/inlayHint/refresh", |_| true);
    let labels: Vec<String> = hints(&mut client, &uri).into_iter().map(|(_, _, label)| label).collect();
    assert!(labels.contains(&"fails if the answer is written differently".to_owned()), "{labels:?}");
    let at = json!({ "textDocument": { "uri": uri }, "position": { "line": 1, "character": 72 } });
    let hover = client.request("textDocument/hover", at);
    let page = hover["contents"]["value"].as_str().unwrap();
    assert!(page.contains("Rewrites: passes 1 of 3; fails on bold-numbers and no-break-spaces."), "{page}");
    let context = json!({ "diagnostics": [], "only": ["quickfix"] });
    let params = json!({ "textDocument": { "uri": uri }, "range": range(1, 72, 72), "context": context });
    let actions = client.request("textDocument/codeAction", params);
    let title = "Read the answer as a person does: set `reading = \"plain\"` in eval-ls.toml";
    let action = actions.as_array().unwrap().iter().find(|action| action["title"] == title);
    let change = &action.unwrap_or_else(|| panic!("{actions}"))["edit"]["documentChanges"][0];
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
    let uri = folder.uri("evals/a.json");
    let mut client = Client::session(capabilities(), &[&folder]);
    client.open(&uri, 1, suite);
    client.wait_for("workspace/inlayHint/refresh", |_| true);
    let context = json!({ "diagnostics": [], "only": ["refactor"] });
    let params = json!({ "textDocument": { "uri": uri }, "range": range(1, 10, 10), "context": &context });
    let actions = client.request("textDocument/codeAction", params);
    let is_proposal = |action: &&Value| action["title"].as_str().unwrap().contains("from the answer");
    let action = actions.as_array().unwrap().iter().find(is_proposal).unwrap_or_else(|| panic!("{actions}"));
    let title = action["title"].as_str().unwrap();
    assert!(title.starts_with("Add ") && title.contains(" from the answer: then "), "{title}");
    let edit = &action["edit"]["documentChanges"][0]["edits"][0];
    assert!(edit["newText"].as_str().unwrap().contains(")12("), "{edit}");

    // On the id, the answer can become a sample, under a name that is free.
    folder.write("evals/samples/a/A/fail-1.json", "{}");
    let params = json!({ "textDocument": { "uri": uri }, "range": range(1, 11, 11), "context": context });
    let actions = client.request("textDocument/codeAction", params);
    let title = "Store the answer as a bad sample, which the case must fail";
    let action = actions.as_array().unwrap().iter().find(|action| action["title"] == title);
    let changes = &action.unwrap_or_else(|| panic!("{actions}"))["edit"]["documentChanges"];
    assert_eq!(changes[0]["kind"], "create");
    assert!(changes[0]["uri"].as_str().unwrap().ends_with("/evals/samples/a/A/fail-2.json"), "{changes}");
    let text = changes[1]["edits"][0]["newText"].as_str().unwrap();
    assert_eq!(serde_json::from_str::<Value>(text).unwrap()["response"], "There are 12 bikes.");
}
