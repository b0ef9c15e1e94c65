//! `eval-ls.toml` takes effect at once, for the suites to which it applies.

use serde_json::{Value, json};

use crate::lsp::support::{Client, codes, push, range};
use crate::support::Folder;

const TWICE: &str = r#"{ "cases": [ { "id": "A", "prompt": "p", "expected": { "outcome": "response_only", "must_say_any": ["a"] } },
                                  { "id": "A", "prompt": "q", "expected": { "outcome": "response_only", "must_say_any": ["a"] } } ] }"#;
const OFF: &str = "[lints]\nduplicate-case-id = \"off\"\n";

#[test]
fn a_lint_is_turned_off_and_on_again() {
    for say in [Client::files_changed, |client: &Client| client.save("file:///somewhere/else.json")] {
        let folder = Folder::with(&[]);
        let (client, uri) = Client::opened(push(), &folder, "deep/down/evals/a.json", TWICE);
        let mut found = Vec::new();
        for (file, text) in [
            ("eval-ls.toml", OFF),
            ("deep/eval-ls.toml", "[lints]\nduplicate-case-id = \"hint\"\n"),
            ("deep/eval-ls.toml", ""),
        ] {
            found.push(client.diagnostics(&uri, 1));
            folder.write(file, text);
            say(&client);
        }
        found.push(client.diagnostics(&uri, 1));
        folder.remove("deep/eval-ls.toml");
        say(&client);
        found.push(client.diagnostics(&uri, 1));
        let severities: Vec<_> = found.iter().map(|found| found[0]["severity"].clone()).collect();
        assert_eq!(severities, [json!(1), Value::Null, json!(4), json!(1), Value::Null]);
        // An edit without effect sends nothing.
        say(&client);
        client.change(&uri, 2, json!([]));
        client.diagnostics(&uri, 2);
        assert_eq!(client.untaken(), Vec::<Value>::new());
    }
}

/// Neovim on Linux does not watch files, and an editor outside of the client may write the file.
#[test]
fn a_change_of_the_file_is_noticed_with_the_next_edit_if_the_client_does_not_watch_files() {
    let folder = Folder::with(&[("eval-ls.toml", "")]);
    let (client, uri) = Client::opened(push(), &folder, "evals/a.json", TWICE);
    assert_eq!(codes(&client.diagnostics(&uri, 1)), ["duplicate-case-id"]);
    folder.write("eval-ls.toml", OFF);
    client.change(&uri, 2, json!([{ "range": range(0, 0, 0), "text": " " }]));
    // The diagnostics of the edit may be sent before those of the configuration.
    while client.diagnostics(&uri, 2) != json!([]) {}
}

#[test]
fn every_folder_has_its_configuration() {
    let (strict, lax) = (Folder::with(&[]), Folder::with(&[("eval-ls.toml", OFF)]));
    let client = Client::session(push(), &[&strict, &lax]);
    for (folder, expected) in [(&strict, &["duplicate-case-id"][..]), (&lax, &[])] {
        let uri = folder.uri("evals/a.json");
        client.open(&uri, 1, TWICE);
        assert_eq!(codes(&client.diagnostics(&uri, 1)), expected);
    }
}

#[test]
fn membership_follows_the_configuration() {
    let folder = Folder::with(&[]);
    let (plain, suite) = (folder.uri("plain.json"), folder.uri("evals/a.json"));
    let client = Client::session(push(), &[&folder]);
    client.open(&plain, 1, "[");
    client.change(&plain, 2, json!([{ "text": "{" }]));
    client.open(&suite, 1, "{");
    assert_eq!(codes(&client.diagnostics(&suite, 1)), ["invalid-json"]);
    folder.write("eval-ls.toml", "[files]\ninclude = [\"plain.json\"]\n");
    client.files_changed();
    assert_eq!(client.next_diagnostics(&suite), json!({ "uri": suite, "diagnostics": [] }));
    assert_eq!(codes(&client.diagnostics(&plain, 2)), ["invalid-json"]);
    folder.remove("eval-ls.toml");
    client.files_changed();
    assert_eq!(client.next_diagnostics(&plain), json!({ "uri": plain, "diagnostics": [] }));
    assert_eq!(codes(&client.diagnostics(&suite, 1)), ["invalid-json"]);
}

#[test]
fn added_and_removed_folders_take_effect() {
    let outer = Folder::with(&[("results/inner/there", "")]);
    let (client, uri) = Client::opened(push(), &outer, "results/inner/evals/a.json", "{");
    // By the outer folder it is a result; by the inner folder it is a suite.
    let inner = json!([{ "uri": outer.uri("results/inner"), "name": "inner" }]);
    client.change_folders(inner.clone(), json!([]));
    assert_eq!(codes(&client.diagnostics(&uri, 1)), ["invalid-json"]);
    client.change_folders(json!([]), inner);
    assert_eq!(client.next_diagnostics(&uri)["diagnostics"], json!([]));
}

#[test]
fn errors_in_the_configuration_are_diagnostics() {
    let folder = Folder::with(&[("eval-ls.toml", "[files]\ninclud = [\"*.json\"]\n")]);
    let uri = folder.uri("eval-ls.toml");
    let client = Client::session(push(), &[&folder]);
    let shown = client.next_diagnostics(&uri);
    assert_eq!(shown.get("version"), None);
    let fault = &shown["diagnostics"][0];
    assert_eq!((&fault["code"], &fault["range"]), (&json!("invalid-config"), &range(1, 0, 6)), "{shown}");
    folder.write("eval-ls.toml", "[run]\njobs = 0\n");
    client.files_changed();
    assert_eq!(client.next_diagnostics(&uri)["diagnostics"][0]["range"], range(1, 7, 8));
    folder.write("eval-ls.toml", "[run]\njobs = 2\n");
    client.files_changed();
    assert_eq!(client.next_diagnostics(&uri), json!({ "uri": uri, "diagnostics": [] }));
}
