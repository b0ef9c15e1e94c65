use crate::run::support::Workspace;

const PASSES: (&str, Option<&str>) = (r#"{ "must_say_any": ["yes"] }"#, Some("Yes."));
const FAILS: (&str, Option<&str>) = (r#"{ "must_say_any": ["yes"] }"#, Some("No."));
const PARTIAL: (&str, Option<&str>) = (r#"{ "must_say_any": ["yes"], "ui": ["A list."] }"#, Some("Yes."));
const ERRS: (&str, Option<&str>) = (r#"{ "must_say_any": ["yes"] }"#, None);

#[track_caller]
fn check(cases: &[(&str, Option<&str>)], arguments: &[&str], status: i32) {
    let workspace = Workspace::new();
    workspace.suite(cases);
    let ran = workspace.run(&[&["run", "s.evals.json"], arguments].concat());
    assert_eq!(ran.status, status, "{arguments:?}\n{}\n{}", ran.out, ran.err);
}

#[test]
fn the_exit_status_follows_from_the_verdicts() {
    check(&[PASSES], &[], 0);
    check(&[PASSES, PARTIAL], &[], 0);
    check(&[PASSES, PARTIAL], &["--strict"], 1);
    check(&[PASSES, FAILS], &[], 1);
    check(&[FAILS, ERRS], &[], 1);
    check(&[PASSES, ERRS], &[], 5);
    check(&[PASSES, FAILS], &["--cases", "C0"], 0);
    check(&[PASSES], &["--cases", "C0,C9"], 4);
    check(&[], &[], 4);
    check(&[PASSES], &["--target", "nobody"], 2);
    check(&[PASSES], &["--timeout", "soon"], 2);
    check(&[PASSES], &["--config", "absent.toml"], 2);
    check(&[PASSES], &["--app-url", "localhost:1"], 2);
    check(&[PASSES], &["absent.evals.json"], 3);
}

#[test]
fn a_case_with_errors_is_not_asked_by_default() {
    let workspace = Workspace::new();
    workspace.suite(&[(r#"{ "outcome": "magic" }"#, Some("Yes."))]);
    let ran = workspace.run(&["run", "s.evals.json"]);
    assert_eq!(ran.status, 5, "{}", ran.err);
    assert!(ran.err.contains("unknown-value") && ran.err.contains("--no-check"), "{}", ran.err);
    let ran = workspace.run(&["run", "s.evals.json", "--no-check", "--no-results"]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(ran.out.contains("outcome:unknown:magic"), "{}", ran.out);

    workspace.write("s.evals.json", r#"{ "cases": [ { "id": "C0" ] }"#);
    assert_eq!(workspace.run(&["run", "s.evals.json", "--no-check"]).status, 3);
}

#[test]
fn warnings_of_the_cases_that_are_run_are_in_one_line() {
    let workspace = Workspace::new();
    workspace.suite(&[PASSES, (r#"{ "must_say_any": ["yes"], "notes": 1 }"#, Some("Yes."))]);
    let line = |arguments: &[&str]| {
        let ran = workspace.run(&[&["run", "s.evals.json"], arguments].concat());
        assert_eq!(ran.status, 0, "{}", ran.err);
        ran.err.lines().find(|line| line.contains("`eval-ls check` shows them")).map(str::to_owned)
    };
    let warned = line(&["--cases", "C1"]).expect("a line");
    assert!(warned.starts_with("s.evals.json: ") && warned.contains("unknown-key 1"), "{warned}");
    assert!(!line(&["--cases", "C0"]).unwrap_or_default().contains("unknown-key"));
}

#[test]
fn configuration_errors_have_a_place() {
    let workspace = Workspace::new();
    workspace.suite(&[PASSES]);
    workspace.write("eval-ls.toml", "[run]\njobs = \"two\"\n");
    let ran = workspace.run(&["run", "s.evals.json"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("eval-ls.toml:2:8"), "{}", ran.err);
}

#[test]
fn the_flags_of_the_shell_runner_keep_their_meaning() {
    let workspace = Workspace::new();
    workspace.suite(&[PASSES, FAILS]);
    let ran = workspace.run(&["run", "--eval-file", "s.evals.json", "--list"]);
    assert_eq!((ran.status, ran.out.as_str()), (0, "C0\tgeneral\tp0\nC1\tgeneral\tp1\n"));
    let ran = workspace.run(&["run", "--self-test"]);
    assert_eq!(ran.status, 0, "{}", ran.out);
    let arguments = ["run", "--eval-file", "s.evals.json", "--cases", "C0", "--session", "mine", "--format", "json"];
    let ran = workspace.run(&arguments);
    let document: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&document["session"], &document["summary"]["total"]), (&"mine".into(), &1.into()));
}

#[test]
fn list_escapes_line_separators() {
    let workspace = Workspace::new();
    workspace
        .write("s.evals.json", r#"{ "cases": [ { "id": "A\tB", "prompt": "one\ntwo\u001b[31m", "expected": {} } ] }"#);
    let ran = workspace.run(&["list", "s.evals.json"]);
    assert_eq!(ran.out, "A B\tgeneral\tone two␛[31m\n");
    let ran = workspace.run(&["list", "s.evals.json", "--format", "json"]);
    let cases: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let first = &cases[0];
    assert_eq!((&first["id"], &first["line"], &first["column"]), (&"A\tB".into(), &1.into(), &22.into()));
}
