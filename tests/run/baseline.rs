//! `baseline accept` and `run --baseline`.

use serde_json::{Value, json};

use crate::run::support::{Ran, WORDS_AGENT, Workspace};

const YES: &str = r#"{ "must_say_any": ["yes"] }"#;

const FILE: &str = "baselines/s.evals.agent.json";

/// A workspace whose baseline has the attempts of `--repeat`.
fn workspace(answers: &[&str], repeat: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.suite(&vec![(YES, None); answers.len()]);
    workspace.agent(WORDS_AGENT, "");
    answer(&workspace, answers);
    workspace.run(&["run", "--repeat", repeat]);
    let ran = workspace.run(&["baseline", "accept"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    workspace
}

/// Lets the cases give these answers in turn from now on.
fn answer(workspace: &Workspace, answers: &[&str]) {
    for (number, words) in answers.iter().enumerate() {
        workspace.write(&format!("C{number}.txt"), words);
        let _ = std::fs::remove_file(workspace.path().join(format!("C{number}.asked")));
    }
}

fn read(workspace: &Workspace) -> String {
    std::fs::read_to_string(workspace.path().join(FILE)).unwrap()
}

/// The standing of each case.
fn standings(ran: &Ran) -> Vec<String> {
    let document: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err));
    let of = |case: &Value| case["baseline"]["standing"].as_str().unwrap_or("none").to_owned();
    document["cases"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn a_baseline_has_the_attempts_and_stays_the_same() {
    let workspace = workspace(&["yes", "yes no", "no"], "2");
    let text = read(&workspace);
    let file: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&file["format"], &file["suite"], &file["target"]),
        (&json!("eval-ls/baseline@1"), &json!("s.evals.json"), &json!("agent"))
    );
    let attempts: Vec<_> = file["cases"].as_array().unwrap().iter().map(|case| case["attempts"].clone()).collect();
    let (pass, fail) = (json!({ "status": "PASS" }), json!({ "status": "FAIL", "failed": ["must_say_any"] }));
    assert_eq!(attempts, [json!([pass, pass]), json!([pass, fail]), json!([fail, fail])]);
    workspace.run(&["baseline", "accept"]);
    assert_eq!(read(&workspace), text);
    // Another run with the same answers in another order differs by its name only.
    workspace.run(&["run", "--repeat", "2"]);
    workspace.run(&["baseline", "accept"]);
    let other: Value = serde_json::from_str(&read(&workspace)).unwrap();
    assert_eq!(other["cases"], file["cases"]);
    // A run writes no baseline, and the file is not a suite.
    let text = read(&workspace);
    workspace.run(&["run", "--baseline"]);
    assert_eq!(read(&workspace), text);
    assert_eq!(workspace.run(&["list"]).out.lines().count(), 3);
}

#[test]
fn regressions_fail_and_known_failures_do_not() {
    let workspace = workspace(&["yes", "yes", "no", "yes"], "1");
    let ran = workspace.run(&["run", "--baseline", "--format", "json", "--report", "junit=r.xml"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!(standings(&ran), ["passes", "passes", "known-failure", "passes"]);
    for line in [
        "baseline, each case: none regressed",
        "baseline: known failures: C2",
        "baseline, all cases: 3 of 4 attempts passed before, 3 of 4 now, p = 1.00: no more than chance",
    ] {
        assert!(ran.err.contains(line), "{}", ran.err);
    }
    let xml = std::fs::read_to_string(workspace.path().join("r.xml")).unwrap();
    assert!(xml.contains("failures=\"0\" errors=\"0\""), "{xml}");

    answer(&workspace, &["yes", "no", "yes", "yes"]);
    let ran = workspace.run(&["run", "--baseline", "--format", "json"]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert_eq!(standings(&ran), ["passes", "regressed", "passes", "passes"]);
    assert!(ran.err.contains("1 case passed each attempt before and failed now: C1"), "{}", ran.err);
}

/// Without `--strict`, `PARTIAL` passes: in the baseline and now.
#[test]
fn a_partial_case_has_not_regressed() {
    let workspace = Workspace::new();
    workspace.suite(&[(r#"{ "must_say_any": ["yes"], "ui": ["A list is shown."] }"#, None)]);
    workspace.agent(WORDS_AGENT, "");
    answer(&workspace, &["yes"]);
    workspace.run(&["run"]);
    workspace.run(&["baseline", "accept"]);
    let ran = workspace.run(&["run", "--baseline", "--format", "json"]);
    assert_eq!((ran.status, standings(&ran)), (0, vec!["passes".to_owned()]), "{}", ran.err);
}

#[test]
fn many_small_drops_are_drift() {
    let answers = ["yes"; 12];
    let workspace = workspace(&answers, "2");
    answer(&workspace, &["no"; 12]);
    let ran = workspace.run(&["run", "--baseline", "--format", "json"]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(standings(&ran).iter().all(|standing| standing == "regressed"), "{}", ran.out);
    assert!(ran.err.contains("baseline, all cases: 24 of 24 attempts passed before, 0 of 12 now, p < 0.001: less often than chance explains"), "{}", ran.err);
}

#[test]
fn edited_new_and_vanished_cases() {
    let workspace = workspace(&["yes", "yes", "yes"], "1");
    let suite = std::fs::read_to_string(workspace.path().join("s.evals.json")).unwrap();
    workspace.write("s.evals.json", &suite.replacen("[\"yes\"]", "[\"other\"]", 1).replace("\"C2\"", "\"D2\""));
    workspace.write("D2.txt", "no");
    let ran = workspace.run(&["run", "--baseline", "--format", "json"]);
    assert_eq!(ran.status, 1);
    assert_eq!(standings(&ran), ["none", "passes", "none"]);
    assert!(ran.err.contains("does not have these cases any more: C2"), "{}", ran.err);
    workspace.write("D2.txt", "yes");
    workspace.run(&["run", "--cases", "D2"]);
    let ran = workspace.run(&["baseline", "accept"]);
    assert!(ran.out.contains("1 case of 1 run; 2 stay as they were"), "{}", ran.out);
    let file: Value = serde_json::from_str(&read(&workspace)).unwrap();
    let ids: Vec<_> = file["cases"].as_array().unwrap().iter().map(|case| case["id"].clone()).collect();
    assert_eq!(ids, ["C0", "C1", "D2"]);
}

#[test]
fn what_cannot_be_a_baseline_is_refused() {
    let workspace = Workspace::new();
    workspace.suite(&[(YES, Some("yes")), (YES, None)]);
    workspace.agent(WORDS_AGENT, "");
    answer(&workspace, &["yes", "yes"]);
    assert_eq!(workspace.run(&["baseline", "accept"]).status, 4);
    let ran = workspace.run(&["run", "--baseline"]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.err.contains("has no baseline `") && ran.err.contains("`eval-ls baseline accept` writes it"),
        "{}",
        ran.err
    );
    workspace.run(&["run"]);
    let live = std::fs::read_link(workspace.path().join("results/runs/latest")).unwrap();
    workspace.run(&["run", "--target", "replay"]);
    let ran = workspace.run(&["baseline", "accept", live.to_str().unwrap(), "latest"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("have different targets: `agent` and `replay`; accept them one by one"), "{}", ran.err);
    workspace.run(&["record"]);
    let ran = workspace.run(&["baseline", "accept"]);
    assert!(ran.err.contains("recorded transcripts; a baseline needs verdicts"), "{}", ran.err);
    workspace.write(FILE, "{}");
    let ran = workspace.run(&["run", "--baseline"]);
    assert!(ran.err.contains("is not a baseline: "), "{}", ran.err);
    assert_eq!(workspace.run(&["run", "--confirm", "2"]).status, 2);
}

#[test]
fn a_baseline_without_its_suite_is_named() {
    let workspace = workspace(&["yes"], "1");
    workspace.write("baselines/gone.evals.agent.json", &read(&workspace));
    workspace.write("baselines/gone.evals.other.json", &read(&workspace));
    answer(&workspace, &["yes"]);
    let ran = workspace.run(&["run", "--baseline"]);
    assert_eq!(ran.status, 3, "{}{}", ran.out, ran.err);
    let message = "baseline: the suite of `./baselines/gone.evals.agent.json` is not there any more";
    assert!(ran.err.contains(message), "{}", ran.err);
    assert!(!ran.err.contains("gone.evals.other"), "{}", ran.err);
}
