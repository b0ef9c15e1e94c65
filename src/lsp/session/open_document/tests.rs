use ls_types::{Position, Range, TextDocumentContentChangeEvent, TextDocumentItem};
use proptest::prelude::*;

use super::*;

const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

fn open(language_id: &str, text: &str) -> OpenDocument {
    let uri = "untitled:Untitled-1".parse().unwrap();
    let mut document = OpenDocument::new(TextDocumentItem {
        uri,
        language_id: language_id.to_owned(),
        version: 1,
        text: text.to_owned(),
    });
    document.configure(Arc::default(), None);
    document
}

fn text(document: &OpenDocument) -> &str {
    match &document.content {
        Content::Suite(document) => document.text().as_str(),
        Content::Text(text) => text.as_str(),
    }
}

fn change(range: Option<[(u32, u32); 2]>, text: &str) -> TextDocumentContentChangeEvent {
    let position = |(line, character)| Position { line, character };
    let range = range.map(|[start, end]| Range { start: position(start), end: position(end) });
    TextDocumentContentChangeEvent { range, range_length: None, text: text.to_owned() }
}

/// The byte at a line and a column, found by counting.
fn offset(text: &str, (line, column): (u32, u32), encoding: Encoding) -> usize {
    let mut starts = vec![0];
    for (at, c) in text.char_indices() {
        if c == '\n' || (c == '\r' && !text[at..].starts_with("\r\n")) {
            starts.push(at + 1);
        }
    }
    let Some(&start) = starts.get(line as usize) else { return text.len() };
    let mut left = column as usize;
    for (at, c) in text[start..].char_indices() {
        let width = match encoding {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16 => c.len_utf16(),
            Encoding::Utf32 => 1,
        };
        if c == '\n' || c == '\r' || left < width {
            return start + at;
        }
        left -= width;
    }
    text.len()
}

/// What a client's text is after its change.
fn changed(text: &str, change: &TextDocumentContentChangeEvent, encoding: Encoding) -> String {
    let Some(range) = change.range else { return change.text.clone() };
    let place = |position: Position| (position.line, position.character);
    let (start, end) = (place(range.start), place(range.end));
    if start > end {
        return text.to_owned();
    }
    let (start, end) = (offset(text, start, encoding), offset(text, end, encoding));
    format!("{}{}{}", &text[..start], change.text, &text[end..])
}

fn texts() -> impl Strategy<Value = String> {
    let texts = ["{ \"cases\": [ ", " ] }", "{ \"id\": \"é\", \"expected\": {} },", "e\u{301}"];
    let marks = ["\"", "\n", "\r", "\r\n", "x", "é", "日", "😀", "\u{2028}", "\u{85}", "\u{b}", "\u{0}"];
    let piece = proptest::sample::select([&texts[..], &marks].concat());
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn changes() -> impl Strategy<Value = Vec<TextDocumentContentChangeEvent>> {
    let place = || (0..6_u32, prop_oneof![0..20_u32, Just(u32::MAX)]);
    let range = prop_oneof![9 => (place(), place()).prop_map(|(a, b)| Some([a, b])), 1 => Just(None)];
    let one = (range, texts()).prop_map(|(range, text)| change(range, &text));
    proptest::collection::vec(one, 0..FEW_CHANGES * 2)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changes_are_those_of_the_client(start in texts(), batches in proptest::collection::vec(changes(), 1..4)) {
        for (encoding, language) in ENCODINGS.into_iter().flat_map(|one| [(one, "json"), (one, LANGUAGE_ID)]) {
            let mut document = open(language, &start);
            let mut expected = start.clone();
            for (batch, version) in batches.iter().zip(2..) {
                document.change(version, batch.clone(), encoding);
                expected = batch.iter().fold(expected, |text, one| changed(&text, one, encoding));
                prop_assert_eq!(text(&document), &expected);
                prop_assert_eq!(document.version, version);
            }
            prop_assert_eq!(document.document().is_some(), language == LANGUAGE_ID);
            if let Some(document) = document.document() {
                let fresh = Document::new(Text::new(&expected), None);
                prop_assert_eq!(document.findings(&Arc::default()), fresh.findings(&Arc::default()));
            }
        }
    }
}

#[test]
fn a_snapshot_stays_as_it_is() {
    let mut document = open(LANGUAGE_ID, "[]");
    let snapshot = Arc::clone(document.document().unwrap());
    document.change(2, vec![change(Some([(0, 1), (0, 1)]), "1")], Encoding::Utf16);
    assert_eq!(snapshot.text().as_str(), "[]");
    assert_eq!(text(&document), "[1]");
}

#[test]
fn what_could_not_be_read_is_read_again_with_the_next_change() {
    let mut document = open(LANGUAGE_ID, "[]");
    document.alter(|document| {
        document.edit(Span::empty(1), "1");
        panic!("on purpose");
    });
    assert!(document.is_suite() && document.document().is_none());
    assert_eq!(text(&document), "[1]");
    document.change(2, vec![change(Some([(0, 2), (0, 2)]), ",2")], Encoding::Utf16);
    assert_eq!(document.document().unwrap().text().as_str(), "[1,2]");
}

#[test]
fn a_change_of_an_id_is_noticed() {
    let suite = |id: &str, prompt: &str| format!(r#"{{ "cases": [ {{ "id": "{id}", "prompt": "{prompt}" }} ] }}"#);
    let mut document = open(LANGUAGE_ID, &suite("A", "p"));
    let mut has_other_ids = |text: &str| document.change(2, vec![change(None, text)], Encoding::Utf16);
    has_other_ids(&suite("A", "q"));
    let texts = [suite("A", "r"), suite("B", "r"), suite("B", "s")];
    assert_eq!(texts.map(|text| has_other_ids(&text)), [false, true, false]);
}
