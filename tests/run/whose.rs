//! Whose answer a verdict is about, how old it is, and what it says.

use crate::run::support::{Ran, WORDS_AGENT, Workspace};

const YES: &str = r#"{ "must_say_any": ["yes"] }"#;

/// A workspace with the target `agent`, which answers with the words in `C0.txt`, and `replay` as the target of `run`.
fn workspace(words: &[&str]) -> Workspace {
    let workspace = Workspace::new();
    workspace.suite(&vec![(YES, None); words.len()]);
    workspace.agent(WORDS_AGENT, "");
    let config = std::fs::read_to_string(workspace.path().join("eval-ls.toml")).unwrap();
    workspace.write("eval-ls.toml", &config.replace("target = \"agent\"", "target = \"replay\""));
    for (index, words) in words.iter().enumerate() {
        workspace.write(&format!("C{index}.txt"), words);
    }
    workspace
}

/// The first line of what a run prints.
fn first_line(ran: &Ran) -> &str {
    ran.out.lines().next().unwrap_or_default()
}

/// The line of a case.
fn line<'a>(ran: &'a Ran, case: &str) -> &'a str {
    let is_of_case = |line: &&str| line.split_whitespace().nth(1) == Some(case);
    ran.out.lines().find(is_of_case).unwrap_or_else(|| panic!("no line of {case}: {}{}", ran.out, ran.err))
}

#[test]
fn cases_of_several_suites_have_their_suite_and_a_case_without_checks_has_none() {
    let workspace = workspace(&["yes"]);
    workspace.write("t.evals.json", r#"{ "cases": [{ "id": "T0", "prompt": "p", "expected": {} }] }"#);
    for (suite, case) in [("s", "C0"), ("t", "T0")] {
        let transcript = serde_json::json!({ "format": "eval-ls/transcript@1", "case": case, "response": "yes" });
        workspace.write(&format!("transcripts/{suite}.evals/{case}.json"), &transcript.to_string());
    }
    let ran = workspace.run(&["run", "--no-check"]);
    assert_eq!(line(&ran, "C0"), "PASS    C0  2 checks passed  s.evals.json", "{}", ran.err);
    assert_eq!(line(&ran, "T0"), "PASS    T0  no checks  t.evals.json");
}

#[test]
fn a_stored_answer_says_that_the_last_one_of_its_target_fails() {
    // The second answer of each is worse, and that of the third case none.
    let workspace = workspace(&["yes no", "yes yes", "yes crash", "no no"]);
    let ran = workspace.run(&["record"]);
    assert_eq!(first_line(&ran), "agent (python3 agent.py), asked now", "{}", ran.err);
    assert_eq!(workspace.run(&["record"]).status, 1, "an earlier answer stays");
    let ran = workspace.run(&["run"]);
    assert_eq!(ran.status, 1, "C3 fails: {}", ran.err);
    let first = "stored answers of agent, less than a minute old; 2 are older than the last answer of the target";
    assert_eq!(first_line(&ran), first);
    assert_eq!(line(&ran, "C0"), "PASS    C0  2 checks passed · older answer; the last one of agent fails");
    assert_eq!(line(&ran, "C1"), "PASS    C1  2 checks passed");
    assert_eq!(line(&ran, "C2"), "PASS    C2  2 checks passed · older answer; agent gave none the last time");
    assert_eq!(line(&ran, "C3"), "FAIL    C3  1 of 2 checks failed");
    let json = workspace.run(&["run", "--format", "json", "--cases", "C0"]).out;
    assert!(
        json.contains("\"newer\": {\n        \"answer\": \"FAIL\",\n        \"target\": \"agent\"\n      }"),
        "{json}"
    );

    // The mark is in the transcript: without the folder of results, and in each format.
    let results = workspace.path().join("results");
    let hidden = workspace.path().join("hidden");
    std::fs::rename(&results, &hidden).unwrap();
    let today = &std::fs::read_to_string(workspace.path().join("transcripts/s.evals/C0.json")).unwrap();
    let today = serde_json::from_str::<serde_json::Value>(today).unwrap()["last_record"]["at"].as_str().unwrap()[..10]
        .to_owned();
    let failed = format!("older answer; the one of agent on {today} did not pass");
    for options in [&["--no-results"][..], &["--results", "other"], &["--report", "md"], &["--format", "jsonl"]] {
        let ran = workspace.run(&[&["run"], options].concat());
        assert!(ran.out.contains(&failed) || ran.out.contains("\"recorded_at\":"), "{options:?}: {}", ran.out);
    }
    let ran = workspace.run(&["run", "--no-results", "--format", "concise"]);
    assert!(ran.out.contains(&format!("s.evals.json:1:22: warning[older-answer] C0: {failed}\n")), "{}", ran.out);
    let ran = workspace.run(&["run", "--no-results", "--format", "github"]);
    assert!(ran.out.contains(&format!("title=older-answer C0::{failed}\n")), "{}", ran.out);
    let ran = workspace.run(&["run", "--no-results"]);
    assert!(line(&ran, "C2").ends_with(&format!("older answer; agent gave none on {today}")), "{}", ran.out);
    std::fs::remove_dir_all(&results).unwrap();
    std::fs::rename(&hidden, &results).unwrap();

    // The last answer is judged by the present case.
    let suite = std::fs::read_to_string(workspace.path().join("s.evals.json")).unwrap();
    workspace.write("s.evals.json", &suite.replace("[\"yes\"]", "[\"yes\", \"no\"]"));
    let ran = workspace.run(&["run"]);
    assert_eq!(line(&ran, "C0"), "PASS    C0  2 checks passed");

    // An answer that is taken, and one that is recorded, is the last one.
    workspace.write("s.evals.json", &suite);
    assert_eq!(workspace.run(&["accept", "C0", "--yes", "--failing"]).status, 0);
    let ran = workspace.run(&["run", "--cases", "C0"]);
    assert_eq!(line(&ran, "C0"), "FAIL    C0  1 of 2 checks failed");
}

#[test]
fn cases_that_failed_are_those_of_the_target_that_is_asked() {
    let workspace = workspace(&["yes no yes", "yes"]);
    assert_eq!(workspace.run(&["record"]).status, 0);
    assert_eq!(workspace.run(&["run", "--target", "agent"]).status, 1);
    let ran = workspace.run(&["run"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!(ran.err.lines().last(), Some("next: ask agent again: eval-ls run --failed --target agent"));
    let ran = workspace.run(&["run", "--failed", "--target", "agent"]);
    assert!(ran.out.contains("1 case in 1 suite: 1 passed"), "{}{}", ran.out, ran.err);
    assert_eq!(workspace.run(&["record", "--target", "replay"]).status, 2);
}

#[test]
fn an_answer_that_a_person_wrote_is_older_than_that_of_any_target() {
    let workspace = workspace(&["no"]);
    let transcript = r#"{ "format": "eval-ls/transcript@1", "case": "C0", "response": "yes" }"#;
    workspace.write("transcripts/s.evals/C0.json", transcript);
    assert_eq!(workspace.run(&["record"]).status, 1, "it passes, and stays");
    let ran = workspace.run(&["run"]);
    assert_eq!(line(&ran, "C0"), "PASS    C0  2 checks passed · older answer; the last one of agent fails");
}

#[test]
fn a_changed_program_is_newer_than_the_stored_answers() {
    let workspace = workspace(&["yes"]);
    assert_eq!(workspace.run(&["record"]).status, 0);
    assert_eq!(first_line(&workspace.run(&["run"])), "stored answers of agent, less than a minute old");
    workspace.write("desk.py", "BOOKS = 3\n");
    let ran = workspace.run(&["run"]);
    let first = "stored answers of agent, less than a minute old; the program of agent has changed since";
    assert_eq!(first_line(&ran), first);
    assert_eq!(line(&ran, "C0"), "PASS    C0  2 checks passed · older than its program");
    let is_markdown = |path: &std::path::Path| path.extension().is_some_and(|end| end == "md");
    let pages = workspace.files().into_iter().filter(|(path, _)| is_markdown(path));
    let line = "- Answers: stored answers of agent, less than a minute old; the program";
    assert_eq!(pages.filter(|(_, page)| String::from_utf8_lossy(page).contains(line)).count(), 1);
}

#[test]
fn the_line_to_type_next_asks_the_target_again() {
    let workspace = workspace(&["no"]);
    assert_eq!(workspace.run(&["record"]).status, 0, "an answer that does not pass is stored if there is none");
    let ran = workspace.run(&["run"]);
    let next = "next: edit the case, or ask agent again: eval-ls run --failed --target agent";
    assert_eq!(ran.err.lines().last(), Some(next), "{}", ran.err);
    workspace.write("C0.txt", "yes");
    assert_eq!(workspace.run(&["run", "--failed", "--target", "agent"]).status, 0);
}

#[test]
fn a_failed_case_shows_its_answer() {
    let workspace = Workspace::new();
    let lines: Vec<String> = (1..=30).map(|line| format!("line {line}")).collect();
    let long = lines.join("\n").replace("line 20", "It is closed today.");
    workspace.suite(&[
        (YES, Some("I renewed it.\nno")),
        (r#"{ "must_not_say": ["closed"] }"#, Some(&long)),
        (YES, Some(" ")),
    ]);
    let ran = workspace.run(&["run"]);
    assert!(ran.out.starts_with("stored answers\n"), "{}", ran.out);
    assert!(ran.out.contains("      │ I renewed it.\n      │ no\n"), "{}", ran.out);
    assert!(ran.out.contains("      │ …\n      │ line 14\n"), "{}", ran.out);
    let shown = "      > It is closed today.\n      │ line 21\n";
    assert!(ran.out.contains(shown), "{}", ran.out);
    assert!(ran.out.contains("      │ line 25\n      │ … the whole answer: eval-ls show C1\n"), "{}", ran.out);
    assert!(ran.out.contains("      │ the answer is empty\n"), "{}", ran.out);
    let junit = workspace.run(&["run", "--format", "junit"]).out;
    assert!(junit.contains("answer:\nI renewed it.\nno</system-out>"), "{junit}");
}

#[test]
fn a_score_is_shown_only_if_a_case_asks_for_one() {
    let asks = r#"{ "must_say_any": ["yes"], "scoring": { "soft_score": { "threshold": 0.9 } } }"#;
    for (expected, is_shown) in [(YES, false), (asks, true)] {
        let workspace = Workspace::new();
        workspace.suite(&[(expected, Some("yes")), (expected, Some("no"))]);
        let outputs = [
            workspace.run(&["run"]).out,
            workspace.run(&["run", "--format", "junit"]).out,
            workspace.run(&["run", "--format", "github"]).out,
            workspace.run(&["run", "--report", "md=-", "--format", "json"]).out,
        ];
        let markdown = workspace.files().into_iter().find(|(path, _)| path.extension().is_some_and(|end| end == "md"));
        let markdown = String::from_utf8(markdown.unwrap().1).unwrap();
        let has_score = |text: &&String| text.contains("soft score ") || text.contains("soft score:");
        assert_eq!(outputs[..3].iter().filter(has_score).count(), if is_shown { 3 } else { 0 }, "{outputs:?}");
        assert_eq!(markdown.contains("Average soft score"), is_shown, "{markdown}");
    }
}

#[test]
fn stale_answers_that_fail_say_why() {
    let workspace = workspace(&["yes", "yes"]);
    assert_eq!(workspace.run(&["record"]).status, 0);
    let suite = std::fs::read_to_string(workspace.path().join("s.evals.json")).unwrap();
    workspace.write("s.evals.json", &suite.replace("\"p0\"", "\"another prompt\""));
    let ran = workspace.run(&["run"]);
    assert_eq!(ran.status, 0);
    assert!(ran.out.contains("2 cases in 1 suite: 2 passed, 1 stale · "), "{}", ran.out);
    for arguments in [&["run", "--strict"][..], &["run", "--strict", "--no-results"]] {
        let ran = workspace.run(arguments);
        assert_eq!(ran.status, 1);
        assert!(ran.out.contains("2 cases in 1 suite: 2 passed, 1 stale (fails because of --strict)"), "{}", ran.out);
        assert_eq!(ran.err.lines().last(), Some("next: eval-ls record --cases C0"), "{}", ran.err);
    }
}

/// Types a line as a person does, in a shell that finds the program.
#[cfg(unix)]
fn typed(workspace: &Workspace, line: &str) -> Ran {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_eval-ls"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut command = std::process::Command::new("bash");
    command.args(["-c", line]).current_dir(workspace.path()).env("PATH", path).stdin(std::process::Stdio::null());
    Ran::from(command.output().unwrap())
}

/// The commands of the last line that a command prints for a person to type.
#[cfg(unix)]
fn commands(ran: &Ran) -> Vec<String> {
    let line = ran.err.lines().last().unwrap_or_default();
    let starts: Vec<usize> = line.match_indices("eval-ls ").map(|(at, _)| at).collect();
    assert!(!starts.is_empty(), "{}", ran.err);
    let ends = starts.iter().skip(1).map(|at| line[..*at].rfind(';').unwrap_or(*at)).chain([line.len()]);
    starts.iter().zip(ends).map(|(start, end)| line[*start..end].to_owned()).collect()
}

#[cfg(unix)]
#[test]
fn every_line_to_type_next_can_be_typed() {
    for id in [
        "A",
        "it's",
        "a \"b\"",
        "a [b]",
        "-dash",
        "--help",
        "a b",
        "a\nb",
        "$(touch owned)",
        "`touch owned`",
        "é;ü",
        "a,b",
        "a*",
    ] {
        let workspace = Workspace::new();
        let cases = serde_json::json!({ "cases": [
            { "id": id, "prompt": "p", "expected": { "must_say_any": ["yes"] } },
            { "id": "OTHER", "prompt": "p", "expected": { "must_say_any": ["yes"] } },
        ] });
        workspace.write("s.evals.json", &cases.to_string());
        let answer = "import json, sys\ncase = json.loads(sys.stdin.readline())['case']\n\
                      said = open('said').read().strip()\n\
                      print(json.dumps({'response': 'yes' if case == 'OTHER' else said}))\n";
        workspace.agent(answer, "");
        workspace.write("said", "yes");
        let is_understood = |ran: &Ran, line: &str| {
            for command in commands(ran) {
                let typed = typed(&workspace, &command);
                let fault = format!("{id:?}: {line}\n$ {command}\n{}{}", typed.out, typed.err);
                let asks_for_names = typed.err.contains("name the cases, or accept all answers with `--yes`");
                assert!(![2, 4].contains(&typed.status) || asks_for_names, "{fault}");
            }
        };
        // A stored answer is missing, and stored.
        let ran = workspace.run(&["run", "--target", "replay", "--no-check"]);
        is_understood(&ran, "no stored answer");
        assert_eq!(
            workspace.run(&["run", "--target", "replay", "--no-check"]).status,
            0,
            "{id:?}: `next` has stored them"
        );
        // A later answer fails.
        workspace.write("said", "no");
        let ran = workspace.run(&["record", "--no-check"]);
        assert_eq!(ran.status, 1, "{id:?}: {}", ran.err);
        is_understood(&ran, "an earlier answer stays");
        for arguments in
            [&["run", "--no-check"][..], &["run", "--no-check", "--no-results"], &["compare", "latest~1", "latest"]]
        {
            let ran = workspace.run(arguments);
            if ran.status == 1 {
                is_understood(&ran, &arguments.join(" "));
            }
        }
        assert!(!workspace.path().join("owned").exists(), "{id:?}");
    }
}
