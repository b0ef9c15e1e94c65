//! Cases that run several times.

use serde_json::{Value, json};

use super::reports::junit;
use crate::support::Folder;

/// The result of each case, in a run with this exit status.
fn cases(workspace: &Folder, arguments: &[&str], status: i32) -> Vec<Value> {
    let document = workspace.run(&[&["run", "--format", "json"], arguments].concat()).ends(status).json();
    document["cases"].as_array().unwrap().clone()
}

fn statuses(results: &[Value]) -> Vec<&str> {
    results.iter().map(|result| result["status"].as_str().unwrap()).collect()
}

#[test]
fn attempts_and_their_rates_are_reported() {
    let workspace = Folder::asking(&["yes", "yes no yes yes", "no"], "");
    let document = workspace.run(&["run", "--format", "json", "--repeat", "4"]).ends(1).json();
    let attempts = |case: usize| statuses(document["cases"][case]["repeats"]["attempts"].as_array().unwrap());
    assert_eq!(attempts(0), ["PASS"; 4]);
    assert_eq!(attempts(1), ["PASS", "FAIL", "PASS", "PASS"]);
    for (place, expected) in [
        ("/cases/1/status", json!("FAIL")),
        ("/cases/1/repeats/flaky", json!(true)),
        ("/cases/1/checks/failed", json!(["must_say_any"])),
        ("/summary/repeats/cases", json!(3)),
        ("/summary/repeats/flaky", json!(1)),
        ("/summary/repeats/k", json!(4)),
        ("/summary/repeats/pass@1", json!({ "value": 0.583333, "low": 0.319511, "high": 0.80674 })),
        ("/summary/repeats/pass@k/value", json!(0.666667)),
        ("/summary/repeats/pass^k/value", json!(0.333333)),
    ] {
        assert_eq!(document.pointer(place), Some(&expected), "{place}");
    }

    let ran = workspace.run(&["run", "--repeat", "4", "--report", "junit=r.xml", "--report", "md=r.md"]);
    let texts = [
        "FAIL    C1  FLAKY: 3 of 4 attempts passed · 1 of 2 checks failed",
        "3 cases ran 4 times: pass@1 58 % (32 to 81 %), pass@4 67 %",
    ];
    ran.prints(1, texts);
    assert!(workspace.read("r.md").contains("### C1 · FLAKY 3 of 4 (FAIL)"), "{}", workspace.read("r.md"));
    let xml = workspace.read("r.xml");
    assert!(junit(&xml) == 2 && !xml.contains("flakyFailure"), "{xml}");
}

#[test]
pub(super) fn a_policy_decides_and_ends_early() {
    let policy = "[[policy]]\ncases = \"C*\"\nrepeat = 5\nmin_pass = 4\n";
    let workspace = Folder::asking(&["yes", "yes no yes yes yes", "no", "no yes"], policy);
    assert_eq!(statuses(&cases(&workspace, &[], 1)), ["PASS", "PASS", "FAIL", "FAIL"]);
    assert_eq!(["C0", "C1", "C2", "C3"].map(|case| workspace.asked(case)), [4, 5, 2, 3]);
    let ran = workspace.run(&["run", "--cases", "C1", "--report", "junit=r.xml"]);
    ran.prints(0, ["PASS    C1  FLAKY: 4 of 5 attempts passed · 2 checks passed"]);
    let xml = workspace.read("r.xml");
    assert!(xml.contains("<flakyFailure message=\"attempt 2 of 5: must_say_any\" type=\"FAIL\"/>"), "{xml}");
    assert_eq!(junit(&xml), 0, "{xml}");
    workspace.run(&["run", "--cases", "C3", "--report", "junit=r.xml"]).ends(1);
    let xml = workspace.read("r.xml");
    assert!(junit(&xml) == 1 && xml.contains("<rerunFailure "), "{xml}");
}

#[test]
fn flaky_cases_fail_or_pass() {
    let workspace = Folder::asking(&["yes no", "no"], "");
    let config = workspace.read("eval-ls.toml");
    // C1 never passes.
    for (case, flaky, status) in [("C0", "fail", 1), ("C0", "pass", 0), ("C1", "pass", 1)] {
        workspace.write("eval-ls.toml", config.replacen("[run]\n", &format!("[run]\nflaky = \"{flaky}\"\n"), 1));
        workspace.run(&["run", "--repeat", "2", "--cases", case]).ends(status);
    }
}

#[test]
fn attempts_without_a_verdict_do_not_decide() {
    let policy = "[[policy]]\ncategory = \"general\"\nrepeat = 3\nmin_pass = 2\n";
    let workspace = Folder::asking(&["crash yes yes", "crash yes no", "crash"], policy);
    let results = cases(&workspace, &[], 5);
    assert_eq!(statuses(&results), ["PASS", "ERROR", "ERROR"]);
    assert!(results[1]["reason"].is_string(), "{results:?}");
}

#[test]
fn kept_runs_have_each_answer_and_comparisons_count_each_attempt() {
    let workspace = Folder::asking(&["yes yes yes yes yes no"], "");
    workspace.run(&["run", "--repeat", "5"]);
    let lines = workspace.lines();
    assert_eq!(lines.len(), 6, "a line for each attempt, and one for the case");
    assert_eq!(lines[5]["attempts"].as_array().unwrap().len(), 5);
    let first = workspace.last_run();
    workspace.write("C0.txt", "no");
    workspace.run(&["run", "--repeat", "5"]);
    let regressed = "regressed (1)\n  C0  PASS (5 of 5 passed) → FAIL (0 of 5 passed)  s.evals.json\n    ✗ must_say_any (5 of 5 → 0 of 5)\n";
    workspace.run(&["compare", &first]).prints(1, [regressed]);
}

#[test]
fn options_without_effect_and_wrong_entries_are_reported() {
    let workspace = Folder::asking(&["yes"], "");
    let ran = workspace.run(&["run", "--target", "replay", "--repeat", "3"]);
    assert!(ran.err.contains("warning: `--repeat` has no effect: `replay` gives the same answer each time"), "{ran:?}");
    workspace.run(&["run", "--repeat", "0"]).ends(2);
    workspace.run(&["run", "--repeat", "2", "--record"]).ends(2);
    let workspace = Folder::asking(&["yes"], "\n[[policy]]\ncases = \"C0\"\nrepeat = 2\nmin_pass = 3\n");
    workspace.run(&["run"]).complains(2, ["`min_pass` is 3, but there are only 2 attempts"]);
}
