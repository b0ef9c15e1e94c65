//! The exit status of `run`.

use serde_json::json;

use crate::support::{Folder, YES};

const PASSES: (&str, Option<&str>) = (YES, Some("Yes."));
const FAILS: (&str, Option<&str>) = (YES, Some("No."));
const PARTIAL: (&str, Option<&str>) = (r#"{ "must_say_any": ["yes"], "ui": ["A list."] }"#, Some("Yes."));
const ERRS: (&str, Option<&str>) = (YES, None);

#[test]
pub(super) fn the_exit_status_follows_from_the_verdicts() {
    for (cases, arguments, status) in [
        (&[PASSES][..], &[][..], 0),
        (&[PASSES, PARTIAL], &[], 0),
        (&[PASSES, PARTIAL], &["--strict"], 1),
        (&[PASSES, FAILS], &[], 1),
        (&[FAILS, ERRS], &[], 1),
        (&[PASSES, ERRS], &[], 5),
        (&[PASSES, FAILS], &["--cases", "C0"], 0),
        (&[PASSES], &["--cases", "C0,C9"], 4),
        (&[], &[], 4),
        (&[PASSES], &["--target", "nobody"], 2),
        (&[PASSES], &["--timeout", "soon"], 2),
        (&[PASSES], &["--jobs", "0"], 2),
        (&[PASSES], &["--config", "absent.toml"], 2),
        (&[PASSES], &["--app-url", "localhost:1"], 2),
        (&[PASSES], &["absent.evals.json"], 3),
    ] {
        let workspace = Folder::new();
        workspace.suite(cases);
        workspace.run(&[&["run", "s.evals.json"], arguments].concat()).ends(status);
    }
}

#[test]
fn warnings_of_the_cases_that_are_run_are_in_one_line() {
    let workspace = Folder::new();
    workspace.suite(&[PASSES, (r#"{ "must_say_any": ["yes"], "notes": 1 }"#, Some("Yes."))]);
    let line = |arguments: &[&str]| {
        let ran = workspace.run(&[&["run", "s.evals.json"], arguments].concat()).ends(0);
        ran.err.lines().find(|line| line.contains("`eval-ls check` shows them")).map(str::to_owned)
    };
    let warned = line(&["--cases", "C1"]).expect("a line");
    assert!(warned.starts_with("s.evals.json: ") && warned.contains("unknown-key 1"), "{warned}");
    assert!(!line(&["--cases", "C0"]).unwrap_or_default().contains("unknown-key"));
}

#[test]
fn configuration_errors_have_a_place() {
    let workspace = Folder::stored(&["yes"]);
    workspace.write("eval-ls.toml", "[run]\njobs = \"two\"\n");
    workspace.run(&["run", "s.evals.json"]).complains(2, ["eval-ls.toml:2:8"]);
}

#[test]
fn the_flags_of_the_shell_runner_keep_their_meaning() {
    let workspace = Folder::new();
    workspace.suite(&[PASSES, FAILS]);
    workspace.run(&["run", "--self-test"]).ends(0);
    let arguments = ["run", "--eval-file", "s.evals.json", "--cases", "C0", "--session", "mine", "--format", "json"];
    let document = workspace.run(&arguments).json();
    assert_eq!((&document["session"], &document["summary"]["total"]), (&json!("mine"), &json!(1)));
}
