//! The HTML page of a run, and the last answer beside the baseline.

use std::process::Command;

use serde_json::{Value, json};

use super::bench::{Bench, event};
use super::commands::shown;
use crate::lsp::support::{Client, range};

fn command(client: &mut Client, command: &str, argument: Value) -> Value {
    client.request("workspace/executeCommand", json!({ "command": command, "arguments": [argument] }))
}

fn refusal(client: &mut Client, method: &str, params: Value) -> String {
    let id = client.send_request(method, params);
    let response = client.response(id);
    assert_eq!(response["error"]["code"], -32803, "{response}");
    response["error"]["message"].as_str().unwrap().to_owned()
}

fn run(bench: &Bench, client: &mut Client, cases: &[&str]) {
    bench.run(client, cases);
    event(client, "finished");
}

/// Makes the last run the baseline.
fn accept(bench: &Bench) {
    let mut accept = Command::new(env!("CARGO_BIN_EXE_eval-ls"));
    let output = accept.args(["baseline", "accept"]).current_dir(bench.folder.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(bench.folder.join("evals/baselines/s.agent.json").exists());
}

/// From now on, no answer has the phrase that case A requires.
fn worsen(bench: &Bench) {
    let agent = std::fs::read_to_string(bench.folder.join("agent.py")).unwrap();
    bench.folder.write("agent.py", &agent.replace("Answer to", "No reply to"));
}

fn titles(client: &mut Client, bench: &Bench, line: u64) -> Vec<String> {
    let lenses = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": bench.uri() } }));
    let lenses = lenses.as_array().unwrap().iter().filter(|lens| lens["range"]["start"]["line"] == line);
    lenses.map(|lens| lens["command"]["title"].as_str().unwrap().to_owned()).collect()
}

fn hints(client: &mut Client, bench: &Bench) -> Vec<String> {
    let all = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let params = json!({ "textDocument": { "uri": bench.uri() }, "range": all });
    let hints = client.request("textDocument/inlayHint", params);
    hints.as_array().unwrap().iter().map(|hint| hint["label"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_run_is_one_html_page() {
    let bench = Bench::new("answer");
    let mut client = bench.client(true);
    let why = refusal(&mut client, "eval-ls/report", json!({}));
    assert_eq!(why, "no run has ended yet; run a suite first");
    run(&bench, &mut client, &["A", "B"]);
    run(&bench, &mut client, &["A"]);
    let report = client.request("eval-ls/report", json!({ "uri": bench.uri() }));
    let html = report["html"].as_str().unwrap();
    assert!(html.contains("default-src 'none'"), "{html}");
    // The page of the suite has the last answer of each case.
    let note = "The last run asked 1 of 3 cases; 1 of the other 2 has an earlier answer.";
    for text in [note, "1 of 2 cases passed", "from the run with agent, 2", "\"case\":\"B\""] {
        assert!(html.contains(text), "{text}: {html}");
    }
    assert_eq!(report["suites"], json!([{ "uri": bench.uri(), "label": "evals/s.json" }]));
    let last = client.request("eval-ls/report", json!({ "run": report["run"] }));
    let page = last["html"].as_str().unwrap();
    assert!(page.contains("1 of 1 case passed") && page.contains("This run asked only a part of the suite."), "{page}");
    for name in ["run", "id", "startedAt"] {
        assert_eq!(report[name], last[name], "{name}");
    }
    let first = bench.kept_runs().into_iter().find(|id| report["id"] != json!(id)).unwrap();
    let first = bench.folder.uri(&format!("results/runs/{first}"));
    let first = client.request("eval-ls/report", json!({ "run": first }));
    assert!(first["html"].as_str().unwrap().contains("1 of 2 cases passed"), "{first}");
    let why = refusal(&mut client, "eval-ls/report", json!({ "uri": bench.folder.uri("evals/t.json") }));
    assert_eq!(why, "no run has ended yet; run a suite first");
    let why = refusal(&mut client, "eval-ls/report", json!({ "run": bench.folder.uri("evals") }));
    assert!(why.ends_with("is not a run of this workspace"), "{why}");

    client.answer("window/showDocument", |params| {
        assert_eq!(params["external"], true);
        assert!(params["uri"].as_str().unwrap().ends_with(".html"), "{params}");
        Some(json!({ "success": true }))
    });
    command(&mut client, "eval-ls.openReport", json!({ "uri": bench.uri() }));
    client.wait_for("window/showDocument", |_| true);
}

#[test]
fn a_lens_and_a_hint_show_what_the_baseline_has() {
    let bench = Bench::new("answer");
    let mut client = bench.client(true);
    run(&bench, &mut client, &["A", "B"]);
    accept(&bench);
    worsen(&bench);
    run(&bench, &mut client, &["A", "B"]);
    drop(client);
    let mut client = bench.client_with(true, json!({ "runEvents": true, "verdicts": "all" }));
    bench.verdicts(&mut client, |verdicts| verdicts["cases"][0]["status"] == "FAIL");
    let shown = titles(&mut client, &bench, 1);
    assert_eq!(shown[0], "Run · FAIL 1 of 2 checks · was PASS in the baseline and before");
    assert_eq!(shown[1], "Compare with baseline");
    // B failed before, too: the check that fails in addition is named, the case has not regressed.
    let of_b = titles(&mut client, &bench, 2);
    assert!(of_b[0].starts_with("Run · FAIL") && !of_b[0].contains("baseline"), "{of_b:?}");
    let moved: Vec<_> = hints(&mut client, &bench).into_iter().filter(|hint| hint.contains("baseline")).collect();
    assert_eq!(moved.len(), 2, "{moved:?}");
    assert!(moved.iter().all(|hint| hint.starts_with("✗ not said") && hint.ends_with(" · passed in the baseline")));

    // An edited case is not compared.
    client.change(&bench.uri(), 2, json!([{ "range": range(1, 26, 26), "text": "new " }]));
    assert!(!titles(&mut client, &bench, 1)[0].contains("was PASS"));
    assert_eq!(hints(&mut client, &bench).iter().filter(|hint| hint.contains("baseline")).count(), 1);
}

#[test]
fn the_last_answer_is_compared_with_that_of_the_baseline() {
    let bench = Bench::new("answer");
    let mut client = bench.client(true);
    let params = json!({ "uri": bench.uri(), "case": "A" });
    let ask = |client: &mut Client| client.request("eval-ls/baselineAnswer", params.clone());
    let why = refusal(&mut client, "eval-ls/baselineAnswer", params.clone());
    assert_eq!(why, "case `A` has no answer yet; run it first");
    run(&bench, &mut client, &["A"]);
    let why = refusal(&mut client, "eval-ls/baselineAnswer", params.clone());
    assert!(why.contains("s.agent.json` does not exist; `eval-ls baseline accept`"), "{why}");
    accept(&bench);
    let baseline = bench.kept_runs()[0].clone();
    worsen(&bench);
    run(&bench, &mut client, &["A"]);
    drop(client);
    let mut client = bench.client(true);
    bench.verdicts(&mut client, |verdicts| verdicts["cases"][0]["status"] == "FAIL");
    let answer = ask(&mut client);
    assert_eq!(answer["description"], format!("baseline (PASS, run {baseline})"));
    assert!(answer["text"].as_str().unwrap().contains("Answer to p1"), "{answer}");
    let position = json!({ "line": 1, "character": 5 });
    let actions = client.request(
        "textDocument/codeAction",
        json!({
            "textDocument": { "uri": bench.uri() }, "range": { "start": position, "end": position },
            "context": { "diagnostics": [], "only": ["eval-ls.compare"] },
        }),
    );
    assert_eq!(actions[0]["title"], "Compare the answer with the baseline", "{actions}");
    command(&mut client, "eval-ls.compareWithBaseline", params.clone());
    let (diff, _) = shown(&client);
    assert!(diff.contains("-Answer to p1\n") && diff.contains("+No reply to p1\n"), "{diff}");

    // The run of the baseline is gone: an answer of another run that passed takes its place, else there is a reason.
    std::fs::remove_dir_all(bench.folder.join("results/runs").join(&baseline)).unwrap();
    let why = refusal(&mut client, "eval-ls/baselineAnswer", params.clone());
    assert!(why.contains(&format!("comes from the run `{baseline}`, which is not kept here")), "{why}");
    let agent = std::fs::read_to_string(bench.folder.join("agent.py")).unwrap();
    bench.folder.write("agent.py", &agent.replace("No reply to", "Answer to the prompt"));
    run(&bench, &mut client, &["A"]);
    let answer = ask(&mut client);
    assert!(answer["description"].as_str().unwrap().starts_with("last answer that passed (run "), "{answer}");
    assert!(answer["text"].as_str().unwrap().contains("Answer to the prompt p1"), "{answer}");
}

#[test]
fn a_failed_check_changes_to_what_the_answer_says() {
    let bench = Bench::new("answer");
    let suite = super::bench::SUITE.replace("answer to p4", "answr to p3");
    bench.folder.write("evals/s.json", &suite);
    let mut client = bench.client(true);
    client.change(&bench.uri(), 2, json!([{ "text": suite }]));
    run(&bench, &mut client, &["C"]);
    bench.verdicts(&mut client, |verdicts| verdicts["cases"][2]["status"] == "FAIL");
    let column = suite.lines().nth(4).unwrap().find("answr").unwrap() as u64;
    let position = json!({ "line": 4, "character": column });
    let params = json!({
        "textDocument": { "uri": bench.uri() }, "range": { "start": position, "end": position },
        "context": { "diagnostics": [], "only": ["quickfix"] },
    });
    let actions = client.request("textDocument/codeAction", params);
    let found = actions
        .as_array()
        .unwrap()
        .iter()
        .find(|action| action["title"] == "Change the phrase to `Answer to p3`, as in the answer");
    let edit = &found.unwrap_or_else(|| panic!("{actions}"))["edit"]["changes"][bench.uri()][0];
    assert_eq!((&edit["newText"], &edit["range"]["start"]["line"]), (&json!("\"Answer to p3\""), &json!(4)));
}
