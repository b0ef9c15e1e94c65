//! `compare`: better or worse.

use serde_json::{Value, json};

use crate::run::support::{Ran, Workspace};

const YES: &str = r#"{ "must_say_any": ["yes"] }"#;

/// A workspace with a first run: `C0` passes, `C1` fails, `C2` uses a hint, `C3` has no transcript.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let hinted = r#"{ "must_say_any": ["yes"], "ui": ["A list."] }"#;
    workspace.suite(&[(YES, Some("yes")), (YES, Some("no")), (hinted, Some("yes, a list")), (YES, None)]);
    workspace.write("eval-ls.toml", "[[ui_hints]]\nhint = \"A list.\"\nall = [\"list\"]\n");
    workspace.run(&["run"]);
    workspace
}

/// The id of the last run.
fn last(workspace: &Workspace) -> String {
    let link = std::fs::read_link(workspace.path().join("results/runs/latest")).unwrap();
    link.to_str().unwrap().to_owned()
}

fn answer(workspace: &Workspace, case: &str, response: &str) {
    let transcript = json!({ "format": "eval-ls/transcript@1", "case": case, "response": response });
    workspace.write(&format!("transcripts/s.evals/{case}.json"), &transcript.to_string());
}

fn changes(ran: &Ran) -> Vec<(String, String)> {
    let document: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err));
    assert_eq!(document["format"], "eval-ls/comparison@1");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    document["cases"].as_array().unwrap().iter().map(|case| (text(&case["case"]), text(&case["change"]))).collect()
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(case, change)| ((*case).to_owned(), (*change).to_owned())).collect()
}

#[test]
fn a_comparison_names_what_regressed_and_what_is_fixed() {
    let workspace = workspace();
    let first = last(&workspace);
    answer(&workspace, "C0", "no");
    answer(&workspace, "C1", "yes");
    workspace.run(&["run"]);
    let ran = workspace.run(&["compare", &first]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    let expected = "\nregressed (1)\n  C0  PASS → FAIL  s.evals.json\n    ✗ must_say_any\n\nfixed (1)\n  C1  FAIL → PASS  s.evals.json\n    ✓ must_say_any\n\nunchanged (2)\n";
    assert!(ran.out.contains(expected), "{}", ran.out);
    assert!(
        ran.out.ends_with(
            "1 of 3 cases got worse, 1 got better; too few cases for a statement; run more of them, or use --repeat 5\n"
        ),
        "{}",
        ran.out
    );
    let ran = workspace.run(&["compare", &first, "--fail-on", "never"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let ran = workspace.run(&["compare", &first, "latest", "--format", "json"]);
    let expected = pairs(&[("C0", "regressed"), ("C1", "fixed"), ("C2", "unchanged"), ("C3", "unchanged")]);
    assert_eq!(changes(&ran), expected);
}

#[test]
fn an_edited_case_is_not_a_regression() {
    let workspace = workspace();
    let first = last(&workspace);
    workspace.write("eval-ls.toml", "[[ui_hints]]\nhint = \"A list.\"\nall = [\"table\"]\n");
    let suite = std::fs::read_to_string(workspace.path().join("s.evals.json")).unwrap();
    let suite = suite.replacen("[\"yes\"]", "[\"no\"]", 1).replace("\"C3\"", "\"D3\"");
    workspace.write("s.evals.json", &suite);
    workspace.run(&["run"]);
    let ran = workspace.run(&["compare", &first, "--format", "json"]);
    assert_eq!(ran.status, 1, "a vanished case fails");
    let expected = pairs(&[
        ("C3", "vanished"),
        ("C0", "case-edited"),
        ("C2", "configuration-edited"),
        ("D3", "new"),
        ("C1", "unchanged"),
    ]);
    assert_eq!(changes(&ran), expected);
    assert_eq!(workspace.run(&["compare", &first, "--fail-on", "regressed"]).status, 0);
    assert_eq!(workspace.run(&["compare", &first, "--fail-on", "regressed,edited"]).status, 1);
}

#[test]
fn cases_that_were_not_selected_do_not_vanish() {
    let workspace = workspace();
    let first = last(&workspace);
    workspace.run(&["run", "--cases", "C0"]);
    let ran = workspace.run(&["compare", &first, "--format", "json"]);
    assert_eq!(ran.status, 0, "{}", ran.out);
    let expected = pairs(&[("C1", "not-run"), ("C2", "not-run"), ("C3", "not-run"), ("C0", "unchanged")]);
    assert_eq!(changes(&ran), expected);
    assert_eq!(workspace.run(&["compare", &first, "--fail-on", "not-run"]).status, 1);
}

#[test]
fn a_case_without_a_later_verdict_has_a_reason() {
    let workspace = workspace();
    let first = last(&workspace);
    std::fs::remove_file(workspace.path().join("transcripts/s.evals/C0.json")).unwrap();
    workspace.run(&["run"]);
    let ran = workspace.run(&["compare", &first]);
    assert_eq!(ran.status, 5);
    assert!(ran.out.contains("could not be judged (1)\n  C0  PASS → ERROR  s.evals.json  "), "{}", ran.out);
}

#[test]
fn result_files_of_the_shell_runner_are_compared() {
    let workspace = Workspace::new();
    let file = |status: &str, passed: &[&str], failed: &[&str], unknown: &[&str]| {
        let case = json!({ "id": "A", "prompt": "p", "expected_outcome": "tool_success", "status": status,
            "checks": { "passed": passed, "failed": failed, "unknown_ui": unknown },
            "snapshot_excerpt": ["- main"] });
        json!({ "generated_at": "2026-02-11T04:01:41Z", "eval_file": "evals/s.json",
            "summary": { "pass": 0, "fail": 1, "partial": 0, "total": 1 }, "cases": [case] })
        .to_string()
    };
    workspace.write("a.json", &file("FAIL", &["outcome:x"], &["tool_calls_any"], &["A list."]));
    workspace.write("b.json", &file("PASS", &["outcome:x", "tool_calls_any", "ui:A list."], &[], &[]));
    workspace.write("c.json", &file("FAIL", &["outcome:x"], &["tool_calls_any"], &["Another."]));
    let ran = workspace.run(&["compare", "a.json", "b.json", "--format", "md"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(
        ran.out.contains("### hint or configuration edited (1)\n\n- `A` FAIL → PASS, edited: hints"),
        "{}",
        ran.out
    );
    let ran = workspace.run(&["compare", "a.json,b.json", "c.json"]);
    assert!(
        ran.out.contains("before  2 runs (a.json, b.json)\n") && ran.out.contains("\ncase edited (1)"),
        "{}",
        ran.out
    );
}

#[test]
fn wrong_sides_have_clear_errors() {
    let workspace = workspace();
    let first = last(&workspace);
    for (arguments, status, message) in [
        (&["compare", "latest"][..], 2, format!("both sides are `{first}`; `eval-ls runs` lists the runs")),
        (&["compare", "nothing"], 4, "there is no run `nothing`; `eval-ls runs` lists them".to_owned()),
        (&["compare", "branch:main"], 4, "no kept run has the branch `main`; `eval-ls runs` lists the runs".to_owned()),
        (&["compare", "latest,latest", "eval-ls.toml"], 2, format!("the run `{first}` is given twice")),
        (&["compare", "latest", "eval-ls.toml"], 4, "is not the record of a run".to_owned()),
        (&["compare", "latest", "latest", "--fail-on", "worse"], 2, "possible values: regressed".to_owned()),
    ] {
        let ran = workspace.run(arguments);
        assert_eq!(ran.status, status, "{arguments:?} {}", ran.err);
        assert!(ran.err.contains(&message), "{arguments:?} {}", ran.err);
    }
}

#[test]
fn hostile_text_is_inert() {
    let workspace = Workspace::new();
    let id = "<img src=x>\\u001b[31m`|](x)";
    let suite =
        format!(r#"{{ "cases": [ {{ "id": "{id}", "prompt": "p", "expected": {{ "must_say_any": ["yes"] }} }} ] }}"#);
    workspace.write("s.evals.json", &suite);
    workspace.run(&["run", "--no-check"]);
    let first = last(&workspace);
    workspace.write("s.evals.json", &suite.replace("<img", "<b>"));
    workspace.run(&["run", "--no-check"]);
    let text = workspace.run(&["compare", &first]).out;
    assert!(text.contains("vanished (1)") && !text.contains('\u{1b}'), "{text}");
    let markdown = workspace.run(&["compare", &first, "--format", "md"]).out;
    let html: Vec<_> = pulldown_cmark::Parser::new(&markdown)
        .filter(|event| matches!(event, pulldown_cmark::Event::Html(_) | pulldown_cmark::Event::InlineHtml(_)))
        .collect();
    assert!(html.is_empty() && markdown.contains("vanished (1)"), "{markdown}");
}
