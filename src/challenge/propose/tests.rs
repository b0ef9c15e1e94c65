use serde_json::json;

use super::*;
use crate::pattern::{self, Budget, Pattern};
use crate::transcript::Event;

fn transcript(prompt: &str, response: &str, telemetry: &[&str]) -> Transcript {
    Transcript {
        case: prompt.to_owned(),
        prompt: Some(prompt.to_owned()),
        response: response.to_owned(),
        telemetry: telemetry.iter().map(|line| Event::from_line(line)).collect(),
        ..Transcript::default()
    }
}

fn proposed(
    source: &str,
    answer: &Transcript,
    others: Vec<&Transcript>,
    samples: &[Sample],
) -> Result<Proposal, String> {
    let around = Surroundings { others, ..Surroundings::default() };
    propose(source, answer, &Beside { around, samples, version: Version::V0_3 }, &Config::default())
}

fn sample(name: &str, is_good: bool, text: &str) -> Sample {
    Sample { name: name.to_owned(), is_good, answer: Ok(transcript(PROMPT, text, &[])) }
}

fn entries(proposal: &Proposal) -> Vec<(&str, &str)> {
    proposal.checks.iter().map(|check| (check.key, check.entry.as_str())).collect()
}

const TOOL: [&str; 2] = [
    r#"{"source":"tool.count_bikes","event":"start","data":{}}"#,
    r#"{"source":"tool.count_bikes","event":"result","data":{"success":true}}"#,
];
const PROMPT: &str = "How many bikes are free at the harbour?";
const CASE: &str = "{\n  \"id\": \"A\",\n  \"prompt\": \"How many bikes are free at the harbour?\"\n}";

const TWELVE_BIKES: &str = r#"{ "label": "bikes", "regex": "(?<![\\d.,−-])(?<![−-]\\p{Sc})12(?![.,]?\\d)\\D{0,40}\\bbikes\\b|\\bbikes\\b\\D{0,40}(?<![\\d.,−-])(?<![−-]\\p{Sc})12(?![.,]?\\d)" }"#;

/// The checks for an answer in a plain reading, each as `key entry`.
fn in_plain_reading(prompt: &str, response: &str, others: &[&str], telemetry: &[&str]) -> Vec<String> {
    let source = json!({ "id": "A", "prompt": prompt }).to_string();
    let others: Vec<Transcript> = others.iter().map(|response| transcript("Another?", response, &[])).collect();
    let around = Surroundings { others: others.iter().collect(), ..Surroundings::default() };
    let (config, _) = Config::parse("[scoring]\nreading = \"plain\"\n", &[]);
    let beside = Beside { around, samples: &[], version: Version::V0_3 };
    let proposal = propose(&source, &transcript(prompt, response, telemetry), &beside, &config).unwrap();
    entries(&proposal).into_iter().map(|(key, entry)| format!("{key} {entry}")).collect()
}

#[test]
fn checks_are_those_that_a_person_would_write() {
    for (prompt, response, others, expected) in [
        // A name says more than a number that nobody asked for.
        ("Who wrote Dune?", "Frank Herbert wrote Dune. There are 0 copies.", &[][..], "must_say_any \"Frank Herbert\""),
        // The same words in another answer may be right there, too.
        (
            "Who wrote Emma?",
            "It is by Jane Austen.",
            &["Jane Austen wrote Persuasion."],
            "must_say_any \"Jane Austen\"",
        ),
        // `pr` and `project` are phrases of no source here.
        ("Is 97 a prime number?", "Yes, 97 is prime.", &[], "must_say_any \"97 is prime\""),
    ] {
        assert_eq!(in_plain_reading(prompt, response, others, &[]).last().unwrap(), expected, "{prompt}");
    }
}

#[test]
fn a_procedure_is_checked_by_three_of_its_steps() {
    let answer = "1. Open Settings.\n2. Choose the account.\n3. Follow the link in the message.\n4. Done.";
    let checks = in_plain_reading("How do I reset my password?", answer, &[], &[]);
    let steps: Vec<&str> = answer.lines().take(3).collect();
    let of = |step: &str| {
        checks.iter().any(|check| step.contains(check.split_once(['"']).unwrap().1.trim_matches(['\\', 'b', '"'])))
    };
    assert!(checks.len() == 3 && steps.into_iter().all(of), "{checks:?}");
}

#[test]
fn each_of_the_first_facts_is_checked() {
    let result = |output: &str| {
        let event = json!({ "source": "tool.look", "event": "result", "data": { "output": output } });
        [r#"{"source":"tool.look","event":"start","data":{}}"#.to_owned(), event.to_string()]
    };
    // An answer, what its tool has returned, and lies with other facts.
    for (answer, returned, lies) in [
        ("It has 43 rooms and 15876 visitors.", "43 15876", &["It has 43 rooms and 99999 visitors."][..]),
        (
            "Dr. Lund, Dr. Moe and Dr. Eng.",
            "Dr. Lund, Dr. Moe, Dr. Eng",
            &["Dr. Lund, Dr. Moe and Dr. Vik.", "Dr. Lund, Dr. Kvam and Dr. Eng."],
        ),
        ("The boat leaves on 5 March at 16:10.", "2026-03-05T16:10:00", &["The boat leaves on 9 March at 16:10."]),
        ("Narvik has −2 degrees and fog.", "-2 Narvik", &["Narvik has 31 degrees and fog."]),
        ("Gate B17, boarding at 18:05.", "B17 18:05", &["Gate D12, boarding at 18:05."]),
        ("You have no open orders.", "[]", &["You have 3 open orders.", "You have open orders, no problem."]),
        ("I cannot show other accounts. Visit a branch.", "-", &["Of course: the account. Visit a branch."]),
        ("Adults pay 98 kroner, children 45.", "", &["Adults pay 98 kroner, children 54."]),
    ] {
        let events = if returned.is_empty() { Vec::new() } else { result(returned).to_vec() };
        let events: Vec<&str> = events.iter().map(String::as_str).collect();
        let source = json!({ "id": "A", "prompt": "Well?" }).to_string();
        let own = transcript("Well?", answer, &events);
        let proposal = proposed(&source, &own, Vec::new(), &[]).unwrap();
        let text = Edit::apply_all(&source, &proposal.edits);
        let case = Case::lower(parse(&text).tree.root(&text).unwrap());
        for lie in lies {
            let lie = Transcript { response: (*lie).to_owned(), ..own.clone() };
            assert_eq!(judge(&case, &lie, &Config::default()).status, Status::Fail, "{}: {text}", lie.response);
        }
    }
}

#[test]
fn a_stand_in_or_a_common_word_is_not_asked_for() {
    let answer = "Write to person1@example.com or +12015550100 about TOKEN-1, which is above.";
    let prompt = "Now?";
    let source = json!({ "id": "A", "prompt": prompt }).to_string();
    let proposal = proposed(&source, &transcript(prompt, answer, &[]), Vec::new(), &[]).unwrap();
    let entries = entries(&proposal);
    assert!(entries.iter().all(|(_, entry)| *entry == "\"Write\""), "{entries:?}");
}

#[test]
fn a_liar_with_the_right_tools_fails() {
    let checks = in_plain_reading(PROMPT, "There are 12 bikes.", &["The office is closed."], &TOOL);
    assert_eq!(checks.last().unwrap(), &format!("must_ground_numbers {TWELVE_BIKES}"));
}

#[test]
fn a_number_with_its_word_is_enough() {
    let answer = transcript(PROMPT, "There are 12 bikes free at the harbour station.", &[]);
    let other = transcript("Where is the office?", "The office is at Dock Street 4.", &[]);
    let proposal = proposed(CASE, &answer, vec![&other], &[]).unwrap();
    assert_eq!(entries(&proposal), [("must_ground_numbers", TWELVE_BIKES)]);
    assert_eq!(proposal.open, [] as [&str; 0]);
    assert!(proposal.checks[0].rewrites >= 3, "{proposal:?}");
    let mut text = CASE.to_owned();
    proposal.edits.iter().for_each(|edit| text.replace_range(edit.span.range(), &edit.text));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["expected"]["must_ground_numbers"][0]["label"], json!("bikes"));
    assert!(text.contains("\n  \"expected\": {\n    \"must_ground_numbers\": ["), "{text}");
}

#[test]
fn a_number_is_asked_for_with_its_sign_and_in_each_form() {
    for (response, wanted, right, wrong) in [
        ("It is -4 degrees outside.", "[−-]4", "-4 degrees", "4 degrees"),
        ("There are 12500 users right now.", "12,?500", "12,500 users", "125,001 users"),
        ("It was $1,250 a month.", "1,?250", "$1250 a month", "$-1,250 a month"),
        ("It was 1,250 a month.", "1,?250", "$1250 a month", "-$1,250 a month"),
        ("It was -$1,250 a month.", "[−-]\\\\$1,?250", "-$1250 a month", "$1,250 a month"),
    ] {
        let answer = transcript("How is it?", response, &[]);
        let proposal = proposed(CASE.replace(PROMPT, "How is it?").as_str(), &answer, Vec::new(), &[]).unwrap();
        let [("must_ground_numbers", entry)] = entries(&proposal)[..] else { panic!("{proposal:?}") };
        assert!(entry.contains(&format!("p{{Sc}}){wanted}(?!")), "{entry}");
        let entry: serde_json::Value = serde_json::from_str(entry).unwrap();
        let pattern = Pattern::compile(entry["regex"].as_str().unwrap(), pattern::Case::Ignored).unwrap();
        let matches = |text: &str| pattern.find(text, 0, &Budget::default()).unwrap().is_some();
        assert!(matches(response) && matches(right) && !matches(wrong), "{entry}");
    }
}

#[test]
fn an_answer_without_numbers_has_a_phrase() {
    let answer = transcript(PROMPT, "All of them are rented; try the market square instead.", &[]);
    let proposal = proposed(CASE, &answer, Vec::new(), &[]).unwrap();
    let [("must_say_any", phrase)] = entries(&proposal)[..] else { panic!("{proposal:?}") };
    assert!(answer.response.contains(&phrase.replace('"', "")), "{phrase}");
    assert_eq!(proposal.open, [] as [&str; 0]);
}

#[test]
fn tools_are_asked_for_with_their_outcome() {
    let answer = transcript(PROMPT, "There are 12 bikes.", &TOOL);
    let proposal = proposed(CASE, &answer, Vec::new(), &[]).unwrap();
    assert_eq!(entries(&proposal)[..2], [("tool_calls_any", "\"count_bikes\""), ("outcome", "\"tool_success\"")]);
    assert_eq!(entries(&proposal)[2].0, "must_ground_numbers");
    assert_eq!(proposal.open, [] as [&str; 0]);
}

#[test]
fn what_is_there_stays_and_is_not_asked_again() {
    let source = r#"{ "id": "A", "prompt": "How many bikes are free at the harbour?", "expected": { "must_say_any": ["12 bikes"] } }"#;
    let answer = transcript(PROMPT, "There are 12 bikes.", &[]);
    let proposal = proposed(source, &answer, Vec::new(), &[]).unwrap();
    assert_eq!((entries(&proposal), proposal.open.len()), (vec![], 0));

    let wrong = transcript(PROMPT, "There are 13 of them.", &[]);
    let fault = proposed(source, &wrong, Vec::new(), &[]).unwrap_err();
    assert!(fault.starts_with("a check of the case fails on this answer: `must_say_any`: "), "{fault}");
}

#[test]
fn samples_decide() {
    let answer = transcript(PROMPT, "There are 12 bikes at the station.", &[]);
    // A bad one with the right number, and a good one with another number.
    let bad = [sample("fail-a", false, "There are 12 bikes, all of them broken.")];
    let proposal = proposed(CASE, &answer, Vec::new(), &bad).unwrap();
    assert!(proposal.checks.iter().any(|check| check.notices.contains(&"fail-a".to_owned())), "{proposal:?}");
    assert_eq!(proposal.open, [] as [&str; 0]);
    let good = [sample("pass-a", true, "There are 9 bikes at the station.")];
    let proposal = proposed(CASE, &answer, Vec::new(), &good).unwrap();
    assert!(proposal.checks.iter().all(|check| !check.entry.contains("12")), "{proposal:?}");
}

#[test]
fn an_answer_that_says_nothing_has_no_check() {
    for response in ["", PROMPT, "```\n12 bikes\n```"] {
        let proposal = proposed(CASE, &transcript(PROMPT, response, &[]), Vec::new(), &[]).unwrap();
        assert_eq!(entries(&proposal), [], "{response}");
    }
}

#[test]
fn of_a_snapshot_only_the_names_count() {
    let answer = transcript(
        PROMPT,
        "- generic [ref=e17]\n  - StaticText \"12 bikes free\"\n  - button \"Send\" [ref=e44]\n",
        &[],
    );
    let proposal = proposed(CASE, &answer, Vec::new(), &[]).unwrap();
    assert_eq!(entries(&proposal)[0].1, TWELVE_BIKES);
}

#[test]
fn edits_are_in_the_order_of_the_text() {
    let source = r#"{ "id": "A", "prompt": "How many bikes are free at the harbour?", "expected": { "must_say_any": ["bikes"], "must_match_regex": [], "must_ground_numbers": [] } }"#;
    let answer = transcript(PROMPT, "There are 12 bikes; rental closed, market square instead.", &[]);
    let bad = [
        sample("fail-a", false, "12 bikes; rental closed."),
        sample("fail-b", false, "12 bikes; market square instead."),
    ];
    let proposal = proposed(source, &answer, Vec::new(), &bad).unwrap();
    assert_eq!(proposal.open, [] as [&str; 0], "{proposal:?}");
    let text = Edit::apply_all(source, &proposal.edits);
    assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{text}");
    let wrong = r#"{ "id": "A", "prompt": "p", "expected": { "must_ground_numbers": "12" } }"#;
    let answer = transcript("p", "There are 12 bikes.", &[]);
    assert!(
        proposed(wrong, &answer, Vec::new(), &[])
            .is_ok_and(|proposal| entries(&proposal).iter().all(|(key, _)| *key != "must_ground_numbers"))
    );
}

#[test]
fn a_text_is_noticed_by_what_it_says_and_not_by_the_tools_that_it_lacks() {
    let answer = transcript(PROMPT, "There are 12 bikes at the station.", &TOOL);
    let bad = [sample("fail-a", false, "There are 13 bikes at the station.")];
    let proposal = proposed(CASE, &answer, Vec::new(), &bad).unwrap();
    assert!(entries(&proposal).iter().any(|(key, _)| *key == "must_ground_numbers"), "{proposal:?}");
    let good = [sample("pass-a", true, "There are 12 bikes.")];
    let proposal = proposed(CASE, &answer, Vec::new(), &good).unwrap();
    assert!(entries(&proposal).iter().all(|(key, _)| *key != "tool_calls_any"), "{proposal:?}");
}
