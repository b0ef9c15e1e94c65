//! The kept runs, as clients list them.

use serde_json::{Value, json};

use super::bench::{Bench, event};
use crate::lsp::support::Client;

fn runs(client: &mut Client) -> Vec<Value> {
    client.request("eval-ls/runs", json!({}))["runs"].as_array().unwrap().clone()
}

fn page(client: &mut Client, params: Value) -> String {
    client.request("eval-ls/runPage", params)["text"].as_str().unwrap().to_owned()
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

    let report = page(&mut client, json!({ "run": run["uri"], "page": "report" }));
    assert!(report.contains("Target: `agent`") && report.contains("**FAIL** `B`, 1 of 4 checks failed"), "{report}");
    // Only the runs of this suite.
    let of = |uri: &str| json!({ "uri": uri });
    assert_eq!(client.request("eval-ls/runs", of(&bench.uri()))["runs"].as_array().unwrap().len(), 1);
    assert_eq!(client.request("eval-ls/runs", of(&bench.folder.uri("evals/t.json")))["runs"], json!([]));
    let answer = json!({ "run": run["uri"], "page": "answer", "uri": bench.uri(), "case": "B" });
    assert!(page(&mut client, answer).contains("Answer to p2"));
}

#[test]
fn an_answer_of_a_run_is_a_page_with_its_verdict() {
    let bench = Bench::new("answer");
    let mut client = bench.client(true);
    bench.run(&mut client, &["A", "B"]);
    event(&client, "finished");
    let run = runs(&mut client)[0].clone();
    let of_run = json!({ "uri": bench.uri(), "case": "B", "run": run["uri"] });
    let page = client.request("eval-ls/transcriptPage", of_run);
    let data: Value = serde_json::from_str(page["data"].as_str().unwrap()).unwrap();
    assert_eq!((&data["run"], &data["status"]), (&run["id"], &json!("FAIL")));
    assert!(data["about"].to_string().contains("judged by the current text"), "{data}");
    assert!(data["rendered"].to_string().contains("to p2"), "{data}");
    let elsewhere = json!({ "uri": bench.uri(), "case": "B", "run": bench.folder.uri("elsewhere") });
    let id = client.send_request("eval-ls/transcriptPage", elsewhere);
    let why = client.response(id)["error"]["message"].as_str().unwrap().to_owned();
    assert!(why.ends_with("is not a run of this workspace"), "{why}");
}

#[test]
fn answers_of_a_run_are_judged_by_the_current_text_and_accepted() {
    let bench = Bench::new("answer");
    let mut client = bench.client(true);
    bench.run(&mut client, &["A", "B"]);
    event(&client, "finished");
    let run = runs(&mut client)[0]["uri"].clone();
    let rescore = json!({ "run": run, "page": "rescore" });
    assert!(page(&mut client, rescore.clone()).contains("0 of 2 verdicts changed."));
    let edit = json!([{ "text": super::bench::SUITE.replace("\"to p2\"", "\"to p9\"") }]);
    client.change(&bench.uri(), 2, edit);
    let changed = page(&mut client, rescore);
    assert!(changed.contains("1 of 2 verdicts changed."), "{changed}");
    assert!(changed.contains("**FAIL → PASS** `B`, edited: expectations"), "{changed}");

    let accept = json!({ "run": run, "uri": bench.uri(), "case": "B" });
    let params = json!({ "command": "eval-ls.acceptRunAnswer", "arguments": [accept] });
    client.request("workspace/executeCommand", params);
    assert!(bench.folder.path("evals/transcripts/s/B.json").exists());
}

#[test]
fn pages_of_other_folders_are_refused() {
    let bench = Bench::new("answer");
    let mut client = bench.client(true);
    let other = bench.folder.uri("elsewhere");
    let id = client.send_request("eval-ls/runPage", json!({ "run": other, "page": "report" }));
    let why = client.response(id)["error"]["message"].as_str().unwrap().to_owned();
    assert!(why.ends_with("is not a run of this workspace"), "{why}");
    bench.run(&mut client, &["A"]);
    event(&client, "finished");
    let run = runs(&mut client)[0]["uri"].clone();
    let answer = json!({ "run": run, "page": "answer", "uri": bench.uri(), "case": "C" });
    let id = client.send_request("eval-ls/runPage", answer);
    assert_eq!(client.response(id)["error"]["message"], "the run has no answer of case `C`");
}
