//! Commands, one by one.

use serde_json::{Value, json};

use super::bench::{Bench, event, finished};
use crate::lsp::support::{Client, range};

/// Returns the content of the file that the client is asked to show.
fn shown(client: &Client) -> (String, String) {
    let mut shown = client.wait_for("window/showDocument", |_| true)["params"].take();
    let uri = shown["uri"].take().as_str().unwrap().to_owned();
    let path = uri.strip_prefix("file://").unwrap().replace("%7E", "~");
    (std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}")), path)
}

#[test]
fn commands_run_cases() {
    let (bench, mut client) = Bench::started("answer");
    // Only one suite is open, so the command does not need to name it.
    client.execute("runCase", json!({ "case": "B" }));
    assert_eq!(finished(&client, "B")["status"], "FAIL");
    client.execute("runFailed", json!({ "uri": bench.uri() }));
    assert_eq!(finished(&client, "B")["status"], "FAIL");
    event(&client, "finished");
    client.execute("runSuite", json!({ "uri": bench.uri() }));
    for case in ["A", "B", "C"] {
        finished(&client, case);
    }
    assert_eq!(bench.asked(), ["p2", "p2", "p1", "p2", "p3"]);
    assert!(!bench.folder.join("evals/transcripts/s/A.json").exists());
    assert_eq!(client.execute("stop", json!({})), json!({ "stopped": 0 }));

    assert_eq!(client.refuses("runCase", json!({})), "specify `case`");
    assert_eq!(client.refuses("fly", json!({})), "unknown command `eval-ls.fly`");
    client.open(&bench.folder.uri("evals/t.json"), 1, "{}");
    let why = client.refuses("runSuite", json!({}));
    assert_eq!(why, "specify `uri`: not exactly one suite is open");
    let why = client.refuses("runFailed", json!({ "uri": bench.folder.uri("evals/t.json") }));
    assert_eq!(why, "no case of this suite has failed");
}

#[test]
fn results_and_transcripts_are_shown() {
    let (bench, mut client) = Bench::started("answer");
    client.answer("window/showDocument", |_| Some(json!({ "success": true })));
    let of_case = json!({ "uri": bench.uri(), "case": "B" });
    let why = client.refuses("openResult", of_case.clone());
    assert_eq!(why, "no answer yet; run the case first");
    client.execute("runCase", of_case.clone());
    finished(&client, "B");

    let actions = client.actions(&bench.uri(), range(2, 5, 5), json!({ "only": ["eval-ls.show"] }));
    assert_eq!(actions[0]["title"], "Open the answer", "{actions}");
    client.execute("openResult", of_case.clone());
    let (page, path) = shown(&client);
    assert!(page.starts_with("# B · FAIL\n") && std::path::Path::new(&path).is_file(), "{path}: {page}");
    assert!(page.contains("✗ `must_not_say`: `to p2`") && page.contains("```text\nAnswer to p2\n```"), "{page}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
    client.execute("openResult", json!({ "uri": bench.uri() }));
    assert!(shown(&client).0.contains("3 cases: 1 failed, 2 not run"));
    // An accepted answer is on disk, and shown from there.
    let text = |client: &mut Client, kept: bool| {
        client.request("eval-ls/transcript", json!({ "uri": bench.uri(), "case": "B", "kept": kept }))
    };
    let mut answer = text(&mut client, false);
    assert_eq!((text(&mut client, true), &answer["uri"]), (Value::Null, &Value::Null));
    let in_memory = answer["text"].take();
    let in_memory = in_memory.as_str().unwrap();
    assert!(in_memory.contains("\"response\": \"Answer to p2\""), "{in_memory}");
    client.execute("acceptAsTranscript", of_case.clone());
    client.wait_for("eval-ls/verdictsChanged", |_| true);
    let kept = "evals/transcripts/s/B.json";
    assert_eq!(bench.folder.read(kept), in_memory);
    // A separate thread reads the file.
    let answer = (0..1000).map(|_| text(&mut client, false)).find(|answer| answer["uri"].is_string()).unwrap();
    assert_eq!(answer, json!({ "text": in_memory, "uri": bench.folder.uri(kept) }));
    let result = client.request("eval-ls/result", of_case.clone());
    assert!(result["text"].as_str().unwrap().contains("transcripts/s/B.json"), "{result}");
    assert_eq!(client.refuses("acceptAsTranscript", of_case), "no unsaved answer for case `B`");
}

#[test]
fn a_target_is_chosen() {
    let (bench, mut client) = Bench::started("answer");
    let target = |client: &mut Client| client.verdicts(&bench.uri())["target"].take();
    client.execute("chooseTarget", json!({ "uri": bench.uri(), "target": "replay" }));
    assert_eq!(target(&mut client), "replay");
    assert_eq!(client.refuses("chooseTarget", json!({ "target": "x" })), "target `x` does not exist");
    client.answer("window/showMessageRequest", |params| Some(params["actions"][0].clone()));
    client.execute("chooseTarget", json!({ "uri": bench.uri() }));
    let asked = client.wait_for("window/showMessageRequest", |_| true);
    assert_eq!(asked["params"]["actions"], json!([{ "title": "agent" }, { "title": "replay" }, { "title": "Cancel" }]));
    client.wait_for("eval-ls/verdictsChanged", |_| true);
    assert!((0..1000).any(|_| target(&mut client) == "agent"));
    // The setting of the client applies if no target was chosen.
    let mut client = bench.client_with(true, json!({ "target": "replay" }));
    assert_eq!(target(&mut client), "replay");
}

#[test]
fn the_status_has_suite_configuration_and_target() {
    let bench = Bench::new("answer");
    bench.folder.write("results/x.evals.json", "{}");
    let mut client = bench.client(true);
    client.answer("window/showDocument", |_| Some(json!({ "success": true })));
    for name in ["results/x.evals.json", "plain.json"] {
        client.open(&bench.folder.uri(name), 1, "{}");
    }
    let said = client.execute("showStatus", json!({}))["text"].take();
    let (page, _) = shown(&client);
    assert_eq!(page, said.as_str().unwrap());
    for expected in [
        concat!("# eval-ls ", env!("CARGO_PKG_VERSION")),
        "Limits: 256 KiB for eval-ls.toml; 16 MiB for a transcript; 256 MiB of memory for the answers of all open suites, of which 0.0 MiB are in use; 3 large results",
        "3 cases; 0 have a transcript on disk, 0 an answer in memory",
        "Memory for answers: 0.0 MiB",
        "Target `agent` runs a program (selected)",
        "Target `replay` replays transcripts",
        "Not a suite: the `[files].exclude` pattern `**/results/**` matches",
        "Not a suite: no `[files].include` pattern matches",
        "A suite: `[files].include` matches",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
}

#[test]
fn the_page_of_a_lint_is_shown() {
    let (_bench, mut client) = Bench::started("answer");
    client.answer("window/showDocument", |_| Some(json!({ "success": true })));
    client.execute("explainLint", json!({ "lint": "unknown-key" }));
    let (page, path) = shown(&client);
    assert!(page.starts_with("# unknown-key\n\n") && path.ends_with("/unknown-key.md"), "{path}: {page}");
    assert_eq!(client.refuses("explainLint", json!({})), "specify `lint`");
    let why = client.refuses("explainLint", json!({ "lint": "x" }));
    assert_eq!(why, "lint `x` does not exist");
}

#[test]
fn a_transcript_is_a_page_with_its_verdict() {
    let (bench, mut client) = Bench::started("answer");
    let of_case = json!({ "uri": bench.uri(), "case": "B" });
    assert_eq!(client.request("eval-ls/transcriptPage", of_case.clone()), Value::Null);
    client.execute("runCase", of_case.clone());
    finished(&client, "B");
    let page = client.request("eval-ls/transcriptPage", of_case);
    let data: Value = serde_json::from_str(page["data"].as_str().unwrap()).unwrap();
    let at = data["checks"].as_array().unwrap().iter().position(|check| check["outcome"] == "failed").unwrap();
    assert_eq!((&data["status"], &data["case"], &data["prompt"]), (&json!("FAIL"), &json!("B"), &json!("p2")));
    let marked = json!({ "text": "to p2", "marks": [{ "check": at }] });
    assert!(data["lines"][0].as_array().unwrap().contains(&marked), "{data}");
    assert_eq!(page["checks"][at]["check"], "must_not_say:to p2");
    assert!(page["checks"][at]["range"]["start"]["line"].is_u64(), "{page}");
    assert!(page["html"].as_str().unwrap().contains("default-src 'none'"));
}
