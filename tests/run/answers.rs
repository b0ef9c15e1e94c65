//! The answers of kept runs: `run --answers-of` judges them again, and `accept` takes them.

use serde_json::{Value, json};

use crate::support::{Folder, Ran, YES};

fn workspace() -> Folder {
    let workspace = Folder::new();
    let hinted = r#"{ "must_say_any": ["yes"], "ui": ["A list."] }"#;
    workspace.suite(&[(YES, Some("yes")), (YES, Some("no")), (hinted, Some("yes, a list")), (YES, None)]);
    workspace.write("eval-ls.toml", "[[ui_hints]]\nhint = \"A list.\"\nall = [\"list\"]\n");
    workspace
}

/// The results of the last run. Each attempt has a line, too.
fn results(workspace: &Folder) -> Vec<Value> {
    let lines = workspace.lines().into_iter().filter(|line| line["attempt"].is_null());
    lines.map(|mut line| line["result"].take()).collect()
}

fn statuses(workspace: &Folder) -> Vec<String> {
    results(workspace).iter().map(|case| case["status"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn without_an_edit_every_result_is_the_same() {
    let workspace = workspace();
    workspace.run(&["run"]);
    let before = results(&workspace);
    workspace.run(&["run", "--answers-of", "latest"]).prints(1, ["4 cases in 1 suite: 2 passed, 1 failed, 1 error"]);
    assert_eq!(results(&workspace), before);
    // The answers of that run are those of the first one.
    workspace.run(&["run", "--answers-of", "latest"]);
    assert_eq!(results(&workspace), before);
}

#[test]
pub(super) fn answers_are_judged_by_what_was_edited() {
    let workspace = workspace();
    workspace.run(&["run"]);
    // A hint, an expectation, a prompt, and a case that is gone.
    workspace.edit("eval-ls.toml", "\"list\"", "\"table\"");
    workspace.edit(
        "s.evals.json",
        &format!("\"p0\", \"expected\": {YES}"),
        r#""p0", "expected": { "must_say_any": ["no"] }"#,
    );
    workspace.edit("s.evals.json", "\"C3\"", "\"D3\"");
    workspace.edit("s.evals.json", "\"p1\"", "\"another\"");
    let ran = workspace.run(&["run", "--answers-of", "latest"]);
    ran.complains(1, ["the case `C3` of the run is gone", "next: see what changed: eval-ls compare "]);
    assert_eq!(statuses(&workspace), ["FAIL", "FAIL", "FAIL"]);
    workspace.run(&["compare"]).prints(0, ["C2", "edited: hints"]);
    workspace.run(&["run", "--answers-of", "nothing"]).ends(4);
}

#[test]
fn all_attempts_are_judged() {
    let workspace = Folder::asking(&["yes no yes crash"], "");
    workspace.run(&["run", "--repeat", "4"]).ends(1);
    let attempts = || -> Vec<Value> {
        let result = &results(&workspace)[0];
        result["repeats"]["attempts"].as_array().unwrap().iter().map(|one| one["status"].clone()).collect()
    };
    assert_eq!(attempts(), ["PASS", "FAIL", "PASS", "ERROR"]);
    workspace.edit("s.evals.json", "yes", "no");
    workspace.run(&["run", "--answers-of", "latest"]);
    assert_eq!(statuses(&workspace), ["FAIL"]);
    assert_eq!(attempts(), ["FAIL", "PASS", "FAIL", "ERROR"]);
    assert_eq!(workspace.asked("C0"), 4, "nobody is asked");
}

/// A target whose program leaves a trace when it is started.
const AGENT: &str = r#"
import json, sys
open("asked", "a").write("x")
print(json.dumps({"response": open("answer").read()}))
"#;

/// A workspace with these stored answers, whose target gives the same answer to each case.
fn answering(stored: &[Option<&str>], answer: &str, more: &str) -> Folder {
    let workspace = Folder::new();
    workspace.suite(&stored.iter().map(|stored| (YES, *stored)).collect::<Vec<_>>());
    workspace.agent(AGENT, more);
    workspace.write("answer", answer);
    workspace
}

#[test]
fn nothing_is_started_and_without_results_nothing_is_written() {
    let workspace = answering(&[None, None], "yes", "");
    workspace.run(&["run"]).ends(0);
    assert_eq!(workspace.read("asked"), "xx");
    let before = workspace.files();
    // Without a search path no program can be started by name.
    let mut command = workspace.command(&["run", "--answers-of", "latest", "--no-results"]);
    Ran::from(command.env("PATH", "")).ends(0);
    assert!(workspace.files() == before, "nothing is written, and nobody is asked");
}

#[test]
fn a_changed_answer_is_not_judged() {
    let workspace = workspace();
    workspace.run(&["run", "--cases", "C1"]);
    workspace.edit("results/runs/latest/answers", "\"no\"", "\"yes\"");
    workspace.run(&["run", "--answers-of", "latest"]).ends(5);
    assert!(results(&workspace)[0]["reason"].as_str().unwrap().ends_with("its contents were changed"));
}

#[cfg(unix)]
#[test]
fn accepting_never_writes_outside_of_the_workspace() {
    let workspace = answering(&[None], "yes", "");
    workspace.run(&["run"]);
    let victim = Folder::with(&[("s.evals/C0.json", "VICTIM")]);
    workspace.link("transcripts", victim.path());
    workspace.run(&["accept", "C0"]).complains(3, ["is outside of the workspace, so no answer is accepted there"]);
    assert_eq!(victim.read("s.evals/C0.json"), "VICTIM");
}

#[cfg(unix)]
#[test]
fn what_comes_of_a_private_run_is_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let workspace = answering(&[Some("old")], "yes", "pass_env = [\"SECRET_KEY\"]");
    Ran::from(workspace.command(&["run"]).env("SECRET_KEY", "sk-canary-0123456789")).ends(0);
    workspace.run(&["run", "--answers-of", "latest"]).ends(0);
    workspace.run(&["accept", "C0"]).ends(0);
    let runs = std::fs::read_dir(workspace.join("results/runs")).unwrap().map(|entry| entry.unwrap().path());
    let mut private: Vec<_> = runs.filter(|path| path.is_dir() && !path.is_symlink()).collect();
    assert_eq!(private.len(), 2);
    private.push(workspace.join("transcripts/s.evals/C0.json"));
    for path in private {
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o077, 0, "{path:?}");
    }
}

#[test]
fn answers_are_accepted_by_name() {
    let workspace = answering(&[Some("yes"), None], "no", "");
    workspace.run(&["run", "--record"]).complains(1, ["the transcript of `C0` passes and stays"]);
    let transcript = |case: &str| -> Value {
        serde_json::from_str(&workspace.read(format!("transcripts/s.evals/{case}.json"))).unwrap()
    };
    assert_eq!((&transcript("C0")["response"], &transcript("C1")["response"]), (&json!("yes"), &json!("no")));

    workspace.run(&["accept"]).complains(2, ["name the cases"]);
    workspace.run(&["accept", "C9"]).ends(4);
    let ran = workspace.run(&["accept", "C*"]).ends(1);
    assert_eq!(ran.out, "kept     C0  agent  PASS → FAIL; `--failing` takes it\n");
    assert_eq!(transcript("C0")["response"], "yes");
    let ran = workspace.run(&["accept", "C*", "--failing"]).complains(0, ["1 answer accepted", "1 already accepted"]);
    assert!(ran.out.lines().count() == 1 && ran.out.starts_with("accepted C0  agent  PASS → FAIL  "), "{ran:?}");
    let taken = transcript("C0");
    assert_eq!([&taken["response"], &taken["case"], &taken["prompt"], &taken["target"]], ["no", "C0", "p0", "agent"]);

    // An answer of an earlier run.
    let first = workspace.last_run();
    workspace.write("answer", "maybe");
    workspace.run(&["run"]);
    workspace.run(&["accept", "--yes"]);
    assert_eq!(transcript("C1")["response"], "maybe");
    workspace.run(&["accept", "C1", "--run", &first]);
    assert_eq!(transcript("C1")["response"], "no");

    workspace.agent("raise SystemExit(1)", "");
    workspace.run(&["run"]);
    workspace
        .run(&["accept", "--yes"])
        .complains(4, ["0 answers accepted from the run ", "; 2 cases without an answer"]);
}

#[test]
pub(super) fn record_keeps_a_run_and_passing_transcripts() {
    let workspace = answering(&[Some("yes"), None], "no", "");
    // The next run would pass with an earlier answer.
    let ran = workspace.run(&["record"]).prints(1, ["kept     C0", "recorded C1"]);
    let next = "C0: the new answer does not pass, so the earlier one stays; look: eval-ls show C0; take it: eval-ls accept --failing C0";
    assert_eq!(ran.last_line(), next);
    assert!(!workspace.files().keys().any(|path| path.to_string_lossy().contains("minimum-eval-results")));
    workspace.run(&["accept", "C0", "--yes", "--failing"]).ends(0);
    workspace.run(&["run"]).ends(1);
    workspace.write("answer", "yes");
    workspace.run(&["record"]).ends(0);
    let listed = workspace.runs();
    assert_eq!((listed.len(), &listed[0]["mode"]), (3, &json!("record")));
}

#[test]
fn a_run_that_fails_ends_with_the_line_to_type_next() {
    let workspace = workspace();
    let agent = "[targets.agent]\nkind = \"command\"\ncommand = [\"python3\", \"agent.py\"]\n";
    let odd = "-h.evals.json";
    for (config, arguments, next) in [
        (
            "",
            &["run", "s.evals.json"][..],
            "edit the case, and judge the same answer: eval-ls run --cases C1 s.evals.json",
        ),
        ("", &["run", "--no-results", "--target", "replay"], "judge the same answer: eval-ls run --cases C1"),
        ("", &["run", "--cases", "C3"], "1 case has no stored answer; next: add your assistant: eval-ls init python"),
        (agent, &["run", "--cases", "C3"], "1 case has no stored answer; next: eval-ls record --cases C3"),
        // No path looks like an option.
        (agent, &["run", "--no-check", "--results=-r", "--", odd], "--results=-r -- -h.evals.json"),
    ] {
        workspace.write("eval-ls.toml", config);
        if arguments.contains(&odd) {
            workspace.write(odd, workspace.read("s.evals.json"));
        }
        let ran = workspace.run(arguments);
        assert!(ran.err.ends_with(&format!("{next}\n")), "{next}: {ran:?}");
    }
    let ran = workspace.run(&["run", "--cases", "C0", "s.evals.json"]);
    assert!(!ran.err.contains("next:"), "{ran:?}");
}

#[test]
fn failures_of_a_live_target_appear_as_cases_end() {
    let workspace = Folder::asking(&["yes", "no", "crash"], "");
    for (target, expected) in [("agent", &["FAIL    C1", "ERROR   C2"][..]), ("replay", &[])] {
        let ran = workspace.run(&["run", "--no-results", "--jobs", "1", "--target", target]);
        let lines = ran.err.lines().filter(|line| line.starts_with(['P', 'F', 'E'])).map(|line| line[..10].trim());
        assert_eq!(lines.collect::<Vec<_>>(), expected, "{target}");
    }
}

#[test]
fn result_files_of_several_suites_are_named_after_them() {
    let workspace = workspace();
    workspace.write("t.evals.json", format!(r#"{{ "cases": [ {{ "id": "T", "prompt": "p", "expected": {YES} }} ] }}"#));
    workspace.run(&["run"]);
    let files = workspace.files();
    let results = files.keys().filter_map(|path| path.to_str()?.strip_prefix("results/minimum-eval-results-"));
    let names: Vec<_> = results.filter(|name| name.ends_with(".json")).map(|name| &name[16..]).collect();
    assert_eq!(names, ["s.evals.json", "t.evals.json"]);
}

#[test]
fn an_answer_becomes_a_sample_and_the_transcript_stays() {
    let workspace = answering(&[Some("yes, stored")], "yes, but wrong", "");
    workspace.run(&["run"]);
    for start in ["stored a bad sample of C0  samples/s.evals/C0/fail-", "stored already"] {
        let ran = workspace.run(&["accept", "C0", "--sample", "bad"]).ends(0);
        assert!(ran.out.starts_with(start), "{ran:?}");
    }
    workspace.run(&["check"]).prints(1, ["passed-sample"]);
    assert!(workspace.read("transcripts/s.evals/C0.json").contains("yes, stored"));
    assert_eq!(workspace.run(&["accept", "--sample", "good"]).status, 2, "a case is named");
    #[cfg(unix)]
    {
        let victim = Folder::new();
        std::fs::remove_dir_all(workspace.join("samples")).unwrap();
        workspace.link("samples", victim.path());
        workspace.run(&["accept", "C0", "--sample", "good"]).complains(3, ["out of the workspace"]);
        assert_eq!(victim.files().len(), 0);
    }
}
