//! `show`, `report` and `compare` without arguments, and runs that end early.

use std::path::PathBuf;

use super::reports::junit;
use super::wait_for;
use crate::support::{Folder, Ran};

#[test]
fn a_case_is_shown_with_its_answer_and_what_changed() {
    let workspace = Folder::asking(&["yes no", "yes yes", "no crash"], "");
    assert_eq!(workspace.run(&["show", "C0"]).status, 4);
    workspace.run(&["run"]);
    workspace.run(&["run"]);
    let texts = [
        " · agent (python3 agent.py), asked 2",
        "\nPrompt\n  p0\n\nAnswer\n  no\n\nChecks\n",
        "\n  ✗ must_say_any",
        "\nChanges since the last answer that passed (",
    ];
    let ran = workspace.run(&["show", "C0"]).prints(0, texts);
    assert!(ran.out.starts_with("FAIL    C0  1 of 2 checks failed\n  s.evals.json:1:22 · run "), "{ran:?}");
    assert!(ran.out.ends_with(")\n  - yes\n  + no\n") && !ran.out.contains('\u{1b}'), "{ran:?}");

    let before = workspace.run(&["show", "C0", "target:agent~1"]).out;
    assert!(before.starts_with("PASS    C0  ") && before.contains("\nAnswer\n  yes\n"), "{before}");
    let none = workspace.run(&["show", "C2"]).out;
    assert!(none.starts_with("ERROR   C2  ") && none.contains("\nAnswer\n  none\n"), "{none}");
    let json = workspace.run(&["show", "C0", "--format", "json"]).json();
    assert_eq!([&json["result"]["status"], &json["answer"]["response"]], ["FAIL", "no"]);

    for (arguments, fault) in [
        (&["show", "C9"][..], "no case `C9` ended in a kept run; did you mean `C0`?"),
        (&["show", "another"], "no case `another` ended in a kept run; `eval-ls list` lists the cases"),
        (&["show", "C0", "latest~7"], "there is no run `latest~7`"),
    ] {
        workspace.run(arguments).complains(4, [fault]);
    }
}

#[test]
fn edits_since_the_run_are_named() {
    let workspace = Folder::asking(&["no"], "");
    workspace.run(&["run"]);
    let suite = workspace.read("s.evals.json");
    let expectations = "the expectations have changed since; judge the answer again: eval-ls run --answers-of ";
    let prompts = "the prompts have changed since; ask again: eval-ls run --cases=C0\n";
    for (text, expected) in [
        (suite.clone(), None),
        (suite.replace("\"yes\"", "\"no\""), Some(expectations)),
        (suite.replace("\"p0\"", "\"another\""), Some(prompts)),
        ("{".to_owned(), None),
    ] {
        workspace.write("s.evals.json", text);
        let ran = workspace.run(&["show", "C0"]).prints(0, expected);
        assert_eq!(ran.out.contains("have changed since"), expected.is_some(), "{ran:?}");
    }
}

#[test]
fn each_attempt_is_shown() {
    let workspace = Folder::asking(&["yes no yes"], "");
    workspace.run(&["run", "--repeat", "3"]);
    let attempts = ["\nAttempt 1 · PASS\n  yes\n", "\nAttempt 2 · FAIL\n  no\n", "\nAttempt 3 · PASS\n  yes\n"];
    workspace.run(&["show", "C0"]).prints(0, attempts);
    let data = r#""attempts":[{"status":"PASS","said":"yes"},{"status":"FAIL","said":"no"},"#;
    workspace.run(&["report", "--html", "-"]).prints(0, [data]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_report_has_its_place_and_is_opened_by_the_system() {
    let workspace = Folder::asking(&["yes"], "");
    workspace.run(&["run"]);
    assert_eq!(workspace.run(&["report"]).ends(0).err, "report: results/report.html\n");
    assert!(workspace.read("results/report.html").contains("1 of 1 case passed"));
    workspace.program("bin/xdg-open", "#!/bin/sh\nprintf %s \"$1\" > opened.new\nmv opened.new opened\n");
    let path = format!("{}:{}", workspace.join("bin").display(), std::env::var("PATH").unwrap());
    Ran::from(workspace.command(&["report", "--open"]).env("PATH", path)).ends(0);
    wait_for(|| workspace.join("opened").exists());
    let page = workspace.join("results/report.html").canonicalize().unwrap();
    assert_eq!(PathBuf::from(workspace.read("opened")).canonicalize().unwrap(), page);
    let ran = Ran::from(workspace.command(&["report", "--open"]).env("PATH", workspace.path()));
    ran.complains(3, ["cannot open the page: `xdg-open` cannot be started"]);
}

#[test]
fn compare_alone_takes_the_last_two_runs_of_a_target() {
    let workspace = Folder::asking(&["yes no", "yes yes"], "");
    workspace.run(&["compare"]).complains(4, ["no run is kept"]);
    workspace.run(&["run"]);
    workspace.run(&["compare"]).complains(4, ["no run of the target `agent` with the same suites is kept before"]);
    workspace.run(&["run", "--target", "replay"]);
    workspace.run(&["run"]);
    let ran = workspace.run(&["compare"]).prints(1, ["regressed (1)\n  C0  PASS → FAIL"]);
    assert!(ran.out.contains("\ncases passed: 2 of 2 → 1 of 2\n2 answers: time "), "{ran:?}");
    let end = "\n1 of 2 cases got worse; too few cases for a statement; run more of them, or use --repeat 5\n";
    assert!(ran.out.ends_with(end), "{ran:?}");
    assert_eq!(ran.err, "next: eval-ls show C0\n");
}

#[test]
fn nothing_hopeless_runs_on() {
    let crash = Folder::asking(&["crash"; 12], "");
    let asked = |workspace: &Folder| (0..12).filter(|case| workspace.asked(&format!("C{case}")) > 0).count();
    let texts = ["ERROR   the first 5 cases  ", "5 cases in 1 suite: 5 errors, 7 not run"];
    let ran = crash.run(&["run", "--jobs", "1"]).prints(5, texts);
    assert_eq!(asked(&crash), 5);
    let why = "warning: the first 5 cases ended with the same error, so 7 cases are not run\n";
    assert_eq!(ran.err.matches(why).count(), 1, "{ran:?}");
    assert_eq!(ran.last_line(), "next: eval-ls run");
    // The cases that were not asked are not forgotten.
    crash.answers(&["yes"; 12]);
    crash.run(&["run", "--failed", "--cases", "C0,C1"]).ends(0);
    crash.run(&["run", "--failed"]).prints(0, ["10 cases in 1 suite: 10 passed"]);

    let fails = Folder::asking(&["no"; 12], "");
    let ran = fails.run(&["run", "--jobs", "1", "--max-failures", "3", "--report", "junit=r.xml"]);
    let xml = fails.read("r.xml");
    assert!(junit(&xml) >= 3 && xml.contains("<skipped"), "{xml}");
    assert_eq!(asked(&fails), 3);
    let ran = ran.prints(1, ["3 cases in 1 suite: 3 failed, 9 not run"]);
    let ran = ran.complains(1, ["warning: `--max-failures`: 3 cases did not pass, so 9 cases are not run\n"]);
    assert_eq!(ran.last_line(), "next: eval-ls run --resume");
    fails.run(&["runs"]).prints(0, ["  3 failed, 9 not run  "]);
    let result = fails.files().into_iter().find(|(path, _)| path.extension().is_some_and(|end| end == "md")).unwrap();
    assert!(String::from_utf8(result.1).unwrap().contains("\n- Not run: 9 cases\n"));
    fails.run(&["run", "--max-failures", "0"]).ends(2);
}

#[test]
fn a_case_without_a_verdict_is_not_unchanged() {
    let program = "import os, sys\nopen('.asked', 'a').write('x')\nif os.path.getsize('.asked') > 2: sys.exit('down')\nprint('{\"response\": \"yes\"}')\n";
    let workspace = Folder::of_program(1, program, "");
    workspace.run(&["run"]).ends(0);
    workspace.run(&["run", "--repeat", "3"]).ends(5);
    let ran = workspace.run(&["compare"]).prints(5, ["could not be judged (1)\n"]);
    assert!(!ran.out.contains("unchanged"), "{ran:?}");
}

#[test]
fn a_run_of_a_few_cases_hides_no_regression() {
    let workspace = Folder::asking(&["yes", "yes", "yes"], "");
    workspace.run(&["run"]).ends(0);
    workspace.run(&["run", "--cases", "C0"]).ends(0);
    workspace
        .run(&["show", "C1", "latest"])
        .complains(4, ["the case `C1` did not end in the run ", "; it ended last in 2"]);
    workspace.answers(&["yes", "no", "yes"]);
    workspace.run(&["run"]).ends(1);
    workspace.run(&["compare"]).prints(1, ["regressed (1)\n  C1  PASS → FAIL"]);
    let ran =
        workspace.run(&["compare", "latest~1", "latest"]).prints(0, ["not run before (2)\n", "(2 not run before)"]);
    assert!(!ran.out.contains("new"), "{ran:?}");
}

#[test]
fn an_older_answer_fixes_nothing() {
    let workspace = Folder::asking(&["yes"], "");
    workspace.run(&["record"]).ends(0);
    workspace.answers(&["no"]);
    workspace.run(&["run"]).ends(1);
    workspace.run(&["run", "--target", "replay"]).prints(0, ["older answer"]);
    let ran = workspace.run(&["compare", "target:agent", "latest"]).prints(0, ["stale (1)\n"]);
    assert!(!ran.out.contains("fixed"), "{ran:?}");

    // The mark is in the transcript, too, for a clone without results, also if the program has changed.
    workspace.run(&["record"]).ends(1);
    std::fs::remove_dir_all(workspace.join("results")).unwrap();
    workspace.run(&["run", "--target", "replay"]).prints(0, ["older answer; the one of agent on "]);
}
