use serde_json::json;

use super::*;

/// Asserts the result of `must_match_regex`, and the opposite of `must_not_match_regex`.
#[track_caller]
fn matches(pattern: &str, response: &str, matched: bool) {
    let quoted = serde_json::to_string(pattern).unwrap();
    let expected = format!(r#"{{ "must_match_regex": [{quoted}], "must_not_match_regex": [{quoted}] }}"#);
    let (must, must_not) = if matched { ("+", "-") } else { ("-", "+") };
    let ids = [
        format!("{must}format:must_match_regex:{pattern}"),
        format!("{must_not}format:must_not_match_regex:{pattern}"),
    ];
    says(&expected, response, &[&ids[0], &ids[1]]);
}

#[test]
fn a_pattern_is_matched_against_each_line() {
    for (pattern, response, matched) in [
        ("^two$", "one\ntwo\nthree", true),
        (r"\Atwo\z", "one\ntwo\nthree", true),
        (r"\Atwo\Z", "one\ntwo\nthree", true),
        ("one.*two", "one\ntwo", false),
        (r"one\s+two", "one\ntwo", false),
        (r"one\ntwo", "one\ntwo", false),
        (r"(?s)one.two", "one\ntwo", false),
        (r"(?<=one\n)two", "one\ntwo", false),
        ("[^x]two", "one\ntwo", false),
        ("^$", "", true),
        ("x*", "", true),
        ("x", "", false),
        // A carriage return before a line feed belongs to the line break.
        (r"one\r", "one\r\n", false),
        ("^one$", "one\r\ntwo", true),
        // Other line breaks do not separate lines.
        ("^two", "one\rtwo", false),
        ("^two", "one\u{2028}two", false),
        ("one.two", "one\u{2028}two", true),
        ("one.two", "one\rtwo", true),
        // Case is ignored unless the pattern turns that off, and characters are those of Unicode.
        ("ärger", "ÄRGER", true),
        ("(?-i)signals", "SIGNALS", false),
        (r"^\w\d$", "ß\u{663}", true),
    ] {
        matches(pattern, response, matched);
    }
}

#[test]
fn a_pattern_sees_the_text_of_quoted_names() {
    let snapshot = "- 'heading \"Today''s mission: close the books\"'\n- text: \"Say \\\"hi\\\"\"";
    for (pattern, matched) in [("today's mission", true), ("today''s", true), ("say \"hi\"", true), ("say hi", false)] {
        matches(pattern, snapshot, matched);
    }
}

#[test]
fn a_pattern_that_does_not_compile_fails_everywhere() {
    for pattern in ["(", "[a", "a{2,1}", r"\", "(?<n>a)(?<n>b)", "*a", r"\p{Nonsense}", "(?z)"] {
        let quoted = serde_json::to_string(pattern).unwrap();
        let expected = format!(
            r#"{{ "must_match_regex": [{quoted}], "must_not_match_regex": [{quoted}],
                "must_ground_numbers": [{{"label": "n", "regex": {quoted}, "value": "1"}}],
                "required_levers": 0, "lever_regex": {quoted},
                "claim_evidence_alignment": true, "evidence_marker_regex": {quoted},
                "evidence_freshness_max_age_minutes": 999, "evidence_freshness_regex": {quoted} }}"#
        );
        let ids = [
            "-synthesis:numeric:n".to_owned(),
            format!("-format:must_match_regex:{pattern}"),
            format!("-format:must_not_match_regex:{pattern}"),
            "-morning_brief:required_levers".to_owned(),
            "-morning_brief:claim_evidence_alignment".to_owned(),
            "-morning_brief:evidence_freshness".to_owned(),
        ];
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        says(&expected, "mission 1 min because evidence", &ids);
        let transcript = transcript("mission 1 min because evidence", json!([]));
        for result in results(&expected, &transcript, &Config::default()) {
            let excused = result.outcome == CheckOutcome::Passed || result.message.contains("does not compile");
            assert!(excused, "{result:?}");
        }
    }
}

/// Backtracks endlessly on a line of many `a`.
const EVIL: &str = r"^(a|a|aa)+(?!.)";

fn evil_line() -> String {
    format!("fine\n{}!", "a".repeat(200))
}

#[test]
fn a_pattern_over_its_budget_is_not_judged() {
    let quoted = serde_json::to_string(EVIL).unwrap();
    let expected = format!(
        r#"{{ "must_match_regex": [{quoted}, "fine"], "must_not_match_regex": [{quoted}],
            "must_ground_numbers": [{{"regex": {quoted}}}],
            "required_levers": 0, "lever_regex": {quoted},
            "claim_evidence_alignment": true, "claim_marker_regex": {quoted},
            "evidence_freshness_max_age_minutes": 999, "evidence_freshness_regex": {quoted} }}"#
    );
    let ids = [
        format!("!synthesis:numeric:{EVIL}"),
        format!("!format:must_match_regex:{EVIL}"),
        "+format:must_match_regex:fine".to_owned(),
        format!("!format:must_not_match_regex:{EVIL}"),
        "!morning_brief:required_levers".to_owned(),
        "!morning_brief:claim_evidence_alignment".to_owned(),
        "!morning_brief:evidence_freshness".to_owned(),
    ];
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    says(&expected, &evil_line(), &ids);
    let found = results(&expected, &transcript(&evil_line(), json!([])), &Config::default());
    let reasons = found.iter().filter(|result| result.outcome == CheckOutcome::NotJudged);
    for reason in reasons.map(|result| &result.message) {
        assert!(reason.starts_with("cannot judge `^(a|a|aa)+(?!.)` on line 2: the pattern "), "{reason}");
    }
}

#[test]
fn a_match_before_the_line_that_exceeds_the_budget_decides() {
    let quoted = serde_json::to_string(EVIL).unwrap();
    let id = format!("+format:must_match_regex:{EVIL}");
    says(&format!(r#"{{ "must_match_regex": [{quoted}] }}"#), &format!("aa\n{}", evil_line()), &[&id]);
    // Counting levers searches all lines, so there the budget decides.
    let expected = format!(r#"{{ "required_levers": 1, "lever_regex": {quoted} }}"#);
    says(&expected, &format!("aa\n{}", evil_line()), &["!morning_brief:required_levers"]);
}
