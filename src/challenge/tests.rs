use super::answers::Surroundings;
use super::judge::challenge;
use super::*;
use crate::config::Config;
use crate::suite::{Case, Suite};
use crate::syntax::parse;
use crate::transcript::{Event, Transcript};

fn case(source: &str) -> Case {
    let source = format!(r#"{{ "cases": [ {source} ] }}"#);
    let parsed = parse(&source);
    assert!(parsed.errors.is_empty(), "{:?} in {source}", parsed.errors);
    let suite = Suite::lower(parsed.tree.root(&source).unwrap());
    Case::clone(&suite.cases[0].case)
}

fn transcript(id: &str, prompt: &str, response: &str, telemetry: &[&str]) -> Transcript {
    Transcript {
        case: id.to_owned(),
        prompt: Some(prompt.to_owned()),
        response: response.to_owned(),
        telemetry: telemetry.iter().map(|line| Event::from_line(line)).collect(),
        ..Transcript::default()
    }
}

/// Each challenge as `name: status`, with `!` behind a breach and `?` if nothing decides that it ought to fail; then each
/// check as `id: challenges that it notices`, with `@` before one that the prompts alone meet.
fn page(title: &str, case: &Case, around: &Surroundings<'_>) -> String {
    let judged = challenge(case, around, &Config::default());
    let attempts = judged.attempts.iter().map(|attempt| {
        let mark = match attempt.reason {
            None => "?",
            Some(_) if attempt.is_breach() => "!",
            Some(_) => "",
        };
        format!("{}: {}{mark}", attempt.challenge, attempt.status)
    });
    let checks = judged.checks.iter().map(|check| {
        let names: Vec<String> = check.noticed.iter().map(ToString::to_string).collect();
        let mark = if check.met_by_prompt { "@" } else { "" };
        format!("    {mark}{}: {}\n", check.id, names.join(" "))
    });
    format!("# {title}\n{}\n{}", attempts.collect::<Vec<_>>().join(" · "), checks.collect::<String>())
}

const ADDED: [&str; 2] = [
    r#"{"source":"tool.add","event":"start","data":{}}"#,
    r#"{"source":"tool.add","event":"result","data":{"success":true}}"#,
];
const RENEWED: [&str; 2] = [
    r#"{"source":"tool.renew","event":"start","data":{}}"#,
    r#"{"source":"tool.renew","event":"result","data":{"success":false}}"#,
];

#[test]
fn challenges_are_noticed_by_the_checks_that_hold_something() {
    let asked = |prompt: &str, expected: &str| {
        case(&format!(r#"{{ "id": "A", "prompt": "{prompt}", "expected": {{ {expected} }} }}"#))
    };
    let added = transcript("A", "add", "done", &ADDED);
    let renewed = transcript("A", "Renew it.", "I could not renew Dune: the limit is reached.", &RENEWED);
    let loans = transcript("B", "Hello", "You have no loans.", &[]);
    let commits = transcript("A", "How many commits?", "There are 12 commits.", &[]);
    let same = Transcript { case: "B".to_owned(), ..commits.clone() };
    let issues = transcript("C", "How many issues?", "There are 12 issues, not commits.", &[]);
    let alone = Surroundings::default;
    let beside = |transcript, others| Surroundings { transcript: Some(transcript), others };
    let renew = r#""outcome": "graceful_error", "tool_calls_any": ["renew"]"#;
    let pages = [
        page(
            "A phrase of the prompt is met by the prompt alone",
            &asked("List the commits", r#""must_say_any": ["commits"], "must_not_say": ["error"]"#),
            &alone(),
        ),
        page(
            "A case that only forbids may accept silence",
            &asked("p", r#""must_not_say": ["x"], "outcome": "graceful_block""#),
            &alone(),
        ),
        page("Asking for input is not silence", &asked("p", r#""outcome": "needs_input""#), &alone()),
        page(
            "Telemetry of other tools is noticed",
            &asked("add", r#""outcome": "tool_success", "tool_calls_any": ["add"], "telemetry": ["tool.add start"]"#),
            &beside(&added, vec![]),
        ),
        page(
            "The right tools with other words pass checks of tools",
            &asked("Renew it.", renew),
            &beside(&renewed, vec![&loans]),
        ),
        page(
            "They fail a check of the words",
            &asked("Renew it.", &format!(r#"{renew}, "must_say_any": ["limit"]"#)),
            &beside(&renewed, vec![&loans]),
        ),
        page(
            "The answer of another prompt and changed numbers ought to fail",
            &asked("How many commits?", r#""must_ground_numbers": [{ "value": "12" }], "must_say_any": ["commits"]"#),
            &beside(&commits, vec![&same, &issues]),
        ),
    ];
    insta::assert_snapshot!(pages.join("\n"));
}

#[test]
fn what_fails_the_answer_of_the_case_shows_nothing() {
    let case = case(
        r#"{ "id": "A", "prompt": "p", "expected": { "must_say_any": ["twelve"], "must_match_regex": ["twelve("], "must_not_say": ["no"] } }"#,
    );
    let always = |around: &Surroundings<'_>| {
        let judged = challenge(&case, around, &Config::default());
        let failing = judged.checks.iter().filter(|check| check.always_fails).map(|check| check.id.clone());
        (failing.collect::<Vec<String>>(), judged.fails_own)
    };
    let own = transcript("A", "p", "eleven", &[]);
    let pattern = "format:must_match_regex:twelve(".to_owned();
    assert_eq!(always(&Surroundings::default()), (vec![pattern.clone()], false));
    let around = Surroundings { transcript: Some(&own), ..Surroundings::default() };
    assert_eq!(always(&around), (vec!["must_say_any".to_owned(), pattern], true));
}

#[test]
fn the_summary_counts_what_was_tried() {
    let summary = |cases: &[(&str, Option<&Transcript>)]| {
        let mut summary = ChallengeSummary::default();
        for (source, transcript) in cases {
            let around = Surroundings { transcript: *transcript, ..Surroundings::default() };
            summary.add("A", &challenge(&case(source), &around, &Config::default()), &[], &Config::default().challenge);
        }
        summary.sentence()
    };
    let own = transcript("A", "p", "twelve", &[]);
    let strong = r#"{ "id": "A", "prompt": "p", "expected": { "must_say_any": ["twelve"] } }"#;
    let forbids = r#"{ "id": "A", "prompt": "p", "expected": { "must_not_say": ["as an AI"] } }"#;
    let failing = r#"{ "id": "A", "prompt": "p", "expected": { "must_say_any": ["eleven"] } }"#;
    assert_eq!(
        summary(&[(strong, Some(&own))]),
        "1 case fails all 5 wrong answers. None of 2 checks passes on the prompt alone."
    );
    assert_eq!(
        summary(&[(strong, Some(&own)), (forbids, None), (failing, Some(&own))]),
        "1 case fails all 5 wrong answers. None of 6 checks passes on the prompt alone. \
         1 case passes silence, and nothing decides that this is wrong. \
         1 case fails its own answer, which is to be repaired first. \
         1 case has no answer, so no challenge is made of one."
    );
}

mod properties {
    use proptest::prelude::*;

    use super::*;
    use crate::checks::CheckOutcome;
    use crate::verdict;

    const WORDS: [&str; 8] = ["github", "commit", "12", "open", "sorry", "7 minutes", "repairs", "error"];

    fn words() -> impl Strategy<Value = Vec<String>> {
        prop::collection::vec(prop::sample::select(&WORDS[..]).prop_map(str::to_owned), 1..4)
    }

    fn a_case() -> impl Strategy<Value = Case> {
        let outcome = prop::sample::select(vec!["response_only", "tool_success", "graceful_block", "needs_input"]);
        (words(), words(), words(), words(), outcome).prop_map(|(prompt, say, not, sources, outcome)| {
            let expected = serde_json::json!({
                "outcome": outcome, "must_say_any": say, "must_not_say": not, "required_sources": sources,
                "must_match_regex": [format!("{}.*[0-9]", say[0])], "must_not_match_regex": [format!("^{}$", not[0])],
                "tool_calls_any": if outcome == "tool_success" { vec!["read"] } else { Vec::new() },
            });
            case(&serde_json::json!({ "id": "A", "prompt": prompt.join(" "), "expected": expected }).to_string())
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        /// A check is idle exactly if it fails on no answer of the table, and a case passes what the verdict passes.
        #[test]
        fn idle_checks_fail_on_no_answer(case in a_case(), response in words(), other in words()) {
            let telemetry = [r#"{"source":"tool.read","event":"result","data":{"success":true}}"#];
            let own = transcript("A", "p", &response.join("\n"), &telemetry);
            let other = transcript("B", "q", &other.join(" "), &[]);
            let around = Surroundings { transcript: Some(&own), others: vec![&other] };
            let judged = challenge(&case, &around, &Config::default());
            let answers = super::super::answers::answers(&case, &around);
            prop_assert_eq!(answers.len(), judged.attempts.len());
            for (index, check) in judged.checks.iter().enumerate() {
                let failing: Vec<String> = answers
                    .iter()
                    .filter(|(_, answer)| {
                        verdict::judge(&case, answer, &Config::default()).check_details[index].outcome == CheckOutcome::Failed
                    })
                    .map(|(challenge, _)| challenge.to_string())
                    .collect();
                let noticed: Vec<String> = check.noticed.iter().map(ToString::to_string).collect();
                prop_assert_eq!(&noticed, &failing);
                prop_assert_eq!(check.is_idle(), failing.is_empty());
            }
        }
    }
}

#[test]
fn the_page_before_the_prompt_is_a_challenge() {
    use crate::config::ResponseFrom;
    use crate::transcript::{Forms, Pages};
    let case = case(r#"{ "id": "A", "prompt": "p", "expected": { "must_say_any": ["welcome"] } }"#);
    let shown = |text: &str| Forms { text: Some(text.to_owned()), ..Forms::default() };
    let pages = |of_part| Pages {
        form: ResponseFrom::Text,
        of_part,
        before: shown("Welcome!\n"),
        after: shown("Welcome!\np\nHello.\n"),
        reply: None,
        part: None,
    };
    let with = |of_part| Transcript {
        pages: Some(Box::new(pages(of_part))),
        ..transcript("A", "p", "Welcome!\np\nHello.\n", &[])
    };
    let challenges = |transcript: &Transcript| {
        page("", &case, &Surroundings { transcript: Some(transcript), ..Surroundings::default() })
    };
    assert!(challenges(&with(false)).contains("page-before: PASS!"));
    assert!(!challenges(&with(true)).contains("page-before"));
}

/// The titles of the changes that are proposed for the check with that id.
fn remedies(case: &Case, around: &Surroundings<'_>, id: &str) -> Vec<String> {
    let judged = challenge(case, around, &Config::default());
    let check = judged.checks.into_iter().find(|check| check.id == id).expect("the check");
    check.remedies.into_iter().map(|remedy| remedy.title).collect()
}

const REPLY_ONLY: &str = "match it in the reply only: set `prompt_counts = false` under [scoring] in eval-ls.toml";

#[test]
fn a_change_is_proposed_only_if_it_works() {
    let source = "synthesis:required_source:github";
    let case = case(r#"{ "id": "A", "prompt": "Compare GitHub", "expected": { "required_sources": ["github"] } }"#);
    let own = transcript("A", "Compare GitHub", "It is quiet.", &[]);
    let around = Surroundings { transcript: Some(&own), ..Surroundings::default() };
    assert_eq!(remedies(&case, &around, source), [REPLY_ONLY]);
    // Only the prompt names the source, so a match in the reply would fail the answer.
    let said = transcript("A", "Compare GitHub", "GitHub is quiet.", &[]);
    let around = Surroundings { transcript: Some(&said), ..Surroundings::default() };
    assert_eq!(remedies(&case, &around, source), [REPLY_ONLY]);
}

#[test]
fn only_the_label_of_a_line_is_anchored() {
    let anchored = |pattern: &str| {
        let source = serde_json::json!({ "id": "A", "prompt": format!("Say {pattern} now"), "expected": { "must_match_regex": [pattern] } });
        let id = format!("format:must_match_regex:{pattern}");
        remedies(&case(&source.to_string()), &Surroundings::default(), &id).iter().any(|it| it.starts_with("anchor"))
    };
    for (pattern, expected) in [
        ("Signals", true),
        ("RISK_SCORE", true),
        ("Ärger", true),
        ("(a|b) now", false),
        ("now|later", false),
        ("s?now", false),
    ] {
        assert_eq!(anchored(pattern), expected, "{pattern}");
    }
}

mod brute_force {

    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::challenge::answers::answers;
    use crate::challenge::rewrites::Rewrite;
    use crate::checks::CheckOutcome;
    use crate::verdict::judge;

    const PHRASES: [&str; 6] = ["12 commits", "it's", "Open: 3", "docs", "no", "1250"];
    const PATTERNS: [&str; 5] = ["^Open", "[0-9]+ commits", "- Call", "it['’]s", "x|docs"];
    const ANSWERS: [&str; 6] = [
        "There are 12 commits, and it's done.\n",
        "Open: 3\nClosed: 1250\n",
        "- Call Ada\n- Write docs\n",
        "| Open | 3 |\n",
        "A long line about the docs of the workshop and its 12 commits, which is wrapped somewhere.\n",
        "no\n",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(100)))]

        /// What is said about a check is true of every answer of the table.
        #[test]
        fn each_statement_about_a_check_holds(
            said in proptest::collection::vec(proptest::sample::select(&PHRASES[..]), 0..3),
            forbidden in proptest::collection::vec(proptest::sample::select(&PHRASES[..]), 0..2),
            patterns in proptest::collection::vec(proptest::sample::select(&PATTERNS[..]), 0..3),
            answer in proptest::collection::vec(proptest::sample::select(&ANSWERS[..]), 1..4),
            plain in any::<bool>(),
        ) {
            let expected = json!({ "must_say_any": said, "must_not_say": forbidden, "must_match_regex": patterns });
            let suite = json!({ "version": "0.2.0", "cases": [{ "id": "A", "prompt": "Count them", "expected": expected }] });
            let text = suite.to_string();
            let suite = Suite::lower(parse(&text).tree.root(&text).unwrap());
            let case = &suite.cases[0].case;
            let transcript = Transcript { response: answer.concat(), ..Transcript::default() };
            let mut config = Config::default();
            config.scoring.reading = if plain { crate::config::Reading::Plain } else { crate::config::Reading::Written };
            let around = Surroundings { transcript: Some(&transcript), ..Surroundings::default() };
            let judged = challenge(case, &around, &config);
            let wrong = answers(case, &around);
            let outcome = |response: String, index: usize| {
                let answer = Transcript { response, ..Transcript::default() };
                judge(case, &answer, &config).check_details[index].outcome
            };
            for (index, check) in judged.checks.iter().enumerate() {
                let passes = outcome(transcript.response.clone(), index) == CheckOutcome::Passed;
                prop_assert!(passes || check.rewrites.is_empty(), "{text}");
                let notices = |answer: &Transcript| judge(case, answer, &config).check_details[index].outcome == CheckOutcome::Failed;
                let noticed: Vec<_> = wrong.iter().filter(|(_, answer)| notices(answer)).map(|(name, _)| name.clone()).collect();
                prop_assert_eq!(check.is_idle(), noticed.is_empty(), "{}", text);
                prop_assert_eq!(&check.noticed, &noticed, "{}", text);
                for rewrite in Rewrite::ALL {
                    let Ok(rewritten) = rewrite.of(&transcript.response, false) else {
                        prop_assert!(!check.rewrites.contains(&rewrite));
                        continue;
                    };
                    if check.rewrites.contains(&rewrite) {
                        let is_brittle = outcome(rewritten, index) != CheckOutcome::Passed;
                        prop_assert_eq!(check.brittle.contains(&rewrite), is_brittle, "{} {} {}", check.id, rewrite, text);
                    }
                }
            }
        }
    }
}
