//! `runs CASE`: how cases ended from run to run.

use serde_json::{Value, json};

use crate::run::support::Workspace;

const YES: &str = r#"{ "must_say_any": ["yes"] }"#;

fn answer(workspace: &Workspace, case: &str, response: &str) {
    let transcript = json!({ "format": "eval-ls/transcript@1", "case": case, "response": response });
    workspace.write(&format!("transcripts/s.evals/{case}.json"), &transcript.to_string());
}

/// Three runs: `C0` passes, fails and passes; `C1` always passes and is edited before the last run.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.suite(&[(YES, Some("yes")), (YES, Some("yes"))]);
    workspace.run(&["run"]);
    answer(&workspace, "C0", "no");
    workspace.run(&["run"]);
    answer(&workspace, "C0", "yes");
    let suite = std::fs::read_to_string(workspace.path().join("s.evals.json")).unwrap();
    let (head, tail) = suite.rsplit_once("[\"yes\"]").unwrap();
    workspace.write("s.evals.json", &format!("{head}[\"yes\", \"sure\"]{tail}"));
    workspace.run(&["run"]);
    workspace
}

#[test]
fn a_named_case_is_shown_run_by_run() {
    let workspace = workspace();
    let ran = workspace.run(&["runs", "C*"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], "3 runs of the target `replay`");
    assert_eq!(
        (lines[2], lines[7]),
        ("C0  PASS in the last run  (s.evals.json)", "C1  PASS in the last run  (s.evals.json)")
    );
    let statuses: Vec<Vec<&str>> = lines
        .iter()
        .filter(|line| line.starts_with("  "))
        .map(|line| line.split_whitespace().skip(1).collect())
        .collect();
    let expected: [&[&str]; 6] =
        [&["PASS"], &["FAIL", "must_say_any"], &["PASS"], &["PASS", "edited:", "expectations"], &["PASS"], &["PASS"]];
    assert_eq!(statuses, expected, "{}", ran.out);
}

#[test]
fn json_has_every_point() {
    let ran = workspace().run(&["runs", "C0", "--format", "json"]);
    let cases: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&cases[0]["case"], &cases[0]["flips"], &cases[1]), (&json!("C0"), &json!(2), &Value::Null));
    assert_eq!(cases[0]["points"][1]["failed"], json!(["must_say_any"]));
}

#[test]
fn a_missing_case_or_run_has_a_clear_error() {
    let workspace = workspace();
    for (arguments, message) in [
        (&["runs", "C00"][..], "no case `C00` ended in the last 3 runs; did you mean `C0`?"),
        (&["runs", "C0", "--target", "app"], "no run of the target `app` is kept; `eval-ls runs` lists the runs"),
        (&["runs", "C0", "--results", "elsewhere"], "`eval-ls run` keeps one"),
    ] {
        let ran = workspace.run(arguments);
        assert_eq!(ran.status, 4, "{arguments:?} {}", ran.err);
        assert!(ran.err.contains(message), "{arguments:?} {}", ran.err);
    }
}

#[test]
fn hostile_text_is_inert() {
    let workspace = Workspace::new();
    let suite = r#"{ "cases": [ { "id": "a\u001b[31m\u202e\n", "prompt": "p", "expected": { "must_say_any": ["\u001b[2J"] } } ] }"#;
    workspace.write("s.evals.json", suite);
    workspace.run(&["run", "--no-check"]);
    let out = workspace.run(&["runs", "*"]).out;
    let evil = out.chars().find(|c| *c != '\n' && (c.is_control() || *c == '\u{202e}'));
    assert!(evil.is_none() && out.contains("ERROR"), "{out}");
}
