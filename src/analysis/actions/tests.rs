use std::sync::Arc;

use super::*;
use crate::analysis::Document;
use crate::text::Text;

/// Where the cursor is in a fixture.
const CURSOR: char = '‸';

fn actions_at(fixture: &str) -> (String, Vec<Action>) {
    let at = fixture.find(CURSOR).expect("a fixture has a cursor");
    let text = fixture.replacen(CURSOR, "", 1);
    let document = Document::new(Text::new(&text), None);
    let actions = actions(&document, Span::empty(at), &Arc::new(Workspace::default()));
    (text, actions)
}

/// The text after the action with that title; `None` if it is not offered.
fn applied(title: &str, fixture: &str) -> Option<String> {
    let (mut text, actions) = actions_at(fixture);
    let action = actions.into_iter().find(|action| action.title == title)?;
    let mut edits = action.edits;
    edits.sort_by_key(|edit| edit.span);
    assert!(edits.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start), "{edits:?}");
    for edit in edits.iter().rev() {
        text.replace_range(edit.span.range(), &edit.text);
    }
    Some(text)
}

#[track_caller]
fn check(title: &str, before: &str, after: &str) {
    let titles = || actions_at(before).1.into_iter().map(|action| action.title).collect::<Vec<_>>();
    assert_eq!(applied(title, before).unwrap_or_else(|| format!("not offered: {:?}", titles())), after);
}

/// A case with these expectations.
fn case(expected: &str) -> String {
    format!(r#"{{ "cases": [ {{ "id": "A", "prompt": "p", "expected": {{ {expected} }} }} ] }}"#)
}

#[test]
fn a_duplicate_follows_its_case() {
    check(
        "duplicate this case as `SYN3`",
        "{\r\n  \"cases\": [\r\n    { \"id\": \"SYN2\", ‸\"prompt\": \"p\" },\r\n    { \"id\": \"SYN1\" }\r\n  ]\r\n}\r\n",
        "{\r\n  \"cases\": [\r\n    { \"id\": \"SYN2\", \"prompt\": \"p\" },\r\n    { \"id\": \"SYN3\", \"prompt\": \"p\" },\r\n    { \"id\": \"SYN1\" }\r\n  ]\r\n}\r\n",
    );
    check(
        "duplicate this case as `A2`",
        "{\"cases\": [{\n  \"id\": \"\\u0041\"‸,\n  \"prompt\": \"😀\"\n}]}",
        "{\"cases\": [{\n  \"id\": \"A\",\n  \"prompt\": \"😀\"\n}, {\n  \"id\": \"A2\",\n  \"prompt\": \"😀\"\n}]}"
            .replace("\"id\": \"A\"", "\"id\": \"\\u0041\"")
            .as_str(),
    );
    for without in
        [r#"{ "cases": [ { ‸"prompt": "p" } ] }"#, r#"{ "cases": [ { "id": "A"‸ "x" } ] }"#, r#"{ ‸"cases": [] }"#]
    {
        assert_eq!(actions_at(without).1, [], "{without}");
    }
}

#[test]
fn weights_are_scaled_from_any_cursor_among_them() {
    let case = |weights: &str| case(&format!(r#""scoring": {{ "soft_score": {{ "weights": {{ {weights} }} }} }}"#));
    check(
        "scale the weights to 1",
        &case(r#""formatting": 1, "uncertainty": ‸1"#),
        &case(r#""formatting": 0.5, "uncertainty": 0.5"#),
    );
    assert_eq!(applied("scale the weights to 1", &case(r#""formatting": 1‸"#)), None);
    assert_eq!(applied("scale the weights to 1", &case(r#""formatting": 2"#).replace("\"p\"", "\"p‸\"")), None);
}

#[test]
fn a_bare_number_gets_a_label() {
    let title = "give the number a label";
    for (before, after) in [
        (r#"[14‸, "a"]"#, r#"[{ "label": "14", "value": 14 }, "a"]"#),
        (r#"[1.50, ‸"€ 12\n"]"#, r#"[1.50, { "label": "€ 12\n", "value": "€ 12\n" }]"#),
    ] {
        let case = |numbers: &str| case(&format!(r#""must_ground_numbers": {numbers}"#));
        check(title, &case(before), &case(after));
    }
    for not in [r#"[‸{ "value": 14 }]"#, r#"[‸""]"#, r#"[‸null]"#, r#"‸14"#] {
        assert_eq!(applied(title, &case(&format!(r#""must_ground_numbers": {not}"#))), None, "{not}");
    }
}

#[test]
fn phrases_become_patterns() {
    let (one, all) = ("turn the phrase into a pattern", "turn the phrases into one pattern");
    let pages = [
        (one, r#""must_say_any": ["‸a.b"], "ui": []"#),
        (all, r#""must_match_regex": ["x"], "must_say_any": ["‸a (b)", "", "c|d"]"#),
        (all, "\n  \"must_say_any\": [‸\"a\", \"b\"],\n  \"must_match_regex\": [\n    \"x\"\n  ]\n"),
        (one, r#""must_not_say": ["a", "‸b+"], "must_not_match_regex": []"#),
        (one, "\n  \"must_not_say\": [\"a‸\", \"b\"],\n  \"ui\": []\n"),
        (one, r#""must_not_say": ["a‸"]"#),
    ]
    .map(|(title, before)| format!("{}\n{}\n", case(before), applied(title, &case(before)).expect(before)));
    insta::assert_snapshot!(pages.join("\n"));
    for not in [
        r#""must_say_any": ["‸a\nb"]"#,
        r#""must_say_any": ["‸"]"#,
        r#""must_say_any": ["‸\ud800"]"#,
        r#""must_say_any": ["‸a"], "must_match_regex": 1"#,
        r#""must_say_any": ["a"], ‸"ui": []"#,
        r#""must_not_say‸": ["a"]"#,
    ] {
        assert_eq!(
            actions_at(&case(not)).1.iter().filter(|action| action.title.contains("pattern")).count(),
            0,
            "{not}"
        );
    }
    let old = case(r#""must_say_any": ["‸a"]"#).replacen('{', r#"{ "version": "0.1.0","#, 1);
    assert_eq!(applied("turn the phrase into a pattern", &old), None);
}
