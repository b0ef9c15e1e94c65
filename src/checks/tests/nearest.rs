use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{CheckOutcome, Judged, case, transcript};
use crate::checks::{self, Evidence, EvidencePlace, check, expectations};
use crate::config::Config;
use crate::pattern::Budget;

/// Asserts the nearest match, as `line:column text` or `#event`; empty if there is none.
#[track_caller]
fn nearest(expected: &str, response: &str, telemetry: Value, shown: &str) {
    nearest_with(&Config::default(), expected, response, telemetry, shown);
}

#[track_caller]
fn nearest_with(config: &Config, expected: &str, response: &str, telemetry: Value, shown: &str) {
    let (case, transcript) = (case(expected), transcript(response, telemetry));
    let judged = Judged::new(&transcript, &case, config);
    let asked = expectations(&case);
    let failed =
        asked.iter().find(|asked| check(asked, &judged, config, &Budget::default()).outcome == CheckOutcome::Failed);
    let found = checks::nearest(failed.expect(expected), &judged, config);
    let found = found.iter().fold(String::new(), |mut text, Evidence { place, text: quoted, .. }| {
        match place {
            EvidencePlace::Response(at) => write!(text, "{}:{} {quoted}", at.line, at.column).unwrap(),
            EvidencePlace::Page { page: at } => write!(text, "page {}:{} {quoted}", at.line, at.column).unwrap(),
            EvidencePlace::Telemetry { event } => write!(text, "#{event}").unwrap(),
        }
        text
    });
    assert_eq!(found, shown, "{expected}\n{response}");
}

#[test]
fn a_phrase_in_another_notation() {
    for (phrase, response, shown) in [
        ("github", "On\n the Git hub page", "2:6 Git hub"),
        ("site health", "SITE\u{2011}HEALTH is fine", "1:1 SITE\u{2011}HEALTH"),
        ("may be stale", "this may\nbe stale", "1:6 may\nbe stale"),
        ("Snooze", "You can snoze it", "1:9 snoze"),
        ("Lower priority", "please lower prioritiy.", "1:8 lower prioritiy"),
        ("pull-request", "no pull requests", "1:4 pull request"),
        ("I'm", "the time", ""),
        ("I'm", "an import", ""),
        ("I'm", "there I\u{2019}m happy", "1:7 I\u{2019}m"),
        ("recommendation", "nothing like it", ""),
        ("no", "yes", ""),
        ("--", "a - b", ""),
    ] {
        nearest(&json!({ "must_say_any": [phrase] }).to_string(), response, json!([]), shown);
        nearest(&json!({ "must_allow_override_actions": [phrase] }).to_string(), response, json!([]), shown);
    }
    nearest(r#"{"required_sources": ["posthog"]}"#, "Post Hog", json!([]), "1:1 Post Hog");
    nearest(r#"{"must_label_assumptions": true}"#, "An asumption.", json!([]), "1:4 asumption");
}

#[test]
fn a_number_in_another_notation_or_near_its_context() {
    for (item, response, shown) in [
        (json!("1234"), "in all 1,234 bikes", "1:8 1,234"),
        (json!({ "value": "12", "context_any": ["bikes"] }), "x 9\n15 bikes", "2:1 15"),
        (json!({ "value": "12", "context_any": ["bikes"] }), "bikes: 15.", "1:8 15"),
        (json!({ "label": "risk score", "value": "70" }), "the Risk score is 7.5!", "1:19 7.5"),
        (json!({ "label": "risk", "regex": "RISK:\\s*[0-9]+" }), "a\nrisk: high", "2:1 risk: high"),
        (json!({ "value": "12", "context_any": ["bikes"] }), "no bikes", ""),
        (json!({}), "12", ""),
    ] {
        nearest(&json!({ "must_ground_numbers": [item] }).to_string(), response, json!([]), shown);
    }
}

#[test]
fn the_line_with_the_longest_partial_match() {
    for (pattern, response, shown) in [
        ("GitHub:\\s*[0-9]+", "On GitHub\nand GitHub: many", "2:5 GitHub: many"),
        ("Signals and noise", "the signals are", "1:5 signals are"),
        ("(conflict|tension)x", "a TENSION here", "1:3 TENSION here"),
        ("^Plan$", "Plan B", "1:1 Plan B"),
        ("^two$", "one\ntwo B\nthree", "2:1 two B"),
        ("GitHub:\\s*[0-9]+", "x\nGitHub:\n12 PRs\n", "2:1 GitHub:\n12 PRs"),
        ("Recommendation", "Here is a brief.", ""),
        ("Recommendation", "Reach them, then recheck", "1:18 recheck"),
        ("Recommendation", "We recommend it", "1:4 recommend it"),
        ("zzz", "abc", ""),
        ("(", "abc", ""),
    ] {
        nearest(&json!({ "must_match_regex": [pattern] }).to_string(), response, json!([]), shown);
    }
    nearest(r#"{"required_levers": 2}"#, "- one", json!([]), "");
    nearest(r#"{"evidence_freshness_max_age_minutes": 5}"#, "some 12 hours ago", json!([]), "1:6 12 hours ago");
}

#[test]
fn a_tool_with_a_similar_name_or_its_other_result() {
    let start = json!({ "source": "tool.book_slot", "event": "start" });
    let failed = json!({ "source": "tool.book_slot", "event": "result", "data": { "success": false } });
    for (expected, telemetry, shown) in [
        (json!({ "tool_calls_any": ["book_slots"] }), json!([{}, start]), "#2"),
        (json!({ "tool_calls_any": ["cancel"] }), json!([start]), ""),
        (json!({ "telemetry": ["tool.bookslot start"] }), json!([start]), "#1"),
        (json!({ "telemetry": ["tool.book_slot result success:true"] }), json!([start, failed]), "#2"),
        (json!({ "telemetry": ["tool.book_slot result success:true"] }), json!([start]), "#1"),
        (json!({ "outcome": "tool_success" }), json!([start, failed]), "#2"),
        (json!({ "telemetry": ["\"success\": false"] }), json!([start, failed]), "#2"),
        (json!({ "tool_calls_none": ["book_slot"] }), json!([start]), ""),
    ] {
        nearest(&expected.to_string(), "", telemetry, shown);
    }
}

#[test]
fn only_the_start_of_a_long_response_is_searched() {
    let long = "wörd ".repeat(100_000);
    nearest(r#"{"must_say_any": ["git-hub"]}"#, &format!("{long}git hub"), json!([]), "");
    nearest(r#"{"must_say_any": ["git-hub"]}"#, &format!("git hub {long}"), json!([]), "1:1 git hub");
    let pattern = r#"{"must_match_regex": ["github: \\d+"]}"#;
    nearest(pattern, &format!("{}\nGithub: many", "a line\n".repeat(1000)), json!([]), "1002:1 Github: many");
    nearest(pattern, &format!("{long}\nGithub: many"), json!([]), "");
}

#[test]
fn a_hint_has_the_nearest_of_what_it_lacks() {
    for (definition, response, shown) in [
        ("all = [\"Repairs\", \"Thursday\"]", "Repairs on thrsday", "1:12 thrsday"),
        ("any = [\"Repairs\"]", "3 repiars", "1:3 repiars"),
        ("all_of = [[\"brake\", \"gear\"], [\"Thursday\"]]", "gear\nthrsday", "2:1 thrsday"),
        ("matches = [\"Total: [0-9]+\"]", "Total: none", "1:1 Total: none"),
    ] {
        let (config, errors) = Config::parse(&format!("[[ui_hints]]\nhint = \"h\"\n{definition}"), &[]);
        assert_eq!(errors, [], "{definition}");
        nearest_with(&config, r#"{"ui": ["h"]}"#, response, json!([]), shown);
    }
}
