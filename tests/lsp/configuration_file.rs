//! An open `eval-ls.toml` has errors and fixes, saved or not.

use serde_json::{Value, json};

use crate::lsp::support::{Client, push, range};
use crate::support::Folder;

const CONFIG: &str = "[run]\njob = 2\n";

fn opened(capabilities: Value) -> (Client, Folder, String) {
    let folder = Folder::with(&[("eval-ls.toml", "")]);
    let (client, uri) = Client::opened(capabilities, &folder, "eval-ls.toml", CONFIG);
    (client, folder, uri)
}

/// Waits until that number of errors is shown. The same errors may be sent twice.
fn errors(client: &Client, uri: &str, number: usize) -> Value {
    let fits = |params: &Value| params["uri"] == uri && params["diagnostics"].as_array().unwrap().len() == number;
    client.wait_for("textDocument/publishDiagnostics", fits)["params"]["diagnostics"].take()
}

#[test]
fn errors_follow_the_text_in_the_editor_until_it_is_closed() {
    let (client, _folder, uri) = opened(push());
    let found = errors(&client, &uri, 1);
    let message = found[0]["message"].as_str().unwrap();
    assert!(message.starts_with("unknown key `job` in `run`; did you mean `jobs`?"), "{message}");
    assert_eq!(found[0]["range"], range(1, 0, 3));
    client.change(&uri, 2, json!([{ "range": range(1, 0, 3), "text": "jobs" }]));
    errors(&client, &uri, 0);
    client.change(&uri, 3, json!([{ "range": range(1, 0, 4), "text": "x" }]));
    errors(&client, &uri, 1);
    // The file on disk has no error.
    client.close(&uri);
    errors(&client, &uri, 0);
}

#[test]
fn the_errors_of_a_file_in_use_come_back_when_it_is_closed() {
    let folder = Folder::with(&[("eval-ls.toml", CONFIG)]);
    let client = Client::session(push(), &[&folder]);
    let uri = folder.uri("eval-ls.toml");
    client.open(&folder.uri("evals/a.json"), 1, "{}");
    errors(&client, &uri, 1);
    client.open(&uri, 1, "");
    errors(&client, &uri, 0);
    client.close(&uri);
    errors(&client, &uri, 1);
}

#[test]
fn errors_stay_if_a_suite_is_opened_before_or_after_the_configuration() {
    for config_is_first in [true, false] {
        let folder = Folder::with(&[("eval-ls.toml", CONFIG)]);
        let client = Client::session(push(), &[&folder]);
        let (config, suite) = (folder.uri("eval-ls.toml"), folder.uri("evals/a.json"));
        let mut files = [(&config, CONFIG), (&suite, "{ \"cases\": [] }")];
        files.rotate_left(usize::from(!config_is_first));
        files.iter().for_each(|(uri, text)| client.open(uri, 1, text));
        // What was to be sent for the first text is sent before the errors of the second.
        client.change(&config, 2, json!([{ "range": range(2, 0, 0), "text": "#" }]));
        assert_eq!(client.diagnostics(&config, 2).as_array().unwrap().len(), 1);
        let later = client.untaken();
        let empty =
            |message: &&Value| message["params"]["uri"] == *config && message["params"]["diagnostics"] == json!([]);
        assert_eq!(later.iter().filter(empty).count(), 0, "{later:?}");
    }
}

#[test]
fn an_error_has_a_quick_fix() {
    let (mut client, _folder, uri) = opened(push());
    let diagnostics = errors(&client, &uri, 1);
    let actions = client.actions(&uri, range(1, 2, 2), json!({ "diagnostics": diagnostics }));
    let edit = json!({ "changes": { uri.clone(): [{ "range": range(1, 0, 3), "newText": "jobs" }] } });
    let fix = json!({ "title": "Change it to `jobs`", "kind": "quickfix", "isPreferred": true, "diagnostics": diagnostics, "edit": edit });
    assert_eq!(actions, json!([fix]));
    for (at, only) in [(range(0, 0, 1), json!(["quickfix"])), (range(1, 2, 2), json!(["refactor"]))] {
        assert_eq!(client.actions(&uri, at, json!({ "only": only })), json!([]));
    }
}
