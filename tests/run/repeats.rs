//! Cases that run several times.

use serde_json::{Value, json};

use crate::run::support::{WORDS_AGENT, Workspace};

const YES: &str = r#"{ "must_say_any": ["yes"] }"#;

/// A workspace whose cases give these answers in turn.
fn workspace(answers: &[&str], more: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.suite(&vec![(YES, None); answers.len()]);
    workspace.agent(WORDS_AGENT, more);
    for (number, words) in answers.iter().enumerate() {
        workspace.write(&format!("C{number}.txt"), words);
    }
    workspace
}

fn asked(workspace: &Workspace, case: &str) -> usize {
    std::fs::read(workspace.path().join(format!("{case}.asked"))).map_or(0, |bytes| bytes.len())
}

fn document(workspace: &Workspace, arguments: &[&str]) -> (i32, Value) {
    let arguments = [&["run", "--format", "json"], arguments].concat();
    let ran = workspace.run(&arguments);
    (ran.status, serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err)))
}

#[test]
fn attempts_and_their_rates_are_reported() {
    let workspace = workspace(&["yes", "yes no yes yes", "no"], "");
    let (status, document) = document(&workspace, &["--repeat", "4"]);
    assert_eq!(status, 1);
    let statuses = |case: usize| -> Vec<&str> {
        let attempts = document["cases"][case]["repeats"]["attempts"].as_array().unwrap();
        attempts.iter().map(|attempt| attempt["status"].as_str().unwrap()).collect()
    };
    assert_eq!(statuses(0), ["PASS"; 4]);
    assert_eq!(statuses(1), ["PASS", "FAIL", "PASS", "PASS"]);
    assert_eq!(
        (&document["cases"][1]["status"], &document["cases"][1]["repeats"]["flaky"]),
        (&json!("FAIL"), &json!(true))
    );
    assert_eq!(document["cases"][1]["checks"]["failed"], json!(["must_say_any"]));
    let repeats = &document["summary"]["repeats"];
    assert_eq!((&repeats["cases"], &repeats["flaky"], &repeats["k"]), (&json!(3), &json!(1), &json!(4)));
    assert_eq!(repeats["pass@1"], json!({ "value": 0.583333, "low": 0.319511, "high": 0.80674 }));
    assert_eq!((&repeats["pass@k"]["value"], &repeats["pass^k"]["value"]), (&json!(0.666667), &json!(0.333333)));

    let ran = workspace.run(&["run", "--repeat", "4", "--report", "junit=r.xml", "--report", "md=r.md"]);
    assert!(ran.out.contains("FAIL    C1  FLAKY: 3 of 4 attempts passed · 1 of 2 checks failed"), "{}", ran.out);
    assert!(ran.out.contains("3 cases ran 4 times: pass@1 58 % (32 to 81 %), pass@4 67 %"), "{}", ran.out);
    let read = |name: &str| std::fs::read_to_string(workspace.path().join(name)).unwrap();
    assert!(read("r.md").contains("### C1 · FLAKY 3 of 4 (FAIL)"), "{}", read("r.md"));
    let xml = read("r.xml");
    assert!(xml.contains("failures=\"2\"") && !xml.contains("flakyFailure"), "{xml}");
}

#[test]
fn a_policy_decides_and_ends_early() {
    let policy = "[[policy]]\ncases = \"C*\"\nrepeat = 5\nmin_pass = 4\n";
    let workspace = workspace(&["yes", "yes no yes yes yes", "no", "no yes"], policy);
    let (status, document) = document(&workspace, &[]);
    assert_eq!(status, 1);
    let statuses: Vec<_> = document["cases"].as_array().unwrap().iter().map(|case| case["status"].clone()).collect();
    assert_eq!(statuses, ["PASS", "PASS", "FAIL", "FAIL"]);
    assert_eq!([0, 1, 2, 3].map(|case| asked(&workspace, &format!("C{case}"))), [4, 5, 2, 3]);
    let ran = workspace.run(&["run", "--cases", "C1", "--report", "junit=r.xml"]);
    assert_eq!(ran.status, 0, "{}", ran.out);
    assert!(ran.out.contains("PASS    C1  FLAKY: 4 of 5 attempts passed · 2 checks passed"), "{}", ran.out);
    let xml = std::fs::read_to_string(workspace.path().join("r.xml")).unwrap();
    assert!(xml.contains("<flakyFailure message=\"attempt 2 of 5: must_say_any\" type=\"FAIL\"/>"), "{xml}");
    assert!(xml.contains("failures=\"0\""), "{xml}");
}

#[test]
fn flaky_cases_fail_or_pass() {
    let workspace = workspace(&["yes no", "no"], "");
    let run = |cases: &str, flaky: &str| workspace.run(&["run", "--repeat", "2", "--cases", cases, "--flaky", flaky]);
    assert_eq!(run("C0", "fail").status, 1);
    assert_eq!(run("C0", "pass").status, 0);
    assert_eq!(run("C1", "pass").status, 1, "it never passes");
}

#[test]
fn a_policy_expires() {
    let entry = |cases: &str, expires: &str| {
        format!(
            "[[policy]]\ncases = \"{cases}\"\nrepeat = 2\nmin_pass = 1\nexpires = \"{expires}\"\nwhy = \"The tool times out.\"\n"
        )
    };
    let more = entry("C0", "9999-01-01") + &entry("C1", "2020-02-01") + &entry("C2", "9999-01-01");
    let workspace = workspace(&["no yes", "no yes", "no"], &more);
    let ran = workspace.run(&["run", "--cases", "C0"]);
    assert_eq!(ran.status, 0, "{}", ran.out);
    let word =
        "FLAKY: 1 of 2 attempts passed · 2 checks passed · in quarantine until `9999-01-01`: `The tool times out.`";
    assert!(ran.out.contains(word), "{}", ran.out);
    let expired = "this entry of `[[policy]]` expired on 2020-02-01 (`The tool times out.`); fix its cases, or remove or renew it";
    assert!(ran.err.contains(&format!("warning: `C1`: {expired}")), "{}", ran.err);
    // Without the policy, C1 runs once.
    assert_eq!(workspace.run(&["run", "--cases", "C1"]).status, 1);
    assert_eq!(workspace.run(&["run", "--cases", "C2"]).status, 1, "no attempt passes");
    let (_, document) = document(&workspace, &["--cases", "C2"]);
    assert_eq!(document["cases"][0]["repeats"]["quarantine"]["until"], "9999-01-01");
    let ran = workspace.run(&["check"]);
    assert!(ran.out.contains(expired), "{}", ran.out);
    // A measurement does not know the policy.
    assert_eq!(workspace.run(&["run", "--cases", "C2", "--repeat", "2"]).status, 1);
}

#[test]
fn attempts_without_a_verdict_do_not_decide() {
    let policy = "[[policy]]\ncategory = \"general\"\nrepeat = 3\nmin_pass = 2\n";
    let workspace = workspace(&["crash yes yes", "crash yes no", "crash"], policy);
    let (status, document) = document(&workspace, &[]);
    assert_eq!(status, 5);
    let statuses: Vec<_> = document["cases"].as_array().unwrap().iter().map(|case| case["status"].clone()).collect();
    assert_eq!(statuses, ["PASS", "ERROR", "ERROR"]);
    assert!(document["cases"][1]["reason"].is_string(), "{document}");
}

#[test]
fn kept_runs_have_each_answer_and_comparisons_count_each_attempt() {
    let workspace = workspace(&["yes yes yes yes yes no"], "");
    workspace.run(&["run", "--repeat", "5"]);
    let line = std::fs::read_to_string(workspace.path().join("results/runs/latest/cases.jsonl")).unwrap();
    assert_eq!(line.lines().count(), 6, "a line for each attempt, and one for the case");
    let line: Value = serde_json::from_str(line.lines().last().unwrap()).unwrap();
    assert_eq!(line["attempts"].as_array().unwrap().len(), 5);
    let first = std::fs::read_link(workspace.path().join("results/runs/latest")).unwrap();
    workspace.write("C0.txt", "no");
    workspace.run(&["run", "--repeat", "5"]);
    let ran = workspace.run(&["compare", first.to_str().unwrap()]);
    assert!(ran.out.contains("regressed (1)\n  C0  PASS (5 of 5 passed) → FAIL (0 of 5 passed)  s.evals.json\n    ✗ must_say_any (5 of 5 → 0 of 5)\n"), "{}", ran.out);
}

#[test]
fn options_without_effect_and_wrong_entries_are_reported() {
    let workspace = workspace(&["yes"], "");
    let ran = workspace.run(&["run", "--target", "replay", "--repeat", "3"]);
    assert!(
        ran.err.contains("warning: `--repeat` has no effect: `replay` gives the same answer each time"),
        "{}",
        ran.err
    );
    assert_eq!(workspace.run(&["run", "--repeat", "0"]).status, 2);
    assert_eq!(workspace.run(&["run", "--repeat", "2", "--record"]).status, 2);
    let config = std::fs::read_to_string(workspace.path().join("eval-ls.toml")).unwrap();
    workspace.write("eval-ls.toml", &format!("{config}\n[[policy]]\ncases = \"C0\"\nrepeat = 2\nmin_pass = 3\n"));
    let ran = workspace.run(&["run"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("`min_pass` is 3, but there are only 2 attempts"), "{}", ran.err);
}
