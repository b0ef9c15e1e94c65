//! `reading = "plain"`: the answer as a person reads it.

use super::*;
use crate::config::{Reading, Scoring};

fn plain() -> Config {
    Config { scoring: Scoring { reading: Reading::Plain, ..Scoring::default() }, ..Config::default() }
}

#[test]
fn checks_look_at_the_answer_as_a_person_reads_it() {
    for (expected, response) in [
        (r#"{ "must_say_any": ["12 open pull requests"] }"#, "There are **12** open _pull requests_."),
        (r#"{ "must_say_any": ["it's free"] }"#, "Good news: it’s free."),
        (r#"{ "must_say_any": ["it’s free"] }"#, "Good news: it's free."),
        (r#"{ "must_match_regex": ["^Open PRs: 12$"] }"#, "| Name | Count |\n|---|---|\n| **Open PRs** | 12 |"),
        (r#"{ "must_match_regex": ["^Signals"] }"#, "**Signals:** none"),
        (r#"{ "must_match_regex": ["9–17"] }"#, "Open 9-17."),
        (r#"{ "must_ground_numbers": [{ "value": "5 km", "context_any": ["route"] }] }"#, "The *route* has 5\u{a0}km."),
        (
            r#"{ "must_match_regex": ["another one on Friday"] }"#,
            "The workshop has a free slot on Thursday at ten, and another\none on Friday.",
        ),
        (r#"{ "required_levers": 1, "lever_regex": "^- Call [A-Z]\\w+" }"#, "- **Call** Ada"),
        (
            r#"{ "evidence_freshness_max_age_minutes": 5, "evidence_freshness_regex": "[0-9]+ min" }"#,
            "Data of **3** min ago",
        ),
    ] {
        let judged = |config: &Config| {
            let found = results(expected, &transcript(response, json!([])), config);
            found.iter().all(|result| result.outcome == CheckOutcome::Passed)
        };
        assert!(judged(&plain()), "{expected}");
        assert!(!judged(&Config::default()), "{expected}");
    }
}

#[test]
fn what_is_forbidden_is_found_behind_marks() {
    let expected = r#"{ "must_not_say": ["can't do that"], "must_not_match_regex": ["price: \\d"] }"#;
    let response = transcript("I **can’t** do that.\n**Price:** 12", json!([]));
    outcomes_with(
        &plain(),
        expected,
        &response,
        &["-must_not_say:can't do that", "-format:must_not_match_regex:price: \\d"],
    );
}

#[test]
fn marks_that_are_asked_for_or_forbidden_are_found() {
    let response = transcript("**Total:** 12\n- **Call** Ada", json!([]));
    for (expected, outcome) in [
        (r#"{ "must_not_say": ["**"] }"#, "-must_not_say:**"),
        (r#"{ "must_not_match_regex": ["\\*\\*"] }"#, r"-format:must_not_match_regex:\*\*"),
        (r#"{ "must_match_regex": ["^\\*\\*Total"] }"#, r"+format:must_match_regex:^\*\*Total"),
        (r#"{ "required_levers": 1, "lever_regex": "^- \\*\\*[A-Z]" }"#, "+morning_brief:required_levers"),
    ] {
        outcomes_with(&plain(), expected, &response, &[outcome]);
    }
}

#[test]
fn signs_without_a_word_are_looked_for_as_they_are_written() {
    let forbidden = r#"{ "must_not_say": ["—", "’", "“"], "must_not_match_regex": ["[–—]", "[’‘]", "\\s—\\s"] }"#;
    for (response, passed) in
        [("a well-known \"place\" - it's open", 6), ("a — b", 3), ("it’s", 4), ("“well–known”", 4)]
    {
        let found = results(forbidden, &transcript(response, json!([])), &plain());
        let found =
            found.iter().filter(|result| result.outcome == CheckOutcome::Passed && result.id.contains("must_not"));
        assert_eq!(found.count(), passed, "{response}");
    }
    let asked = r#"{ "must_say_any": ["—"], "must_match_regex": ["[’‘]"] }"#;
    for (response, passed) in [("well-known, it's", false), ("a — b, it’s", true)] {
        let found = results(asked, &transcript(response, json!([])), &plain());
        assert!(
            found
                .iter()
                .all(|result| result.id.starts_with("outcome") || (result.outcome == CheckOutcome::Passed) == passed)
        );
    }
}

#[test]
fn evidence_is_the_written_text() {
    let response = transcript("Hello.\nThere are **12** _open_ requests.", json!([]));
    let found = results(r#"{ "must_say_any": ["are 12 open"] }"#, &response, &plain());
    let evidence = &found[0].evidence[0];
    assert_eq!(evidence.text, "are **12** _open");
    assert_eq!(evidence.place.line(), Some(2));
}

#[test]
fn the_prompt_is_left_out_of_a_reading() {
    let mut config = plain();
    config.scoring.prompt_counts = Some(false);
    let answer = Transcript {
        prompt: Some("Is **Thursday** free?".to_owned()),
        ..transcript("Is **Thursday** free?\n\nYes.", json!([]))
    };
    outcomes_with(
        &config,
        r#"{ "must_say_any": ["thursday"], "must_match_regex": ["^Yes"] }"#,
        &answer,
        &["-must_say_any", "+format:must_match_regex:^Yes"],
    );
    outcomes_with(&config, r#"{ "must_match_regex": ["^$"] }"#, &answer, &["+format:must_match_regex:^$"]);
}

/// What the prompt leaves behind is not a space: words on both sides of it are not said together.
#[test]
fn nothing_is_found_across_text_of_the_prompt() {
    let mut config = plain();
    config.scoring.prompt_counts = Some(false);
    let prompt = "Is Thursday free for us today?";
    for response in [
        format!("The slot is not {prompt} booked by anybody"),
        format!("A long line that may have been wrapped, it is not\n{prompt}\nbooked by anybody"),
        format!("A long line that may have been wrapped, it is not\n{prompt} booked by anybody"),
        format!("| it is not | {prompt} booked |"),
    ] {
        let answer = Transcript { prompt: Some(prompt.to_owned()), ..transcript(&response, json!([])) };
        let expected =
            r#"{ "must_say_any": ["not booked", "not: booked"], "must_match_regex": ["not booked", "not: booked"] }"#;
        let failed = ["-must_say_any", "-format:must_match_regex:not booked", "-format:must_match_regex:not: booked"];
        outcomes_with(&config, expected, &answer, &failed);
        outcomes_with(&config, r#"{ "must_match_regex": ["^\\s*$"] }"#, &answer, &[r"-format:must_match_regex:^\s*$"]);
    }
}

#[test]
fn the_end_of_a_line_is_no_evidence() {
    let suite = r#"{ "must_say_any": ["assuming"], "must_not_say": ["one\ntwo"], "must_match_regex": ["ok$zz"], "must_not_match_regex": [".+"] }"#;
    let response = "**assuming**\r\none\r\ntwo\r\nit is ok\r\n\r\n";
    for reading in [Reading::Written, Reading::Plain] {
        let config = Config { scoring: Scoring { reading, ..Scoring::default() }, ..Config::default() };
        let (case, transcript) = (case(suite), transcript(response, json!([])));
        let judged = Judged::new(&transcript, &case, &config);
        let asked = expectations(&case);
        for asked in &asked {
            let result = check(asked, &judged, &config, &Budget::default());
            for evidence in result.evidence.iter().chain(&nearest(asked, &judged, &config)) {
                assert!(!evidence.text.contains('\r'), "{}: {evidence:?}", asked.id);
                let span = evidence.span_in(response).unwrap();
                assert_eq!(response[span.range()].replace("\r\n", "\n"), evidence.text, "{}", asked.id);
            }
        }
        assert_eq!(judged.first_lines(9).collect::<Vec<_>>(), ["**assuming**", "one", "two", "it is ok"]);
    }
}

#[test]
fn a_carriage_return_alone_is_a_character_of_its_line() {
    for reading in [Reading::Written, Reading::Plain] {
        for (response, matches) in
            [("ok", true), ("ok\r\n", true), ("ok\r\n\r\n", true), ("ok\r", false), ("o\rk", false)]
        {
            let answer = Response::of_text(response, reading);
            assert_eq!(answer.matches("^ok$", &Budget::default()), matches, "{response:?}");
        }
        assert!(Response::of_text("hello\rworld", reading).matches(r"hello\R", &Budget::default()));
    }
}
