//! The reason of an `ERROR` is the same everywhere.

use serde_json::Value;

use crate::run::reports::reports;
use crate::run::support::Workspace;

/// An agent that needs a variable, which cargo sets for tests. Python prints a traceback, and its last line states the error.
const AGENT: &str = "import os, sys\nprint('starting', file=sys.stderr)\nos.environ['CARGO_PKG_NAME']\n";

const REASON: &str = "KeyError: 'CARGO_PKG_NAME' (`python3` failed with exit status 1)";
const HINT: &str = "`CARGO_PKG_NAME` is set, but not passed to the program; add it to `pass_env` in `[targets.agent]`";

#[test]
fn every_report_has_the_printed_error_and_its_fix() {
    // A reason that all cases have is reported once.
    for cases in [1, 2] {
        let workspace = Workspace::new();
        workspace.suite(&vec![("{}", None); cases]);
        workspace.agent(AGENT, "");
        let (ran, mut reports) = reports(&workspace, &["--no-check"]);
        assert_eq!(ran.status, 5, "{}", ran.err);
        reports.insert("text", ran.out);
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

#[cfg(unix)]
#[test]
fn a_missing_debugger_is_reported_before_anything_runs() {
    let workspace = Workspace::new();
    workspace.suite(&[("{}", None)]);
    std::fs::create_dir(workspace.path().join("venv")).unwrap();
    std::os::unix::fs::symlink("/bin/false", workspace.path().join("venv/python3")).unwrap();
    let target = "[run]\ntarget = \"agent\"\n\n[targets.agent]\nkind = \"command\"\n";
    workspace.write("eval-ls.toml", &format!("{target}command = [\"venv/python3\", \"-u\", \"agent.py\"]\n"));
    let before = workspace.files();
    let ran = workspace.run(&["run", "--debug-port", "9"]);
    let reason = "the Python of the target `agent` has no package `debugpy`, which the debugger needs; \
                  for example, install it with `venv/python3 -m pip install debugpy`";
    assert!(ran.status == 2 && ran.err.contains(reason), "{} {}", ran.status, ran.err);
    assert_eq!(workspace.files(), before);
}

#[test]
fn each_error_of_a_suite_that_is_not_run_has_its_place() {
    let workspace = Workspace::new();
    let text = r#"{ "version": 7, "cases": [
  { "id": "A", "prompt": "p", "expected": { "must_match_regex": ["(a"] } },
  { "id": "A", "prompt": "p", "expected": {} }
] }"#;
    workspace.write("s.evals.json", text);
    let checked = workspace.run(&["check", "--format", "concise"]).out;
    let errors: Vec<&str> = checked.lines().filter(|line| line.contains(": error[")).collect();
    assert!(errors.len() > 1, "{checked}");
    let ran = workspace.run(&["run", "--format", "concise"]);
    assert_eq!(ran.status, 3);
    assert_eq!(ran.out.lines().collect::<Vec<_>>(), errors);
    let annotation = workspace.run(&["run", "--format", "github"]).out;
    assert!(annotation.starts_with("::error file=s.evals.json,line=1,endLine=1,col="), "{annotation}");
}

#[test]
fn a_case_with_an_error_ends_in_error_and_the_others_run() {
    const YES: &str = r#"{ "must_say_any": ["yes"] }"#;
    let case = |id: &str, expected: &str| format!(r#"{{ "id": "{id}", "prompt": "p", "expected": {expected} }}"#);
    let same = case("A", YES);
    for (broken, also, lint) in [
        (case("B", r#"{ "must_sya_any": ["yes"] }"#), "", "unknown-key"),
        (case("B", r#"{ "must_match_regex": ["(yes"] }"#), "", "invalid-regex"),
        (r#"{ "id": "B", "prompt": "p" }"#.to_owned(), "", "missing-key"),
        (case("B", YES), same.as_str(), "duplicate-case-id"),
    ] {
        let workspace = Workspace::new();
        let cases = [&same, &broken, &case("C", YES), also].map(str::to_owned);
        let cases: Vec<String> = cases.into_iter().filter(|case| !case.is_empty()).collect();
        workspace.write("s.evals.json", &format!(r#"{{ "version": "0.3.0", "cases": [{}] }}"#, cases.join(",\n")));
        workspace
            .agent("import json, sys\nfor _ in sys.stdin: print(json.dumps({'response': 'yes'}), flush=True)\n", "");
        let ran = workspace.run(&["run"]);
        let faulty = if also.is_empty() { vec!["B"] } else { vec!["A", "A"] };
        assert_eq!(ran.status, 5, "{lint}: {}{}", ran.out, ran.err);
        let errors: Vec<&str> =
            ran.out.lines().filter(|line| line.starts_with("ERROR   ") && line.contains(": ")).collect();
        assert_eq!(errors.len(), faulty.len(), "{lint}: {}", ran.out);
        for (error, id) in errors.iter().zip(&faulty) {
            assert!(
                error.starts_with(&format!("ERROR   {id}  line ")) && error.ends_with(&format!(" ({lint})")),
                "{error}"
            );
        }
        assert!(ran.out.contains("PASS    C"), "{lint}: {}", ran.out);
        let passed = format!("{} passed, {} error", cases.len() - faulty.len(), faulty.len());
        assert!(ran.out.contains(&passed), "{lint}: {}", ran.out);
        // Other cases can be chosen, and errors can be ignored.
        assert_eq!(workspace.run(&["run", "--cases", "C"]).status, 0, "{lint}");
        assert_ne!(workspace.run(&["run", "--no-check"]).status, 5, "{lint}");
    }
    // What follows a syntax error may be lost, and what is in no case may be about all of them.
    for text in
        [format!(r#"{{ "cases": [{same}, {{ "id": "B" ] }}"#), format!(r#"{{ "version": 7, "cases": [{same}] }}"#)]
    {
        let workspace = Workspace::new();
        workspace.write("s.evals.json", &text);
        let ran = workspace.run(&["run"]);
        assert!(ran.status == 3 && ran.err.contains("`s.evals.json` is not run"), "{}{}", ran.out, ran.err);
    }
}
