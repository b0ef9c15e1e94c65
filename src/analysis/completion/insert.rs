//! Adapts a candidate to the text around the cursor.

use crate::diagnostic::Edit;
use crate::suite::Version;
use crate::syntax::{Follows, Slot, encode};
use crate::text::Span;

use super::Completion;
use super::candidate::{Candidate, Form, Layout, Snippet};
use super::scene::Scene;

/// The layout of the line with the cursor.
pub(super) fn layout(scene: &Scene<'_>) -> Layout {
    let text = scene.text();
    let before = &text.as_bytes()[..scene.cursor.token.span.start];
    let line_start = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1);
    let indentation = leading_space(&text[line_start..]);
    let level = indentation_level(text).unwrap_or("  ");
    let line_break =
        if text.lines().next().is_some_and(|line| text[line.len()..].starts_with("\r\n")) { "\r\n" } else { "\n" };
    Layout { indentation: indentation.to_owned(), level: level.to_owned(), line_break }
}

/// Makes a completion of a candidate; `None` if inserting it would break the text around it.
pub(super) fn insert(scene: &Scene<'_>, candidate: Candidate) -> Option<Completion> {
    let mut also: Vec<Edit> = Vec::new();
    if let Some(version) = candidate.raises_to {
        also.push(raise(scene, version)?);
    }
    let Candidate { label, kind, detail, documentation, json, form, .. } = candidate;
    let token = scene.cursor.token;
    let (span, text) = match form {
        Form::Word(span) => (span, json),
        _ => {
            let body = body(scene, &label, form, json)?;
            let text = spaced(scene, form, body, &mut also)?;
            (token.span, text)
        }
    };
    let filter = match (form, token.quote) {
        (Form::Word(_), _) | (_, None) => label.clone(),
        (_, Some('"')) => encode(&label),
        (_, Some(quote)) => format!("{quote}{label}"),
    };
    Some(Completion { label, kind, detail, documentation, filter, span, text, also })
}

/// The text of the member or value.
fn body(scene: &Scene<'_>, label: &str, form: Form, json: Snippet) -> Option<Snippet> {
    match (form, scene.cursor.follows) {
        // The colon and the value exist already.
        (Form::Member, Follows::Colon) => Some(Snippet::string(label)),
        (Form::Member, Follows::Value) if has_value(scene) => Some(Snippet::string(label).text(":")),
        (Form::Member, _) => Some(Snippet::string(label).text(": ").then(json)),
        (Form::Members | Form::Value, _) => Some(json),
        (Form::OnlyElement, _) => Some(Snippet::new("[").then(json).text("]")),
        (Form::Word(_), _) => None,
    }
}

/// Whether a key is typed before a value on the same line, with only the colon missing.
fn has_value(scene: &Scene<'_>) -> bool {
    let after = &scene.text()[scene.cursor.token.span.end..];
    let gap = &after[..after.len() - after.trim_start().len()];
    !scene.is_blank() && !gap.contains(['\n', '\r'])
}

/// Adds the commas and spaces that are missing around the text.
fn spaced(scene: &Scene<'_>, form: Form, body: Snippet, also: &mut Vec<Edit>) -> Option<Snippet> {
    let cursor = &scene.cursor;
    let text = scene.text();
    let Span { start, end } = cursor.token.span;
    let mut prefix = "";
    match cursor.comma_missing {
        Some(at) if at < start => also.push(Edit::insert(at, ",")),
        Some(_) => prefix = ", ",
        None if text[..start].ends_with([':', ',']) => prefix = " ",
        None => {}
    }
    let is_followed = match (&cursor.slot, cursor.follows) {
        // The value exists already, or the text here is a key.
        (Slot::Value(_), Follows::Value | Follows::Colon) => return None,
        (Slot::Key, Follows::Colon | Follows::Value) => false,
        (Slot::Key | Slot::Value(_), Follows::Key) => true,
        (Slot::Element(_), Follows::Value) => true,
        (Slot::Document, Follows::End) => false,
        (Slot::Document, _) => return None,
        _ => false,
    };
    let is_glued = !text[end..].starts_with([' ', '\t', '\n', '\r']);
    let suffix = match (is_followed, is_glued) {
        (false, _) => "",
        (true, false) => ",",
        (true, true) => ", ",
    };
    let in_braces = text[..start].ends_with('{') && text[end..].starts_with('}') && form == Form::Member;
    let (prefix, suffix) = if in_braces && cursor.token.span.is_empty() { (" ", " ") } else { (prefix, suffix) };
    let mut snippet = Snippet::default();
    if !prefix.is_empty() {
        snippet = snippet.text(prefix);
    }
    snippet = snippet.then(body);
    Some(if suffix.is_empty() { snippet } else { snippet.text(suffix) })
}

/// The edit that raises the declared version of the suite; `None` if there is none to raise, or if the raised version would
/// contradict the file name.
fn raise(scene: &Scene<'_>, version: Version) -> Option<Edit> {
    let declared = scene.document.suite().version.as_ref()?;
    let old = Version::parse(&declared.value)?;
    let raised = declared.value.replacen(old.as_str(), version.as_str(), 1);
    scene.document.version().from_file_name.is_none().then(|| Edit::replace(declared.span, encode(&raised)))
}

/// One level of the indentation of a text: that of its first indented line. Looking further would be slow in a large file.
pub(crate) fn indentation_level(text: &str) -> Option<&str> {
    let deeper = text.split('\n').take(50).skip(1).map(leading_space).find(|space| !space.is_empty());
    deeper.filter(|space| space.len() <= 8)
}

fn leading_space(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}
