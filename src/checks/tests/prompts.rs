//! Which text of a response is the prompt's own, and what that means for each check.

use std::path::Path;

use serde_json::json;

use super::{case, results, transcript};
use crate::checks::prompt::own_text;
use crate::checks::{CheckOutcome, Judged, check};
use crate::config::Config;
use crate::pattern::Budget;
use crate::suite::{Case, List, Suite, expectations};
use crate::syntax::parse;
use crate::text::Span;
use crate::transcript::Transcript;

/// The response with the prompt's own text in `«»`.
fn marked(response: &str, prompts: &[&str]) -> String {
    let mut text = String::new();
    let mut end = 0;
    for Span { start, end: own_end } in own_text(response, prompts) {
        text += &format!("{}«{}»", &response[end..start], &response[start..own_end]);
        end = own_end;
    }
    text + &response[end..]
}

#[track_caller]
fn check_marked(prompt: &str, response: &str) {
    let plain = response.replace(['«', '»'], "");
    assert_eq!(marked(&plain, &[prompt]), response, "{prompt}");
}

#[test]
fn a_message_is_found_however_a_page_shows_it() {
    let prompt = "Show me *12* \"open\" repairs,\n  and who waits!";
    for response in [
        "«Show me *12* \"open\" repairs, and who waits!»\nThere are 3.",
        "«Show me 12 open repairs,»\n«and who waits!»\nThere are 3.",
        "You: «Show me 12 “open” repairs, and who waits!»\nThere are 3.",
        "«Show me 12 open repairs, an…»\nThere are 3.",
        "There are 3.\n«SHOW ME  12 open...»",
        "You asked: \"«Show me 12 open repairs, and who waits!»\" I do not know.",
        r#"- log "Conversation"
«  - paragraph»
«    - StaticText "Show me *12* \"open\" repairs, and who waits!"»
- textbox "Ask": 3"#,
        r#"- main
«  - heading "Show me 12 open rep…" [level=2]»
«  - paragraph: "Show me *12* \"open\" repairs, and who waits!"»
  - paragraph: There are 3.
  - textbox "Ask": «Show me *12* "open" repairs, and who waits!»"#,
        r#"- main
«  - article "Show me 12 open repairs, and who waits!"»
«    - StaticText "Show me "»
«    - emphasis»
«      - StaticText "12"»
«    - link "open"»
«      - StaticText "open"»
«    - StaticText " repairs,\nand who waits!"»
  - button "Send""#,
    ] {
        check_marked(prompt, response);
    }
}

#[test]
fn a_list_in_a_prompt_loses_its_numbers_on_the_page() {
    check_marked(
        "Do both:\n1. Count the open repairs\n2. Then order tubes",
        "- main\n«  - text: Do both»\n«  - list»\n«    - listitem: Count the open repairs»\n«    - listitem: Then order tubes»\n  - text: Done",
    );
}

#[test]
fn an_answers_words_are_never_taken_for_a_short_prompt() {
    for (prompt, response) in [
        ("GitHub", "«GitHub»\nGitHub has 3 issues.\nSee GitHub"),
        ("GitHub", "You: «GitHub»\nSource: GitHub"),
        ("GitHub", "«- text: GitHub»\n- paragraph:\n  - text: See\n  - link \"GitHub\"\n  - strong: GitHub"),
        ("Open repairs", "«Open repairs»\nThe open repairs are 3.\nOpen repairs: 3"),
        ("Open repairs", "You said «Open repairs»"),
        ("Count the open repairs", "I count the open repairs now.\n«Count the open repairs»\nCount the open"),
        ("a a a", "a a a a"),
        ("?!", "?!\nWhat?"),
        ("", "nothing"),
        ("你好世界", "«你好世界»\n你好世界！我是"),
        ("今天有多少个问题", "你问：«今天有多少个问题？»三个。"),
    ] {
        check_marked(prompt, response);
    }
}

#[test]
fn setup_prompts_are_prompts() {
    let response = "Add a board.\nDone.\nShow it.\nIt is shown.";
    assert_eq!(marked(response, &["Add a board.", "Show it."]), "«Add a board.»\nDone.\n«Show it.»\nIt is shown.");
}

#[test]
fn what_is_looked_for_takes_no_longer_for_a_text_that_nearly_repeats() {
    let prompt = "a ".repeat(5_000) + "b";
    let response = "a ".repeat(200_000);
    assert_eq!(own_text(&response, &[&prompt]), []);
}

const PROMPT: &str =
    "Count GitHub issues: say 12, assuming `Status: open`, in 5 minutes, because a mission has a source.";

/// The result of a check, with `+` passed, `-` failed, and `!` behind it if the prompt decides; and its message.
#[track_caller]
fn comes_of(expected: &str, answer: &str, prompt_counts: bool) -> (String, String) {
    let mut config = Config::parse("[[ui_hints]]\nhint = 'h'\nall_of = [['GitHub'], ['Done']]", &[]).0;
    config.scoring.prompt_counts = prompt_counts;
    let transcript =
        Transcript { prompt: Some(PROMPT.to_owned()), ..transcript(&format!("{PROMPT}\n{answer}"), json!([])) };
    let results = results(expected, &transcript, &config);
    let result = results.iter().find(|result| !result.id.starts_with("outcome")).unwrap();
    let sign = if result.outcome == CheckOutcome::Passed { "+" } else { "-" };
    (format!("{sign}{}", if result.by_prompt { "!" } else { "" }), result.message.clone())
}

#[test]
fn the_prompt_meets_no_check_and_breaks_none_unless_it_counts() {
    for (expected, is_required, answer) in [
        (r#"{ "must_say_any": ["github"] }"#, true, "GitHub"),
        (r#"{ "must_not_say": ["github"] }"#, false, "GitHub"),
        (r#"{ "ui": ["h"] }"#, true, "Done on GitHub"),
        (r#"{ "required_sources": ["github"] }"#, true, "GitHub"),
        (r#"{ "must_ground_numbers": [{ "value": "12" }] }"#, true, "12"),
        (r#"{ "must_ground_numbers": [{ "value": "12", "context_any": ["issues"] }] }"#, true, "12 issues"),
        (r#"{ "must_ground_numbers": [{ "regex": "say \\d+" }] }"#, true, "say 3"),
        (r#"{ "must_label_assumptions": true }"#, true, "Assuming so"),
        (r#"{ "must_match_regex": ["Status: \\w+"] }"#, true, "Status: closed"),
        (r#"{ "must_not_match_regex": ["Status: \\w+"] }"#, false, "Status: closed"),
        (r#"{ "required_levers": 1, "lever_regex": "Count .+" }"#, true, "Count it"),
        (r#"{ "claim_evidence_alignment": true }"#, true, "The mission, because of that source"),
        (r#"{ "evidence_freshness_max_age_minutes": 9 }"#, true, "7 minutes"),
        (r#"{ "must_allow_override_actions": ["Count"] }"#, true, "Count"),
    ] {
        let (met, broken) = if is_required { ("+", "-") } else { ("-", "+") };
        let nothing = if expected.contains("\"ui\"") { "Done" } else { "" };
        for (answer, counts, outcome) in [
            (nothing, true, format!("{met}!")),
            (nothing, false, format!("{broken}!")),
            (answer, true, met.to_owned()),
            (answer, false, met.to_owned()),
        ] {
            let (found, message) = comes_of(expected, answer, counts);
            assert_eq!(found, outcome, "{expected}, {answer:?}, counts: {counts}: {message}");
            let says_so = match counts {
                true => message.ends_with(": your own prompt says so, line 1"),
                false => message.contains(": only your own prompt says so, which does not count, line 1"),
            };
            assert_eq!(says_so, outcome.ends_with('!'), "{expected}: {message}");
        }
    }
}

#[test]
fn evidence_is_what_the_answer_says_where_both_say_it() {
    let mut config = Config::default();
    for counts in [true, false] {
        config.scoring.prompt_counts = counts;
        let answer =
            Transcript { prompt: Some(PROMPT.to_owned()), ..transcript(&format!("{PROMPT}\nGitHub"), json!([])) };
        let result = results(r#"{ "must_say_any": ["GitHub"] }"#, &answer, &config).swap_remove(0);
        assert_eq!(result.message, "`GitHub` is said on line 2");
        assert!(result.evidence.iter().all(|evidence| !evidence.in_prompt), "{result:?}");
    }
}

#[test]
fn the_cases_prompts_are_looked_for_where_the_transcript_has_none() {
    let mut config = Config::default();
    config.scoring.prompt_counts = false;
    let mut asked = case(r#"{ "must_say_any": ["github"] }"#);
    let answer = transcript("Count the GitHub issues", json!([]));
    let outcome = |asked: &Case| {
        let judged = Judged::new(&answer, asked, &config);
        check(&expectations(asked)[0], &judged, &config, &Budget::default()).outcome
    };
    assert_eq!(outcome(&asked), CheckOutcome::Passed);
    let with_prompt = r#"{ "cases": [{ "prompt": "Count the GitHub issues" }] }"#;
    asked.prompt = Case::clone(&Suite::lower(parse(with_prompt).tree.root(with_prompt).unwrap()).cases[0].case).prompt;
    assert_eq!(outcome(&asked), CheckOutcome::Failed);
}

/// How a page shows messages: as a text, and as the snapshots of two programs.
fn pages(prompts: &[&str]) -> [String; 4] {
    let quoted =
        |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").replace('\\', "\\\\").replace('"', "\\\"");
    let each = |show: &dyn Fn(&str) -> String| prompts.iter().map(|prompt| show(prompt)).collect::<String>();
    [
        each(&|prompt| format!("{prompt}\n")),
        each(&|prompt| format!("{}\n", prompt.split_whitespace().collect::<Vec<_>>().join(" "))),
        format!(
            "- main\n  - log\n{}  - textbox \"Ask\" focusable: {}",
            each(&|prompt| format!("    - paragraph\n      - StaticText \"{}\"\n", quoted(prompt))),
            prompts.last().map(|prompt| quoted(prompt)).unwrap_or_default(),
        ),
        format!("- log:\n{}", each(&|prompt| format!("  - paragraph: \"{}\"\n", quoted(prompt)))),
    ]
}

#[test]
fn a_page_that_shows_only_the_prompt_meets_no_positive_check_of_the_example_suites() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut met_with_prompt = 0;
    let mut tried = 0;
    for folder in ["", "demo-app", "faulty"] {
        for entry in std::fs::read_dir(examples.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if !path.to_string_lossy().ends_with(".json") {
                continue;
            }
            let source = std::fs::read_to_string(&path).unwrap();
            let parsed = parse(&source);
            let suite = Suite::lower(parsed.tree.root(&source).unwrap());
            let toml = std::fs::read_to_string(path.with_file_name("eval-ls.toml")).unwrap();
            let mut config = Config::parse(&toml, &[]).0;
            for placed in &suite.cases {
                let case = &placed.case;
                let setup = case.setup_prompts.iter().flat_map(List::entries).map(|prompt| prompt.value.as_str());
                let prompts: Vec<&str> = setup.chain(case.prompt.as_ref().map(|prompt| &*prompt.value)).collect();
                for page in pages(&prompts) {
                    for counts in [false, true] {
                        config.scoring.prompt_counts = counts;
                        let answer = transcript(&page, json!([]));
                        let judged = Judged::new(&answer, case, &config);
                        for asked in expectations(case).iter().filter(|asked| is_positive(asked.kind.field())) {
                            let result = check(asked, &judged, &config, &Budget::default());
                            let is_met = result.outcome == CheckOutcome::Passed;
                            met_with_prompt += usize::from(counts && is_met);
                            tried += usize::from(counts);
                            assert!(counts || !is_met, "{}: {}: {}\n{page}", path.display(), asked.id, result.message);
                        }
                    }
                }
            }
        }
    }
    assert!(met_with_prompt > 0 && tried > 100, "{met_with_prompt} of {tried} would be met by the prompt");
}

/// Whether a check of that field asks for something to be in the response.
fn is_positive(field: &str) -> bool {
    !["tool_calls_any", "tool_calls_none", "telemetry", "outcome", "must_not_say", "must_not_match_regex"]
        .contains(&field)
}
