//! Fixes as code actions.

use serde_json::{Value, json};

use crate::lsp::support::{Client, edited, push, range, texts, titled};
use crate::support::Folder;

const URI: &str = "file:///nowhere/a.evals.json";

/// Opens a text as version 1 and requests its code actions.
fn actions(capabilities: Value, text: &str, asked: Value, only: Value) -> Value {
    let mut client = Client::reading(capabilities, URI, text);
    let context = json!({ "diagnostics": client.diagnostics(URI, 1), "only": only });
    client.actions(URI, asked, context)
}

fn versioned() -> Value {
    let mut capabilities = push();
    capabilities["workspace"] = json!({ "workspaceEdit": { "documentChanges": true } });
    capabilities
}

fn titles(actions: &Value) -> Vec<&str> {
    texts(actions, "title")
}

const EXPLAIN: &str = "Explain `invalid-json`";
const TRAILING: &str = "{ \"cases\": [ ], }\n";

#[test]
fn a_fix_names_the_version_of_the_document_and_explains_its_lint() {
    let found = actions(versioned(), TRAILING, range(0, 14, 14), json!(["quickfix"]));
    let diagnostics = json!([{
        "range": range(0, 14, 15), "severity": 1, "code": "invalid-json", "source": "eval-ls",
        "message": "trailing comma before `}`",
    }]);
    let edits = json!([{ "range": range(0, 14, 15), "newText": "" }]);
    let fix = json!({
        "title": "Remove the trailing comma", "kind": "quickfix", "isPreferred": true, "diagnostics": diagnostics,
        "edit": { "documentChanges": [{ "textDocument": { "uri": URI, "version": 1 }, "edits": edits }] },
    });
    let command =
        json!({ "title": EXPLAIN, "command": "eval-ls.explainLint", "arguments": [{ "lint": "invalid-json" }] });
    let explain = json!({
        "title": EXPLAIN, "kind": "quickfix", "isPreferred": false, "diagnostics": diagnostics, "command": command,
    });
    assert_eq!(found, json!([fix, explain]));

    // A client that does not support versions.
    let plain = actions(push(), TRAILING, range(0, 14, 14), json!(["quickfix"]));
    assert_eq!(
        plain[0],
        json!({
            "title": "Remove the trailing comma", "kind": "quickfix", "isPreferred": true, "diagnostics": diagnostics,
            "edit": { "changes": { URI: edits } },
        })
    );
}

#[test]
fn only_requested_kinds_are_returned() {
    for (asked, only, expected) in [
        (range(0, 14, 14), Value::Null, &["Remove the trailing comma", EXPLAIN, "Apply all safe fixes"][..]),
        (
            range(0, 0, 17),
            json!([""]),
            &["Remove the trailing comma", "Explain `empty-suite`", EXPLAIN, "Apply all safe fixes"],
        ),
        (range(0, 15, 15), json!(["quickfix"]), &["Remove the trailing comma", EXPLAIN]),
        (range(0, 0, 1), Value::Null, &["Apply all safe fixes"]),
        (range(0, 0, 1), json!(["source"]), &["Apply all safe fixes"]),
        (range(0, 0, 1), json!(["source.fixAll"]), &["Apply all safe fixes"]),
        (range(0, 0, 1), json!(["source.fixAll.eval-ls"]), &["Apply all safe fixes"]),
        (range(0, 0, 1), json!(["source.fixAll.eval"]), &[]),
        (range(0, 14, 14), json!(["refactor", "source.organizeImports"]), &[]),
    ] {
        let actions = actions(versioned(), TRAILING, asked, only.clone());
        assert_eq!(titles(&actions), expected, "{only}");
    }
    // One action applies all.
    let text = "{ \"cases\": [ { \"id\": \"A\", }, ], }\n";
    let actions = actions(push(), text, range(0, 0, 0), json!(["source.fixAll"]));
    let edits = actions[0]["edit"]["changes"][URI].as_array().unwrap();
    let ranges: Vec<_> = edits.iter().map(|edit| edit["range"].clone()).collect();
    assert_eq!(ranges, [range(0, 24, 25), range(0, 27, 28), range(0, 30, 31)]);
}

const HINTS: &str = r#"{ "cases": [ { "id": "B", "category": "c", "prompt": "p", "expected": { "outcome": "response_only", "ui": ["A list.", "A map."] } },
  { "id": "A", "category": "c", "prompt": "q", "expected": { "outcome": "response_only", "must_not_say": ["no"] } } ] }"#;

/// Requests the code actions at a column of the first line of a suite in a folder.
fn actions_in(folder: &Folder, capabilities: Value, column: u32, mut context: Value) -> Value {
    let (mut client, uri) = Client::opened(capabilities, folder, "deep/evals/a.json", HINTS);
    context["diagnostics"] = client.diagnostics(&uri, 1);
    client.actions(&uri, range(0, column, column), context)
}

fn with_operations() -> Value {
    let mut capabilities = versioned();
    capabilities["workspace"]["workspaceEdit"]["resourceOperations"] = json!(["create", "rename"]);
    capabilities
}

const AT_HINT: u32 = 108;

#[test]
fn hints_and_levels_are_written_to_the_nearest_configuration() {
    let folder = Folder::with(&[("deep/eval-ls.toml", "# ours\n[lints]\nvacuous-case = \"hint\"\n")]);
    let actions = actions_in(&folder, versioned(), AT_HINT, json!({ "only": ["quickfix"] }));
    let expected = [
        "Define the UI hint `A list.`",
        "Define the 2 UI hints of this suite",
        "Explain `undefined-ui-hint`",
        "Allow `undefined-ui-hint` in the case `B`",
        "Turn `undefined-ui-hint` off in this workspace",
    ];
    assert_eq!(titles(&actions), expected);
    let of_file = json!({ "uri": folder.uri("deep/eval-ls.toml"), "version": null });
    let phrases = "all = [\"\"]  # the phrases that are on the page if the hint is met";
    let entry = |hint: &str| format!("\n[[ui_hints]]\nhint = \"{hint}\"\n{phrases}\n");
    let end = range(3, 0, 0);
    for (action, is_preferred, text) in [
        (&actions[0], true, entry("A list.")),
        (&actions[1], false, entry("A list.") + &entry("A map.")),
        (&actions[4], false, "undefined-ui-hint = \"off\"\n".to_owned()),
    ] {
        let edits = json!([{ "range": end, "newText": text }]);
        assert_eq!(action["edit"], json!({ "documentChanges": [{ "textDocument": of_file, "edits": edits }] }));
        assert_eq!(action["isPreferred"], is_preferred);
        assert_eq!(action["diagnostics"][0]["code"], "undefined-ui-hint");
    }
}

#[test]
fn actions_that_turn_lints_off_are_the_last() {
    let text = r#"{ "cases": [ { "id": "B", "prompt": "Say hello.", "expected": { "ui": ["A list."], "must_say_any": ["hello", ""] } } ] }"#;
    let folder = Folder::with(&[("eval-ls.toml", "")]);
    let (mut client, uri) = Client::opened(versioned(), &folder, "evals/a.json", text);
    let context = json!({ "diagnostics": client.diagnostics(&uri, 1), "only": ["quickfix"] });
    let actions = client.actions(&uri, range(0, 0, text.len() as u32), context);
    let titles = titles(&actions);
    let first = |start: &str| titles.iter().position(|title| title.starts_with(start)).unwrap();
    assert!(first("Explain ") < first("Allow "), "{titles:?}");
    let turning_off = &titles[first("Turn ")..];
    assert!(turning_off.len() > 1 && turning_off.iter().all(|title| title.starts_with("Turn ")), "{titles:?}");
}

#[test]
fn a_hint_stays_undefined_until_its_author_writes_a_phrase_at_the_place_that_is_shown() {
    let mut capabilities = versioned();
    capabilities["window"] = json!({ "showDocument": { "support": true } });
    let folder = Folder::with(&[("eval-ls.toml", "[lints]\n")]);
    let mut client = Client::session(capabilities, &[&folder]);
    client.answer("window/showDocument", |_| Some(json!({ "success": true })));
    let (suite, config) = (folder.uri("evals/a.json"), folder.uri("eval-ls.toml"));
    client.open(&suite, 1, HINTS);
    let context = json!({ "diagnostics": client.diagnostics(&suite, 1), "only": ["quickfix"] });
    let first_action =
        |client: &mut Client| client.actions(&suite, range(0, AT_HINT, AT_HINT), context.clone())[0].take();
    let define = first_action(&mut client);
    assert_eq!(define["title"], "Define the UI hint `A list.`");
    let argument = json!({ "uri": config, "range": range(4, 8, 8) });
    let opens =
        json!({ "title": "Open eval-ls.toml", "command": "eval-ls.openConfiguration", "arguments": [argument] });
    assert_eq!(define["command"], opens);

    // The client applies the edit, and does not save it.
    let edited = "[lints]\n\n[[ui_hints]]\nhint = \"A list.\"\nall = [\"\"]\n";
    client.open(&config, 1, edited);
    client.request("workspace/executeCommand", json!({ "command": opens["command"], "arguments": [argument] }));
    let shown = client.wait_for("window/showDocument", |_| true);
    assert_eq!(shown["params"], json!({ "uri": config, "takeFocus": true, "selection": range(4, 8, 8) }));

    // The saved entry is an error, and defines nothing.
    folder.write("eval-ls.toml", edited);
    client.save(&config);
    let errors = client.next_diagnostics(&config);
    assert_eq!(errors["diagnostics"][0]["message"], "empty string in `all`");
    let complete = first_action(&mut client);
    assert_eq!(complete["title"], "Complete the UI hint `A list.`");
    assert_eq!((&complete["command"], complete.get("edit")), (&opens, None));
    assert_eq!(complete["diagnostics"][0]["code"], "undefined-ui-hint");
}

#[test]
fn only_a_configuration_is_opened_as_one() {
    let mut client = Client::session(versioned(), &[]);
    let mut refused = |argument: Value| client.refuses("openConfiguration", argument);
    assert_eq!(refused(json!({})), "specify `uri`, that of an eval-ls.toml");
    for uri in ["file:///nowhere/a.json", "untitled:eval-ls.toml"] {
        assert_eq!(refused(json!({ "uri": uri })), format!("`{uri}` is not an eval-ls.toml"));
    }
}

#[test]
fn a_missing_configuration_is_created_if_the_client_can() {
    let folder = Folder::with(&[]);
    let actions = actions_in(&folder, with_operations(), AT_HINT, json!({ "only": ["quickfix"] }));
    let uri = folder.uri("eval-ls.toml");
    let edits = json!([{ "range": range(0, 0, 0), "newText": "[lints]\nundefined-ui-hint = \"off\"\n" }]);
    let changes = json!({ "documentChanges": [
        { "kind": "create", "uri": uri, "options": { "ignoreIfExists": true } },
        { "textDocument": { "uri": uri, "version": null }, "edits": edits },
    ] });
    assert_eq!(actions[4]["edit"], changes);
    for capabilities in [versioned(), push()] {
        let actions = actions_in(&folder, capabilities, AT_HINT, json!({ "only": ["quickfix"] }));
        assert_eq!(titles(&actions), ["Explain `undefined-ui-hint`"]);
    }
    // An unreadable file is not overwritten.
    folder.write("eval-ls.toml", b"\xff");
    let actions = actions_in(&folder, with_operations(), AT_HINT, json!({ "only": ["quickfix"] }));
    assert_eq!(titles(&actions), ["Explain `undefined-ui-hint`"]);
}

#[test]
fn the_text_in_the_editor_is_edited() {
    let folder = Folder::with(&[("eval-ls.toml", "")]);
    let mut client = Client::session(versioned(), &[&folder]);
    let (suite, config) = (folder.uri("evals/a.json"), folder.uri("eval-ls.toml"));
    client.open(&config, 7, "[lints]\r\n");
    client.open(&suite, 1, HINTS);
    let context = json!({ "diagnostics": client.diagnostics(&suite, 1), "only": ["quickfix"] });
    let actions = client.actions(&suite, range(0, AT_HINT, AT_HINT), context);
    let edit = &actions[4]["edit"]["documentChanges"][0];
    assert_eq!(edit["textDocument"], json!({ "uri": config, "version": 7 }));
    let edits = json!([{ "range": range(1, 0, 0), "newText": "undefined-ui-hint = \"off\"\r\n" }]);
    assert_eq!(edit["edits"], edits);
}

#[test]
fn refactorings_are_returned_on_request() {
    let folder = Folder::with(&[]);
    let all = ["Duplicate this case as `B2`"];
    for (context, expected) in [
        (json!({}), &all[..]),
        (json!({ "triggerKind": 1 }), &all),
        (json!({ "triggerKind": 2 }), &[]),
        (json!({ "only": ["refactor"] }), &all),
        (json!({ "only": ["source"] }), &[]),
        (json!({ "only": ["source.fixAll"] }), &[]),
    ] {
        let actions = actions_in(&folder, push(), 20, context.clone());
        // Other tests check the actions that run a case.
        let titles: Vec<_> = titles(&actions).into_iter().filter(|title| !title.starts_with("Run ")).collect();
        assert_eq!(titles, expected, "{context}");
    }
}

#[test]
fn all_findings_of_a_lint_are_fixed_together() {
    let text = "{ \"cases\": [{ \"id\": \"A\", \"promt\": \"p\", \"expected\": { \"must_sya_any\": [\"x\"] } }] }";
    let title = "Fix all `unknown-key` in this file";
    let found = actions(push(), text, range(0, 26, 26), json!(["quickfix"]));
    let fixed = edited(text, &titled(&found, title)["edit"]["changes"][URI]);
    assert_eq!(fixed, text.replace("promt", "prompt").replace("must_sya", "must_say"));
    // It is of more than one finding.
    let found = actions(push(), &text.replace("sya", "say"), range(0, 26, 26), json!(["quickfix"]));
    assert!(!titles(&found).contains(&title), "{found}");
}

#[test]
fn edits_of_the_whole_file_are_made_when_they_are_chosen() {
    let text = HINTS.replace("\"category\": \"c\", ", "").replace("[\"no\"]", "[\"no\", \"no\",]");
    let offered = |capabilities: Value| {
        let mut client = Client::reading(capabilities, URI, &text);
        let action = client.actions(URI, range(0, 0, 0), json!({ "only": ["source.fixAll.eval-ls"] }))[0].take();
        (client, action)
    };
    let (_, whole) = offered(push());
    assert!(whole["edit"]["changes"][URI].is_array(), "{whole}");
    let mut capabilities = push();
    capabilities["textDocument"]["codeAction"]["dataSupport"] = true.into();
    capabilities["textDocument"]["codeAction"]["resolveSupport"] = json!({ "properties": ["edit"] });
    let (mut client, unresolved) = offered(capabilities);
    assert_eq!((unresolved.get("edit"), &unresolved["title"]), (None, &whole["title"]));
    let mut resolved = client.request("codeAction/resolve", unresolved.clone());
    assert_eq!(resolved["edit"], whole["edit"]);
    client.close(URI);
    assert_eq!(client.request("codeAction/resolve", unresolved.clone()), unresolved);
    resolved.as_object_mut().unwrap().remove("data");
    assert_eq!(client.request("codeAction/resolve", resolved.clone()), resolved);
}
