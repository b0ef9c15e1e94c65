//! Renaming of cases and sources.

use serde_json::{Value, json};

use crate::lsp::support::{Client, push, range};
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

fn params(uri: &str, column: u32) -> Value {
    json!({ "textDocument": { "uri": uri }, "position": { "line": 0, "character": column } })
}

fn rename(client: &mut Client, uri: &str, column: u32, name: &str) -> Value {
    let mut params = params(uri, column);
    params["newName"] = name.into();
    let id = client.send_request("textDocument/rename", params);
    client.response(id)
}

const AT_ID: u32 = 23;
const AT_SOURCE: u32 = 64;

#[test]
fn a_renameable_name_has_a_range_and_a_placeholder() {
    let mut client = Client::session(capabilities(&[]), &[]);
    let uri = "file:///nowhere/a.evals.json";
    client.open(uri, 1, SUITE);
    let mut prepare = |column| client.request("textDocument/prepareRename", params(uri, column));
    assert_eq!(prepare(AT_ID), json!({ "range": range(0, 22, 24), "placeholder": "A1" }));
    assert_eq!(prepare(AT_SOURCE), json!({ "range": range(0, 63, 67), "placeholder": "desk" }));
    assert_eq!(prepare(3), Value::Null);
}

#[test]
fn the_transcript_of_a_case_is_renamed_too() {
    let folder = Folder::with(&[("evals/transcripts/a/A1.json", TRANSCRIPT)]);
    let uri = folder.uri("evals/a.json");
    let id = json!({ "textDocument": { "uri": uri, "version": 1 }, "edits": [{ "range": range(0, 22, 24), "newText": "B 2" }] });

    let mut client = Client::session(capabilities(&["create", "rename"]), &[&folder]);
    client.open(&uri, 1, SUITE);
    let from = folder.uri("evals/transcripts/a/A1.json");
    let changes = rename(&mut client, &uri, AT_ID, "B 2")["result"]["documentChanges"].take();
    assert_eq!(changes[0], id);
    // VS Code cannot undo an edit of a file that follows its renaming.
    assert_eq!(changes[1]["textDocument"]["uri"], from.as_str());
    assert_eq!(changes[1]["edits"], json!([{ "range": range(0, 44, 48), "newText": "\"B 2\"" }]));
    assert_eq!((&changes[2]["kind"], &changes[2]["oldUri"]), (&json!("rename"), &json!(from)));
    assert!(changes[2]["newUri"].as_str().unwrap().ends_with("/B%25202.json"), "{changes}");

    let mut client = Client::session(capabilities(&["create"]), &[&folder]);
    client.open(&uri, 1, SUITE);
    assert_eq!(rename(&mut client, &uri, AT_ID, "B 2")["result"]["documentChanges"], json!([id]));
}

/// Neovim announces the operations without `documentChanges`.
#[test]
fn a_client_that_renames_files_accepts_document_changes() {
    let folder = Folder::with(&[("evals/transcripts/a/A1.json", TRANSCRIPT)]);
    let uri = folder.uri("evals/a.json");
    for capabilities in [include_str!("clients/neovim.json"), include_str!("clients/neovim-0.10.json")] {
        let capabilities: Value = serde_json::from_str(capabilities).unwrap();
        assert_eq!(capabilities["workspace"]["workspaceEdit"].get("documentChanges"), None);
        let mut client = Client::session(capabilities, &[&folder]);
        client.open(&uri, 1, SUITE);
        let result = rename(&mut client, &uri, AT_ID, "B")["result"].take();
        assert_eq!(result.get("changes"), None);
        assert_eq!(result["documentChanges"][2]["kind"], "rename");
        assert_eq!(result["documentChanges"][2]["newUri"], folder.uri("evals/transcripts/a/B.json"));
    }
}

#[test]
fn a_client_that_does_not_rename_files_gets_a_message() {
    let folder = Folder::with(&[("evals/transcripts/a/A1.json", TRANSCRIPT)]);
    let uri = folder.uri("evals/a.json");
    let mut client = Client::session(push(), &[&folder]);
    client.open(&uri, 1, SUITE);
    let result = rename(&mut client, &uri, AT_ID, "B 2")["result"].take();
    assert_eq!(result["changes"][&uri][0]["newText"], "B 2");
    let message = client.wait_for("window/showMessage", |_| true)["params"]["message"].take();
    let expected = "the transcript `A1.json` keeps its name, because this editor does not rename files; \
                    rename it to `B%202.json`";
    assert_eq!(message, expected);
}

#[test]
fn a_transcript_is_not_overwritten() {
    let folder = Folder::with(&[("evals/transcripts/a/A1.json", TRANSCRIPT), ("evals/transcripts/a/B.json", "mine")]);
    let uri = folder.uri("evals/a.json");
    let mut client = Client::session(capabilities(&["rename"]), &[&folder]);
    client.open(&uri, 1, SUITE);
    let error = rename(&mut client, &uri, AT_ID, "B")["error"].take();
    assert_eq!(error["code"], -32803);
    let message = error["message"].as_str().unwrap();
    assert!(
        message.starts_with("the transcript `") && message.ends_with("B.json` exists; remove it, or choose another id"),
        "{message}"
    );
    let nothing = rename(&mut client, &uri, 3, "B")["error"].take();
    assert_eq!(nothing["message"], "nothing here can be renamed; place the cursor on a case id or a source name");
}

#[test]
fn a_source_is_renamed_in_the_whole_workspace() {
    let folder = Folder::with(&[
        ("eval-ls.toml", "[sources]\n# ours\ndesk = [\"ticket\"]\n"),
        ("evals/a.json", "not as it is in the editor"),
        ("evals/b.json", SUITE),
        ("evals/c.json", SUITE),
        ("evals/d.json", "{ \"cases\": [] }"),
        ("other/eval-ls.toml", ""),
        ("other/evals/e.json", SUITE),
    ]);
    let [a, b, c, config] =
        ["evals/a.json", "evals/b.json", "evals/c.json", "eval-ls.toml"].map(|name| folder.uri(name));
    let mut client = Client::session(capabilities(&[]), &[&folder]);
    client.open(&a, 4, SUITE);
    client.open(&b, 7, &format!("\n{SUITE}"));
    let changes = rename(&mut client, &a, AT_SOURCE, "help desk")["result"]["documentChanges"].take();
    let edit = |uri: &str, version: Value, line: u32, start: u32, end: u32, text: &str| {
        let edits = json!([{ "range": range(line, start, end), "newText": text }]);
        json!({ "textDocument": { "uri": uri, "version": version }, "edits": edits })
    };
    let expected = json!([
        edit(&a, json!(4), 0, 63, 67, "help desk"),
        edit(&b, json!(7), 1, 63, 67, "help desk"),
        edit(&c, Value::Null, 0, 63, 67, "help desk"),
        edit(&config, Value::Null, 2, 0, 4, "\"help desk\""),
    ]);
    assert_eq!(changes, expected);
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

fn renamed(from: &str, to: &str) -> Value {
    json!({ "files": [{ "oldUri": from, "newUri": to }] })
}

#[test]
fn transcripts_move_with_the_file_of_their_suite() {
    let files = [("evals/a.json", SUITE), ("evals/transcripts/a/A1.json", TRANSCRIPT), ("evals/other.txt", "")];
    let folder = Folder::with(&files);
    let mut client = Client::session(capabilities(&["rename"]), &[&folder]);
    let a = folder.uri("evals/a.json");
    for (to, transcripts) in
        [("evals/b.json", "evals/transcripts/b"), ("evals/more/a.json", "evals/more/transcripts/a")]
    {
        let edit = client.request("workspace/willRenameFiles", renamed(&a, &folder.uri(to)));
        let change = &edit["documentChanges"][0];
        assert_eq!(change["oldUri"], folder.uri("evals/transcripts/a"));
        assert_eq!(change["newUri"], folder.uri(transcripts));
        assert_eq!((change["kind"].as_str(), change["options"]["overwrite"].as_bool()), (Some("rename"), Some(false)));
    }
    // Other files have no transcripts, and other transcripts are not overwritten.
    let b = folder.uri("evals/b.json");
    let mut edit = |from: &str, to: &str| client.request("workspace/willRenameFiles", renamed(from, to));
    assert_eq!(edit(&folder.uri("evals/other.txt"), &b), Value::Null);
    assert_eq!(edit(&folder.uri("evals/missing.json"), &b), Value::Null);
    folder.write("evals/transcripts/b/A1.json", TRANSCRIPT);
    assert_eq!(edit(&a, &b), Value::Null);
}

#[test]
fn a_client_that_does_not_rename_folders_is_told_where_transcripts_are() {
    let folder = Folder::with(&[("evals/b.json", SUITE), ("evals/transcripts/a/A1.json", TRANSCRIPT)]);
    let mut client = Client::session(push(), &[&folder]);
    let renamed = renamed(&folder.uri("evals/a.json"), &folder.uri("evals/b.json"));
    assert_eq!(client.request("workspace/willRenameFiles", renamed.clone()), Value::Null);
    client.notify("workspace/didRenameFiles", renamed);
    let message = client.wait_for("window/showMessage", |_| true)["params"]["message"].take();
    assert_eq!(
        message,
        "the folder of transcripts `a` keeps its name, because this editor does not rename files; rename it to `b`"
    );
}

/// The text after these edits of the protocol. All of it is ASCII.
fn edited(text: &str, edits: &[Value]) -> String {
    let offset = |place: &Value| {
        let (line, column) = (place["line"].as_u64().unwrap() as usize, place["character"].as_u64().unwrap() as usize);
        text.split_inclusive('\n').take(line).map(str::len).sum::<usize>() + column
    };
    let mut edits: Vec<_> =
        edits.iter().map(|edit| (offset(&edit["range"]["start"]), offset(&edit["range"]["end"]), edit)).collect();
    edits.sort_by_key(|(start, ..)| std::cmp::Reverse(*start));
    let mut text = text.to_owned();
    edits.iter().for_each(|(start, end, edit)| text.replace_range(start..end, edit["newText"].as_str().unwrap()));
    text
}

/// Does what an edit asks. Returns the texts that it changes.
fn applied(folder: &Folder, changes: &Value) -> Vec<String> {
    let root = folder.uri("");
    let name = |uri: &Value| {
        let name = uri.as_str().unwrap().strip_prefix(&root).unwrap().trim_start_matches('/');
        name.replace("%25", "%")
    };
    let mut edited_texts = Vec::new();
    for change in changes.as_array().unwrap() {
        if change["kind"] == "rename" {
            let [from, to] = ["oldUri", "newUri"].map(|key| folder.join(&name(&change[key])));
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::rename(from, to).unwrap();
            continue;
        }
        let name = name(&change["textDocument"]["uri"]);
        let text = std::fs::read_to_string(folder.join(&name)).unwrap();
        std::fs::write(folder.join(&name), edited(&text, change["edits"].as_array().unwrap())).unwrap();
        edited_texts.push(name);
    }
    edited_texts
}

/// Entries of the configuration and baselines name a case, too.
#[test]
fn a_case_is_renamed_wherever_it_is_named() {
    let suite = r#"{ "cases": [ { "id": "A1", "prompt": "p", "expected": { "must_say_any": ["yes"] } } ] }"#;
    let config = "[[policy]]\ncases = \"A1\"\nrepeat = 2\n\n[[allow]]\nlint = \"vacuous-case\"\ncases = \"A*\"\nreason = \"r\"\n\n\
                  [[challenge.exceptions]]\ncases = \"A1\"\nreason = \"r\"\n";
    let transcript = r#"{ "format": "eval-ls/transcript@1", "case": "A1", "prompt": "p", "response": "yes" }"#;
    let folder =
        Folder::with(&[("evals/a.json", suite), ("eval-ls.toml", config), ("evals/transcripts/a/A1.json", transcript)]);
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_eval-ls"));
        let output = command.args(arguments).current_dir(folder.path()).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
    };
    assert_eq!(run(&["run"]).0, Some(0));
    assert_eq!(run(&["baseline", "accept"]).0, Some(0));

    let mut client = Client::session(capabilities(&["create", "rename"]), &[&folder]);
    let uri = folder.uri("evals/a.json");
    client.open(&uri, 1, suite);
    let changes = rename(&mut client, &uri, AT_ID, "B\"2")["result"]["documentChanges"].take();
    let mut renamed = applied(&folder, &changes);
    renamed.sort();
    let expected = ["eval-ls.toml", "evals/a.json", "evals/baselines/a.replay.json", "evals/transcripts/a/A1.json"];
    assert_eq!(renamed, expected);
    let config = std::fs::read_to_string(folder.join("eval-ls.toml")).unwrap();
    assert!(
        !config.contains("A1") && config.contains("cases = \"A*\"") && config.matches("B\\\"2").count() == 2,
        "{config}"
    );
    let (status, printed) = run(&["run", "--baseline"]);
    assert_eq!(status, Some(0), "{printed}");
    assert!(!printed.contains("any more") && !printed.contains("new"), "{printed}");

    // The entry of `[[allow]]` has lost its case.
    let (_, printed) = run(&["check"]);
    assert!(printed.contains("no case of this workspace matches this entry"), "{printed}");
    std::fs::write(folder.join("eval-ls.toml"), config.replace("B\\\"2", "C")).unwrap();
    let (_, printed) = run(&["check"]);
    for table in ["[[policy]]", "[[challenge.exceptions]]"] {
        assert!(
            printed.contains(&format!("has the id `C`, which this entry of `{table}` names")),
            "{table}: {printed}"
        );
    }
    client.stop();
}

const STORED: &str = r#"{ "cases": [ { "id": "A1", "prompt": "p", "expected": { "must_say_any": ["yes"] } } ] }"#;

/// Everything that is stored beside a suite `NAME` for a case `ID`, with the texts that name them.
fn stored(name: &str, id: &str) -> Vec<(String, String)> {
    let path = |path: &str| path.replace("NAME", name).replace("ID", id);
    [
        ("transcripts/NAME/ID.json", r#"{ "format": "eval-ls/transcript@2", "case": "ID", "prompt": "p", "response": "yes" }"#),
        ("transcripts/NAME/ID.png", "picture"),
        ("samples/NAME/ID/fail-1.md", "no"),
        (
            "baselines/NAME.replay.json",
            r#"{"format":"eval-ls/baseline@1","suite":"NAME.json","target":"replay","runs":[],"cases":[{"id":"ID","hash":"h","prompts":"p","hints":"h","attempts":[]}]}"#,
        ),
        (
            "baselines/NAME.gone.json",
            r#"{"format":"eval-ls/baseline@1","suite":"NAME.json","target":"gone","runs":[],"cases":[{"id":"ID","hash":"h","prompts":"p","hints":"h","attempts":[]}]}"#,
        ),
    ]
    .map(|(place, text)| (path(place), path(text)))
    .into()
}

/// The files below `folder` with their texts, without white space.
fn tree(folder: &Folder, below: &str) -> std::collections::BTreeMap<String, String> {
    let mut found = std::collections::BTreeMap::new();
    let mut folders = vec![folder.join(below)];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder.join(below)).unwrap().to_str().unwrap().to_owned();
            found.insert(name, std::fs::read_to_string(&path).unwrap().split_whitespace().collect());
        }
    }
    found
}

fn with_stored(suite: &str, name: &str, id: &str, config: &str) -> Folder {
    let folder = Folder::with(&[("eval-ls.toml", config), (suite, STORED)]);
    let beside = std::path::Path::new(suite).parent().unwrap().to_str().unwrap().to_owned();
    stored(name, id).iter().for_each(|(path, text)| drop(folder.write(format!("{beside}/{path}"), text)));
    folder
}

fn expected(name: &str, id: &str) -> std::collections::BTreeMap<String, String> {
    stored(name, id).into_iter().map(|(path, text)| (path, text.split_whitespace().collect())).collect()
}

const NAMES_THE_SUITE: &str = "[files]\ninclude = [\"evals/a.json\", \"evals/*.evals.json\", \"evals/a.jsonx\", \"other/*\"]\n\n\
    [challenge]\nanswers = [\"evals/bad/*.md\"]\n\n\
    [[allow]]\nlint = \"vacuous-case\"\nfiles = [\"evals/a.json\"]\nreason = \"r\"\n";

#[test]
fn every_kind_of_stored_thing_moves_with_the_file_of_its_suite() {
    for (to, name) in [("evals/b.json", "b"), ("evals/more/a.json", "a"), ("c d.evals.json", "c d.evals")] {
        let folder = with_stored("evals/a.json", "a", "A1", NAMES_THE_SUITE);
        folder.write("evals/bad/x.md", "no");
        let mut client = Client::session(capabilities(&["rename"]), &[&folder]);
        let to_uri = folder.uri(&to.replace(' ', "%20"));
        let edit = client.request("workspace/willRenameFiles", renamed(&folder.uri("evals/a.json"), &to_uri));
        let texts: Value = serde_json::from_str(&edit["documentChanges"].to_string().replace("%20", " ")).unwrap();
        applied(&folder, &texts);
        std::fs::rename(folder.join("evals/a.json"), folder.join(to)).unwrap();
        let beside = std::path::Path::new(to).parent().unwrap().to_str().unwrap().to_owned();
        let mut tree = tree(&folder, &beside);
        let others =
            |path: &String| ["transcripts/", "samples/", "baselines/"].iter().any(|start| path.starts_with(start));
        tree.retain(|path, _| others(path));
        // The names of suites are in the texts, too.
        let mut expected = expected(name, "A1");
        let file = std::path::Path::new(to).file_name().unwrap().to_str().unwrap();
        for text in expected.values_mut() {
            *text = text.replace(
                &format!("\"suite\":\"{}.json\"", name.replace(' ', "")),
                &format!("\"suite\":\"{}\"", file.replace(' ', "")),
            );
        }
        assert_eq!(tree, expected, "{to}");
        let config = std::fs::read_to_string(folder.join("eval-ls.toml")).unwrap();
        assert_eq!(config, NAMES_THE_SUITE.replace("\"evals/a.json\"", &format!("\"{to}\"")), "{to}");
        client.stop();
    }
}

#[test]
fn the_configuration_follows_a_folder_of_suites() {
    let folder = with_stored("evals/a.json", "a", "A1", NAMES_THE_SUITE);
    folder.write("evals/bad/x.md", "no");
    let mut client = Client::session(capabilities(&["rename"]), &[&folder]);
    let renamed = renamed(&folder.uri("evals"), &folder.uri("suites/new"));
    let edit = client.request("workspace/willRenameFiles", renamed);
    // All that is stored is in the folder, and moves with it.
    assert_eq!(edit["documentChanges"].as_array().unwrap().len(), 1, "{edit}");
    applied(&folder, &edit["documentChanges"]);
    let config = std::fs::read_to_string(folder.join("eval-ls.toml")).unwrap();
    assert_eq!(
        config,
        NAMES_THE_SUITE
            .replace("evals/a.json", "suites/new/a.json")
            .replace("evals/bad", "suites/new/bad")
            .replace("evals/*", "suites/new/*")
    );

    // Transcripts elsewhere do not move by themselves.
    let folder = Folder::with(&[
        ("eval-ls.toml", "[run]\ntranscripts = \"../kept\"\n"),
        ("evals/a.evals.json", STORED),
        ("kept/a.evals/A1.json", TRANSCRIPT),
    ]);
    let mut client = Client::session(capabilities(&["rename"]), &[&folder]);
    let mut moved = |to: &str| {
        let renamed = self::renamed(&folder.uri("evals"), &folder.uri(to));
        client.request("workspace/willRenameFiles", renamed)
    };
    assert_eq!(moved("suites"), Value::Null);
    let change = moved("deep/suites")["documentChanges"][0].take();
    assert_eq!(change["newUri"], folder.uri("deep/kept/a.evals").as_str(), "{change}");
}

#[test]
fn a_place_that_is_taken_keeps_what_it_has() {
    let folder = with_stored("evals/a.json", "a", "A1", "");
    folder.write("evals/samples/b/X/fail-1.md", "mine");
    let mut client = Client::session(capabilities(&["rename"]), &[&folder]);
    let edit =
        client.request("workspace/willRenameFiles", renamed(&folder.uri("evals/a.json"), &folder.uri("evals/b.json")));
    assert!(!edit.to_string().contains("/samples/"), "{edit}");
    let message = client.wait_for("window/showMessage", |_| true)["params"]["message"].take();
    let message = message.as_str().unwrap();
    assert!(message.starts_with("the folder of samples `") && message.ends_with("` exists"), "{message}");

    folder.write("evals/samples/a/B/fail-1.md", "mine");
    client.open(&folder.uri("evals/a.json"), 1, STORED);
    let error = rename(&mut client, &folder.uri("evals/a.json"), AT_ID, "B")["error"].take();
    let message = error["message"].as_str().unwrap();
    assert!(message.starts_with("the folder of samples `") && message.contains("B` exists; remove it"), "{message}");
}

/// The finding about what is stored without a case, and its fix.
fn stray(client: &mut Client, uri: &str, column: u32) -> (Value, Value) {
    let is_stray = |item: &Value| item["code"] == "stored-without-case";
    let params = client.wait_for("textDocument/publishDiagnostics", |params| {
        let diagnostics = params["diagnostics"].as_array();
        params["uri"] == uri && diagnostics.is_some_and(|found| found.iter().any(is_stray))
    });
    let found = params["params"]["diagnostics"].as_array().unwrap().iter().find(|item| is_stray(item)).unwrap().clone();
    let context = json!({ "diagnostics": [found], "only": ["quickfix"] });
    let at = json!({ "textDocument": { "uri": uri }, "range": range(0, column, column), "context": context });
    let actions = client.request("textDocument/codeAction", at);
    let is_move = |action: &&Value| action["title"].as_str().unwrap().starts_with("Move what is stored for ");
    (found, actions.as_array().unwrap().iter().find(is_move).unwrap().clone())
}

/// Undo brings the text back, and not the files.
#[test]
fn a_rename_that_is_undone_has_a_finding_and_its_fix() {
    let config = "[[policy]]\ncases = \"A1\"\nrepeat = 2\n";
    let folder = with_stored("evals/a.json", "a", "A1", config);
    let uri = folder.uri("evals/a.json");
    let mut client = Client::session(capabilities(&["create", "rename"]), &[&folder]);
    client.open(&uri, 1, STORED);
    client.diagnostics(&uri, 1);
    let changes = rename(&mut client, &uri, AT_ID, "LIST one")["result"]["documentChanges"].take();
    applied(&folder, &changes);
    let suite = std::fs::read_to_string(folder.join("evals/a.json")).unwrap();
    let only = |tree: std::collections::BTreeMap<String, String>| {
        tree.into_iter().filter(|(path, _)| path != "a.json").collect::<std::collections::BTreeMap<_, _>>()
    };
    let names = |folder: &Folder| only(tree(folder, "evals")).into_keys().collect::<Vec<_>>();
    assert_eq!(names(&folder).iter().filter(|name| name.contains("LIST%20one")).count(), 3, "{:?}", names(&folder));
    client.change(&uri, 2, json!([{ "text": suite }]));
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));

    // Undo.
    folder.write("evals/a.json", STORED);
    client.change(&uri, 3, json!([{ "text": STORED }]));
    let (found, fix) = stray(&mut client, &uri, AT_ID);
    assert_eq!(found["range"], range(0, 21, 25), "{found}");
    let message = found["message"].as_str().unwrap();
    assert!(message.contains("no case has the id `LIST one`") && message.contains("`A1` has the prompt"), "{message}");
    assert_eq!(fix["title"], "Move what is stored for `LIST one` to `A1`");
    applied(&folder, &fix["edit"]["documentChanges"]);
    assert_eq!(only(tree(&folder, "evals")), expected("a", "A1"));
    assert_eq!(std::fs::read_to_string(folder.join("eval-ls.toml")).unwrap(), config);
    client.stop();
}

#[test]
fn an_id_that_is_edited_by_hand_has_a_finding_and_its_fix() {
    let folder = with_stored("evals/a.json", "a", "A1", "");
    let uri = folder.uri("evals/a.json");
    let mut client = Client::session(capabilities(&["create", "rename"]), &[&folder]);
    client.open(&uri, 1, STORED);
    client.diagnostics(&uri, 1);
    client.change(&uri, 2, json!([{ "range": range(0, 22, 24), "text": "Other" }]));
    let (_, fix) = stray(&mut client, &uri, AT_ID);
    applied(&folder, &fix["edit"]["documentChanges"]);
    let mut left = tree(&folder, "evals");
    left.remove("a.json");
    assert_eq!(left, expected("a", "Other"));
    client.stop();
}

#[test]
fn a_suite_that_was_renamed_elsewhere_gets_its_things_back() {
    let folder = with_stored("evals/a.evals.json", "a.evals", "A1", "");
    std::fs::rename(folder.join("evals/a.evals.json"), folder.join("evals/n.evals.json")).unwrap();
    let uri = folder.uri("evals/n.evals.json");
    let mut client = Client::session(capabilities(&["rename"]), &[&folder]);
    client.open(&uri, 1, STORED);
    let (found, fix) = stray(&mut client, &uri, 0);
    assert!(found["message"].as_str().unwrap().contains("no suite has the name `a.evals`"), "{found}");
    applied(&folder, &fix["edit"]["documentChanges"]);
    let mut left = tree(&folder, "evals");
    left.remove("n.evals.json");
    assert_eq!(left, expected("n.evals", "A1"));
    client.stop();
}
