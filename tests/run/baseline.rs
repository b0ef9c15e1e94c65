//! `baseline accept` and `run --baseline`.

use serde_json::{Value, json};

use crate::support::{Folder, Ran};

const FILE: &str = "baselines/s.evals.agent.json";

/// A workspace whose baseline has the attempts of `--repeat`.
fn workspace(answers: &[&str], repeat: &str) -> Folder {
    let workspace = Folder::asking(answers, "");
    workspace.run(&["run", "--repeat", repeat]);
    workspace.run(&["baseline", "accept"]).ends(0);
    workspace
}

fn cases(workspace: &Folder) -> Vec<Value> {
    let file: Value = serde_json::from_str(&workspace.read(FILE)).unwrap();
    file["cases"].as_array().unwrap().clone()
}

fn standings(ran: &Ran) -> Vec<String> {
    let of = |case: &Value| case["baseline"]["standing"].as_str().unwrap_or("none").to_owned();
    ran.json()["cases"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn a_baseline_has_the_attempts_and_stays_the_same() {
    let workspace = workspace(&["yes", "yes no", "no"], "2");
    let text = workspace.read(FILE);
    let file: Value = serde_json::from_str(&text).unwrap();
    assert_eq!([&file["format"], &file["suite"], &file["target"]], ["eval-ls/baseline@1", "s.evals.json", "agent"]);
    let before = cases(&workspace);
    let attempts: Vec<_> = before.iter().map(|case| case["attempts"].clone()).collect();
    let (pass, fail) = (json!({ "status": "PASS" }), json!({ "status": "FAIL", "failed": ["must_say_any"] }));
    assert_eq!(attempts, [json!([pass, pass]), json!([pass, fail]), json!([fail, fail])]);
    workspace.run(&["baseline", "accept"]);
    assert_eq!(workspace.read(FILE), text);
    // Another run with the same answers in another order differs by its name only.
    workspace.run(&["run", "--repeat", "2"]);
    workspace.run(&["baseline", "accept"]);
    assert_eq!(cases(&workspace), before);
    // A run writes no baseline, and the file is not a suite.
    let text = workspace.read(FILE);
    workspace.run(&["run", "--baseline"]);
    assert_eq!(workspace.read(FILE), text);
    assert_eq!(workspace.run(&["list"]).out.lines().count(), 3);
}

#[test]
fn regressions_fail_and_known_failures_do_not() {
    let workspace = workspace(&["yes", "yes", "no", "yes"], "1");
    let ran = workspace.run(&["run", "--baseline", "--format", "json", "--report", "junit=r.xml"]);
    let ran = ran.complains(
        0,
        [
            "baseline, each case: none regressed",
            "baseline: known failures: C2",
            "baseline, all cases: 3 of 4 attempts passed before, 3 of 4 now, p = 1.00: no more than chance",
        ],
    );
    assert_eq!(standings(&ran), ["passes", "passes", "known-failure", "passes"]);
    assert!(workspace.read("r.xml").contains("failures=\"0\" errors=\"0\""), "{}", workspace.read("r.xml"));

    workspace.answers(&["yes", "no", "yes", "yes"]);
    let ran = workspace.run(&["run", "--baseline", "--format", "json"]);
    assert_eq!(standings(&ran), ["passes", "regressed", "passes", "passes"]);
    ran.complains(1, ["1 case passed each attempt before and failed now: C1"]);
}

/// Without `--strict`, `PARTIAL` passes: in the baseline and now.
#[test]
fn a_partial_case_has_not_regressed() {
    let workspace = workspace(&["yes"], "1");
    workspace.edit("s.evals.json", "[\"yes\"]", r#"["yes"], "ui": ["A list is shown."]"#);
    workspace.run(&["run"]);
    workspace.run(&["baseline", "accept"]);
    let ran = workspace.run(&["run", "--baseline", "--format", "json"]).ends(0);
    assert_eq!(standings(&ran), ["passes"]);
}

#[test]
fn many_small_drops_are_drift() {
    let workspace = workspace(&["yes"; 12], "2");
    workspace.answers(&["no"; 12]);
    let ran = workspace.run(&["run", "--baseline", "--format", "json"]);
    assert_eq!(standings(&ran), ["regressed"; 12]);
    let drift =
        "baseline, all cases: 24 of 24 attempts passed before, 0 of 12 now, p < 0.001: less often than chance explains";
    ran.complains(1, [drift]);
}

#[test]
fn edited_new_and_vanished_cases() {
    let workspace = workspace(&["yes", "yes", "yes"], "1");
    let suite = workspace.read("s.evals.json");
    workspace.write("s.evals.json", suite.replacen("[\"yes\"]", "[\"other\"]", 1).replace("\"C2\"", "\"D2\""));
    workspace.write("D2.txt", "no");
    let ran = workspace.run(&["run", "--baseline", "--format", "json"]);
    assert_eq!(standings(&ran), ["none", "passes", "none"]);
    ran.complains(1, ["does not have these cases any more: C2"]);
    workspace.write("D2.txt", "yes");
    workspace.run(&["run", "--cases", "D2"]);
    workspace.run(&["baseline", "accept"]).prints(0, ["1 case of 1 run; 2 stay as they were"]);
    let ids: Vec<_> = cases(&workspace).into_iter().map(|mut case| case["id"].take()).collect();
    assert_eq!(ids, ["C0", "C1", "D2"]);
}

#[test]
pub(super) fn what_cannot_be_a_baseline_is_refused() {
    let workspace = Folder::asking(&["yes", "yes"], "");
    workspace.store("C0", "yes");
    workspace.run(&["baseline", "accept"]).ends(4);
    let ran = workspace.run(&["run", "--baseline"]);
    ran.complains(2, ["has no baseline `", "baselines/s.evals.agent.json", "`eval-ls baseline accept` writes it"]);
    assert_eq!(workspace.asked("C0"), 0);
    workspace.run(&["run"]);
    let live = workspace.last_run();
    workspace.run(&["run", "--target", "replay"]);
    let ran = workspace.run(&["baseline", "accept", &live, "latest"]);
    ran.complains(2, ["have different targets: `agent` and `replay`; accept them one by one"]);
    workspace.run(&["record"]);
    let ran = workspace.run(&["baseline", "accept"]);
    assert!(ran.err.contains("recorded transcripts; a baseline needs verdicts"), "{ran:?}");
    workspace.write(FILE, "{}");
    let ran = workspace.run(&["run", "--baseline"]);
    assert!(ran.err.contains("is not a baseline: "), "{ran:?}");
}

#[test]
fn a_baseline_without_its_suite_is_named() {
    let workspace = workspace(&["yes"], "1");
    for target in ["agent", "other"] {
        workspace.write(format!("baselines/gone.evals.{target}.json"), workspace.read(FILE));
    }
    let message = "baseline: the suite of `./baselines/gone.evals.agent.json` is not there any more";
    let ran = workspace.run(&["run", "--baseline"]).complains(3, [message]);
    assert!(!ran.err.contains("gone.evals.other"), "{ran:?}");
}
