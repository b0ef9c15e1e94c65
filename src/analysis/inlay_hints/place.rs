//! Where the note on a piece of text stands, and whether it must name that piece.

use serde_json::Value;

use crate::text::Span;
use crate::wording::{cut, plain};

/// The longest name in a note, in code points. A note is beside code.
const LONGEST_NAME: usize = 24;

/// How far away the end of a list may be, in bytes, if a note comes after it.
const FURTHEST: usize = 4096;

/// The place of a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The offset, in bytes of the document.
    pub(super) offset: usize,
    /// The name of the subject, in quotes, if the place alone does not show what the note is about.
    pub(super) name: Option<String>,
}

/// The place of the note on `element`, which ends before the byte `end`. Between the entries of a list, a note reads as if it were
/// about the next entry. So it stands after the list, or at the end of the line if the list continues, and names its entry unless
/// it is the only one there.
pub(super) fn place(text: &str, element: Span, end: usize) -> Place {
    place_in(b']', text, element, end, || name(text, element))
}

/// The same for a member of an object, from the start of its key. It is called by this name.
pub(super) fn place_of_member(text: &str, member: Span, end: usize, name: &str) -> Place {
    place_in(b'}', text, member, end, || quoted(name))
}

fn place_in(closing: u8, text: &str, element: Span, end: usize, name: impl FnOnce() -> String) -> Place {
    let directly = Place { offset: element.end, name: None };
    let end = text.floor_char_boundary(end.clamp(element.end, element.end + FURTHEST));
    let line_end = text[element.end..end].find('\n').map_or(end, |at| element.end + at);
    let follows_another = text[..element.start].trim_end_matches([' ', '\t']).ends_with(',');
    // The end of the list is far away if each entry has its line.
    if !follows_another && matches!(text[element.end..line_end].trim(), "" | ",") {
        return directly;
    }
    let Some(list_end) = list_end(closing, text, element, end) else { return directly };
    let rest = text[element.end..line_end.min(list_end)].trim();
    let is_last = matches!(rest, "" | "," | "]" | "}");
    let named = (!is_last || follows_another).then(name);
    if list_end <= line_end {
        return Place { offset: list_end, name: named };
    }
    match is_last {
        true => Place { name: named, ..directly },
        false => Place { offset: text[..line_end].trim_end().len(), name: named },
    }
}

/// The end of the list whose entry is at `element`, after its `closing` bracket; `None` if it is not an entry of such a list.
fn list_end(closing: u8, text: &str, element: Span, end: usize) -> Option<usize> {
    let (mut depth, mut in_string, mut is_escaped) = (0_usize, false, false);
    for (at, byte) in text.as_bytes()[..end].iter().enumerate().skip(element.end) {
        if in_string {
            in_string = is_escaped || *byte != b'"';
            is_escaped = *byte == b'\\' && !is_escaped;
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'[' | b'{' => depth += 1,
            b']' | b'}' if depth == 0 => return (*byte == closing).then_some(at + 1),
            b']' | b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The name of an entry: its text, or what identifies an object.
fn name(text: &str, element: Span) -> String {
    let json = &text[element.range()];
    let name = match serde_json::from_str(json) {
        Ok(Value::String(string)) => string,
        Ok(Value::Object(object)) => {
            let identifying = ["label", "value", "regex"].iter().find_map(|key| object.get(*key));
            identifying.map_or_else(
                || json.to_owned(),
                |value| value.as_str().map_or_else(|| value.to_string(), str::to_owned),
            )
        }
        _ => json.to_owned(),
    };
    quoted(&name)
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", cut(&plain(name), LONGEST_NAME))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with the notes on `"x"`, which is in it once, and on `"y"`.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut shown = text.to_owned();
        let mut places: Vec<Place> = ["\"x\"", "\"y\""]
            .iter()
            .filter_map(|quoted| {
                let start = text.find(quoted)?;
                Some(place(text, Span::new(start, start + quoted.len()), text.len()))
            })
            .collect();
        places.sort_by_key(|place| place.offset);
        for Place { offset, name } in places.iter().rev() {
            shown.insert_str(*offset, &format!("‹{}›", name.as_deref().unwrap_or_default()));
        }
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_note_never_stands_before_another_entry() {
        for (text, expected) in [
            (r#"{ "a": "x", "b": 1 }"#, r#"{ "a": "x"‹›, "b": 1 }"#),
            (r#"{ "a": ["x"], "b": 1 }"#, r#"{ "a": ["x"]‹›, "b": 1 }"#),
            (r#"{ "a": ["x", "y"] }"#, r#"{ "a": ["x", "y"]‹"x"›‹"y"› }"#),
            (r#"{ "a": ["x", {"b": ["]"]}, "y"] }"#, r#"{ "a": ["x", {"b": ["]"]}, "y"]‹"x"›‹"y"› }"#),
            ("[\n  \"x\",\n  \"y\"\n]", "[\n  \"x\"‹›,\n  \"y\"‹›\n]"),
            ("[\n  \"x\", 1,\n  2, \"y\"\n]", "[\n  \"x\", 1,‹\"x\">\n  2, \"y\"‹\"y\"›\n]"),
            ("[\n  1,\n  \"x\"]", "[\n  1,\n  \"x\"]‹›"),
            ("[\"x\",", "[\"x\"‹›,"),
        ] {
            check(text, &expected.replace("\">", "\"›"));
        }
    }

    #[test]
    fn an_object_is_named_by_what_identifies_it() {
        for (json, expected) in [
            (r#"{ "value": 12, "label": "slots" }"#, "\"slots\""),
            (r#"{ "value": 12 }"#, "\"12\""),
            (r#"{ "regex": "a`b" }"#, "\"ab\""),
            ("12", "\"12\""),
            (r#""a very long phrase of a suite""#, "\"a very long phrase of a…\""),
        ] {
            assert_eq!(name(json, Span::new(0, json.len())), expected);
        }
    }
}
