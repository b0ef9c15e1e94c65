//! The output and the exit statuses of `challenge`.

use serde_json::{Value, json};

use super::support::{Folder, Ran};

const SUITE: &str = r#"{
  "name": "shop", "version": "0.2.0",
  "cases": [
    { "id": "WEAK", "prompt": "List the urgent repairs", "expected": { "must_say_any": ["urgent repairs"], "must_not_say": ["sorry"] } },
    { "id": "STRONG", "prompt": "Count the bikes", "expected": { "must_ground_numbers": [{ "label": "bikes", "value": "17" }], "outcome": "response_only" } }
  ]
}"#;

fn transcript(case: &str, prompt: &str, response: &str) -> String {
    json!({ "format": "eval-ls/transcript@1", "case": case, "prompt": prompt, "response": response }).to_string()
}

fn suites(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"))
}

/// Returns the challenges that the case with that index passes although it ought to fail them.
fn passed(ran: &Ran, case: usize) -> Vec<String> {
    let passed = &suites(ran)[0]["cases"][case]["passed"];
    passed.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_case_that_passes_the_prompt_alone_fails_the_command() {
    let folder = Folder::with(&[("a.evals.json", SUITE)]);
    let ran = folder.run(&["challenge"]);
    assert!(ran.out.starts_with("error[passed-challenge]: `WEAK` passes"), "{}", ran.out);
    let ran = folder.run(&["challenge", "--table"]);
    assert_eq!(ran.status, 1, "{ran:?}");
    let text = ran.out.replace('\r', "");
    assert!(text.contains("\n  ✓       the case fails the wrong answer, as it ought to\n"), "{text}");
    assert!(
        text.starts_with("a.evals.json\n\n                 silence  echo  apology  refusal  keyword-soup  forbidden\n"),
        "{text}"
    );
    assert!(text.contains("  WEAK           ✓        pass  ✓        ✓        ✓"), "{text}");
    assert!(text.contains("error[passed-challenge]: `WEAK` passes the challenge `echo`"), "{text}");
    assert!(text.contains("hint[met-by-prompt]: the prompt alone meets `must_say_any`"), "{text}");
    assert!(ran.err.contains("1 of 2 cases passes a wrong answer"), "{ran:?}");
}

#[test]
fn json_names_what_each_case_passes_and_each_check_notices() {
    let folder = Folder::with(&[("a.evals.json", SUITE)]);
    let ran = folder.run(&["challenge", "--format", "json", "a.evals.json"]);
    assert_eq!(ran.status, 1);
    let case = &suites(&ran)[0]["cases"][0];
    assert_eq!(case["id"], "WEAK");
    assert_eq!(case["passed"], json!(["echo"]));
    let checks = &case["checks"];
    assert_eq!(
        checks[0],
        json!({ "id": "must_not_say:sorry", "idle": false, "always_fails": false, "met_by_prompt": false, "noticed": ["apology", "refusal", "forbidden"],
            "rewrites": [], "brittle": [] })
    );
    assert_eq!(checks[1]["met_by_prompt"], true);
    assert_eq!(
        checks[2],
        json!({ "id": "outcome:response_only", "idle": true, "always_fails": false, "met_by_prompt": false, "noticed": [], "rewrites": [], "brittle": [] })
    );
}

#[test]
fn every_format_fails_with_the_same_status() {
    let folder = Folder::with(&[("a.evals.json", SUITE)]);
    for format in ["text", "concise", "json", "sarif", "github"] {
        let ran = folder.run(&["challenge", "--format", format]);
        assert_eq!(ran.status, 1, "{format}: {ran:?}");
        assert!(ran.out.contains("WEAK"), "{format}: {ran:?}");
        let strong = folder.run(&["challenge", "--format", format, "--cases", "STR*"]);
        assert_eq!(strong.status, 0, "{format}: {strong:?}");
    }
}

#[test]
fn transcripts_of_other_cases_and_changed_numbers_are_challenges() {
    let prompts = [("WEAK", "List the urgent repairs", "3 urgent repairs"), ("STRONG", "Count the bikes", "17 bikes")];
    let [weak, strong] = prompts.map(|(case, prompt, response)| transcript(case, prompt, response));
    let folder = Folder::with(&[
        ("a.evals.json", SUITE),
        ("transcripts/a.evals/WEAK.json", &weak),
        ("transcripts/a.evals/STRONG.json", &strong),
    ]);
    let ran = folder.run(&["challenge", "--format", "json"]);
    let challenges = |case: usize| -> Vec<String> {
        let list = suites(&ran)[0]["cases"][case]["challenges"].as_array().unwrap().clone();
        list.iter()
            .map(|one| format!("{} {}", one["challenge"].as_str().unwrap(), one["status"].as_str().unwrap()))
            .collect()
    };
    assert!(challenges(0).contains(&"other-answer:STRONG FAIL".to_owned()), "{ran:?}");
    assert!(challenges(1).contains(&"stale FAIL".to_owned()), "{ran:?}");
}

#[test]
fn the_configuration_turns_challenges_off_excepts_cases_and_adds_answers() {
    let with = |config: &str| {
        Folder::with(&[
            ("a.evals.json", SUITE),
            ("eval-ls.toml", config),
            ("answers/cheerful.txt", "Sure! All urgent repairs are done.\n"),
        ])
    };
    let off = with("[challenge.levels]\necho = \"off\"\n").run(&["challenge", "--format", "json"]);
    assert_eq!((off.status, passed(&off, 0)), (0, Vec::new()));
    let warning = with("[challenge.levels]\necho = \"warning\"\n").run(&["challenge", "--format", "json"]);
    assert_eq!((warning.status, passed(&warning, 0)), (0, vec!["echo".to_owned()]));
    let excepted = "[[challenge.exceptions]]\ncases = \"WE*\"\nchallenges = [\"echo\"]\nreason = \"a smoke test\"\n";
    let excepted = with(excepted).run(&["challenge", "--format", "json"]);
    assert_eq!((excepted.status, passed(&excepted, 0)), (0, Vec::new()));
    let own = with("[challenge]\nanswers = [\"answers/*.txt\"]\n").run(&["challenge", "--format", "json"]);
    assert_eq!((own.status, passed(&own, 0)), (1, vec!["echo".to_owned(), "cheerful".to_owned()]));
    let missing = with("[challenge]\nanswers = [\"other/*.txt\"]\n").run(&["challenge"]);
    assert_eq!(missing.status, 2);
    assert!(missing.err.contains("no file matches `other/*.txt`"), "{missing:?}");
}

#[test]
fn unusable_suites_and_answers_are_errors() {
    let folder = Folder::with(&[("a.evals.json", SUITE), ("broken.evals.json", "{ \"cases\": [")]);
    assert_eq!(folder.run(&["challenge", "missing.json"]).status, 3);
    let broken = folder.run(&["challenge", "broken.evals.json"]);
    assert_eq!(broken.status, 3);
    let refused = "`broken.evals.json` is not challenged, because it has errors: fix them";
    assert!(broken.err.contains(refused), "{broken:?}");
    assert!(!broken.err.contains("No case passes"), "{broken:?}");
    let wrong = SUITE.replacen("\"must_say_any\": [", "\"must_say_any\": 3, \"notes\": [", 1);
    let wrong = Folder::with(&[("a.evals.json", SUITE), ("wrong.evals.json", &wrong)]).run(&["challenge"]);
    assert_eq!(wrong.status, 3);
    assert!(wrong.err.contains("error[wrong-type]") && wrong.err.ends_with("1 suite not challenged\n"), "{wrong:?}");
    let none = folder.run(&["challenge", "a.evals.json", "--cases", "NONE"]);
    assert_eq!(none.status, 4);
    assert!(none.err.contains("there is no case `NONE`"), "{none:?}");
    assert_eq!(folder.run(&["challenge", "--cases", ""]).status, 2);
}

#[test]
fn hostile_ids_are_inert_in_every_format() {
    let suite = json!({
        "version": "0.2.0",
        "cases": [{
            "id": "\u{1b}[31m::error::x]]>", "prompt": "p <b>",
            "expected": { "must_say_any": ["p <b>"] }
        }]
    });
    let folder = Folder::with(&[("a.evals.json", &suite.to_string())]);
    for format in ["text", "concise", "json", "sarif", "github"] {
        let ran = folder.run(&["challenge", "--format", format]);
        assert_eq!(ran.status, 1, "{ran:?}");
        assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}'), "{format}: {ran:?}");
        assert!(!ran.out.lines().any(|line| line.starts_with("::error::x")), "{format}: {ran:?}");
    }
}

#[test]
fn sarif_results_do_not_name_the_rule_of_another_finding() {
    let folder = Folder::with(&[("a.evals.json", SUITE)]);
    let ran = folder.run(&["challenge", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results[0]["ruleId"], "passed-challenge");
    assert!(results.iter().all(|result| result["ruleIndex"].is_null()), "{results:?}");
}

#[test]
fn a_brittle_check_is_named_with_the_setting_that_is_proved_to_help() {
    let answer = transcript("STRONG", "Count the bikes", "There are 17 bikes.\n");
    let suite =
        SUITE.replace("\"label\": \"bikes\", \"value\": \"17\"", "\"label\": \"bikes\", \"regex\": \"17 bikes\"");
    let folder = Folder::with(&[("a.evals.json", &suite), ("transcripts/a.evals/STRONG.json", &answer)]);
    let ran = folder.run(&["challenge", "--format", "concise", "--cases", "STRONG"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let line = "hint[brittle-check] `synthesis:numeric:bikes` passes the answer, and fails 2 of 3 rewrites that mean the same: \
                bold-numbers, no-break-spaces (help: read the answer as a person does: set `reading = \"plain\"` under [scoring] in eval-ls.toml)";
    assert!(ran.out.contains(line), "{ran:?}");
    assert!(ran.err.contains("1 of 1 check fails on a rewrite with the same meaning."), "{ran:?}");
    folder.write("eval-ls.toml", "[scoring]\nreading = \"plain\"\n");
    let ran = folder.run(&["challenge", "--cases", "STRONG"]);
    assert!(!ran.out.contains("brittle-check") && !ran.err.contains("rewrite"), "{ran:?}");
    assert_eq!(folder.run(&["explain", "brittle-check"]).status, 0);
}

#[test]
fn a_check_that_passes_the_control_as_often_is_named() {
    let folder = Folder::with(&[
        ("a.evals.json", SUITE),
        (
            "eval-ls.toml",
            "[targets.agent]\nkind = \"command\"\ncommand = [\"cat\", \"agent.json\"]\n[targets.control]\nkind = \"command\"\ncommand = [\"cat\", \"control.json\"]\n",
        ),
        ("agent.json", r#"{ "response": "There are 17 bikes." }"#),
        ("control.json", r#"{ "response": "I see no urgent repairs." }"#),
        ("transcripts/a.evals/STRONG.json", &transcript("STRONG", "Count the bikes", "There are 17 bikes.")),
    ]);
    assert_eq!(folder.run(&["challenge", "--against", "target:control"]).status, 4);
    folder.write("b.evals.json", SUITE.replace("shop", "other"));
    folder.run(&["run", "--target", "control", "--repeat", "3", "a.evals.json"]);
    let other = folder.run(&["challenge", "--against", "target:control", "b.evals.json"]);
    assert!(
        other.err.contains("has no answer to the cases of") && other.err.contains("they are not compared"),
        "{other:?}"
    );
    std::fs::remove_file(folder.path().join("b.evals.json")).unwrap();
    folder.run(&["run", "--target", "agent", "--repeat", "2"]);
    let of = |more: &[&str]| -> Value {
        let ran = folder.run(&[&["challenge", "--against", "target:control", "--format", "json"], more].concat());
        suites(&ran)[0]["cases"].clone()
    };
    let stored = of(&[]);
    let check = |cases: &Value, case: usize, id: &str| {
        let checks = cases[case]["checks"].as_array().unwrap().clone();
        checks.into_iter().find(|check| check["id"] == id).unwrap()["control"].clone()
    };
    let number = check(&stored, 1, "synthesis:numeric:bikes");
    assert_eq!(
        (&number["here"], &number["control"]),
        (&json!({ "passed": 1, "answers": 1 }), &json!({ "passed": 0, "answers": 3 }))
    );
    assert_eq!(number["same"], false);
    let run = of(&["--of", "target:agent"]);
    assert_eq!(check(&run, 1, "synthesis:numeric:bikes")["here"], json!({ "passed": 2, "answers": 2 }));
    assert_eq!(check(&run, 0, "must_not_say:sorry")["same"], true);
    let ran = folder.run(&["challenge", "--against", "target:control", "--of", "target:agent", "--format", "concise"]);
    let line = "hint[same-as-control] `must_not_say:sorry` passes 3 of 3 answers of the control, and 2 of 2 here";
    assert!(ran.out.contains(line) && ran.err.contains("Compared with `target:control`: 2 of 2 cases."), "{ran:?}");
    assert_eq!(folder.run(&["challenge", "--of", "latest"]).status, 2);
    let config = std::fs::read_to_string(folder.path().join("eval-ls.toml")).unwrap();
    let with_control = |name: &str| {
        folder.write("eval-ls.toml", format!("{config}[challenge]\ncontrol = \"{name}\"\n"));
        folder.run(&["challenge", "--of", "target:agent", "--format", "concise"])
    };
    assert!(with_control("target:control").out.contains(line));
    assert_eq!(with_control("target:other").status, 4);
    let ran = folder.run(&["challenge", "--format", "concise"]);
    assert!(ran.status == 1 && !ran.out.contains("same-as-control"), "{ran:?}");
    assert!(ran.err.contains("warning: no control is used: "), "{ran:?}");
}

#[test]
fn a_rewrite_of_the_workspaces_own_finds_a_brittle_check() {
    let answer = format!("There are 17 bikes.\n{}", "A".repeat(100_000));
    let folder = Folder::with(&[
        ("a.evals.json", SUITE),
        (
            "eval-ls.toml",
            "[[challenge.rewrites]]\nname = \"dozens\"\npattern = '\\b17\\b'\nreplacement = \"seventeen\"\n[[challenge.rewrites]]\nname = \"growing\"\npattern = '.'\nreplacement = \"$0$0$0$0\"\n[[challenge.rewrites]]\nname = \"slow\"\npattern = '.*[^A]|A'\nreplacement = \"B\"\n",
        ),
        ("transcripts/a.evals/STRONG.json", &transcript("STRONG", "Count the bikes", &answer)),
    ]);
    let ran = folder.run(&["challenge", "--format", "concise"]);
    assert!(ran.out.contains("`synthesis:numeric:bikes` passes the answer, and fails 1 of"), "{ran:?}");
    assert!(ran.out.contains("that mean the same: dozens"), "{ran:?}");
    let strong = suites(&folder.run(&["challenge", "--format", "json"]))[0]["cases"][1].clone();
    let left_out = |name: &str| {
        let rewrites = strong["rewrites"].as_array().unwrap();
        rewrites.iter().find(|rewrite| rewrite["rewrite"] == name).unwrap()["left_out"].clone()
    };
    assert_eq!(left_out("dozens"), Value::Null);
    assert_eq!(left_out("growing"), "the answer has too many places for it");
    assert_eq!(left_out("slow"), "the answer has too many places for it");
    folder.write(
        "transcripts/a.evals/STRONG.json",
        transcript("STRONG", "Count the bikes", &"There are 17 bikes. ".repeat(99)),
    );
    let strong = suites(&folder.run(&["challenge", "--format", "json"]))[0]["cases"][1].clone();
    assert!(strong["rewrites"].to_string().contains("the answer becomes more than twice as long"), "{strong}");
}
