//! The reason of an `ERROR` is the same everywhere.

use serde_json::Value;

use crate::run::reports::reports;
use crate::support::Folder;

/// An agent that needs a variable, which cargo sets for tests. Python prints a traceback, and its last line states the error.
const AGENT: &str = "import os, sys\nprint('starting', file=sys.stderr)\nos.environ['CARGO_PKG_NAME']\n";

const REASON: &str = "KeyError: 'CARGO_PKG_NAME' (`python3` failed with exit status 1)";
const HINT: &str = "`CARGO_PKG_NAME` is set, but not passed to the program; add it to `pass_env` in `[targets.agent]`";

#[test]
pub(super) fn every_report_has_the_printed_error_and_its_fix() {
    // A reason that all cases have is reported once.
    for cases in [1, 2] {
        let workspace = Folder::of_program(cases, AGENT, "");
        let (ran, mut reports) = reports(&workspace, &["--no-check"]);
        reports.insert("text", ran.ends(5).out);
        workspace.run(&["report", "--html", "page.html"]);
        for (path, content) in workspace.files() {
            match path.extension().and_then(|extension| extension.to_str()) {
                Some("html") => drop(reports.insert("html", String::from_utf8(content).unwrap())),
                Some("md") => drop(reports.insert("result", String::from_utf8(content).unwrap())),
                _ => {}
            }
        }
        let concise = workspace.run(&["run", "--no-check", "--format", "concise"]).out;
        assert_eq!(concise.lines().count(), cases, "{concise}");
        reports.insert("concise", concise);
        assert_eq!(reports.len(), 9);
        for (name, text) in &reports {
            let shown = without_marks(text);
            for line in [REASON, HINT, "starting", "Traceback"] {
                assert!(shown.contains(&without_marks(line)), "{line} is not in {name}:\n{text}");
            }
        }
        let document: Value = serde_json::from_str(&reports["json"]).unwrap();
        let reason = document["cases"][0]["reason"].as_str().unwrap();
        let lines: Vec<&str> = reason.lines().collect();
        assert_eq!(lines[..4], [REASON, HINT, "standard error ends with:", "  starting"], "{reason}");
    }
}

/// The text without the characters that formats escape in different ways.
fn without_marks(text: &str) -> String {
    text.replace("&apos;", "").replace("&#39;", "").replace(['`', '\\', '\''], "")
}

#[test]
fn each_error_of_a_suite_that_is_not_run_has_its_place() {
    let workspace = Folder::new();
    let text = r#"{ "version": 7, "cases": [
  { "id": "A", "prompt": "p", "expected": { "must_match_regex": ["(a"] } },
  { "id": "A", "prompt": "p", "expected": {} }
] }"#;
    workspace.write("s.evals.json", text);
    let checked = workspace.run(&["check", "--format", "concise"]).out;
    let errors: Vec<&str> = checked.lines().filter(|line| line.contains(": error[")).collect();
    assert!(errors.len() > 1, "{checked}");
    let ran = workspace.run(&["run", "--format", "concise"]).ends(3);
    assert_eq!(ran.out.lines().collect::<Vec<_>>(), errors);
    let annotation = workspace.run(&["run", "--format", "github"]).out;
    assert!(annotation.starts_with("::error file=s.evals.json,line=1,endLine=1,col="), "{annotation}");
}

#[test]
fn a_case_with_an_error_ends_in_error_and_the_others_run() {
    const YES: &str = r#"{ "must_say_any": ["yes"] }"#;
    let case = |id: &str, expected: &str| format!(r#"{{ "id": "{id}", "prompt": "p", "expected": {expected} }}"#);
    let (first, last) = (case("A", YES), case("C", YES));
    for (broken, lint) in [
        (vec![case("B", r#"{ "must_sya_any": ["yes"] }"#)], "unknown-key"),
        (vec![case("B", r#"{ "must_match_regex": ["(yes"] }"#)], "invalid-regex"),
        (vec![case("B", r#"{ "outcome": "magic" }"#)], "unknown-value"),
        (vec![r#"{ "id": "B", "prompt": "p" }"#.to_owned()], "missing-key"),
        (vec![case("B", YES), case("B", YES)], "duplicate-case-id"),
    ] {
        let workspace = Folder::new();
        let cases = format!("{first},\n{},\n{last}", broken.join(",\n"));
        workspace.write("s.evals.json", format!(r#"{{ "version": "0.3.0", "cases": [{cases}] }}"#));
        workspace.agent("print('{\"response\": \"yes\"}')\n", "");
        let ran =
            workspace.run(&["run"]).prints(5, ["PASS    A", "PASS    C", "2 passed, "]).complains(5, ["--no-check"]);
        let why = |line: &&str| line.starts_with("ERROR   B  line ") && line.ends_with(&format!(" ({lint})"));
        assert_eq!(ran.out.lines().filter(why).count(), broken.len(), "{lint}: {ran:?}");
        // Other cases can be chosen, and errors can be ignored.
        workspace.run(&["run", "--cases", "C"]).ends(0);
        let unchecked = workspace.run(&["run", "--no-check"]);
        assert!(unchecked.status != 5, "{unchecked:?}");
        assert_eq!(unchecked.out.contains("outcome:unknown:magic"), lint == "unknown-value", "{unchecked:?}");
    }
    // What follows a syntax error may be lost, and what is in no case may be about all of them.
    let broken =
        [format!(r#"{{ "cases": [{first}, {{ "id": "B" ] }}"#), format!(r#"{{ "version": 7, "cases": [{first}] }}"#)];
    for text in broken {
        let workspace = Folder::new();
        workspace.write("s.evals.json", text);
        workspace.run(&["run"]).complains(3, ["`s.evals.json` is not run"]);
    }
}
