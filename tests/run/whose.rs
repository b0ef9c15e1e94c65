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
    assert!(json.contains("\"newer\": {\n        \"answer\": \"FAIL\"\n      }"), "{json}");

    // The last answer is judged by the present case.
    let suite = std::fs::read_to_string(workspace.path().join("s.evals.json")).unwrap();
    workspace.write("s.evals.json", &suite.replace("[\"yes\"]", "[\"yes\", \"no\"]"));
    let ran = workspace.run(&["run"]);
    assert_eq!(line(&ran, "C0"), "PASS    C0  2 checks passed");

    // An answer that is taken, and one that is recorded, is the last one.
    workspace.write("s.evals.json", &suite);
    assert_eq!(workspace.run(&["accept", "C0", "--yes"]).status, 0);
    let ran = workspace.run(&["run", "--cases", "C0"]);
    assert_eq!(line(&ran, "C0"), "FAIL    C0  1 of 2 checks failed");
}

#[test]
fn a_changed_program_is_newer_than_the_stored_answers() {
    let workspace = workspace(&["yes"]);
    assert_eq!(workspace.run(&["record"]).status, 0);
    let agent = std::fs::File::options().write(true).open(workspace.path().join("agent.py")).unwrap();
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    agent.set_modified(later).unwrap();
    let ran = workspace.run(&["run"]);
    assert_eq!(first_line(&ran), "stored answers of agent, less than a minute old; agent.py has changed since");
    assert_eq!(line(&ran, "C0"), "PASS    C0  2 checks passed · older than agent.py");
    let markdown = workspace.files().into_iter().find(|(path, _)| path.extension().is_some_and(|end| end == "md"));
    let markdown = String::from_utf8(markdown.unwrap().1).unwrap();
    assert!(markdown.contains("- Answers: stored answers of agent, less than a minute old; agent"), "{markdown}");
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
    assert!(ran.out.contains("2 cases: 2 passed, 1 stale · "), "{}", ran.out);
    for arguments in [&["run", "--strict"][..], &["run", "--strict", "--no-results"]] {
        let ran = workspace.run(arguments);
        assert_eq!(ran.status, 1);
        assert!(ran.out.contains("2 cases: 2 passed, 1 stale (fails because of --strict)"), "{}", ran.out);
        assert_eq!(ran.err.lines().last(), Some("next: eval-ls record --cases C0"), "{}", ran.err);
    }
}
