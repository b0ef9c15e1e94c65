//! How coding agents speak: no code actions, no versions, the whole text in each change. Findings are all that they show to
//! their model, so the text of a finding is enough to act on. `clients/` has the capabilities that each sends.

use serde_json::{Value, json};

use crate::lsp::support::{Client, codes, workspace_folder};
use crate::support::Folder;

const BROKEN: &str = r#"{ "name": "desk", "version": "0.2.0", "cases": [
  { "id": "HOURS1", "prompt": "When do you open?", "expected": { "must_say_ay": ["at ten"], "outcome": "respons_only" } }
] }
"#;

/// A session of an agent with these capabilities. It announces `folders`, else only `rootUri`; it `saves` the file that it has
/// written, else only changes it.
#[track_caller]
fn exchange(capabilities: &str, first_version: i32, does: &[&str]) {
    let transcript = json!({
        "format": "eval-ls/transcript@2", "case": "HOURS1", "prompt": "When do you open?", "setup_prompts": [],
        "response": "We open at nine.", "telemetry": []
    });
    let folder = Folder::with(&[("evals/transcripts/desk.evals/HOURS1.json", &transcript.to_string())]);
    let (uri, root) = (folder.uri("evals/desk.evals.json"), workspace_folder(&folder));
    folder.write("evals/desk.evals.json", BROKEN);
    let mut client = Client::start();
    let folders = if does.contains(&"folders") { json!([root]) } else { Value::Null };
    client.initialize(json!({
        "processId": std::process::id(), "rootUri": root["uri"], "workspaceFolders": folders,
        "capabilities": serde_json::from_str::<Value>(capabilities).unwrap(),
    }));
    client.open(&uri, first_version, BROKEN);
    let sent = client.next_diagnostics(&uri)["diagnostics"].take();
    // The verdict on the stored answer may have come with them.
    let of_lints = |it: &&Value| it["source"] == "eval-ls";
    let messages: Vec<&str> =
        sent.as_array().unwrap().iter().filter(of_lints).map(|it| it["message"].as_str().unwrap()).collect();
    assert_eq!(
        messages,
        [
            "the runner ignores the key `must_say_ay`; did you mean `must_say_any`? (help: rename to `must_say_any`)",
            "unknown value `respons_only`; did you mean `response_only`? (help: replace with `response_only`)"
        ]
    );

    let mut version = first_version;
    let mut write = |client: &Client, text: &str| {
        version += 1;
        folder.write("evals/desk.evals.json", text);
        client.change(&uri, version, json!([{ "text": text }]));
        if does.contains(&"saves") {
            client.save(&uri);
        }
    };
    // The stored answer is judged with the text as it is now.
    let fixed = BROKEN.replace("must_say_ay", "must_say_any").replace("respons_only", "response_only");
    write(&client, &fixed);
    let failed = client.wait_for("textDocument/publishDiagnostics", |params| {
        let diagnostics = params["diagnostics"].as_array().unwrap();
        !diagnostics.is_empty() && diagnostics.iter().all(|it| it["source"] == "eval-ls verdict")
    });
    let failed = &failed["params"]["diagnostics"];
    assert_eq!(codes(failed), ["must_say_any"], "{failed:#}");
    let message = failed[0]["message"].as_str().unwrap();
    assert!(message.starts_with("`at ten` is not said"), "{message}");

    write(&client, &fixed.replace("at ten", "at nine"));
    client.wait_for("textDocument/publishDiagnostics", |params| params["diagnostics"] == json!([]));
    client.close(&uri);
    assert!(client.stop().success());
}

#[test]
fn an_agent_learns_all_from_the_texts_of_findings() {
    exchange(include_str!("clients/claude-code.json"), 1, &["folders", "saves"]);
    exchange(include_str!("clients/copilot-cli.json"), 1, &["folders"]);
    exchange(include_str!("clients/opencode.json"), 0, &["folders"]);
    exchange("{}", 0, &[]);
}
