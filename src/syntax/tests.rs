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

/// The texts with their errors as `text at fault: message`, the text cut out of the source.
fn errors(sources: &[&str]) -> String {
    let of = |source: &&str| {
        let found = parse(source).errors;
        let errors = found.iter().map(|error| format!("    {:?} {}\n", &source[error.span.range()], error.kind));
        format!("{source:?}\n{}", errors.collect::<String>())
    };
    sources.iter().map(of).collect::<Vec<_>>().join("\n")
}

#[test]
fn each_error_is_reported_once_at_its_place() {
    insta::assert_snapshot!(errors(&[
        r#"{ "a": 1, }"#,
        r#"[1, 2,]"#,
        r#"[1 2 3]"#,
        r#"{"a": 1 "b": 2}"#,
        r#"{"a": , "b": 2}"#,
        r#"{"a" "b"}"#,
        r#"{"a"}"#,
        r#"{"a",, "b": 1}"#,
        r#"{a: 1, 'b': 2}"#,
        r#"{"a": 'b', "c": True, "d": foo}"#,
        r#"[01, +1, .5, 1., 1e, -, 1x]"#,
        "[1e999]",
        r#"["\x", "\u12", "\ud83d", "\ude00", "\ud83d\n"]"#,
        "[\"a\tb\u{0}\"]",
        "{\"a\": \"one\ntwo\", \"b\": 1}",
        "{\"a\": \"one\r\ntwo\", \"b\": 1}",
        "\u{feff}{}",
        "[1,\u{a0}2]",
        "[1, // one\n 2 /* two */]",
        "",
        " \n",
        "{} x",
        "[@]",
        "]",
        "\u{0}",
    ]));
}

#[test]
fn a_string_without_its_end_ends_with_its_line() {
    insta::assert_snapshot!(errors(&[
        "{\n\"a\": \"x,\n\"b\": 1\n}",
        "{\n\"a\": [\"x],\n\"b\": 1\n}",
        "{\n\"a\": [\"x\n],\n\"b\": 1\n}",
        "{\n\"a\": \"use {name}\n}",
        "{\n\"exp\n\"b\": 1\n}",
    ]));
}

#[test]
fn a_bracket_that_is_missing_or_one_too_many_is_one_error() {
    insta::assert_snapshot!(errors(&[
        "{\"cases\": [\n{\"id\": \"A\"\n{\"id\": \"B\"}\n]}",
        "{\"cases\": [\n{\"id\": \"A\",\n{\"id\": \"B\"}\n]}",
        "{\"cases\": [\n{\"id\": \"A\"\n]}",
        "{\"a\": [\"x\",\n\"b\": 1}",
        "{\"a\": [\"x\"\n}",
        "{\"a\": {\"b\": [1, {",
        "{\"cases\": [\n{\"id\": \"A\"}},\n{\"id\": \"B\"}\n]}",
        "{\"a\": [\"x\"]],\n\"b\": 1}",
    ]));
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
    // A file may begin with one byte order mark, as editors on Windows write it; `serde_json` is given text without it.
    let judged = source.strip_prefix('\u{feff}').unwrap_or(source);
    match serde_json::from_str::<serde_json::Value>(judged) {
        Ok(value) => {
            assert_eq!(parse.errors, [], "serde_json accepts {source:?}");
            assert_eq!(parse.tree.root(source).unwrap().to_value(), value);
        }
        Err(error) => assert!(!parse.errors.is_empty(), "serde_json refuses {source:?}: {error}"),
    }
}

/// What JSON is made of.
const PIECES: [&str; 34] = [
    "{", "}", "[", "]", ":", ",", "\"", "\\", "\n", "\r", " ", "\"a\"", "\"b\": ", "1", "-", "0", "e9", ".5", "true",
    "nul", "'", "\\u00e9", "\\ud83d", "\\ude00", "é", "😀", "\u{feff}", "//", "/*", "\t", "\u{0}", "\u{2028}", "1e999",
    "\"x",
];

/// Text made of the pieces, in any order.
fn json_soup() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(&PIECES[..]), 0..24).prop_map(|pieces| pieces.concat())
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
fn one_byte_order_mark_may_begin_a_text() {
    for text in
        ["\u{feff}\"a\"\n\n", "\u{feff}{}", "\u{feff}\u{feff}1", " \u{feff}1", "\u{feff}", "[\u{feff}]", "1\u{feff}"]
    {
        assert_agrees_with_serde_json(text);
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
        assert_eq!(mistakes(&text, &parsed.errors).len(), 1);
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
