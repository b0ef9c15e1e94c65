use super::says;

#[track_caller]
fn levers(more: &str, response: &str, passed: bool) {
    let sign = if passed { "+" } else { "-" };
    says(&format!(r#"{{ "required_levers": {more} }}"#), response, &[&format!("{sign}morning_brief:required_levers")]);
}

#[test]
fn levers_are_counted() {
    for (more, response, passed) in [
        ("2", "- one\n* two", true),
        ("2", "1. one\n23. two", true),
        ("2", "- one", false),
        ("1", "-one\n1 one\n  - one\n+ one\n• one", false),
        ("1", "- ", false),
        ("1", "-  x", true),
        // A match cannot cross a line break.
        ("1", "-\nx", false),
        ("0", "", true),
        ("-1", "", true),
        ("1.5", "- one", false),
        ("1.5", "- one\n- two", true),
        // Matches on a line do not overlap.
        (r#"3, "lever_regex": "x""#, "xx x", true),
        (r#"4, "lever_regex": "x""#, "xx x", false),
        (r#"2, "lever_regex": "xx""#, "xxx", false),
        (r#"2, "lever_regex": "xx""#, "xxxx", true),
        // Empty matches do not count.
        (r#"1, "lever_regex": "x*""#, "yyy", false),
        (r#"2, "lever_regex": "x*""#, "yxyxx", true),
        (r#"3, "lever_regex": "x*""#, "yxyxx", false),
        (r#"1, "lever_regex": """#, "abc", false),
        (r#"1, "lever_regex": "\\b""#, "abc", false),
        // Case matters.
        (r#"1, "lever_regex": "lever""#, "LEVER", false),
        (r#"1, "lever_regex": "(?i)lever""#, "LEVER", true),
        (r#"2, "lever_regex": "^x""#, "x\nx", true),
        (r#"2, "lever_regex": "x$""#, "x\r\nx", true),
    ] {
        levers(more, response, passed);
    }
    says(r#"{ "lever_regex": "x" }"#, "", &[]);
}

#[track_caller]
fn alignment(more: &str, response: &str, outcomes: &[&str]) {
    says(&format!(r#"{{ "claim_evidence_alignment": {more} }}"#), response, outcomes);
}

#[test]
fn claim_evidence_and_alignment_are_all_there() {
    const PASSED: &[&str] = &["+morning_brief:claim_evidence_alignment"];
    const FAILED: &[&str] = &["-morning_brief:claim_evidence_alignment"];
    for claim in ["Today's mission", "todayXs Mission", "MISSION", "recommendation"] {
        for evidence in ["evidence", "Source", "observed", "METRIC"] {
            for link in ["because", "Based on", "backed by", "driven by", "GROUNDED IN"] {
                alignment("true", &format!("{claim}\n{evidence}\n{link}"), PASSED);
            }
        }
    }
    alignment("true", "evidence because", FAILED);
    alignment("true", "mission because", FAILED);
    alignment("true", "mission evidence", FAILED);
    alignment("true", "", FAILED);
    alignment("false", "", &[]);
    let own =
        r#"true, "claim_marker_regex": "plan", "evidence_marker_regex": "(?-i)Log", "alignment_marker_regex": "^so$""#;
    alignment(own, "PLAN Log\nso", PASSED);
    alignment(own, "PLAN log\nso", FAILED);
    alignment(own, "PLAN Log so", FAILED);
    alignment(own, "mission evidence because", FAILED);
}

#[track_caller]
fn freshness(more: &str, response: &str, passed: bool) {
    let sign = if passed { "+" } else { "-" };
    let expected = format!(r#"{{ "evidence_freshness_max_age_minutes": {more} }}"#);
    says(&expected, response, &[&format!("{sign}morning_brief:evidence_freshness")]);
}

#[test]
fn the_oldest_evidence_is_fresh_enough() {
    for (more, response, passed) in [
        ("60", "15 minutes ago", true),
        ("60", "60m", true),
        ("60", "61 MIN", false),
        ("60", "5 min, then\n90 minute", false),
        ("60", "5 min\n59 min", true),
        ("60", "soon", false),
        ("60", "", false),
        ("60", "5\nmin", false),
        ("60", "2 hours", false),
        ("14.5", "15m", false),
        ("15.5", "15m", true),
        ("0", "0 min", true),
        ("-1", "0 min", false),
        // The default pattern takes the last four digits of a run, and any word that starts with m.
        ("60", "10005m", true),
        ("60", "10 months", true),
        // Every run of digits in a match counts, in pieces of at most four.
        (r#"60, "evidence_freshness_regex": ".+""#, "at 7 it was 61", false),
        (r#"2345, "evidence_freshness_regex": "[0-9]+""#, "12345", true),
        (r#"1233, "evidence_freshness_regex": "[0-9]+""#, "12345", false),
        (r#"1234, "evidence_freshness_regex": "[0-9]+""#, "12345", true),
        (r#"999, "evidence_freshness_regex": "[0-9]+""#, "10000000", false),
        // A match without digits has no age.
        (r#"60, "evidence_freshness_regex": "fresh""#, "fresh", false),
        (r#"60, "evidence_freshness_regex": "fresh|[0-9]+""#, "fresh 5", true),
        (r#"60, "evidence_freshness_regex": "\\d+""#, "\u{663}", false),
        // Case matters.
        (r#"60, "evidence_freshness_regex": "[0-9]+ min""#, "5 MIN", false),
        (r#"60, "evidence_freshness_regex": "(?i)[0-9]+ min""#, "5 MIN", true),
    ] {
        freshness(more, response, passed);
    }
    says(r#"{ "evidence_freshness_regex": "x" }"#, "", &[]);
}
