//! The kept runs, as clients list them.

use serde_json::{Value, json};

use super::bench::{Bench, event};
use crate::lsp::support::Client;

fn runs(client: &mut Client) -> Vec<Value> {
    client.request("eval-ls/runs", json!({}))["runs"].as_array().unwrap().clone()
}

fn command(client: &mut Client, command: &str, argument: &Value) {
    client.request("workspace/executeCommand", json!({ "command": command, "arguments": [argument] }));
}

#[test]
fn runs_are_listed_with_their_suites_and_cases() {
    let bench = Bench::new("answer");
    let mut client = bench.client(true);
    assert_eq!(runs(&mut client), [json!(null); 0]);
    bench.run(&mut client, &["A", "B"]);
    event(&client, "finished");
    client.wait_for("eval-ls/runsChanged", |_| true);
    let listed = runs(&mut client);
    let [run] = &listed[..] else { panic!("{listed:?}") };
    assert_eq!((&run["state"], &run["target"], &run["status"]), (&json!("ended"), &json!("agent"), &json!("FAIL")));
    assert_eq!(run["counts"], "1 passed, 1 failed");
    assert_eq!(run["id"], json!(bench.kept_runs()[0]));
    let suites = client.request("eval-ls/runCases", json!({ "run": run["uri"] }))["suites"].clone();
    let suite = &suites[0];
    assert_eq!((&suite["uri"], &suite["label"]), (&json!(bench.uri()), &json!("evals/s.json")));
    let mut cases: Vec<_> =
        suite["cases"].as_array().unwrap().iter().map(|case| (case["id"].clone(), case["status"].clone())).collect();
    cases.sort_by_key(|(id, _)| id.to_string());
    assert_eq!(cases, [(json!("A"), json!("PASS")), (json!("B"), json!("FAIL"))]);

    // Only the runs of this suite.
    let of = |uri: &str| json!({ "uri": uri });
    assert_eq!(client.request("eval-ls/runs", of(&bench.uri()))["runs"].as_array().unwrap().len(), 1);
    assert_eq!(client.request("eval-ls/runs", of(&bench.folder.uri("evals/t.json")))["runs"], json!([]));
}

#[test]
fn an_answer_of_a_run_is_a_page_with_its_verdict() {
    let bench = Bench::new("answer");
    let mut client = bench.client(true);
    bench.run(&mut client, &["A", "B"]);
    event(&client, "finished");
    let run = runs(&mut client)[0].clone();
    let of_run = json!({ "uri": bench.uri(), "case": "B", "run": run["uri"] });
    let page = client.request("eval-ls/transcriptPage", of_run.clone());
    let data: Value = serde_json::from_str(page["data"].as_str().unwrap()).unwrap();
    assert_eq!((&data["run"], &data["status"]), (&run["id"], &json!("FAIL")));
    assert!(data["about"].to_string().contains("judged by the current text"), "{data}");
    assert!(data["rendered"].to_string().contains("to p2"), "{data}");

    client.answer("window/showDocument", |params| {
        assert_eq!(params["external"], true);
        assert!(params["uri"].as_str().unwrap().ends_with("/B.html"), "{params}");
        Some(json!({ "success": true }))
    });
    command(&mut client, "eval-ls.openRunAnswer", &of_run);
    client.wait_for("window/showDocument", |_| true);

    let elsewhere = json!({ "uri": bench.uri(), "case": "B", "run": bench.folder.uri("elsewhere") });
    let id = client.send_request("eval-ls/transcriptPage", elsewhere);
    let why = client.response(id)["error"]["message"].as_str().unwrap().to_owned();
    assert!(why.ends_with("is not a run of this workspace"), "{why}");
}

#[test]
fn an_answer_of_a_run_is_judged_by_the_current_text_and_accepted() {
    let bench = Bench::new("answer");
    let mut client = bench.client(true);
    bench.run(&mut client, &["A", "B"]);
    event(&client, "finished");
    let run = runs(&mut client)[0]["uri"].clone();
    let of_run = json!({ "run": run, "uri": bench.uri(), "case": "B" });
    let edit = json!([{ "text": super::bench::SUITE.replace("\"to p2\"", "\"to p9\"") }]);
    client.change(&bench.uri(), 2, edit);
    let page = client.request("eval-ls/transcriptPage", of_run.clone());
    let data: Value = serde_json::from_str(page["data"].as_str().unwrap()).unwrap();
    assert_eq!(data["status"], "PASS", "{data}");

    command(&mut client, "eval-ls.acceptRunAnswer", &of_run);
    assert!(bench.folder.path("evals/transcripts/s/B.json").exists());
}

#[test]
fn pages_of_other_folders_and_of_cases_without_an_answer_are_refused() {
    let bench = Bench::new("answer");
    let mut client = bench.client(true);
    let refusal = |client: &mut Client, run: &Value, case: &str| {
        let of_run = json!({ "run": run, "uri": bench.uri(), "case": case });
        let params = json!({ "command": "eval-ls.openRunAnswer", "arguments": [of_run] });
        let id = client.send_request("workspace/executeCommand", params);
        client.response(id)["error"]["message"].as_str().unwrap().to_owned()
    };
    let why = refusal(&mut client, &json!(bench.folder.uri("elsewhere")), "A");
    assert!(why.ends_with("is not a run of this workspace"), "{why}");
    bench.run(&mut client, &["A"]);
    event(&client, "finished");
    let run = runs(&mut client)[0]["uri"].clone();
    assert_eq!(refusal(&mut client, &run, "C"), "the run has no answer of case `C`");
}
