//! `runs CASE`: how cases ended from run to run.

use serde_json::{Value, json};

use crate::support::Folder;

/// Three runs: `C0` passes, fails and passes; `C1` always passes and is edited before the last run.
fn workspace() -> Folder {
    let workspace = Folder::stored(&["yes", "yes"]);
    workspace.run(&["run"]);
    workspace.store("C0", "no");
    workspace.run(&["run"]);
    workspace.store("C0", "yes");
    let suite = workspace.read("s.evals.json");
    let (head, tail) = suite.rsplit_once("[\"yes\"]").unwrap();
    workspace.write("s.evals.json", format!("{head}[\"yes\", \"sure\"]{tail}"));
    workspace.run(&["run"]);
    workspace
}

#[test]
pub(super) fn a_named_case_is_shown_run_by_run() {
    let workspace = workspace();
    let ran = workspace.run(&["runs", "C*"]).ends(0);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], "3 runs of the target `replay`");
    for (line, case) in [(2, "C0"), (7, "C1")] {
        assert_eq!(lines[line], format!("{case}  PASS in the last run  (s.evals.json)"));
    }
    let points = lines.iter().filter(|line| line.starts_with("  ")).map(|line| line.split_whitespace().skip(1));
    let points: Vec<String> = points.map(|words| words.collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(points, ["PASS", "FAIL must_say_any", "PASS", "PASS edited: expectations", "PASS", "PASS"], "{ran:?}");
}

#[test]
fn json_has_every_point() {
    let cases = workspace().run(&["runs", "C0", "--format", "json"]).json();
    assert_eq!((&cases[0]["case"], &cases[0]["flips"], &cases[1]), (&json!("C0"), &json!(2), &Value::Null));
    assert_eq!(cases[0]["points"][1]["failed"], json!(["must_say_any"]));
}

#[test]
pub(super) fn a_missing_case_or_run_has_a_clear_error() {
    let workspace = workspace();
    for (arguments, message) in [
        (&["runs", "C00"][..], "no case `C00` ended in the last 3 runs of `replay`; did you mean `C0`?"),
        (&["runs", "C0", "--target", "app"], "no run of the target `app` is kept; `eval-ls runs` lists the runs"),
        (&["runs", "C0", "--results", "elsewhere"], "`eval-ls run` keeps one"),
    ] {
        workspace.run(arguments).complains(4, [message]);
    }
}
