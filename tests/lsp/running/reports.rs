//! The HTML page of a run.

use serde_json::json;

use super::bench::Bench;
use crate::lsp::support::{range, titled};

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
    let note = "This run asked only a part of the suite.";
    assert!(html.contains("1 of 1 case passed") && html.contains(note), "{html}");
    assert_eq!(report["suites"], json!([{ "uri": bench.uri(), "label": "evals/s.json" }]));
    let last = client.request("eval-ls/report", json!({ "run": report["run"] }));
    for name in ["run", "id", "startedAt", "html"] {
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
