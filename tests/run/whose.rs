//! Whose answer a verdict is about, how old it is, and what it says.

use serde_json::{Value, json};

use crate::support::{Folder, Ran, YES};

/// A workspace with the target `agent`, which answers with these words in turn, and `replay` as the target of `run`.
fn workspace(words: &[&str]) -> Folder {
    let workspace = Folder::asking(words, "");
    workspace.edit("eval-ls.toml", "target = \"agent\"", "target = \"replay\"");
    workspace
}

fn first_line(ran: &Ran) -> &str {
    ran.out.lines().next().unwrap_or_default()
}

/// The line of a case, without its duration.
fn line<'a>(ran: &'a Ran, case: &str) -> &'a str {
    let is_of_case = |line: &&str| line.split_whitespace().nth(1) == Some(case);
    let line = ran.out.lines().find(is_of_case).unwrap_or_else(|| panic!("no line of {case}: {ran:?}"));
    let (before, last) = line.rsplit_once(" · ").unwrap_or((line, ""));
    if last.ends_with(" s") { before } else { line }
}

#[test]
fn cases_of_several_suites_have_their_suite_and_a_case_without_checks_has_none() {
    let workspace = Folder::stored(&["yes"]);
    workspace.write("t.evals.json", r#"{ "cases": [{ "id": "T0", "prompt": "p", "expected": {} }] }"#);
    let transcript = workspace.read("transcripts/s.evals/C0.json").replace("C0", "T0");
    workspace.write("transcripts/t.evals/T0.json", transcript);
    let ran = workspace.run(&["run", "--no-check"]);
    assert_eq!(line(&ran, "C0"), "PASS    C0  2 checks passed  s.evals.json", "{ran:?}");
    assert_eq!(line(&ran, "T0"), "PASS    T0  no checks  t.evals.json");
}

#[test]
fn a_stored_answer_says_that_the_last_one_of_its_target_fails() {
    // The second answer of each is worse, and that of the third case none.
    let workspace = workspace(&["yes no", "yes yes", "yes crash", "no no"]);
    let ran = workspace.run(&["record"]);
    assert_eq!(first_line(&ran), "agent (python3 agent.py), asked now", "{ran:?}");
    assert_eq!(workspace.run(&["record"]).status, 1, "an earlier answer stays");
    // C3 fails.
    let ran = workspace.run(&["run"]).ends(1);
    let first = "stored answers of agent, less than a minute old; 2 are older than the last answer of the target";
    assert_eq!(first_line(&ran), first);
    for (case, expected) in [
        ("C0", "PASS    C0  2 checks passed · older answer; the last one of agent fails"),
        ("C1", "PASS    C1  2 checks passed"),
        ("C2", "PASS    C2  2 checks passed · older answer; agent gave none the last time"),
        ("C3", "FAIL    C3  1 of 2 checks failed"),
    ] {
        assert_eq!(line(&ran, case), expected);
    }
    let document = workspace.run(&["run", "--format", "json", "--cases", "C0"]).json();
    assert_eq!(document["cases"][0]["newer"], json!({ "answer": "FAIL", "target": "agent" }), "{document:#}");

    let ran = workspace.run(&["run", "--no-results", "--cases", "C0"]);
    assert_eq!(line(&ran, "C0"), "PASS    C0  2 checks passed · older answer; the last one of agent fails");

    // The mark is in the transcript: without the folder of results, and in each format.
    let (results, hidden) = (workspace.join("results"), workspace.join("hidden"));
    std::fs::rename(&results, &hidden).unwrap();
    let transcript: Value = serde_json::from_str(&workspace.read("transcripts/s.evals/C0.json")).unwrap();
    let today = &transcript["last_record"]["at"].as_str().unwrap()[..10];
    let failed = format!("older answer; the one of agent on {today} did not pass");
    for options in [&["--no-results"][..], &["--results", "other"], &["--report", "md"], &["--format", "jsonl"]] {
        let ran = workspace.run(&[&["run"], options].concat());
        assert!(ran.out.contains(&failed) || ran.out.contains("\"recorded_at\":"), "{ran:?}");
    }
    for (format, start) in
        [("concise", "s.evals.json:1:22: warning[older-answer] C0: "), ("github", "title=older-answer C0::")]
    {
        let ran = workspace.run(&["run", "--no-results", "--format", format]);
        ran.prints(1, [format!("{start}{failed}\n")]);
    }
    let ran = workspace.run(&["run", "--no-results"]);
    assert!(line(&ran, "C2").ends_with(&format!("older answer; agent gave none on {today}")), "{ran:?}");
    std::fs::remove_dir_all(&results).unwrap();
    std::fs::rename(&hidden, &results).unwrap();

    // The last answer is judged by the present case.
    let suite = workspace.read("s.evals.json");
    workspace.write("s.evals.json", suite.replace("[\"yes\"]", "[\"yes\", \"no\"]"));
    let ran = workspace.run(&["run"]);
    assert_eq!(line(&ran, "C0"), "PASS    C0  2 checks passed");

    // An answer that is taken, and one that is recorded, is the last one.
    workspace.write("s.evals.json", suite);
    assert_eq!(workspace.run(&["accept", "C0", "--yes", "--failing"]).status, 0);
    let ran = workspace.run(&["run", "--cases", "C0"]);
    assert_eq!(line(&ran, "C0"), "FAIL    C0  1 of 2 checks failed");
}

#[test]
fn cases_that_failed_are_those_of_the_target_that_is_asked() {
    let workspace = workspace(&["yes no yes", "yes"]);
    assert_eq!(workspace.run(&["record"]).status, 0);
    assert_eq!(workspace.run(&["run", "--target", "agent"]).status, 1);
    let ran = workspace.run(&["run"]).ends(0);
    assert_eq!(ran.last_line(), "next: ask agent again: eval-ls run --failed --target agent");
    workspace.run(&["run", "--failed", "--target", "agent"]).prints(0, ["1 case in 1 suite: 1 passed"]);
    assert_eq!(workspace.run(&["record", "--target", "replay"]).status, 2);
}

#[test]
fn an_answer_that_a_person_wrote_is_older_than_that_of_any_target() {
    let workspace = workspace(&["no"]);
    workspace.store("C0", "yes");
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
    let line = "- Answers: stored answers of agent, less than a minute old; the program";
    let pages = workspace.files().into_iter().filter(|(path, _)| path.extension().is_some_and(|end| end == "md"));
    assert_eq!(pages.filter(|(_, page)| String::from_utf8_lossy(page).contains(line)).count(), 1);
}

#[test]
fn the_line_to_type_next_asks_the_target_again() {
    let workspace = workspace(&["no"]);
    assert_eq!(workspace.run(&["record"]).status, 0, "an answer that does not pass is stored if there is none");
    let ran = workspace.run(&["run"]);
    let next = "next: edit the case, or ask agent again: eval-ls run --failed --target agent";
    assert_eq!(ran.last_line(), next);
    workspace.write("C0.txt", "yes");
    assert_eq!(workspace.run(&["run", "--failed", "--target", "agent"]).status, 0);
}

#[test]
pub(super) fn a_failed_case_shows_its_answer() {
    let workspace = Folder::new();
    let lines: Vec<String> = (1..=30).map(|line| format!("line {line}")).collect();
    let long = lines.join("\n").replace("line 20", "It is closed today.");
    workspace.suite(&[
        (YES, Some("I renewed it.\nno")),
        (r#"{ "must_not_say": ["closed"] }"#, Some(&long)),
        (YES, Some(" ")),
    ]);
    let texts = [
        "    │ I renewed it.\n    │ no\n",
        "    │ …\n    │ line 14\n",
        "    > It is closed today.\n    │ line 21\n",
        "    │ line 25\n    │ … the whole answer: eval-ls show C1\n",
        "    │ the answer is empty\n",
    ];
    let ran = workspace.run(&["run"]).prints(1, texts);
    assert!(ran.out.starts_with("stored answers\n"), "{ran:?}");
    let junit = workspace.run(&["run", "--format", "junit"]);
    junit.prints(1, ["answer:\nI renewed it.\nno</system-out>"]);
}

#[test]
fn a_score_is_shown_only_if_a_case_asks_for_one() {
    let asks = r#"{ "must_say_any": ["yes"], "scoring": { "soft_score": { "threshold": 0.9 } } }"#;
    for (expected, is_shown) in [(YES, false), (asks, true)] {
        let workspace = Folder::new();
        workspace.suite(&[(expected, Some("yes")), (expected, Some("no"))]);
        for format in ["text", "junit", "github"] {
            let ran = workspace.run(&["run", "--format", format]);
            let has_score = ran.out.contains("soft score ") || ran.out.contains("soft score:");
            assert_eq!(has_score, is_shown, "{ran:?}");
        }
        let markdown = workspace.files().into_iter().find(|(path, _)| path.extension().is_some_and(|end| end == "md"));
        let markdown = String::from_utf8(markdown.unwrap().1).unwrap();
        assert_eq!(markdown.contains("Average soft score"), is_shown, "{markdown}");
    }
}

#[test]
fn stale_answers_that_fail_say_why() {
    let workspace = workspace(&["yes", "yes"]);
    assert_eq!(workspace.run(&["record"]).status, 0);
    workspace.edit("s.evals.json", "\"p0\"", "\"another prompt\"");
    workspace.run(&["run"]).prints(0, ["2 cases in 1 suite: 2 passed, 1 stale · "]);
    for arguments in [&["run", "--strict"][..], &["run", "--strict", "--no-results"]] {
        let ran = workspace.run(arguments).prints(1, ["2 cases in 1 suite: 2 passed, 1 stale"]);
        assert_eq!(ran.last_line(), "next: eval-ls record --cases C0");
    }
}

/// Types a line as a person does, in a shell that finds the program.
#[cfg(unix)]
fn typed(workspace: &Folder, line: &str) -> Ran {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_eval-ls"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut command = std::process::Command::new("bash");
    command.args(["-c", line]).current_dir(workspace.path()).env("PATH", path).stdin(std::process::Stdio::null());
    Ran::from(command)
}

/// The commands of the last line that a command prints for a person to type.
#[cfg(unix)]
fn commands(ran: &Ran) -> Vec<String> {
    let line = ran.last_line();
    let starts: Vec<usize> = line.match_indices("eval-ls ").map(|(at, _)| at).collect();
    assert!(!starts.is_empty(), "{ran:?}");
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
        let answer = "import json, sys\ncase = json.loads(sys.stdin.readline())['case']\n\
                      said = open('said').read().strip()\n\
                      print(json.dumps({'response': 'yes' if case == 'C1' else said}))\n";
        let workspace = Folder::of_program(2, answer, "");
        workspace.edit("s.evals.json", "\"C0\"", &json!(id).to_string());
        workspace.write("said", "yes");
        let is_understood = |ran: &Ran, line: &str| {
            for command in commands(ran) {
                let typed = typed(&workspace, &command);
                let asks_for_names = typed.err.contains("name the cases, or accept all answers with `--yes`");
                assert!(![2, 4].contains(&typed.status) || asks_for_names, "{id:?}: {line}\n$ {command}\n{typed:?}");
            }
        };
        // A stored answer is missing, and stored.
        let ran = workspace.run(&["run", "--target", "replay", "--no-check"]);
        is_understood(&ran, "no stored answer");
        // `next` has stored them.
        workspace.run(&["run", "--target", "replay", "--no-check"]).ends(0);
        // A later answer fails.
        workspace.write("said", "no");
        let ran = workspace.run(&["record", "--no-check"]).ends(1);
        is_understood(&ran, "an earlier answer stays");
        for arguments in
            [&["run", "--no-check"][..], &["run", "--no-check", "--no-results"], &["compare", "latest~1", "latest"]]
        {
            let ran = workspace.run(arguments);
            if ran.status == 1 {
                is_understood(&ran, &arguments.join(" "));
            }
        }
        assert!(!workspace.join("owned").exists(), "{id:?}");
    }
}

#[test]
fn a_run_sums_time_and_cost_and_names_an_unknown_key_once() {
    let program = |cost: f64| {
        format!(
            "import json\nprint(json.dumps({{'response': 'yes', 'model': 'small', 'usage': {{'output_tokens': 7, 'cost': {cost}}}}}))\n"
        )
    };
    let workspace = Folder::of_program(2, &program(0.25), "");
    let ran = workspace.run(&["run", "--repeat", "2"]).prints(0, ["4 answers: time ", "output tokens 28, cost 1\n"]);
    let warned = "answers of `agent` have the key `model`, which no check reads; transcripts keep it under `extra`";
    assert_eq!(ran.err.matches(warned).count(), 1, "{ran:?}");
    workspace.run(&["record"]).prints(0, ["2 answers: time "]).complains(0, [warned]);
    let stored: Value = serde_json::from_str(&workspace.read("transcripts/s.evals/C0.json")).unwrap();
    assert_eq!((&stored["extra"], &stored["usage"]["cost"]), (&json!({ "model": "small" }), &json!(0.25)));

    // A replay shows what the stored answers took, and warns of nothing.
    let ran = workspace.run(&["run", "--target", "replay"]).prints(0, ["2 answers: time ", "cost 0.5\n"]);
    assert!(!ran.err.contains("warning"), "{ran:?}");
    let document = workspace.run(&["run", "--target", "replay", "--format", "json"]).json();
    let sums = json!({ "count": 2, "with_usage": 2, "output_tokens": 14, "cost": 0.5 });
    let known = |sums: &Value, key: &str| document["summary"]["answers"][key] == sums[key];
    assert!(["count", "with_usage", "output_tokens", "cost"].iter().all(|key| known(&sums, key)), "{document}");
    assert_eq!(document["cases"][0]["usage"], json!({ "output_tokens": 7, "cost": 0.25 }));

    let first = workspace.last_run();
    workspace.agent(&program(0.125), "");
    workspace.run(&["run"]).ends(0);
    workspace.run(&["compare", &first, "latest"]).prints(0, ["2 answers: time ", "cost 0.5 → 0.25\n"]);
    workspace.run(&["report", "--html", "page.html"]).ends(0);
    assert!(workspace.read("page.html").contains("output tokens 7, cost 0.125"));
}
