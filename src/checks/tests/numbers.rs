use super::says;

/// Asserts the result of one item of `must_ground_numbers`.
#[track_caller]
fn number(item: &str, response: &str, outcome: &str) {
    says(&format!(r#"{{ "must_ground_numbers": [{item}] }}"#), response, &[outcome]);
}

#[test]
fn a_value_is_shown_literally() {
    number(r#""12""#, "12 commits", "+synthesis:numeric:12");
    number(r#""12""#, "112x", "+synthesis:numeric:12");
    number(r#""12""#, "1 2", "-synthesis:numeric:12");
    number(r#""12 Commits""#, "12 commits", "-synthesis:numeric:12 Commits");
    number(r#""12 Commits""#, "12 Commits", "+synthesis:numeric:12 Commits");
    number(r#"{"label": "n", "value": "."}"#, "x", "-synthesis:numeric:n");
    number(r#"{"label": "n", "value": "1.5"}"#, "1x5", "-synthesis:numeric:n");
}

#[test]
fn a_value_may_go_over_a_line_break_as_a_space() {
    number(r#""12 commits""#, "12\ncommits", "+synthesis:numeric:12 commits");
    number(r#""12 commits""#, "12\r\ncommits", "+synthesis:numeric:12 commits");
    number(r#""12  commits""#, "12\n\ncommits", "+synthesis:numeric:12  commits");
    number(r#"{"label": "n", "value": "12\ncommits"}"#, "12\ncommits", "-synthesis:numeric:n");
    number(r#""12 commits""#, "12\u{2028}commits", "-synthesis:numeric:12 commits");
}

#[test]
fn numbers_are_searched_as_they_are_written() {
    number("12", "12", "+synthesis:numeric:12");
    number("1.50", "1.50", "+synthesis:numeric:1.50");
    number("1.50", "1.5", "-synthesis:numeric:1.50");
    number("1e3", "1000", "-synthesis:numeric:1e3");
    number("-0", "-0", "+synthesis:numeric:-0");
    number(r#"{"value": 0}"#, "0", "+synthesis:numeric:0");
    number(r#"{"label": "l", "value": 12345678901234567890}"#, "12345678901234567890", "+synthesis:numeric:l");
}

#[test]
fn a_context_is_said_somewhere() {
    let item = r#"{"label": "n", "value": "12", "context_any": ["GitHub", "commits"]}"#;
    number(item, "12 things\non github", "+synthesis:numeric:n");
    number(item, "12 COMMITS", "+synthesis:numeric:n");
    number(item, "12 things", "-synthesis:numeric:n");
    number(item, "GitHub", "-synthesis:numeric:n");
    for nothing in ["[]", r#"[""]"#, "null", r#""GitHub""#] {
        number(&format!(r#"{{"label": "n", "value": "12", "context_any": {nothing}}}"#), "12", "+synthesis:numeric:n");
    }
    number(r#"{"label": "n", "value": "12", "context_any": ["", "x"]}"#, "12", "-synthesis:numeric:n");
}

#[test]
fn a_pattern_decides_alone() {
    number(r#"{"label": "n", "regex": "RISK:\\s*[0-9]+"}"#, "risk: 7", "+synthesis:numeric:n");
    number(r#"{"label": "n", "regex": "RISK:\\s*[0-9]+"}"#, "risk:\n7", "-synthesis:numeric:n");
    number(r#"{"label": "n", "regex": "x", "value": "12", "context_any": ["y"]}"#, "12 y", "-synthesis:numeric:n");
    number(r#"{"label": "n", "regex": "x", "value": "12", "context_any": ["y"]}"#, "x", "+synthesis:numeric:n");
    // An empty pattern matches any line.
    number(r#"{"label": "n", "regex": "", "value": "12"}"#, "", "+synthesis:numeric:n");
}

#[test]
fn an_item_with_nothing_to_look_for_fails() {
    number("{}", "12", "-synthesis:numeric:numeric");
    number(r#"{"label": "l"}"#, "12 l", "-synthesis:numeric:l");
    number(r#"{"value": ""}"#, "12", "-synthesis:numeric:");
    says(r#"{ "must_ground_numbers": ["", 7, "7"] }"#, "7", &["+synthesis:numeric:7"; 2]);
}

#[test]
fn the_first_label_counts() {
    number(r#"{"label": "l", "value": "v", "regex": "r"}"#, "r", "+synthesis:numeric:l");
    number(r#"{"value": "v", "regex": "r"}"#, "r", "+synthesis:numeric:v");
    number(r#"{"regex": "r"}"#, "r", "+synthesis:numeric:r");
}
