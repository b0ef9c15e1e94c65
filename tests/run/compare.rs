//! `compare`: better or worse.

use serde_json::{Value, json};

use crate::support::{Folder, Ran, YES};

/// A workspace with a first run and its id: `C0` passes, `C1` fails, `C2` uses a hint, `C3` has no transcript.
fn workspace() -> (Folder, String) {
    let workspace = Folder::new();
    let hinted = r#"{ "must_say_any": ["yes"], "ui": ["A list."] }"#;
    workspace.suite(&[(YES, Some("yes")), (YES, Some("no")), (hinted, Some("yes, a list")), (YES, None)]);
    workspace.write("eval-ls.toml", "[[ui_hints]]\nhint = \"A list.\"\nall = [\"list\"]\n");
    workspace.run(&["run"]);
    let first = workspace.last_run();
    (workspace, first)
}

fn changes(ran: &Ran) -> Value {
    let document = ran.json();
    assert_eq!(document["format"], "eval-ls/comparison@1");
    document["cases"].as_array().unwrap().iter().map(|case| json!([case["case"], case["change"]])).collect()
}

#[test]
pub(super) fn a_comparison_names_what_regressed_and_what_is_fixed() {
    let (workspace, first) = workspace();
    workspace.store("C0", "no");
    workspace.store("C1", "yes");
    workspace.run(&["run"]);
    let expected = "\nregressed (1)\n  C0  PASS → FAIL  s.evals.json\n    ✗ must_say_any\n\ncould not be judged (1)\n  C3  ERROR → ERROR  s.evals.json  no stored answer; `eval-ls record` asks your assistant and stores one\n\nfixed (1)\n  C1  FAIL → PASS  s.evals.json\n    ✓ must_say_any\n\nunchanged (1)\n";
    let ran = workspace.run(&["compare", &first]).prints(1, [expected]);
    let end = "1 of 3 cases got worse, 1 got better (1 could not be judged); too few cases for a statement; run more of them, or use --repeat 5\n";
    assert!(ran.out.ends_with(end), "{ran:?}");
    workspace.run(&["compare", &first, "--fail-on", "never"]).ends(0);
    let ran = workspace.run(&["compare", &first, "latest", "--format", "json"]);
    let expected = json!([("C0", "regressed"), ("C3", "not-judged"), ("C1", "fixed"), ("C2", "unchanged")]);
    assert_eq!(changes(&ran), expected);
}

#[test]
fn an_edited_case_is_not_a_regression() {
    let (workspace, first) = workspace();
    workspace.edit("eval-ls.toml", "\"list\"", "\"table\"");
    let suite = workspace.read("s.evals.json");
    workspace.write("s.evals.json", suite.replacen("[\"yes\"]", "[\"no\"]", 1).replace("\"C3\"", "\"D3\""));
    workspace.run(&["run"]);
    // A vanished case fails.
    let ran = workspace.run(&["compare", &first, "--format", "json"]).ends(1);
    let expected = json!([
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
    let (workspace, first) = workspace();
    workspace.run(&["run", "--cases", "C0"]);
    let ran = workspace.run(&["compare", &first, "--format", "json"]).ends(0);
    let expected = json!([("C1", "not-run"), ("C2", "not-run"), ("C3", "not-run"), ("C0", "unchanged")]);
    assert_eq!(changes(&ran), expected);
    assert_eq!(workspace.run(&["compare", &first, "--fail-on", "not-run"]).status, 1);
}

#[test]
fn a_case_without_a_later_verdict_has_a_reason() {
    let (workspace, first) = workspace();
    workspace.remove("transcripts/s.evals/C0.json");
    workspace.run(&["run"]);
    workspace.run(&["compare", &first]).prints(5, ["could not be judged (2)\n  C0  PASS → ERROR  s.evals.json  "]);
}

#[test]
fn wrong_sides_have_clear_errors() {
    let (workspace, first) = workspace();
    for (arguments, status, message) in [
        (&["compare", "latest"][..], 2, format!("both sides are `{first}`; `eval-ls runs` lists the runs")),
        (&["compare", "nothing"], 4, "there is no run `nothing`; `eval-ls runs` lists them".to_owned()),
        (&["compare", "branch:main"], 4, "no kept run has the branch `main`; `eval-ls runs` lists the runs".to_owned()),
        (&["compare", "latest,latest", "eval-ls.toml"], 2, format!("the run {first} is given twice")),
        (&["compare", "latest", "eval-ls.toml"], 4, "`eval-ls.toml` is a file, and runs are folders".to_owned()),
        (&["compare", "latest", "latest", "--fail-on", "worse"], 2, "possible values: regressed".to_owned()),
    ] {
        workspace.run(arguments).complains(status, [&message]);
    }
}

#[test]
fn hostile_text_is_inert() {
    let workspace = Folder::new();
    let id = "<img src=x>\\u001b[31m`|](x)";
    let suite = format!(r#"{{ "cases": [ {{ "id": "{id}", "prompt": "p", "expected": {YES} }} ] }}"#);
    workspace.write("s.evals.json", &suite);
    workspace.run(&["run", "--no-check"]);
    let first = workspace.last_run();
    workspace.write("s.evals.json", suite.replace("<img", "<b>"));
    workspace.run(&["run", "--no-check"]);
    let text = workspace.run(&["compare", &first]).out;
    assert!(text.contains("vanished (1)") && !text.contains('\u{1b}'), "{text}");
    let markdown = workspace.run(&["compare", &first, "--format", "md"]).out;
    let html: Vec<_> = pulldown_cmark::Parser::new(&markdown)
        .filter(|event| matches!(event, pulldown_cmark::Event::Html(_) | pulldown_cmark::Event::InlineHtml(_)))
        .collect();
    assert!(html.is_empty() && markdown.contains("vanished (1)"), "{markdown}");
}
