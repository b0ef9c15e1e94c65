//! Runs that are kept, resumed, listed and removed.

use std::process::Stdio;

use serde_json::{Value, json};

use super::{edit_json, without_lines};
use crate::support::{Folder, Ran, YES};

const RUN: &str = "results/runs/latest";
const PASSES: (&str, Option<&str>) = (YES, Some("yes"));
const FAILS: (&str, Option<&str>) = (YES, Some("no"));

fn workspace() -> Folder {
    let workspace = Folder::new();
    workspace.suite(&[PASSES, FAILS, (YES, None)]);
    workspace
}

/// The ids of the cases that ran, in the order of the suite.
fn ids(ran: &Ran) -> Vec<String> {
    ran.json()["cases"].as_array().unwrap().iter().map(|case| case["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_run_is_kept_with_its_record_and_answers() {
    let workspace = workspace();
    workspace.write("eval-ls.toml", "");
    workspace.run(&["run", "s.evals.json"]).ends(1);
    let record: Value = serde_json::from_str(&workspace.read("results/runs/latest/run.json")).unwrap();
    let validator = jsonschema::draft7::new(&workspace.run(&["schema", "run"]).json()).unwrap();
    let faults: Vec<_> = validator.iter_errors(&record).map(|fault| fault.to_string()).collect();
    assert_eq!(faults, [""; 0], "{record:#}");
    for (place, expected) in [
        ("/target/name", json!("replay")),
        ("/target/kind", json!("replay")),
        ("/git", Value::Null),
        ("/os", json!(std::env::consts::OS)),
        ("/suites/0/path", json!("s.evals.json")),
        ("/not_run", json!(0)),
        ("/summary/total", json!(3)),
    ] {
        assert_eq!(record.pointer(place).unwrap_or(&Value::Null), &expected, "{place}");
    }
    assert_eq!(record["suites"][0]["cases"].as_array().unwrap().len(), 3);

    let lines = workspace.lines();
    let ends: Vec<_> =
        lines.iter().map(|line| (line["case"].as_str().unwrap(), line["status"].as_str().unwrap())).collect();
    assert_eq!(ends, [("C0", "PASS"), ("C1", "FAIL"), ("C2", "ERROR")]);
    let part = |key: &str| lines[1]["answer"][key].as_u64().unwrap() as usize;
    let answers = workspace.read("results/runs/latest/answers");
    let answer: Value = serde_json::from_str(&answers[part("start")..][..part("length")]).unwrap();
    assert_eq!([&answer["format"], &answer["response"]], ["eval-ls/answer@1", "no"]);
    assert_eq!(lines[2]["answer"], Value::Null);

    // The result files have the same results.
    let files = workspace.files();
    let is_result = |path: &std::path::Path| {
        path.to_string_lossy().starts_with("results/minimum") && path.extension().is_some_and(|end| end == "json")
    };
    let file = files.iter().find(|(path, _)| is_result(path)).unwrap().1;
    let document: Value = serde_json::from_slice(file).unwrap();
    let results: Vec<Value> = lines.iter().map(|line| line["result"].clone()).collect();
    assert_eq!(document["cases"], Value::Array(results));
}

#[test]
fn runs_are_listed_and_removed() {
    let workspace = workspace();
    workspace.run(&["runs"]).complains(0, ["no run is kept"]);
    for _ in 0..3 {
        workspace.run(&["run"]);
    }
    let all: Vec<String> = workspace.runs().iter().map(|run| run["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(all.len(), 3);
    let listed = workspace.run(&["runs"]).prints(0, ["1 passed, 1 failed, 1 error"]);
    assert_eq!(listed.out.lines().count(), 3);
    assert!(listed.out.starts_with(&format!("{}  just now  run replay  ", all[0])), "{listed:?}");
    assert!(listed.out.lines().all(|line| line.contains("  s  ")), "{listed:?}");

    let ran = workspace.run(&["runs", "rm", &all[0], "nothing"]).complains(4, ["there is no run `nothing`"]);
    assert_eq!(ran.out.trim(), format!("removed {}", all[0]));
    assert_eq!(workspace.last_run(), all[1]);

    workspace.write("eval-ls.toml", "[run]\nkeep = \"1 run\"\n");
    workspace.run(&["run"]);
    let left = workspace.runs();
    assert_eq!(left.len(), 1, "a run removes the others when it ends");
    assert_ne!(left[0]["id"], json!(all[1]));
}

#[test]
pub(super) fn the_cases_that_did_not_pass_are_selected() {
    let workspace = workspace();
    workspace.run(&["run", "--failed"]).complains(4, ["no run is kept in"]);
    workspace.run(&["run"]);
    let first = workspace.last_run();
    let out = workspace.run(&["challenge", "--failed", "--format", "json"]).out;
    let has = |id: &str| out.contains(&format!("\"id\": \"{id}\""));
    assert!(!has("C0") && has("C1") && has("C2"), "{out}");
    let failed = |option: &str| ids(&workspace.run(&["run", option, "--format", "json"]));
    assert_eq!(failed("--failed"), ["C1", "C2"]);

    // What passes now is not in the next one.
    workspace.suite(&[PASSES, PASSES, (YES, None)]);
    assert_eq!(failed("--failed"), ["C1", "C2"]);
    assert_eq!(failed("--failed"), ["C2"]);
    assert_eq!(failed(&format!("--failed={first}")), ["C1", "C2"]);
    // A run of other cases does not hide a case that fails.
    workspace.run(&["run", "--cases", "C0"]);
    assert_eq!(failed("--failed"), ["C2"]);
    let last = workspace.runs()[1]["id"].as_str().unwrap().to_owned();
    for (option, sentence) in [
        ("--failed", "no selected case failed when `replay` last answered it"),
        (&format!("--failed={last}"), &format!("no selected case failed in the run {last}")),
    ] {
        for command in ["run", "challenge"] {
            let ran = workspace.run(&[command, option, "--cases", "C0"]).ends(0);
            assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", &*format!("{sentence}\n")), "{command} {option}");
        }
    }
}

#[test]
fn cases_that_failed_ask_the_target_that_failed() {
    let workspace = Folder::asking(&["no", "yes"], "");
    ["C0", "C1"].iter().for_each(|case| workspace.store(case, "yes"));
    workspace.edit("eval-ls.toml", "[run]\ntarget = \"agent\"\n", "");
    workspace.run(&["run", "--target", "agent"]).ends(1);
    // The stored answers pass, but another target failed.
    let again = workspace.run(&["run", "--failed", "--format", "json"]).ends(1);
    assert_eq!(ids(&again), ["C0"]);
    assert_eq!(workspace.runs()[0]["target"]["name"], "agent");
    for failed in ["--failed", &format!("--failed={}", workspace.last_run())] {
        let other = workspace.run(&["run", failed, "--target", "replay", "--no-results"]);
        other.complains(0, ["the cases failed with `agent`, and `replay` is asked"]);
    }
    // A replay in between changes nothing about what the agent said, once the agent is the last target again.
    workspace.run(&["run"]);
    workspace.run(&["run", "--target", "agent", "--cases", "C1"]);
    assert_eq!(ids(&workspace.run(&["run", "--failed", "--format", "json"])), ["C0"]);
}

/// A result of a shell runner before there were scores.
fn early_result(cases: &[(&str, &str)]) -> String {
    let case = |(id, status): &(&str, &str)| {
        json!({
            "id": id, "prompt": "p", "expected_outcome": "response_only", "status": status,
            "checks": { "passed": [], "failed": ["a"], "unknown_ui": [] }, "snapshot_excerpt": ["- document"]
        })
    };
    let count = |wanted: &str| cases.iter().filter(|(_, status)| *status == wanted).count();
    json!({
        "generated_at": "2026-02-03T10:00:00Z", "eval_file": "evals/../s.evals.json", "app_url": "http://localhost:1",
        "space_url": "http://localhost:1/s", "session": "s", "telemetry_log_path": "t.log",
        "summary": { "pass": count("PASS"), "fail": count("FAIL"), "partial": count("PARTIAL"), "total": cases.len() },
        "cases": cases.iter().map(case).collect::<Vec<_>>()
    })
    .to_string()
}

#[test]
fn result_files_of_the_shell_runner_fit_the_schema() {
    let workspace = workspace();
    let ends = early_result(&[("C0", "PASS"), ("C1", "PARTIAL"), ("C2", "FAIL")]);
    workspace.write("old.json", &ends);
    workspace.run(&["run", "--failed=old.json"]).complains(4, ["`old.json` is a file, and runs are folders"]);
    let schema = workspace.run(&["schema", "result"]).json();
    assert!(jsonschema::draft7::new(&schema).unwrap().is_valid(&serde_json::from_str(&ends).unwrap()));
}

#[test]
pub(super) fn cases_are_selected_by_patterns_and_categories() {
    let case = |(id, category): (&str, &str)| json!({ "id": id, "category": category, "prompt": "p", "expected": {} });
    let cases = [("SYN1", "synthesis"), ("SYN2", "git"), ("A*", "git"), ("AB", "general")].map(case);
    let workspace = Folder::with(&[("s.evals.json", &json!({ "cases": cases }).to_string())]);
    let none = &[][..];
    for (arguments, status, expected, message) in [
        (&["--cases", "SYN*"][..], 5, &["SYN1", "SYN2"][..], ""),
        (&["--cases", "A*"], 5, &["A*"], ""),
        (&["--cases", "A?"], 5, &["A*", "AB"], ""),
        (&["--cases", "SYN?", "--category", "git"], 5, &["SYN2"], ""),
        (&["--category", "g*"], 5, &["SYN2", "A*", "AB"], ""),
        (&["--cases", "SYN9"], 4, none, "there is no case `SYN9`; did you mean `SYN1`?"),
        (&["--cases", "B*"], 4, none, "no case matches `B*`"),
        (&["--category", "gti"], 4, none, "there is no category `gti`; did you mean `git`?"),
        (&["--cases", "AB", "--category", "git"], 4, none, "no case is selected"),
        (&["--cases", ""], 2, none, ""),
    ] {
        let ran = workspace.run(&[&["run", "--format", "json"], arguments].concat()).complains(status, [message]);
        let selected = if status == 5 { ids(&ran) } else { Vec::new() };
        assert_eq!(selected, expected, "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn the_branch_and_the_commit_are_kept_and_git_is_not_started() {
    let workspace = workspace();
    for arguments in
        [&["init", "--quiet", "--initial-branch=main"][..], &["add", "."], &["commit", "--quiet", "--message=one"]]
    {
        super::foreign::git(workspace.path(), arguments);
    }
    workspace.agent("print('{\"response\": \"yes\"}')", "");
    workspace.program("bin/git", "#!/bin/sh\ntouch started\n");
    let path = format!("{}:{}", workspace.join("bin").display(), std::env::var("PATH").unwrap());
    for arguments in [&["run", "--target=replay"][..], &["run", "--target=agent"], &["record"], &["check"]] {
        workspace.command(arguments).env("PATH", &path).output().unwrap();
    }
    assert!(!workspace.join("started").exists());
    let listed = workspace.runs();
    assert_eq!(listed.len(), 3);
    for run in listed {
        assert_eq!(run["git"]["branch"], "main");
        assert_eq!(run["git"]["commit"].as_str().unwrap().len(), 40);
    }
}

#[test]
fn a_program_cannot_change_the_report_of_the_run_that_judges_it() {
    const CHEATS: &str = r#"
import json, sys
case, text = json.loads(sys.stdin.readline())["case"], "no"
if case == "C1":
    path = "results/runs/latest/cases.jsonl"
    line = open(path).readline()
    open(path, "a").write(line.replace('"FAIL"', '"PASS"'))
    text = "yes"
print(json.dumps({"response": text}))
"#;
    let workspace = Folder::of_program(2, CHEATS, "");
    let refused = "its lines were changed after they were written; run the cases again";
    let ran = workspace.run(&["run", "--report=html=r.html"]).prints(3, ["1 passed, 1 failed"]);
    ran.complains(3, [refused]);
    assert!(!workspace.join("r.html").exists());
    for command in [
        &["show", "C0"][..],
        &["report", "--html", "r.html"],
        &["run", "--answers-of", "latest", "--no-results"],
        &["accept", "--yes"],
        &["compare", "latest", "latest"],
    ] {
        let ran = workspace.run(command);
        assert!(ran.status > 1 && ran.err.contains(refused), "{command:?}: {ran:?}");
    }
    let again = ["run", "--failed", "--target", "replay", "--no-results", "--format", "json"];
    let ran = workspace.run(&again).complains(5, [refused, "its cases are selected"]);
    assert_eq!(ids(&ran), ["C0", "C1"], "its verdicts are not known");
    // Other runs are read.
    workspace.write("agent.py", "print('{\"response\": \"yes\"}')\n");
    workspace.run(&["run"]).ends(0);
    assert_eq!(workspace.run(&again).out, "");
    workspace.run(&["runs", "rm", "latest"]);
    assert!(workspace.run(&["runs"]).out.contains("1 passed, 1 failed"));
    // It is read as before without the hash.
    without_lines(&workspace.join(RUN));
    workspace.run(&["show", "C0"]).ends(0);
}

#[test]
fn a_damaged_run_is_read_as_far_as_it_is_whole() {
    let workspace = workspace();
    workspace.run(&["run"]);
    let text = workspace.read("results/runs/latest/cases.jsonl");
    workspace.write("results/runs/latest/cases.jsonl", format!("not json\n{}", &text[..text.len() - 20]));
    without_lines(&workspace.join(RUN));
    // The line of C2 is broken, so it has no verdict.
    assert_eq!(ids(&workspace.run(&["run", "--failed", "--no-results", "--format", "json"])), ["C1", "C2"]);
    workspace.write("results/runs/20200101T000000Z-abcdef/run.json", "{");
    assert_eq!(workspace.runs().len(), 1);
    workspace.run(&["run", "--failed=2020"]).complains(4, ["there is no run `2020`"]);
}

#[test]
fn a_clock_that_jumps_does_not_change_what_the_last_run_is() {
    let workspace = workspace();
    workspace.run(&["run", "--cases", "C1"]);
    // A run from the future, as its name has it.
    let (first, future) = (workspace.last_run(), "29990101T000000Z-abcdef");
    let folder = workspace.join("results/runs");
    std::fs::rename(folder.join(&first), folder.join(future)).unwrap();
    let record = format!("results/runs/{future}/run.json");
    workspace.edit(&record, &first, future);
    workspace.edit(&record, "\"started_at\": \"20", "\"started_at\": \"29");
    workspace.run(&["run", "--cases", "C2"]);
    let judged = workspace.run(&["run", "--answers-of", "latest", "--no-results", "--format", "json"]);
    assert_eq!(ids(&judged), ["C2"]);
    assert_eq!(ids(&workspace.run(&["run", "--failed", "--no-results", "--format", "json"])), ["C1", "C2"]);
    let listed: Vec<_> = workspace.runs().iter().map(|run| run["id"] == json!(future)).collect();
    assert_eq!(listed, [false, true]);
}

#[test]
fn runs_at_once_are_kept_apart() {
    let workspace = workspace();
    let start = |_| workspace.command(&["run"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut children: Vec<_> = (0..4).map(start).collect();
    assert!(children.iter_mut().all(|child| child.wait().unwrap().code() == Some(1)));
    let runs = workspace.runs();
    assert_eq!(runs.len(), 4);
    assert!(runs.iter().all(|run| run["state"] == "ended" && run["summary"]["total"] == 3));
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_an_error_before_any_case() {
    use std::os::unix::fs::PermissionsExt as _;
    let workspace = workspace();
    let results = workspace.join("results");
    std::fs::create_dir(&results).unwrap();
    std::fs::set_permissions(&results, std::fs::Permissions::from_mode(0o555)).unwrap();
    if std::fs::write(results.join("probe"), "").is_ok() {
        // The superuser writes everywhere, so a file takes the place of the folder.
        std::fs::remove_dir_all(&results).unwrap();
        std::fs::write(&results, "").unwrap();
    }
    workspace.run(&["run"]).complains(3, ["/results", "--no-results"]);
    assert_eq!(workspace.run(&["run", "--no-results"]).status, 1);
}

#[test]
fn a_replay_is_the_same_on_any_number_of_threads() {
    let cases: Vec<_> = [PASSES, FAILS, (YES, None), (YES, Some("yes and no"))].into_iter().cycle().take(100).collect();
    let known = ["1", "3", "64"].map(|jobs| {
        let workspace = Folder::new();
        workspace.suite(&cases);
        let ran = workspace.run(&["run", "--jobs", jobs, "--format", "jsonl"]).ends(1);
        let mut events = ran.events();
        events.retain(|event| event["case"].is_string() || event["case"].is_object());
        let mut lines = workspace.lines();
        for value in events.iter_mut().chain(&mut lines) {
            value.as_object_mut().unwrap().remove("duration_ms");
        }
        assert_eq!((events.len(), lines.len()), (200, 100));
        let answers = workspace.read("results/runs/latest/answers");
        assert_eq!(answers.matches("eval-ls/answer@1").count(), 3, "equal answers are kept once");
        (events, lines, answers)
    });
    assert!(known[1..].iter().all(|other| *other == known[0]));
}

#[test]
fn a_replay_goes_on_after_half_an_answer() {
    let workspace = workspace();
    workspace.run(&["run", "s.evals.json"]);
    // As if the run had been killed while it wrote the second answer.
    let half = workspace.lines()[1]["answer"]["start"].as_u64().unwrap() as usize + 10;
    workspace.write("results/runs/latest/answers", &workspace.read("results/runs/latest/answers")[..half]);
    let lines = workspace.read("results/runs/latest/cases.jsonl");
    workspace.write("results/runs/latest/cases.jsonl", lines.split_inclusive('\n').next().unwrap());
    edit_json(&workspace.join("results/runs/latest/run.json"), |record| {
        record.as_object_mut().unwrap().retain(|key, _| key != "ended_at" && key != "lines");
    });

    workspace.run(&["run", "--resume"]).ends(1);
    assert_eq!(workspace.lines().len(), 3);
    let judged = workspace.run(&["run", "--answers-of", "latest", "--no-results", "--format", "json"]);
    assert!(!judged.out.contains("its contents were changed") && !judged.err.contains("error: "), "{judged:?}");
}
