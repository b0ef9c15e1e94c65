//! Renaming of cases.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::lsp::support::{Client, edited, push, range};
use crate::support::Folder;

const SUITE: &str = r#"{ "cases": [ { "id": "A1", "expected": { "required_sources": ["desk"] } } ] }"#;
const TRANSCRIPT: &str = r#"{ "format": "eval-ls/transcript@1", "case": "A1", "response": "" }"#;

fn capabilities(operations: &[&str]) -> Value {
    let mut capabilities = push();
    capabilities["textDocument"]["rename"] = json!({ "prepareSupport": true });
    capabilities["workspace"] =
        json!({ "workspaceEdit": { "documentChanges": true, "resourceOperations": operations } });
    capabilities
}

const AT_ID: u32 = 23;

fn renaming(uri: &str, column: u32, name: &str) -> Value {
    json!({ "textDocument": { "uri": uri }, "position": { "line": 0, "character": column }, "newName": name })
}

/// What changes if the name at a column of the first line becomes another.
fn rename(client: &mut Client, uri: &str, column: u32, name: &str) -> Value {
    client.request("textDocument/rename", renaming(uri, column, name))["documentChanges"].take()
}

/// Why it cannot become another.
fn refusal(client: &mut Client, uri: &str, column: u32, name: &str) -> String {
    client.refused("textDocument/rename", renaming(uri, column, name))
}

/// A folder with a transcript, whose suite is open.
fn opened(capabilities: Value) -> (Folder, Client, String) {
    let folder = Folder::with(&[("evals/transcripts/a/A1.json", TRANSCRIPT)]);
    let (client, uri) = Client::opened(capabilities, &folder, "evals/a.json", SUITE);
    (folder, client, uri)
}

#[test]
fn a_renameable_name_has_a_range_and_a_placeholder() {
    let (_folder, mut client, uri) = opened(capabilities(&[]));
    let mut prepare = |column| client.at("prepareRename", &uri, 0, column);
    assert_eq!(prepare(AT_ID), json!({ "range": range(0, 22, 24), "placeholder": "A1" }));
    assert_eq!(prepare(3), Value::Null);
}

#[test]
fn the_transcript_of_a_case_is_renamed_too() {
    let (folder, mut client, uri) = opened(capabilities(&["create", "rename"]));
    let edits = json!([{ "range": range(0, 22, 24), "newText": "B 2" }]);
    let id = json!({ "textDocument": { "uri": uri, "version": 1 }, "edits": edits });
    let from = folder.uri("evals/transcripts/a/A1.json");
    let changes = rename(&mut client, &uri, AT_ID, "B 2");
    assert_eq!(changes[0], id);
    // VS Code cannot undo an edit of a file that follows its renaming.
    assert_eq!(changes[1]["textDocument"]["uri"], from.as_str());
    assert_eq!(changes[1]["edits"], json!([{ "range": range(0, 44, 48), "newText": "\"B 2\"" }]));
    assert_eq!((&changes[2]["kind"], &changes[2]["oldUri"]), (&json!("rename"), &json!(from)));
    assert!(changes[2]["newUri"].as_str().unwrap().ends_with("/B%25202.json"), "{changes}");

    let (_folder, mut client, uri) = opened(capabilities(&["create"]));
    let changes = rename(&mut client, &uri, AT_ID, "B 2");
    assert_eq!((changes.as_array().unwrap().len(), &changes[0]["edits"]), (1, &edits));
}

/// Neovim announces the operations without `documentChanges`.
#[test]
fn a_client_that_renames_files_accepts_document_changes() {
    let capabilities: Value = serde_json::from_str(include_str!("clients/neovim.json")).unwrap();
    assert_eq!(capabilities["workspace"]["workspaceEdit"].get("documentChanges"), None);
    let (folder, mut client, uri) = opened(capabilities);
    let result = client.request("textDocument/rename", renaming(&uri, AT_ID, "B"));
    assert_eq!(result.get("changes"), None);
    assert_eq!(result["documentChanges"][2]["kind"], "rename");
    assert_eq!(result["documentChanges"][2]["newUri"], folder.uri("evals/transcripts/a/B.json"));
}

#[test]
fn a_client_that_does_not_rename_files_gets_a_message() {
    let (_folder, mut client, uri) = opened(push());
    let result = client.request("textDocument/rename", renaming(&uri, AT_ID, "B 2"));
    assert_eq!(result["changes"][&uri][0]["newText"], "B 2");
    let because = "keeps its name, because this editor does not rename files; rename it to";
    assert_eq!(client.message(), format!("the transcript `A1.json` {because} `B%202.json`"));
}

#[test]
fn a_transcript_is_not_overwritten() {
    let (folder, mut client, uri) = opened(capabilities(&["rename"]));
    folder.write("evals/transcripts/a/B.json", "mine");
    let message = refusal(&mut client, &uri, AT_ID, "B");
    assert!(message.starts_with("the transcript `"), "{message}");
    assert!(message.ends_with("B.json` exists; remove it, or choose another id"), "{message}");
    let nothing = refusal(&mut client, &uri, 3, "B");
    assert_eq!(nothing, "nothing here can be renamed; place the cursor on the id of a case");
}

#[test]
fn rename_is_announced_as_the_client_supports_it() {
    let without_preparing = json!({ "textDocument": { "rename": {} } });
    for (capabilities, announced) in [
        (capabilities(&[]), json!({ "prepareProvider": true })),
        (without_preparing, json!(true)),
        (push(), json!(true)),
    ] {
        let result = Client::start().initialize(json!({ "capabilities": capabilities }));
        assert_eq!(result["capabilities"]["renameProvider"], announced);
    }
}

/// Does what an edit asks. Returns the texts that it changes.
fn applied(folder: &Folder, changes: &Value) -> Vec<String> {
    let name = |uri: &Value| {
        let name = uri.as_str().unwrap().strip_prefix(&folder.uri("")).unwrap().trim_start_matches('/');
        name.replace("%25", "%")
    };
    let mut edited_texts = Vec::new();
    for change in changes.as_array().unwrap() {
        if change["kind"] == "rename" {
            assert_eq!(change["options"]["overwrite"], false, "{change}");
            let [from, to] = ["oldUri", "newUri"].map(|key| folder.join(name(&change[key])));
            std::fs::create_dir_all(to.parent().unwrap()).and_then(|()| std::fs::rename(from, to)).unwrap();
            continue;
        }
        let name = name(&change["textDocument"]["uri"]);
        folder.write(&name, edited(&folder.read(&name), &change["edits"]));
        edited_texts.push(name);
    }
    edited_texts
}

/// Entries of the configuration name a case, too.
#[test]
fn a_case_is_renamed_wherever_it_is_named() {
    let config = "[[policy]]\ncases = \"A1\"\nrepeat = 2\n\n[[allow]]\nlint = \"vacuous-case\"\ncases = \"A*\"\nreason = \"r\"\n\n\
                  [[challenge.exceptions]]\ncases = \"A1\"\nreason = \"r\"\n";
    let transcript = r#"{ "format": "eval-ls/transcript@1", "case": "A1", "prompt": "p", "response": "yes" }"#;
    let folder = Folder::with(&[
        ("evals/a.json", STORED),
        ("eval-ls.toml", config),
        ("evals/transcripts/a/A1.json", transcript),
    ]);
    folder.run(&["run"]).ends(0);

    let (mut client, uri) = Client::opened(capabilities(&["create", "rename"]), &folder, "evals/a.json", STORED);
    let mut renamed = applied(&folder, &rename(&mut client, &uri, AT_ID, "B\"2"));
    renamed.sort();
    assert_eq!(renamed, ["eval-ls.toml", "evals/a.json", "evals/transcripts/a/A1.json"]);
    let config = folder.read("eval-ls.toml");
    assert!(!config.contains("A1") && config.contains("cases = \"A*\""), "{config}");
    assert_eq!(config.matches("B\\\"2").count(), 2, "{config}");
    folder.run(&["run"]).ends(0);
    // The entry of `[[allow]]` has lost its case.
    folder.run(&["check"]).prints(0, ["no case of this workspace matches this entry"]);
    folder.write("eval-ls.toml", config.replace("B\\\"2", "C"));
    let lost = ["[[policy]]", "[[challenge.exceptions]]"]
        .map(|table| format!("has the id `C`, which this entry of `{table}` names"));
    folder.run(&["check"]).prints(0, lost);
    client.stop();
}

const STORED: &str = r#"{ "cases": [ { "id": "A1", "prompt": "p", "expected": { "must_say_any": ["yes"] } } ] }"#;

/// Everything that is stored beside a suite `NAME` for a case `ID`, with the texts that name them.
fn stored(name: &str, id: &str) -> Vec<(String, String)> {
    let path = |path: &str| path.replace("NAME", name).replace("ID", id);
    [
        (
            "transcripts/NAME/ID.json",
            r#"{ "format": "eval-ls/transcript@2", "case": "ID", "prompt": "p", "response": "yes" }"#,
        ),
        ("transcripts/NAME/ID.png", "picture"),
        ("samples/NAME/ID/fail-1.md", "no"),
    ]
    .map(|(place, text)| (path(place), path(text)))
    .into()
}

/// What is stored beside the suites of a folder, without white space.
fn tree(folder: &Folder, below: &str) -> BTreeMap<String, String> {
    let files = folder.files().into_iter().filter_map(|(path, text)| {
        let path = path.to_str()?.strip_prefix(below)?.trim_start_matches('/').to_owned();
        let is_stored = ["transcripts/", "samples/"].iter().any(|shelf| path.starts_with(shelf));
        is_stored.then(|| (path, String::from_utf8(text).unwrap().split_whitespace().collect()))
    });
    files.collect()
}

fn expected(name: &str, id: &str) -> BTreeMap<String, String> {
    stored(name, id).into_iter().map(|(path, text)| (path, text.split_whitespace().collect())).collect()
}

fn with_stored(suite: &str, name: &str, id: &str, config: &str) -> Folder {
    let folder = Folder::with(&[("eval-ls.toml", config), (suite, STORED), ("evals/bad/x.md", "no")]);
    stored(name, id).iter().for_each(|(path, text)| drop(folder.write(format!("evals/{path}"), text)));
    folder
}

/// The finding about what is stored without a case. Does what its fix asks, and returns the title of it.
fn moved_back(client: &mut Client, folder: &Folder, uri: &str, column: u32) -> (Value, String) {
    let is_stray = |item: &&Value| item["code"] == "stored-without-case";
    let params = client.wait_for("textDocument/publishDiagnostics", |params| {
        params["uri"] == uri && params["diagnostics"].as_array().unwrap().iter().any(|found| is_stray(&found))
    });
    let found = params["params"]["diagnostics"].as_array().unwrap().iter().find(is_stray).unwrap();
    let context = json!({ "diagnostics": [found], "only": ["quickfix"] });
    let actions = client.actions(uri, range(0, column, column), context);
    let is_move = |action: &&Value| action["title"].as_str().unwrap().starts_with("Move what is stored for ");
    let fix = actions.as_array().unwrap().iter().find(is_move).unwrap();
    applied(folder, &fix["edit"]["documentChanges"]);
    (found.clone(), fix["title"].as_str().unwrap().to_owned())
}

/// Undo brings the text back, and not the files.
#[test]
fn a_rename_that_is_undone_has_a_finding_and_its_fix() {
    let config = "[[policy]]\ncases = \"A1\"\nrepeat = 2\n";
    let folder = with_stored("evals/a.json", "a", "A1", config);
    let (mut client, uri) = Client::opened(capabilities(&["create", "rename"]), &folder, "evals/a.json", STORED);
    client.diagnostics(&uri, 1);
    applied(&folder, &rename(&mut client, &uri, AT_ID, "LIST one"));
    let names = tree(&folder, "evals");
    assert_eq!(names.keys().filter(|name| name.contains("LIST%20one")).count(), 3, "{names:?}");
    client.change(&uri, 2, json!([{ "text": folder.read("evals/a.json") }]));
    client.save(&uri);

    // Undo.
    folder.write("evals/a.json", STORED);
    client.change(&uri, 3, json!([{ "text": STORED }]));
    let (found, fix) = moved_back(&mut client, &folder, &uri, AT_ID);
    assert_eq!(found["range"], range(0, 21, 25), "{found}");
    let message = found["message"].as_str().unwrap();
    assert!(message.contains("no case has the id `LIST one`") && message.contains("`A1` has the prompt"), "{message}");
    assert_eq!(fix, "Move what is stored for `LIST one` to `A1`");
    assert_eq!(tree(&folder, "evals"), expected("a", "A1"));
    assert_eq!(folder.read("eval-ls.toml"), config);
    client.stop();
}

#[test]
fn a_suite_that_was_renamed_elsewhere_gets_its_things_back() {
    let folder = with_stored("evals/a.evals.json", "a.evals", "A1", "");
    std::fs::rename(folder.join("evals/a.evals.json"), folder.join("evals/n.evals.json")).unwrap();
    let (mut client, uri) = Client::opened(capabilities(&["rename"]), &folder, "evals/n.evals.json", STORED);
    let (found, _) = moved_back(&mut client, &folder, &uri, 0);
    assert!(found["message"].as_str().unwrap().contains("no suite has the name `a.evals`"), "{found}");
    assert_eq!(tree(&folder, "evals"), expected("n.evals", "A1"));
    client.stop();
}
