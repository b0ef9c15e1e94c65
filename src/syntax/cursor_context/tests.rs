use super::*;

/// The surroundings of the `|` in a text: the path, the text at the cursor in `⟨⟩`, a missing comma, the next token, and the
/// names around it.
fn seen(marked: &str) -> String {
    let at = marked.find('|').unwrap();
    let text = marked.replacen('|', "", 1);
    let cursor = CursorContext::at(&text, at, &[]);
    let slot = match &cursor.slot {
        Slot::Key => "key",
        Slot::Value(_) => "value",
        Slot::Element(_) => "element",
        Slot::Document => "document",
        Slot::Nothing => "nothing",
    };
    let token = if cursor.token.span.is_empty() { "" } else { &text[cursor.token.span.range()] };
    let left = if cursor.token.is_left { " left" } else { "" };
    let comma = cursor.comma_missing.map_or(String::new(), |at| format!(" comma@{at}"));
    let names: Vec<_> = cursor.names().collect();
    format!("{slot} {} ⟨{token}⟩{left}{comma} {:?} {}", cursor.path(), cursor.follows, names.join(" "))
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn whole_texts() {
    for (marked, expected) in [
        ("|", "document ⟨⟩ End"),
        (" \n| ", "document ⟨⟩ End"),
        ("|{}", "document ⟨⟩ Value"),
        ("{}|", "nothing ⟨⟩ End"),
        ("{|}", "key ⟨⟩ Closer"),
        (r#"{ | }"#, "key ⟨⟩ Closer"),
        (r#"{ "a|": 1, "b": 2 }"#, r#"key ⟨"a"⟩ Colon b"#),
        (r#"{ "a"|: 1 }"#, r#"key ⟨"a"⟩ left Colon"#),
        (r#"{ |"a": 1 }"#, "key ⟨⟩ Key a"),
        (r#"{ "a":| 1 }"#, "value /a ⟨⟩ Value a"),
        (r#"{ "a": 1| }"#, "value /a ⟨1⟩ Closer a"),
        (r#"{ "a": "x|y", "b": 2 }"#, r#"value /a ⟨"xy"⟩ Comma a b"#),
        (r#"{ "a": "xy"|, "b": 2 }"#, r#"value /a ⟨"xy"⟩ left Comma a b"#),
        (r#"{ "a": tr|ue }"#, "value /a ⟨true⟩ Closer a"),
        (r#"{ "a": ["x", |"y"] }"#, "element /a/1 ⟨⟩ Value x y"),
        (r#"{ "a": ["x", "|y", "z"] }"#, r#"element /a/1 ⟨"y"⟩ Comma x z"#),
        (r#"{ "a": [[1], [2, |]] }"#, "element /a/1/1 ⟨⟩ Closer"),
        (r#"{ "a": { "b": {} }| }"#, "key ⟨⟩ comma@18 Closer a"),
        (r#"{ "a": { "b": {}| } }"#, "key /a ⟨⟩ comma@16 Closer b"),
        (r#"{ "a\u0062|": 1 }"#, r#"key ⟨"a\u0062"⟩ Colon"#),
        (r#"{ "a": "\"|\"" }"#, r#"value /a ⟨"\"\""⟩ Closer a"#),
        (r#"{ "a": "\|"" }"#, r#"value /a ⟨"\""⟩ Closer a"#),
    ] {
        assert_eq!(seen(marked), expected, "{marked}");
    }
}

#[test]
fn texts_broken_at_the_cursor() {
    for (marked, expected) in [
        (r#"{ "|"#, r#"key ⟨"⟩ End"#),
        (r#"{ "|}"#, r#"key ⟨"⟩ Closer"#),
        (r#"{ "ex| }"#, r#"key ⟨"ex⟩ Closer"#),
        (r#"{ ex| }"#, "key ⟨ex⟩ Closer"),
        (r#"{ 'ex| }"#, "key ⟨'ex⟩ Closer"),
        (r#"{ 'ex|' }"#, "key ⟨'ex'⟩ Closer"),
        (r#"{ "a": 1, "| }"#, r#"key ⟨"⟩ Closer a"#),
        (r#"{ "a": 1 "| }"#, r#"key ⟨"⟩ comma@8 Closer a"#),
        (r#"{ "a": 1 ex| }"#, "key ⟨ex⟩ comma@8 Closer a"),
        (r#"{ "a": 1 | "b": 2 }"#, "key ⟨⟩ comma@8 Key a b"),
        (r#"{ "a": 1, "|, "b": 2 }"#, r#"key ⟨"⟩ Comma a b"#),
        (r#"{ "a": 1, "|  "b": 2 }"#, r#"key ⟨"⟩ Key a b"#),
        (r#"{ "a": |, "b": 2 }"#, "value /a ⟨⟩ Comma a b"),
        (r#"{ "a": "|, "b": [2] }"#, r#"value /a ⟨"⟩ Comma a b"#),
        (r#"{ "a": "x|, "b": ["y"] }"#, r#"value /a ⟨"x⟩ Comma a b"#),
        (r#"{ "a": "x|y, "b": 1 }"#, r#"value /a ⟨"xy⟩ Comma a b"#),
        (r#"{ "a": "x|", "b }"#, r#"value /a ⟨"x"⟩ Comma a"#),
        (r#"{ "a": "|, "b": ["y] }"#, r#"value /a ⟨"⟩ Comma a b"#),
        (r#"{ "a": ["x", "|] }"#, r#"element /a/1 ⟨"⟩ Closer x"#),
        (r#"{ "a": ["x" "|] }"#, r#"element /a/1 ⟨"⟩ comma@11 Closer x"#),
        (r#"{ "a": ["x", "|, "y"] }"#, r#"element /a/1 ⟨"⟩ Comma x y"#),
        (r#"{ "a": ["x", | "y"] }"#, "element /a/1 ⟨⟩ Value x y"),
        ("{ \"a\":|\n  \"b\": 1 }", "value /a ⟨⟩ Key a b"),
        ("{ \"a\":\n  \"b|\": 1 }", r#"key ⟨"b"⟩ Colon a"#),
        ("{ \"a\":\n  \"b|\n }", r#"value /a ⟨"b⟩ Closer a"#),
        ("{ \"a\": [\"x\",\n  \"b|\": 1 }", r#"key ⟨"b"⟩ Colon a"#),
        ("{ \"a\": [\"x],\n  \"b|\n }", r#"key ⟨"b⟩ Closer a"#),
        ("[ { \"a\": 1,\n  { \"b\": 2, | } ]", "key /1 ⟨⟩ Closer b"),
        ("[ { \"a\": 1, | \n  { \"b\": 2 } ]", "key /0 ⟨⟩ Value a"),
        ("[ { \"a\": [1 }, { | } ]", "key /0/a/1 ⟨⟩ Closer"),
        ("[ { \"a\": [1 },\n  \"b| ]", r#"element /1 ⟨"b⟩ Closer"#),
        ("{ \"a\" | }", "nothing ⟨⟩ Closer a"),
        ("{ \"a\"\n  \"b| }", r#"key ⟨"b⟩ Closer a"#),
        ("{ \"a\" = | }", "value /a ⟨⟩ Closer a"),
        ("{ // a|\n }", "nothing ⟨⟩ Closer"),
        ("{ /* a */| }", "key ⟨⟩ Closer"),
        ("{ } |", "nothing ⟨⟩ End"),
        ("}|", "document ⟨⟩ End"),
        ("[1|", "element /0 ⟨1⟩ End"),
    ] {
        assert_eq!(seen(marked), expected, "{marked}");
    }
}

#[test]
fn known_spans_are_not_read() {
    let text = r#"{ "list": [ {"a": [}, {"b": 2} ], "" }"#;
    let known = [Span::new(12, 29)];
    let cursor = CursorContext::at(text, 35, &known);
    assert_eq!(cursor.slot, Slot::Key);
    assert_eq!(cursor.names().collect::<Vec<_>>(), ["list"]);
    let cursor = CursorContext::at(text, 2, &known);
    assert_eq!(cursor.names().collect::<Vec<_>>(), ["list"]);
    assert_eq!(CursorContext::at(text, 29, &known).slot, Slot::Element(1));
}

#[test]
fn every_offset_of_every_text_has_surroundings() {
    for text in
        [r#"{ "a": [ {"b": "\u00e9\"" , tru ] } "é" { [ 'x "#, "{\"a\u{e9}\":\n\"b\n}]}]", "\"\\", "{{{[[[:::,,,"]
    {
        for at in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
            let cursor = CursorContext::at(text, at, &[]);
            assert!(cursor.token.span.touches(at), "{at} {text}");
            assert!(cursor.comma_missing.is_none_or(|comma| comma <= cursor.token.span.start), "{at} {text}");
        }
    }
}
