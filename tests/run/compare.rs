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
    workspace.run(&["compare", &first, "--fail-on", "never"]).ends(5);
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
    assert_eq!(workspace.run(&["compare", &first, "--fail-on", "regressed"]).status, 5);
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

#[test]
fn many_small_drops_are_worse_than_each_of_them() {
    let workspace = Folder::asking(&["yes"; 8], "");
    workspace.run(&["run", "--repeat", "3"]).ends(0);
    workspace.answers(&["yes yes no"; 8]);
    workspace.run(&["run", "--repeat", "3"]).ends(1);
    let said = ["flaky (8)", "(8 flaky); all together pass less often than chance explains\n"];
    workspace.run(&["compare"]).prints(1, said);
    workspace.run(&["compare", "--fail-on", "vanished"]).ends(0);
    workspace.run(&["compare", "--format", "md"]).prints(1, ["## ✗ none of 8 cases got worse or better"]);
    workspace.run(&["compare", "latest", "latest~1"]).prints(0, ["all together pass more often"]);
}

#[cfg(unix)]
#[test]
fn the_recipe_for_known_failures_fails_only_if_something_got_worse() {
    use std::path::Path;
    use std::process::Command;

    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ci.md")).unwrap();
    let section = page.split("\n## ").find(|section| section.starts_with("Known failures\n")).unwrap();
    let codes: Vec<&str> = section.split("```").filter_map(|code| code.strip_prefix("sh\n")).collect();
    let [store, compare] = codes[..] else { panic!("{codes:?}") };
    let workspace = Folder::asking(&["yes", "no", "yes"], "");
    let sh = |code: &str| -> Ran {
        let programs = Path::new(env!("CARGO_BIN_EXE_eval-ls")).parent().unwrap();
        let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
        let mut command = Command::new("bash");
        command.args(["-ec", code]).current_dir(workspace.path()).env("PATH", path).env_remove("GITHUB_ACTIONS");
        command.into()
    };
    sh("git init -q .").ends(0);
    sh(store).ends(0);
    assert_eq!(sh("git diff --cached --name-only").out, "evals/known/cases.jsonl\nevals/known/run.json\n");
    // Nothing takes the folder for suites.
    sh("eval-ls check").complains(0, ["3 cases in 1 suite, no findings"]);
    sh(compare).prints(0, ["unchanged (3)"]);
    workspace.write("C0.txt", "no");
    sh(compare).prints(1, ["regressed (1)\n  C0  PASS → FAIL"]);
    // An error is not a known failure, also if it was one before.
    workspace.answers(&["yes", "no", "crash"]);
    sh(compare).prints(5, ["could not be judged (1)\n  C2  PASS → ERROR"]);
    sh(store).ends(0);
    sh(compare).prints(5, ["could not be judged (1)\n  C2  ERROR → ERROR"]);
    workspace.answers(&["yes", "crash", "crash"]);
    sh(compare).complains(1, ["ERROR"]);
    workspace.answers(&["yes", "no", "yes"]);
    workspace.edit("s.evals.json", "\"C1\"", "\"D1\"");
    workspace.write("D1.txt", "no");
    sh(compare).prints(1, ["vanished (1)", "new (1)"]);
}
