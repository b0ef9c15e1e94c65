//! `show`, `report` and `compare` without arguments, and runs that end early.

use std::path::PathBuf;

use crate::run::support::{WORDS_AGENT, Workspace};

const YES: &str = r#"{ "must_say_any": ["yes"] }"#;

/// A workspace with the target `agent`, which answers with these words in turn.
fn workspace(words: &[&str]) -> Workspace {
    let workspace = Workspace::new();
    workspace.suite(&vec![(YES, None); words.len()]);
    workspace.agent(WORDS_AGENT, "");
    for (index, words) in words.iter().enumerate() {
        workspace.write(&format!("C{index}.txt"), words);
    }
    workspace
}

#[test]
fn a_case_is_shown_with_its_answer_and_what_changed() {
    let workspace = workspace(&["yes no", "yes yes", "no crash"]);
    assert_eq!(workspace.run(&["show", "C0"]).status, 4);
    workspace.run(&["run"]);
    workspace.run(&["run"]);
    let ran = workspace.run(&["show", "C0"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.starts_with("FAIL    C0  1 of 2 checks failed\n  s.evals.json:1:22 · run "), "{}", ran.out);
    assert!(ran.out.contains(" · agent (python3 agent.py), asked now\n"), "{}", ran.out);
    assert!(ran.out.contains("\nPrompt\n  p0\n\nAnswer\n  no\n\nChecks\n"), "{}", ran.out);
    assert!(ran.out.contains("\n  ✗ must_say_any"), "{}", ran.out);
    assert!(ran.out.contains("\nChanges since the last answer that passed ("), "{}", ran.out);
    assert!(ran.out.ends_with(")\n  - yes\n  + no\n"), "{}", ran.out);
    assert!(!ran.out.contains('\u{1b}'));

    let before = workspace.run(&["show", "C0", "target:agent~1"]).out;
    assert!(before.starts_with("PASS    C0  ") && before.contains("\nAnswer\n  yes\n"), "{before}");
    let none = workspace.run(&["show", "C2"]).out;
    assert!(none.starts_with("ERROR   C2  ") && none.contains("\nAnswer\n  none\n"), "{none}");
    let json: serde_json::Value =
        serde_json::from_str(&workspace.run(&["show", "C0", "--format", "json"]).out).unwrap();
    assert_eq!((&json["result"]["status"], &json["answer"]["response"]), (&"FAIL".into(), &"no".into()));

    for (arguments, fault) in [
        (&["show", "C9"][..], "no case `C9` ended in a kept run; did you mean `C0`?"),
        (&["show", "another"], "no case `another` ended in a kept run; `eval-ls list` lists the cases"),
        (&["show", "C0", "latest~7"], "there is no run `latest~7`"),
    ] {
        let ran = workspace.run(arguments);
        assert_eq!(ran.status, 4);
        assert!(ran.err.contains(fault), "{}", ran.err);
    }
}

#[test]
fn edits_since_the_run_are_named() {
    let workspace = workspace(&["no"]);
    workspace.run(&["run"]);
    let suite = std::fs::read_to_string(workspace.path().join("s.evals.json")).unwrap();
    let shown = || workspace.run(&["show", "C0"]).out;
    assert!(!shown().contains("have changed since"), "{}", shown());
    workspace.write("s.evals.json", &suite.replace("\"yes\"", "\"no\""));
    assert!(
        shown().contains("the expectations have changed since; judge the answer again: eval-ls run --answers-of "),
        "{}",
        shown()
    );
    workspace.write("s.evals.json", &suite.replace("\"p0\"", "\"another\""));
    assert!(shown().contains("the prompts have changed since; ask again: eval-ls run --cases=C0\n"), "{}", shown());
    workspace.write("s.evals.json", "{");
    assert!(!shown().contains("have changed since"), "{}", shown());
}

#[test]
fn each_attempt_is_shown() {
    let workspace = workspace(&["yes no yes"]);
    workspace.run(&["run", "--repeat", "3"]);
    let out = workspace.run(&["show", "C0"]).out;
    for attempt in ["\nAttempt 1 · PASS\n  yes\n", "\nAttempt 2 · FAIL\n  no\n", "\nAttempt 3 · PASS\n  yes\n"] {
        assert!(out.contains(attempt), "{out}");
    }
    let page = workspace.run(&["report", "--html", "-"]).out;
    assert!(page.contains(r#""attempts":[{"status":"PASS","said":"yes"},{"status":"FAIL","said":"no"},"#), "{page}");
}

#[test]
fn a_report_has_its_place() {
    let workspace = workspace(&["yes"]);
    workspace.run(&["run"]);
    let ran = workspace.run(&["report"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, "report: results/report.html\n"));
    let page = std::fs::read_to_string(workspace.path().join("results/report.html")).unwrap();
    assert!(page.contains("1 of 1 case passed"), "{}", &page[..400]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_report_is_opened_by_the_system() {
    use std::os::unix::fs::PermissionsExt as _;
    let workspace = workspace(&["yes"]);
    workspace.run(&["run"]);
    let opener = workspace.write("bin/xdg-open", "#!/bin/sh\nprintf %s \"$1\" > opened.new\nmv opened.new opened\n");
    std::fs::set_permissions(opener, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", workspace.path().join("bin").display(), std::env::var("PATH").unwrap());
    let output = workspace.command(&["report", "--open"]).env("PATH", path).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let opened = workspace.path().join("opened");
    while !opened.exists() {
        std::thread::yield_now();
    }
    let page = workspace.path().join("results/report.html").canonicalize().unwrap();
    assert_eq!(PathBuf::from(std::fs::read_to_string(opened).unwrap()).canonicalize().unwrap(), page);
    let output = workspace.command(&["report", "--open"]).env("PATH", workspace.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8(output.stderr).unwrap().contains("cannot open the page: `xdg-open` cannot be started"));
}

#[test]
fn compare_alone_takes_the_last_two_runs_of_a_target() {
    let workspace = workspace(&["yes no", "yes yes"]);
    let ran = workspace.run(&["compare"]);
    assert!(ran.status == 4 && ran.err.contains("no run is kept"), "{}", ran.err);
    workspace.run(&["run"]);
    let ran = workspace.run(&["compare"]);
    assert!(
        ran.status == 4 && ran.err.contains("no run of the target `agent` with the same suites is kept before"),
        "{}",
        ran.err
    );
    workspace.run(&["run", "--target", "replay"]);
    workspace.run(&["run"]);
    let ran = workspace.run(&["compare"]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(ran.out.contains("regressed (1)\n  C0  PASS → FAIL"), "{}", ran.out);
    let end = "\ncases passed: 2 of 2 → 1 of 2\n1 of 2 cases got worse; too few cases for a statement; run more of them, or use --repeat 5\n";
    assert!(ran.out.ends_with(end), "{}", ran.out);
    assert_eq!(ran.err, "next: eval-ls show C0\n");
    assert!(!workspace.run(&["compare", "--statistics"]).out.contains("points"), "two cases have no interval");
}

#[test]
fn nothing_hopeless_runs_on() {
    let crash = workspace(&["crash"; 12]);
    let ran = crash.run(&["run", "--jobs", "1"]);
    assert_eq!(ran.status, 5, "{}", ran.err);
    let asked =
        |workspace: &Workspace| (0..12).filter(|case| workspace.path().join(format!("C{case}.asked")).exists()).count();
    assert_eq!(asked(&crash), 5);
    let why = "warning: the first 5 cases ended with the same error, so 7 cases are not run\n";
    assert_eq!(ran.err.matches(why).count(), 1, "{}", ran.err);
    assert!(
        ran.out.contains("ERROR   the first 5 cases  ") && ran.out.contains("5 cases in 1 suite: 5 errors, 7 not run"),
        "{}",
        ran.out
    );
    assert_eq!(ran.err.lines().last(), Some("next: eval-ls run"), "{}", ran.err);
    // The cases that were not asked are not forgotten.
    for case in 0..12 {
        crash.write(&format!("C{case}.txt"), "yes");
    }
    assert_eq!(crash.run(&["run", "--failed", "--cases", "C0,C1"]).status, 0);
    let ran = crash.run(&["run", "--failed"]);
    assert!(ran.out.contains("10 cases in 1 suite: 10 passed"), "{}{}", ran.out, ran.err);

    let fails = workspace(&["no"; 12]);
    let ran = fails.run(&["run", "--jobs", "1", "--max-failures", "3"]);
    assert_eq!((ran.status, asked(&fails)), (1, 3), "{}", ran.err);
    let why = "warning: `--max-failures`: 3 cases did not pass, so 9 cases are not run\n";
    assert!(
        ran.err.contains(why) && ran.out.contains("3 cases in 1 suite: 3 failed, 9 not run"),
        "{}{}",
        ran.err,
        ran.out
    );
    assert_eq!(fails.run(&["run", "--max-failures", "0"]).status, 2);
}
