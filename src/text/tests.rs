use proptest::prelude::*;

use super::*;

const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

/// The start of each character and the end of the text, found by counting.
fn places(text: &str, encoding: Encoding) -> Vec<(usize, Position)> {
    let mut places = Vec::new();
    let mut position = Position::default();
    for (at, c) in text.char_indices() {
        places.push((at, position));
        let ends_line = c == '\n' || (c == '\r' && !text[at..].starts_with("\r\n"));
        let width = match encoding {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16 => c.len_utf16(),
            Encoding::Utf32 => 1,
        };
        position = match ends_line {
            true => Position { line: position.line + 1, column: 0 },
            false => Position { column: position.column + width, ..position },
        };
    }
    places.push((text.len(), position));
    places
}

fn check(source: &str) {
    let text = Text::new(source);
    for encoding in ENCODINGS {
        let places = places(source, encoding);
        let position_of = |offset: usize| places[places.partition_point(|(at, _)| *at <= offset) - 1].1;
        for offset in 0..=source.len() + 1 {
            assert_eq!(text.position(offset, encoding), position_of(offset), "{source:?} at {offset} in {encoding:?}");
        }
        for (at, position) in &places {
            // A position between `\r` and `\n` is past the end of the line.
            let is_within_break = source[..*at].ends_with('\r') && source[*at..].starts_with('\n');
            let expected = at - usize::from(is_within_break);
            assert_eq!(text.offset(*position, encoding), expected, "{source:?} at {position:?} in {encoding:?}");
        }
        for (start, from) in places.iter().step_by(1 + places.len() / 16) {
            for (end, to) in places.iter().filter(|(end, _)| end >= start) {
                let positions = text.positions(Span::new(*start, *end), encoding);
                assert_eq!(positions, (*from, *to), "{source:?} at {start}..{end} in {encoding:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn positions_match_counting(source in "(x|é|e\u{301}|日|😀|\n|\r|\r\n|\u{2028}|\u{85}|\u{b}|\u{c}|\0){0,24}") {
        check(&source);
    }
}

#[test]
fn positions_on_long_lines_match_counting() {
    for (piece, count) in [("x", 300), ("é", 300), ("日", 300), ("😀", 300), ("x", 4100), ("😀", 1030)] {
        check(&format!("{piece}\n{}\r{piece}", piece.repeat(count)));
    }
}

/// The places of a text after an edit are those of a text that is read as a whole.
fn check_edit(source: &str, span: Span, with: &str) {
    let mut edited = Text::new(source);
    edited.replace(span, with);
    let whole = Text::new(edited.as_str());
    for offset in 0..=whole.len() {
        for encoding in ENCODINGS {
            let position = whole.position(offset, encoding);
            assert_eq!(edited.position(offset, encoding), position, "{source:?}, {span:?} became {with:?}, {offset}");
            assert_eq!(edited.offset(position, encoding), whole.offset(position, encoding));
        }
    }
    for line in 0..=whole.line_of(whole.len()) + 1 {
        assert_eq!(edited.line_span(line), whole.line_span(line), "{source:?}, {span:?} became {with:?}, line {line}");
    }
}

proptest! {
    #[test]
    fn edits_keep_places(
        source in "(x|é|\n|\r|\r\n){0,12}",
        start in 0..16_usize,
        len in 0..8_usize,
        with in "(y|😀|\n|\r|\r\n){0,6}",
    ) {
        check_edit(&source, Span::new(start, start + len), &with);
    }
}

#[test]
fn edits_that_make_lines_long_or_short_keep_places() {
    let long = "é".repeat(3000);
    check_edit("a\nb\nc", Span::new(2, 3), &long);
    check_edit(&format!("a\n{long}\nc"), Span::new(4, 5990), "");
    check_edit(&format!("{}\n{}\nc", "x".repeat(3000), "y".repeat(3000)), Span::new(3000, 3001), "");
}

#[test]
fn an_empty_text_has_one_line() {
    assert_eq!(Text::new("").line_of(0), 0);
    check("");
}
