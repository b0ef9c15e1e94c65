//! The output and the exit statuses of `challenge`.

use serde_json::{Value, json};

use crate::support::{Folder, Ran};

const SUITE: &str = r#"{
  "name": "shop", "version": "0.2.0",
  "cases": [
    { "id": "WEAK", "prompt": "List the urgent repairs", "expected": { "must_say_any": ["urgent repairs"], "must_not_say": ["sorry"] } },
    { "id": "STRONG", "prompt": "Count the bikes", "expected": { "must_ground_numbers": [{ "label": "bikes", "value": "17" }], "outcome": "response_only" } }
  ]
}"#;

pub(super) fn transcript(case: &str, prompt: &str, response: &str) -> String {
    json!({ "format": "eval-ls/transcript@1", "case": case, "prompt": prompt, "response": response }).to_string()
}

fn case(ran: &Ran, index: usize) -> Value {
    ran.json()[0]["cases"][index].take()
}

#[test]
fn a_case_that_passes_the_prompt_alone_fails_the_command() {
    let folder = Folder::with(&[("a.evals.json", SUITE)]);
    let ran = folder.run(&["challenge"]).ends(1);
    assert!(ran.out.starts_with("error[passed-challenge]: `WEAK` passes"), "{ran:?}");
    let texts = [
        "error[passed-challenge]: `WEAK` passes the challenge `echo`",
        "hint[met-by-prompt]: the prompt alone meets `must_say_any`",
    ];
    ran.prints(1, texts).complains(1, ["1 of 2 cases passes a wrong answer"]);
}

#[test]
fn json_names_what_each_case_passes_and_each_check_notices() {
    let folder = Folder::with(&[("a.evals.json", SUITE)]);
    let ran = folder.run(&["challenge", "--format", "json", "a.evals.json"]).ends(1);
    let case = case(&ran, 0);
    assert_eq!((&case["id"], &case["passed"]), (&json!("WEAK"), &json!(["echo"])));
    let check = |id: &str, idle: bool, noticed: &[&str]| {
        json!({ "id": id, "idle": idle, "always_fails": false, "met_by_prompt": false, "noticed": noticed,
            "rewrites": [], "brittle": [] })
    };
    let checks = &case["checks"];
    assert_eq!(checks[0], check("must_not_say:sorry", false, &["apology", "refusal", "forbidden"]));
    assert_eq!(checks[1]["met_by_prompt"], true);
    assert_eq!(checks[2], check("outcome:response_only", true, &[]));
}

#[test]
fn every_format_fails_with_the_same_status() {
    let folder = Folder::with(&[("a.evals.json", SUITE)]);
    for format in ["text", "concise", "json", "github"] {
        folder.run(&["challenge", "--format", format]).prints(1, ["WEAK"]);
        folder.run(&["challenge", "--format", format, "--cases", "STR*"]).ends(0);
    }
}

#[test]
fn transcripts_of_other_cases_and_changed_numbers_are_challenges() {
    let folder = Folder::with(&[
        ("a.evals.json", SUITE),
        ("transcripts/a.evals/WEAK.json", &transcript("WEAK", "List the urgent repairs", "3 urgent repairs")),
        ("transcripts/a.evals/STRONG.json", &transcript("STRONG", "Count the bikes", "17 bikes")),
    ]);
    let ran = folder.run(&["challenge", "--format", "json"]);
    for (index, challenge) in [(0, "other-answer:STRONG"), (1, "stale")] {
        let challenges = case(&ran, index)["challenges"].take();
        let found = challenges.as_array().unwrap().iter().find(|one| one["challenge"] == challenge);
        assert_eq!(found.unwrap()["status"], "FAIL", "{challenge}");
    }
}

#[test]
fn the_configuration_excepts_cases() {
    let exception = "[[challenge.exceptions]]\ncases = \"WE*\"\nchallenges = [\"echo\"]\nreason = \"a smoke test\"\n";
    let folder = Folder::with(&[("a.evals.json", SUITE)]);
    for (config, status, expected) in [("", 1, json!(["echo"])), (exception, 0, json!([]))] {
        folder.write("eval-ls.toml", config);
        let ran = folder.run(&["challenge", "--format", "json"]).ends(status);
        assert_eq!(case(&ran, 0)["passed"], expected, "{config}");
    }
}

#[test]
fn unusable_suites_and_answers_are_errors() {
    let folder = Folder::with(&[("a.evals.json", SUITE), ("broken.evals.json", "{ \"cases\": [")]);
    folder.run(&["challenge", "missing.json"]).ends(3);
    let refused = "`broken.evals.json` is not challenged, because it has errors: fix them";
    let broken = folder.run(&["challenge", "broken.evals.json"]).complains(3, [refused]);
    assert!(!broken.err.contains("No case passes"), "{broken:?}");
    let wrong = SUITE.replacen("\"must_say_any\": [", "\"must_say_any\": 3, \"notes\": [", 1);
    let wrong = Folder::with(&[("a.evals.json", SUITE), ("wrong.evals.json", &wrong)]).run(&["challenge"]).ends(3);
    assert!(wrong.err.contains("error[wrong-type]") && wrong.err.ends_with("1 suite not challenged\n"), "{wrong:?}");
    folder.run(&["challenge", "a.evals.json", "--cases", "NONE"]).complains(4, ["there is no case `NONE`"]);
    assert_eq!(folder.run(&["challenge", "--cases", ""]).status, 2);
}

#[test]
fn a_brittle_check_is_named_with_the_setting_that_is_proved_to_help() {
    let answer = transcript("STRONG", "Count the bikes", "There are 17 bikes.\n");
    let suite =
        SUITE.replace("\"label\": \"bikes\", \"value\": \"17\"", "\"label\": \"bikes\", \"regex\": \"17 bikes\"");
    let folder = Folder::with(&[("a.evals.json", &suite), ("transcripts/a.evals/STRONG.json", &answer)]);
    let line = "hint[brittle-check] `synthesis:numeric:bikes` passes the answer, and fails 2 of 3 rewrites that mean the same: \
                bold-numbers, no-break-spaces (help: read the answer as a person does: set `reading = \"plain\"` under [scoring] in eval-ls.toml)";
    let ran = folder.run(&["challenge", "--format", "concise", "--cases", "STRONG"]).prints(0, [line]);
    ran.complains(0, ["1 of 1 check fails on a rewrite with the same meaning."]);
    folder.write("eval-ls.toml", "[scoring]\nreading = \"plain\"\n");
    let ran = folder.run(&["challenge", "--cases", "STRONG"]);
    assert!(!ran.out.contains("brittle-check") && !ran.err.contains("rewrite"), "{ran:?}");
    assert_eq!(folder.run(&["explain", "brittle-check"]).status, 0);
}
