use proptest::prelude::*;
use serde_json::Value;

use super::*;

/// The text with edits of white space.
fn applied(text: &str, edits: &[Edit]) -> String {
    let is_white = |text: &str| text.chars().all(|c| " \t\r\n".contains(c));
    for edit in edits {
        assert!(is_white(&text[edit.span.range()]) && is_white(&edit.text), "{edit:?} of {text:?}");
    }
    Edit::apply_all(text, edits)
}

fn formatted_as(text: &str, layout: &Layout) -> String {
    applied(text, &format(&Document::new(Text::new(text), None), layout))
}

fn formatted(text: &str) -> String {
    formatted_as(text, &Layout::default())
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(formatted(text), expected, "{text}");
    assert_eq!(formatted(expected), expected);
}

/// Each text and how it is formatted, with the white space of the text shown.
fn pages(texts: &[&str]) -> String {
    let page = |text: &&str| {
        let after = formatted(text);
        assert_eq!(formatted(&after), after);
        format!("{text:?}\n{after}\n")
    };
    texts.iter().map(page).collect::<Vec<_>>().join("\n")
}

#[test]
fn text_that_fits_on_one_line_stays_there_and_one_empty_line_is_kept() {
    insta::assert_snapshot!(pages(&[
        "{\"a\":[1,2],\"b\":{},\"c\":[ ]}",
        "{\n\"a\":[1,2],\n  \"b\":{\"c\" :true}}\n\n",
        "[1,[2,3\n]]",
        "  \n[{\n}, [\n\n]]",
        "[\n\n1,\n\n\n2,\n3\n\n]",
    ]));
}

#[test]
fn long_lines_break_at_the_outer_brackets_first() {
    let long = "x".repeat(100);
    check(
        &format!("{{\"a\": \"{long}\", \"list\": [1, 2], \"b\": 3}}"),
        &format!("{{\n  \"a\": \"{long}\",\n  \"list\": [1, 2],\n  \"b\": 3\n}}\n"),
    );
    // The comma after it counts, and so does the text before it on the line.
    for (filler, fits) in [(109, true), (110, false)] {
        let list = format!("[\"{}\"]", "é".repeat(filler - 1));
        let broken = format!("[\n    \"{}\"\n  ]", "é".repeat(filler - 1));
        let text = format!("{{\n  \"a\": {list},\n  \"b\": 1\n}}\n");
        let expected = if fits { text.clone() } else { text.replace(&list, &broken) };
        check(&text, &expected);
    }
}

#[test]
fn indentation_follows_the_editor_and_line_breaks_the_text() {
    let layout = |indent: &str, final_newline| Layout { indent: indent.to_owned(), final_newline };
    assert_eq!(formatted_as("{\"a\":\n[1,\n2]}", &layout("\t", false)), "{\n\t\"a\": [\n\t\t1,\n\t\t2\n\t]\n}");
    assert_eq!(formatted_as("[1,\r\n\r\n2\n]", &layout("    ", true)), "[\r\n    1,\r\n\r\n    2\r\n]\r\n");
    assert_eq!(formatted_as("[1]\n\n", &layout("  ", false)), "[1]\n\n");
    assert_eq!(formatted("[1,\r2]"), "[\r  1,\r  2\r]\r");
    assert_eq!(formatted("\u{feff}[1 ]"), "\u{feff}[1]\n");
}

#[test]
fn lists_and_objects_with_an_error_keep_their_layout() {
    insta::assert_snapshot!(pages(&[
        // An extra comma, a missing value, a missing colon: the list or object with the error keeps its layout.
        "{ \"a\" : [1 ,2,],\n \"b\":  [ 3 ] }",
        "{ \"a\" : {\"b\" :  [ 1 ],\n\"c\": },\n \"d\":1 }",
        "[ {\"a\" 1},{ \"b\":2} ]",
        "[ 1,nul , {\"a\":2} ]",
        "[ 1, // one\n  {\"a\":2} ]",
        // The children of an unclosed object keep their indentation.
        "{\n    \"cases\": [ {\n \"id\":\"A\" } ]",
        // White space after an unclosed bracket does not decide whether it is closed.
        "{\"\":\"\",\"\":[{}{]}",
    ]));
    for text in ["", "  ", "\n\n", "x", "// {", "[1] x", "\"", "{", "[", "{\"", "\u{feff}"] {
        formatted(text);
    }
}

#[test]
fn a_range_is_formatted_from_its_present_indentation() {
    let text = "{\n      \"cases\": [\n            {\"id\":\"A\",\n\"prompt\":\"p\"},\n  {\"id\":\"B\"}\n]\n}";
    let document = Document::new(Text::new(text), None);
    let range = |from: &str, to: &str| Span::new(text.find(from).unwrap(), text.find(to).unwrap() + to.len());
    let ranges =
        [range("{\"id\":\"A\"", "\"p\"}"), range("\"prompt\"", "\"prompt\""), range("  {\"id\":\"B\"}", "\"B\"}\n")]
            .map(|range| {
                let after = applied(text, &format_range(&document, range, &Layout::default()));
                format!("{:?}\n{after}\n", &text[range.range()])
            });
    insta::assert_snapshot!(ranges.join("\n"));
    let all = format_range(&document, Span::new(0, text.len()), &Layout::default());
    assert_eq!(applied(text, &all), formatted(text));
}

#[test]
fn the_examples_are_formatted() {
    for name in ["brief-eval-set.v0.3.json", "synthesis-eval-set.v0.2.json", "tools-eval-set.v0.1.json"] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
        let text = std::fs::read_to_string(path).unwrap();
        assert_eq!(formatted(&text), text);
    }
}

#[test]
fn deep_and_wide_texts_are_formatted_quickly() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let wide = format!("[{}0]", "{\"a\":[1,2]},".repeat(20_000));
    let nested = format!("{}\"{}\"{}", "[".repeat(500), "x".repeat(1 << 17), "]".repeat(500));
    for text in [&deep, &wide, &nested] {
        let once = formatted(text);
        assert_eq!(formatted(&once), once);
    }
}

/// The values of a text as they are written, and whether it has an error.
fn meaning(text: &str) -> (Vec<(Kind, String)>, bool) {
    let parsed = parse(text);
    (values(&parsed, text).map(|(kind, text)| (kind, text.to_owned())).collect(), parsed.errors.is_empty())
}

fn white() -> impl Strategy<Value = &'static str> {
    prop_oneof![4 => Just(""), 3 => Just(" "), 1 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\n\n  "), 1 => Just("\t")]
}

/// JSON in any layout.
fn json() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        Just("null".to_owned()),
        Just("1.50e+2".to_owned()),
        Just("-0".to_owned()),
        Just("\"\\u0041\\/ , { [ : \\n\"".to_owned()),
        Just("\"é😀\"".to_owned()),
        Just(format!("\"{}\"", "long ".repeat(15))),
    ];
    let layouts = || prop::collection::vec(white(), 5);
    scalar.prop_recursive(5, 40, 5, move |inner| {
        let entry = (inner, layouts(), any::<bool>());
        (prop::collection::vec(entry, 0..5), any::<bool>(), white()).prop_map(|(entries, is_object, end)| {
            let written = entries.iter().map(|(value, white, short)| match is_object {
                true => {
                    let key = if *short { "a" } else { "a longer key" };
                    format!("{}\"{key}\"{}:{}{value}{}", white[0], white[1], white[2], white[3])
                }
                false => format!("{}{value}{}", white[0], white[1]),
            });
            let inner = written.collect::<Vec<_>>().join(",");
            if is_object { format!("{{{inner}{end}}}") } else { format!("[{inner}{end}]") }
        })
    })
}

/// JSON in any layout, with a few characters replaced.
fn broken() -> impl Strategy<Value = String> {
    let breaks = prop::collection::vec((any::<prop::sample::Index>(), "[]{}:,\"x/ \n]?"), 1..4);
    (json(), breaks).prop_map(|(text, breaks)| {
        let mut broken = text;
        for (place, with) in breaks {
            let place = broken.floor_char_boundary(place.index(broken.len().max(1)));
            let end = broken.ceil_char_boundary((place + 1).min(broken.len()));
            broken.replace_range(place..end, &with);
        }
        broken
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn formatting_never_changes_the_meaning(text in json()) {
        let once = formatted(&text);
        prop_assert_eq!(meaning(&once), meaning(&text));
        prop_assert_eq!(serde_json::from_str::<Value>(&once).unwrap(), serde_json::from_str::<Value>(&text).unwrap());
        prop_assert_eq!(&formatted(&once), &once);
        let is_tidy = once.lines().all(|line| line == line.trim_end());
        prop_assert!(is_tidy, "{}", once);
    }

    #[test]
    fn formatting_broken_text_never_changes_the_meaning(broken in broken()) {
        let once = formatted(&broken);
        prop_assert_eq!(meaning(&once), meaning(&broken), "{:?} {:?}", broken, once);
        prop_assert_eq!(&formatted(&once), &once, "{:?}", broken);
    }

    #[test]
    fn formatting_a_range_never_changes_the_meaning(text in prop_oneof![json(), broken()], from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>()) {
        let document = Document::new(Text::new(&text), None);
        let places = [from, to].map(|place| place.index(text.len().max(1)));
        let range = Span::new(places[0].min(places[1]), places[0].max(places[1]));
        let once = applied(&text, &format_range(&document, range, &Layout::default()));
        prop_assert_eq!(meaning(&once), meaning(&text));
    }
}
