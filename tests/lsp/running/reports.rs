//! The HTML page of a run, and the last answer beside the baseline.

use serde_json::json;

use super::bench::{Bench, hints, lenses};
use super::commands::shown;
use crate::lsp::support::{Client, range, titled};

/// Makes the last run the baseline, and every later answer worse.
fn accept_and_worsen(bench: &Bench) {
    bench.folder.run(&["baseline", "accept"]).ends(0);
    assert!(bench.folder.join("evals/baselines/s.agent.json").exists());
    bench.worsen();
}

#[test]
fn a_run_is_one_html_page() {
    let (bench, mut client) = Bench::started("answer");
    let why = client.refused("eval-ls/report", json!({}));
    assert_eq!(why, "no run has ended yet; run a suite first");
    bench.run_to_end(&mut client, &["A", "B"]);
    bench.run_to_end(&mut client, &["A"]);
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
    let why = client.refused("eval-ls/report", json!({ "uri": bench.folder.uri("evals/t.json") }));
    assert_eq!(why, "no run has ended yet; run a suite first");
    let why = client.refused("eval-ls/report", json!({ "run": bench.folder.uri("evals") }));
    assert!(why.ends_with("is not a run of this workspace"), "{why}");

    client.answer("window/showDocument", |params| {
        assert_eq!(params["external"], true);
        assert!(params["uri"].as_str().unwrap().ends_with(".html"), "{params}");
        Some(json!({ "success": true }))
    });
    client.execute("openReport", json!({ "uri": bench.uri() }));
    client.wait_for("window/showDocument", |_| true);
}

#[test]
fn a_lens_and_a_hint_show_what_the_baseline_has() {
    let (bench, mut client) = Bench::started("answer");
    bench.run_to_end(&mut client, &["A", "B"]);
    accept_and_worsen(&bench);
    bench.run_to_end(&mut client, &["A", "B"]);
    drop(client);
    let mut client = bench.client_with(true, json!({ "runEvents": true, "verdicts": "all" }));
    bench.verdicts(&mut client, |verdicts| verdicts["cases"][0]["status"] == "FAIL");
    let shown = lenses(&bench, &mut client, 1);
    assert_eq!(shown[0], "Run · FAIL 1 of 2 checks · was PASS in the baseline and before");
    assert_eq!(shown[1], "Compare with baseline");
    // B failed before, too: the check that fails in addition is named, the case has not regressed.
    let of_b = lenses(&bench, &mut client, 2);
    assert!(of_b[0].starts_with("Run · FAIL") && !of_b[0].contains("baseline"), "{of_b:?}");
    let moved: Vec<_> = hints(&bench, &mut client).into_iter().filter(|hint| hint.contains("baseline")).collect();
    assert_eq!(moved.len(), 2, "{moved:?}");
    assert!(moved.iter().all(|hint| hint.starts_with("✗ not said") && hint.ends_with(" · passed in the baseline")));

    // An edited case is not compared.
    client.change(&bench.uri(), 2, json!([{ "range": range(1, 26, 26), "text": "new " }]));
    assert!(!lenses(&bench, &mut client, 1)[0].contains("was PASS"));
    assert_eq!(hints(&bench, &mut client).iter().filter(|hint| hint.contains("baseline")).count(), 1);
}

#[test]
fn the_last_answer_is_compared_with_that_of_the_baseline() {
    let (bench, mut client) = Bench::started("answer");
    let params = json!({ "uri": bench.uri(), "case": "A" });
    let ask = |client: &mut Client| client.request("eval-ls/baselineAnswer", params.clone());
    let why = client.refused("eval-ls/baselineAnswer", params.clone());
    assert_eq!(why, "case `A` has no answer yet; run it first");
    bench.run_to_end(&mut client, &["A"]);
    let why = client.refused("eval-ls/baselineAnswer", params.clone());
    assert_eq!(why, "no baseline of `agent` has `A`; `eval-ls baseline accept` makes one");
    let baseline = bench.kept_runs()[0].clone();
    accept_and_worsen(&bench);
    bench.run_to_end(&mut client, &["A"]);
    drop(client);
    let mut client = bench.client(true);
    bench.verdicts(&mut client, |verdicts| verdicts["cases"][0]["status"] == "FAIL");
    let answer = ask(&mut client);
    assert_eq!(answer["description"], format!("baseline (PASS, run {baseline})"));
    assert!(answer["text"].as_str().unwrap().contains("Answer to p1"), "{answer}");
    let actions = client.actions(&bench.uri(), range(1, 5, 5), json!({ "only": ["eval-ls.show"] }));
    assert_eq!(actions[0]["title"], "Open the answer", "{actions}");
    assert_eq!(actions[1]["title"], "Compare the answer with the baseline", "{actions}");
    client.execute("compareWithBaseline", params.clone());
    let (diff, _) = shown(&client);
    assert!(diff.contains("-Answer to p1\n") && diff.contains("+No reply to p1\n"), "{diff}");

    // The run of the baseline is gone: an answer of another run that passed takes its place, else there is a reason.
    std::fs::remove_dir_all(bench.folder.join("results/runs").join(&baseline)).unwrap();
    let why = client.refused("eval-ls/baselineAnswer", params.clone());
    assert!(why.contains(&format!("comes from the run `{baseline}`, which is not kept here")), "{why}");
    bench.folder.edit("agent.py", "No reply to", "Answer to the prompt");
    bench.run_to_end(&mut client, &["A"]);
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
    bench.run_to_end(&mut client, &["C"]);
    bench.verdicts(&mut client, |verdicts| verdicts["cases"][2]["status"] == "FAIL");
    let column = suite.lines().nth(4).unwrap().find("answr").unwrap() as u32;
    let actions = client.actions(&bench.uri(), range(4, column, column), json!({ "only": ["quickfix"] }));
    let change = titled(&actions, "Change the phrase to `Answer to p3`, as in the answer");
    let edit = &change["edit"]["changes"][bench.uri()][0];
    assert_eq!((&edit["newText"], &edit["range"]["start"]["line"]), (&json!("\"Answer to p3\""), &json!(4)));
}
