use proptest::prelude::*;

use super::*;
use crate::text::Span;

/// A suite that looks like those people write; every line of it is cut and broken below.
const SUITE: &str = r#"{
  "name": "bicycle-workshop",
  "version": "0.2.0",
  "cases": [
    {
      "id": "B1",
      "prompt": "Book a slot for \"Ada\" – tomorrow, {early}.",
      "expected": {
        "outcome": "tool_success",
        "tool_calls_any": ["book_slot", "find_slot"],
        "must_ground_numbers": [{ "label": "slots", "value": 12, "context_any": [] }]
      }
    },
    {
      "id": "B2",
      "prompt": "Größe 😀 \ud83d\ude00?",
      "expected": {
        "must_match_regex": ["\\d+\\s*€", "^x"],
        "scoring": { "soft_score": { "threshold": 0.8, "weights": { "formatting": 1e0 } } }
      }
    }
  ]
}
"#;

/// The errors as `text at fault: message`, the text cut out of the source.
fn errors(source: &str) -> Vec<String> {
    let found = parse(source).errors;
    found.iter().map(|error| format!("{:?} {}", &source[error.span.range()], error.kind)).collect()
}

#[track_caller]
fn check(source: &str, expected: &[&str]) {
    assert_eq!(errors(source), expected, "in {source}");
}

#[test]
fn each_error_is_reported_once_at_its_place() {
    check(r#"{ "a": 1, }"#, &["\",\" trailing comma before `}`"]);
    check(r#"[1, 2,]"#, &["\",\" trailing comma before `]`"]);
    check(r#"[1 2 3]"#, &["\"\" expected `,` or `]` after this value"; 2]);
    check(r#"{"a": 1 "b": 2}"#, &["\"\" expected `,` or `}` after this value"]);
    check(r#"{"a": , "b": 2}"#, &["\"\" expected a value"]);
    check(r#"{"a" "b"}"#, &[r#""\"a\"" expected `:` and a value after this key"#]);
    check(r#"{"a"}"#, &[r#""\"a\"" expected `:` and a value after this key"#]);
    check(
        r#"{"a",, "b": 1}"#,
        &[r#""\"a\"" expected `:` and a value after this key"#, "\",\" a comma with nothing before it"],
    );
    check(
        r#"{a: 1, 'b': 2}"#,
        &["\"a\" expected double quotes around this key", "\"'b'\" expected double quotes around this string"],
    );
    check(
        r#"{"a": 'b', "c": True, "d": foo}"#,
        &[
            "\"'b'\" expected double quotes around this string",
            "\"True\" expected a value; did you mean `true`?",
            "\"foo\" expected a value; put text in double quotes",
        ],
    );
    check(
        r#"[01, +1, .5, 1., 1e, -, 1x]"#,
        &[
            "\"01\" not a JSON number: it starts with a superfluous 0",
            "\"+1\" not a JSON number: it starts with `+`",
            "\".5\" not a JSON number: a digit is missing before the `.`",
            "\"1.\" not a JSON number: digits must follow the `.`",
            "\"1e\" not a JSON number: digits must follow the exponent's `e`",
            "\"-\" not a JSON number: digits must follow the `-`",
            "\"1x\" not a JSON number: a character after it is not a digit",
        ],
    );
    check("[1e999]", &["\"1e999\" this number is too large"]);
    check(
        r#"["\x", "\u12", "\ud83d", "\ude00", "\ud83d\n"]"#,
        &[
            r#""\\x" not an escape of JSON, which has `\"` `\\` `\/` `\b` `\f` `\n` `\r` `\t` and `\u` with four hexadecimal digits"#,
            r#""\\u12" not an escape of JSON, which has `\"` `\\` `\/` `\b` `\f` `\n` `\r` `\t` and `\u` with four hexadecimal digits"#,
            r#""\\ud83d" half of a surrogate pair, which is not a character"#,
            r#""\\ude00" half of a surrogate pair, which is not a character"#,
            r#""\\ud83d" half of a surrogate pair, which is not a character"#,
        ],
    );
    check(
        "[\"a\tb\u{0}\"]",
        &[
            "\"\\t\" a tab in a string is written `\\t`",
            "\"\\0\" this control character in a string is written `\\u0000`",
        ],
    );
    check("{\"a\": \"one\ntwo\", \"b\": 1}", &["\"\\n\" a line break in a string is written `\\n`"]);
    check("{\"a\": \"one\r\ntwo\", \"b\": 1}", &["\"\\r\\n\" a line break in a string is written `\\n`"]);
    check("\u{feff}{}", &[]);
    check("[1,\u{a0}2]", &["\"\\u{a0}\" the character U+00A0 is not allowed outside a string"]);
    check("[1, // one\n 2 /* two */]", &["\"// one\" JSON has no comments", "\"/* two */\" JSON has no comments"]);
    check("", &["\"\" expected a JSON document, but there is nothing here"]);
    check(" \n", &["\"\" expected a JSON document, but there is nothing here"]);
    check("{} x", &["\"x\" unexpected text after the end of the document"]);
    check("[@]", &["\"@\" unexpected `@`"]);
    check("]", &["\"]\" unexpected `]`: nothing is open that it could close"]);
    check("\u{0}", &["\"\\0\" the character U+0000 is not allowed outside a string"]);
}

#[test]
fn a_string_without_its_end_ends_with_its_line() {
    let unclosed = |text: &str| format!("{text:?} expected `\"` at the end of this string");
    check("{\n\"a\": \"x,\n\"b\": 1\n}", &[&unclosed("\"x")]);
    check("{\n\"a\": [\"x],\n\"b\": 1\n}", &[&unclosed("\"x")]);
    check("{\n\"a\": [\"x\n],\n\"b\": 1\n}", &[&unclosed("\"x")]);
    check("{\n\"a\": \"use {name}\n}", &[&unclosed("\"use {name}")]);
    check("{\n\"exp\n\"b\": 1\n}", &[&unclosed("\"exp")]);
}

#[test]
fn a_missing_bracket_is_one_error() {
    // The first case lacks its brace.
    check("{\"cases\": [\n{\"id\": \"A\"\n{\"id\": \"B\"}\n]}", &["\"\" expected `}`: the `{` is never closed"]);
    check("{\"cases\": [\n{\"id\": \"A\",\n{\"id\": \"B\"}\n]}", &["\"\" expected `}`: the `{` is never closed"]);
    check("{\"cases\": [\n{\"id\": \"A\"\n]}", &["\"\" expected `}`: the `{` is never closed"]);
    check("{\"a\": [\"x\",\n\"b\": 1}", &["\"\" expected `]`: the `[` is never closed"]);
    check("{\"a\": [\"x\"\n}", &["\"\" expected `]`: the `[` is never closed"]);
    check("{\"a\": {\"b\": [1, {", &["\"\" expected `}`: the `{` is never closed"]);
    // And one that is too many is one error, too.
    check(
        "{\"cases\": [\n{\"id\": \"A\"}},\n{\"id\": \"B\"}\n]}",
        &["\"}\" unexpected `}`: nothing is open that it could close"],
    );
    check("{\"a\": [\"x\"]],\n\"b\": 1}", &["\"]\" unexpected `]`: nothing is open that it could close"]);
}

#[test]
fn keeps_the_structure_around_an_error() {
    let source = "{\"cases\": [\n{\"id\": \"A\", \"expected\": {\"out\n}},\n{\"id\": \"B\"\n{\"id\": \"C\"}]}";
    let parse = parse(source);
    let cases = parse.tree.root(source).unwrap().get("cases").unwrap();
    let ids: Vec<_> = cases.elements().map(|case| case.get("id").unwrap().as_str().unwrap()).collect();
    assert_eq!(ids, ["A", "B", "C"]);
}

#[test]
fn nesting_is_capped_once_and_the_rest_is_still_read() {
    let source = format!("{{\"deep\": {}{}, \"after\": 1,}}", "[".repeat(100_000), "]".repeat(100_000));
    let parse = parse(&source);
    let kinds: Vec<_> = parse.errors.iter().map(|error| &error.kind).collect();
    assert_eq!(kinds, [&SyntaxErrorKind::TooDeep, &SyntaxErrorKind::TrailingComma(Container::Object)]);
    let too_deep = "{\"deep\": ".len() + MAX_DEPTH - 1;
    assert_eq!(parse.errors[0].span.start, too_deep);
    assert_eq!(parse.tree.root(&source).unwrap().get("after").unwrap().as_f64(), Some(1.0));
    assert_eq!(super::parse(&"[".repeat(100_000)).errors.len(), 1);
}

#[test]
fn the_last_of_duplicate_keys_counts() {
    let source = r#"{"a": 1, "a": 2}"#;
    let parse = parse(source);
    assert_eq!(parse.tree.root(source).unwrap().get("a").unwrap().as_f64(), Some(2.0));
}

#[test]
fn finds_the_innermost_node_at_a_span() {
    let source = r#"{ "a": [ "b", { "c": 1 } ] }"#;
    let tree = parse(source).tree;
    let list = tree.root(source).unwrap().get("a").unwrap();
    let found = |node: Node<'_>, span| node.find(span).map(|node| (node.kind(), node.text().to_owned()));
    assert_eq!(found(list, Span::new(9, 12)), Some((Kind::String, "\"b\"".to_owned())));
    assert_eq!(found(list.relative(), Span::new(2, 5)), Some((Kind::String, "\"b\"".to_owned())));
    assert_eq!(found(list, Span::new(16, 22)), Some((Kind::Member, "\"c\": 1".to_owned())));
    assert_eq!(found(list, Span::new(16, 19)), Some((Kind::String, "\"c\"".to_owned())));
    assert_eq!(found(list, list.span()), Some((Kind::Array, list.text().to_owned())));
    assert_eq!(found(list, Span::new(2, 5)), None);
    assert_eq!(found(list, Span::new(9, 11)), None);
}

#[test]
fn takes_one_comma_and_the_space_along() {
    for (source, element, left) in [
        ("[1, 2, 3]", 0, "[2, 3]"),
        ("[1, 2, 3]", 1, "[1, 3]"),
        ("[1, 2, 3]", 2, "[1, 2]"),
        ("[ [1] , [2] ]", 1, "[ [1] ]"),
        ("[ 1 ]", 0, "[]"),
    ] {
        let tree = parse(source).tree;
        let removal = tree.root(source).unwrap().elements().nth(element).unwrap().removal();
        assert_eq!([&source[..removal.start], &source[removal.end..]].concat(), left, "{element} of {source}");
    }
}

#[test]
fn every_prefix_keeps_the_text_before_the_cut() {
    let whole = parse(SUITE);
    assert_eq!(whole.errors, []);
    for cut in (0..SUITE.len()).filter(|&cut| SUITE.is_char_boundary(cut)) {
        let prefix = &SUITE[..cut];
        let part = parse(prefix);
        let finished = |tree: &Tree, source: &str| -> Vec<String> {
            let Some(root) = tree.root(source) else { return Vec::new() };
            root.descendants()
                .filter(|node| node.span().end < cut && !node.span().is_empty())
                .filter(|node| !matches!(node.kind(), Kind::Member))
                .map(|node| format!("{node:?} at {}", node.path()))
                .collect()
        };
        assert_eq!(
            finished(&part.tree, prefix),
            finished(&whole.tree, SUITE),
            "cut at {cut}: …{:?}",
            &prefix[cut.saturating_sub(20)..].to_owned()
        );
        assert!(part.errors.len() <= 1, "one cut is one error, at {cut}: {:?}", part.errors);
    }
}

/// Checks what must hold of any tree: children lie within their parents, in order, and do not overlap.
fn assert_well_formed(source: &str, parse: &Parse) {
    let Some(root) = parse.tree.root(source) else { return };
    for node in root.descendants() {
        let mut end = node.span().start;
        let mut previous = None;
        for child in node.children() {
            assert!(
                node.span().covers(child.span()) && child.span().start >= end,
                "{child:?} in {node:?} of {source:?}"
            );
            assert_eq!(child.parent(), Some(node));
            assert_eq!((child.previous(), previous.and_then(Node::next)), (previous, previous.map(|_| child)));
            previous = Some(child);
            end = child.span().end;
        }
        assert_eq!(previous.and_then(Node::next), None);
        assert_eq!(root.find(node.span()).map(Node::span), Some(node.span()));
        assert!(source.is_char_boundary(node.span().start) && source.is_char_boundary(node.span().end));
    }
    for error in &parse.errors {
        assert!(source.get(error.span.range()).is_some(), "{error:?}");
    }
}

fn assert_agrees_with_serde_json(source: &str) {
    let parse = parse(source);
    assert_well_formed(source, &parse);
    let judge = serde_json::from_str::<serde_json::Value>(source);
    match judge {
        Ok(value) => {
            assert_eq!(parse.errors, [], "serde_json accepts {source:?}");
            assert_eq!(parse.tree.root(source).unwrap().to_value(), value);
        }
        Err(error) => assert!(!parse.errors.is_empty(), "serde_json refuses {source:?}: {error}"),
    }
}

/// Text made of what JSON is made of, in any order.
fn json_soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("{"),
        Just("}"),
        Just("["),
        Just("]"),
        Just(":"),
        Just(","),
        Just("\""),
        Just("\\"),
        Just("\n"),
        Just("\r"),
        Just(" "),
        Just("\"a\""),
        Just("\"b\": "),
        Just("1"),
        Just("-"),
        Just("0"),
        Just("e9"),
        Just(".5"),
        Just("true"),
        Just("nul"),
        Just("'"),
        Just("\\u00e9"),
        Just("\\ud83d"),
        Just("\\ude00"),
        Just("é"),
        Just("😀"),
        Just("\u{feff}"),
        Just("//"),
        Just("/*"),
        Just("\t"),
        Just("\u{0}"),
        Just("\u{2028}"),
        Just("1e999"),
        Just("\"x"),
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn json_value() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        any::<String>().prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            proptest::collection::hash_map(any::<String>(), inner, 0..6)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

/// A suite with a few pieces of it replaced.
fn mutated_suite() -> impl Strategy<Value = String> {
    let edit = (0..SUITE.len(), 0..12_usize, json_soup());
    proptest::collection::vec(edit, 1..4).prop_map(|edits| {
        edits.into_iter().fold(SUITE.to_owned(), |mut text, (at, length, with)| {
            let start = text.floor_char_boundary(at.min(text.len()));
            let end = text.floor_char_boundary((start + length).min(text.len()));
            text.replace_range(start..end, &with);
            text
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn accepts_any_value(value in json_value(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
        assert_agrees_with_serde_json(&text.unwrap());
    }

    #[test]
    fn accepts_the_same_texts_as_serde_json(source in prop_oneof![json_soup(), mutated_suite(), any::<String>()]) {
        assert_agrees_with_serde_json(&source);
    }

    #[test]
    fn a_tree_with_parts_is_read_like_one_without(source in mutated_suite()) {
        let mut parse = parse(&source);
        let shown = |tree: &Tree| tree.root(&source).map(|root| root.descendants().map(|node| {
            let around = [node.parent(), node.previous(), node.next(), node.children().last()];
            let at = node.span().start;
            (format!("{node:?} {} {around:?}", node.is_broken()), root.at_offset(at).map(Node::span), node.path())
        }).collect::<Vec<_>>());
        let whole = shown(&parse.tree);
        let Some(cases) = parse.tree.root(&source).and_then(|root| root.get("cases")) else { return Ok(()) };
        let ids: Vec<_> = cases.elements().filter(|case| case.kind() == Kind::Object).map(Node::id).collect();
        parse.tree.split(&ids);
        prop_assert_eq!(shown(&parse.tree), whole);
        assert_well_formed(&source, &parse);
    }
}

#[test]
fn a_document_with_too_much_is_one_error_and_no_tree() {
    let entries = |entry: &str, count: usize| format!(r#"{{"cases": [{}]}}"#, vec![entry; count].join(","));
    for (text, what) in [
        (entries("0", 420_000), "400,000 values in this little text"),
        (entries("{}", 60_000), "50,000 cases"),
        (entries("'x'", 12_000), "10,000 syntax errors"),
        (format!("{{\"name\": \"{}\"}}", "\\q".repeat(12_000)), "10,000 syntax errors"),
    ] {
        let parsed = parse_in_parts(&text, "cases");
        let kinds: Vec<_> = parsed.errors.iter().map(|error| error.kind.clone()).collect();
        assert_eq!(kinds, [SyntaxErrorKind::TooMany(what)]);
        let root = parsed.tree.root(&text).unwrap();
        assert_eq!((root.kind(), root.descendants().count()), (Kind::Invalid, 1));
        assert_eq!(mistakes(&text, &parsed.errors, &|_| 0).len(), 1);
    }
    let few = entries(r#"{"id": "a", "prompt": "a question"}"#, 40_000);
    assert!(parse_in_parts(&few, "cases").errors.is_empty());
}

/// With a search of the rest at each token, this does not end within minutes.
#[test]
fn a_megabyte_of_noise_is_read() {
    for noise in ["\0", ", ", "' ", "} ", "\u{feff}", "\u{1f600}"] {
        let text = noise.repeat((1 << 20) / noise.len());
        assert!(!parse(&text).errors.is_empty(), "{noise:?}");
    }
}
