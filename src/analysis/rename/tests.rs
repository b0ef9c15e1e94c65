use super::*;
use crate::analysis::Document;
use crate::diagnostic::Edit;
use crate::text::Text;

fn read(fixture: &str) -> (Document, usize) {
    let at = fixture.find('‸').expect("a fixture has a cursor");
    (Document::new(Text::new(&fixture.replacen('‸', "", 1)), None), at)
}

fn applied(document: &Document, edits: Vec<Edit>) -> String {
    let mut text = document.text().to_string();
    for edit in edits.iter().rev() {
        text.replace_range(edit.span.range(), &edit.text);
    }
    text
}

fn renamed(fixture: &str, new: &str) -> Result<String, RenameError> {
    let (document, at) = read(fixture);
    let named = named_at(&document, at).ok_or(RenameError::Nothing)?;
    Ok(applied(&document, rename_case(&document, &named, new)?))
}

const CASES: &str = r#"{ "cases": [ { "id": "A‸1", "prompt": "p" }, { "id": "B", "x": "A1" } ] }"#;

#[test]
fn a_case_gets_another_id() {
    let check = |new: &str, expected: Result<&str, RenameError>| {
        assert_eq!(renamed(CASES, new), expected.map(|id| CASES.replace("A‸1", id)), "{new}");
    };
    check("C", Ok("C"));
    check("A1", Ok("A1"));
    check("say \"hi\" \\ é", Ok(r#"say \"hi\" \\ é"#));
    check("B", Err(RenameError::IdIsTaken("B".to_owned())));
    for awkward in ["", " C", "C\n", "C,D"] {
        check(awkward, Err(RenameError::AwkwardId));
    }
}

#[test]
fn ids_can_be_renamed() {
    for (fixture, name) in [
        (r#"{ "cases": [ { "id": ‸"\u0041é" } ] }"#, Some(("Aé", r"\u0041é"))),
        (r#"{ "cases": [ { "id": "A"‸ } ] }"#, Some(("A", "A"))),
        (r#"{ "cases": [ { "id": "A‸ } ] }"#, None),
        (r#"{ "cases": [ { ‸"id": "A" } ] }"#, None),
        (r#"{ "cases": [ { "id": 1‸ } ] }"#, None),
        (r#"{ "id": "‸A" }"#, None),
        (r#"{ "cases": [ { "expected": { "required_sources": ["a", "b‸"] } ] }"#, None),
        ("‸", None),
    ] {
        let (document, at) = read(fixture);
        let named = named_at(&document, at);
        let found = named.as_ref().map(|named| (named.name.as_str(), document.text().slice(named.span)));
        assert_eq!(found, name, "{fixture}");
    }
}

#[test]
fn a_transcript_follows_its_case() {
    let transcript = r#"{ "format": "eval-ls/transcript@1", "case": "A", "response": "A" }"#;
    let edit = in_member(transcript, "case", "A", "B\"").unwrap();
    assert_eq!(&transcript[edit.span.range()], "\"A\"");
    assert_eq!(edit.text, r#""B\"""#);
    for other in [r#"{ "case": "a" }"#, r#"{ "case": 1 }"#, "{ \"case\": \"A", "[]", ""] {
        assert_eq!(in_member(other, "case", "A", "B"), None, "{other}");
    }
}
