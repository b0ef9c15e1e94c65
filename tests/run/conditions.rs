//! Preconditions, retries, and the prompt's own words.

use crate::support::{Folder, Ran, YES};

/// Answers "yes", and records the case.
const AGENT: &str = r#"
import json, sys
request = json.loads(sys.stdin.readline())
open("asked", "a").write(request["case"] + "\n")
print(json.dumps({"response": "yes"}))
"#;

const CASES: &str = r#"{ "cases": [
  { "id": "OPEN", "prompt": "a", "preconditions": ["The shop is open."], "expected": { "must_say_any": ["yes"] } },
  { "id": "SHUT", "prompt": "b", "preconditions": ["The shop is open.", "The shop is shut."],
    "expected": { "must_say_any": ["yes"] } },
  { "id": "FREE", "prompt": "c", "expected": { "must_say_any": ["yes"] } }
] }"#;

/// A workspace that defines both preconditions in this way.
fn workspace(config: &str, [open, shut]: [&str; 2]) -> Folder {
    let workspace = Folder::new();
    let conditions = format!(
        "[[preconditions]]\ntext = \"The shop is open.\"\n{open}\n[[preconditions]]\ntext = \"The shop is shut.\"\n{shut}\n"
    );
    workspace.agent(AGENT, &(config.to_owned() + &conditions));
    workspace.write("s.evals.json", CASES);
    workspace
}

fn asked(workspace: &Folder) -> String {
    std::fs::read_to_string(workspace.join("asked")).unwrap_or_default()
}

#[test]
fn a_precondition_that_is_not_met_is_an_error_and_nothing_is_asked() {
    let check = ["open", "shut"].map(|word| format!("command = [\"python3\", \"check.py\", \"{word}\"]"));
    let workspace = workspace("", [&check[0], &check[1]]);
    let program = "import sys, os\nassert 'SECRET' not in os.environ\nif sys.argv[1] == 'shut': sys.exit('it is \\x1b[31mopen')\n";
    workspace.write("check.py", program);
    let mut command = workspace.command(&["run", "s.evals.json", "--format", "json"]);
    let ran = Ran::from(command.env("SECRET", "1")).ends(5);
    let cases = &ran.json()["cases"];
    assert_eq!([&cases[0]["status"], &cases[2]["status"]], ["PASS", "PASS"], "{ran:?}");
    let reason = cases[1]["reason"].as_str().unwrap();
    let start = "the precondition `The shop is shut.` is not met: it is \\u{1b}[31mopen (`python3` failed with";
    assert!(reason.starts_with(start) && reason.ends_with(" with exit status 1)"), "{reason}");
    assert!(!reason.contains('\u{1b}'), "{reason}");
    assert_eq!(asked(&workspace), "OPEN\nFREE\n");
}

#[test]
fn a_program_that_hangs_or_is_missing_meets_no_precondition() {
    for (command, reason) in [
        (r#"["./absent.sh"]"#, "`./absent.sh` cannot be started"),
        (r#"["python3", "-c", "import time; time.sleep(600)"]"#, "timed out after 2s while `python3` was checking it"),
    ] {
        let check = format!("command = {command}");
        let workspace = workspace("timeout = \"2s\"\n", [&check, &check]);
        let ran = workspace.run(&["run", "s.evals.json", "--cases", "OPEN", "--format", "json"]).ends(5);
        assert!(ran.json()["cases"][0]["reason"].as_str().unwrap().contains(reason), "{ran:?}");
        assert_eq!(asked(&workspace), "");
    }
}

#[test]
fn a_run_reports_unchecked_preconditions() {
    let workspace = Folder::new();
    workspace
        .agent(AGENT, "[[preconditions]]\ntext = \"The shop is shut.\"\nsteps = [[\"wait\", \"--text\", \"Shut\"]]\n");
    workspace.write("s.evals.json", CASES);
    let open = "nothing checks the precondition `The shop is open.`; define what it means under `[[preconditions]]` in eval-ls.toml";
    let shut = "the target `agent` cannot take the steps of the precondition `The shop is shut.`; give it a `command`";
    workspace.run(&["run", "s.evals.json", "--format", "jsonl"]).prints(0, [open, shut]);
    let replayed = workspace.run(&["run", "s.evals.json", "--format", "jsonl", "--target", "replay"]);
    assert!(!replayed.out.contains("nothing checks"), "{replayed:?}");
}

/// Fails as often as the file `faults` states, and then returns the content of the file `answer`.
const FLAKY: &str = r#"
import json, sys
open("asked", "a").write("x")
left = int(open("faults").read())
open("faults", "w").write(str(left - 1))
if left > 0: sys.exit("fault %d" % left)
print(json.dumps({"response": open("answer").read()}))
"#;

#[test]
fn only_errors_are_retried_and_every_attempt_is_reported() {
    for (faults, answer, status, times) in [
        ("0", "yes", "PASS", 1),
        ("0", "no", "FAIL", 1),
        ("2", "yes", "PASS", 3),
        ("2", "no", "FAIL", 3),
        ("9", "yes", "ERROR", 3),
    ] {
        let workspace = Folder::new();
        workspace.suite(&[(YES, None)]);
        workspace.agent(FLAKY, "");
        workspace.edit("eval-ls.toml", "[run]\n", "[run]\nretry_errors = 2\n");
        workspace.write("faults", faults);
        workspace.write("answer", answer);
        let ran = workspace.run(&["run", "s.evals.json", "--format", "jsonl"]);
        let events = ran.events();
        let of = |name: &str| events.iter().filter(|event| event["event"] == name).collect::<Vec<_>>();
        let finished = &of("case-finished")[0]["result"];
        assert_eq!(finished["status"], status, "{ran:?}");
        assert_eq!(asked(&workspace).len(), times);
        let attempts = finished["attempts"].as_array().cloned().unwrap_or_default();
        assert_eq!(attempts.len(), times - 1, "{ran:?}");
        if let [first, ..] = &attempts[..] {
            let reason = first["reason"].as_str().unwrap();
            assert!(reason.contains(&format!("fault {faults}")), "{reason}");
            let message = of("case-progress")[0]["message"].as_str().unwrap();
            assert!(message.starts_with("attempt 2 of 3, because of an error: "), "{message}");
        }
    }
}

#[test]
fn text_of_the_prompt_is_marked_and_counts_only_if_configured() {
    let workspace = Folder::new();
    workspace.suite(&[(r#"{ "must_say_any": ["GitHub"] }"#, None)]);
    workspace.edit("s.evals.json", "\"p0\"", "\"Count the open GitHub issues\"");
    workspace.store("C0", "- main\n  - text: Count the open GitHub issues\n  - text: Done");
    workspace.write("eval-ls.toml", "[scoring]\nprompt_counts = true\n");
    let ran = workspace.run(&["run", "s.evals.json", "--format", "json"]).ends(0).json();
    let check = &ran["cases"][0]["check_details"][0];
    assert_eq!(check["message"], "`GitHub` is said on line 2: your own prompt says so, line 2");
    assert_eq!([&check["by_prompt"], &check["evidence"][0]["in_prompt"]], [true, true]);
    let ran = workspace.run(&["run", "s.evals.json"]);
    assert!((ran.out.clone() + &ran.err).contains("1 check passed by your own prompt's words"), "{ran:?}");

    // It is a page, on which the prompt does not count by default.
    for setting in ["prompt_counts = false", ""] {
        workspace.write("eval-ls.toml", format!("[scoring]\n{setting}\n"));
        let message = "`GitHub` is not said: only your own prompt says so, which does not count, line 2";
        workspace.run(&["run", "s.evals.json"]).prints(1, [message, "(your own prompt)"]);
    }
}

#[test]
fn what_a_program_repeats_of_a_prompt_passes_when_it_is_asked_and_in_a_replay() {
    let workspace = Folder::new();
    workspace.suite(&[(r#"{ "must_say_any": ["Ann Miller"] }"#, None)]);
    workspace.edit("s.evals.json", "\"p0\"", r#""Who am I?", "setup_prompts": ["My name is Ann Miller."]"#);
    let program =
        r#"command = ["sh", "-c", "cat >/dev/null; echo '{\"response\":\"You said: My name is Ann Miller.\"}'"]"#;
    for (setting, status) in [("", 0), ("prompt_counts = true", 0), ("prompt_counts = false", 1)] {
        let config = format!("[scoring]\n{setting}\n[targets.agent]\nkind = \"command\"\n{program}\n");
        workspace.write("eval-ls.toml", config);
        for command in [&["run", "s.evals.json", "--target", "agent", "--record"][..], &["run", "s.evals.json"]] {
            workspace.run(command).ends(status);
        }
    }
}
