//! Suggests the keys that an object does not have yet, and adapts candidates to the text around the cursor.

use crate::diagnostic::Edit;
use crate::schema::{Key, Shape};
use crate::syntax::{Follows, Slot, encode};
use crate::text::Span;

use super::candidate::{Candidate, CompletionKind, Documentation, Form, Layout, Snippet};
use super::scene::Scene;
use super::{Completion, values};

/// The suggested keys, best first.
pub(super) fn keys(scene: &Scene<'_>) -> Vec<Candidate> {
    let candidates = match scene.path()[..] {
        ["expected", "source_patterns"] if scene.is_in_case => values::lists::source_names(scene),
        ["expected", "scoring", "soft_score", "weights"] if scene.is_in_case => values::scoring::weight_keys(scene),
        _ => of_schema(scene),
    };
    let mut candidates: Vec<_> = candidates
        .into_iter()
        .map(|candidate| match candidate.form {
            Form::Value => candidate.form(Form::Member),
            _ => candidate,
        })
        .collect();
    if scene.cursor.names().next().is_none() && scene.is_blank() {
        let whole = match (scene.path().is_empty(), scene.is_in_case) {
            (true, true) => values::cases::members(scene),
            (true, false) => values::cases::suite_members(scene),
            _ => Vec::new(),
        };
        candidates.splice(0..0, whole);
    }
    candidates
}

fn of_schema(scene: &Scene<'_>) -> Vec<Candidate> {
    let Some(shape) = scene.shape() else { return Vec::new() };
    let mut keys: Vec<Key> = shape.keys().collect();
    let typed = scene.typed_key().and_then(|_| scene.document.root().find(scene.cursor.token.span));
    let value = typed.and_then(|key| key.parent()?.as_member()?.value);
    // An unknown key is an error already, so an invalid value adds no error.
    let is_unknown = scene.typed_key().is_some_and(|key| shape.is_closed() && shape.key(&key).is_none());
    keys.retain(|key| {
        let fits = value.is_none_or(|value| match is_unknown {
            true => key.shape.accepts_type_of(value),
            false => key.shape.accepts(value),
        });
        fits && !scene.has(key.name) && !is_excluded(scene, key.name) && !replaces_required(scene, shape, key)
    });
    keys.sort_by_key(|key| rank(scene, key));
    keys.into_iter().map(|key| candidate(scene, &key)).collect()
}

/// The order of keys. Keys with the same rank keep the order of the schema.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Required,
    /// The object has the key that it belongs to.
    Companion,
    Usual,
    /// The key that it depends on is missing.
    Unread,
}

fn rank(scene: &Scene<'_>, key: &Key) -> Rank {
    match key.shape.read_with() {
        _ if key.is_required => Rank::Required,
        Some(partner) if scene.has(partner) => Rank::Companion,
        Some(_) => Rank::Unread,
        None => Rank::Usual,
    }
}

/// Whether a key would be ignored, or would cause another key to be ignored.
fn is_excluded(scene: &Scene<'_>, key: &str) -> bool {
    match scene.path()[..] {
        ["expected", "must_ground_numbers", "#"] => match key {
            "value" | "context_any" => scene.has("regex"),
            "regex" => scene.has("value") || scene.has("context_any"),
            _ => false,
        },
        _ => false,
    }
}

/// Whether the key would replace a different key that the object requires.
fn replaces_required(scene: &Scene<'_>, shape: Shape, key: &Key) -> bool {
    let typed = scene.typed_key();
    typed.is_some_and(|typed| shape.keys().any(|known| known.is_required && known.name == typed && typed != key.name))
}

fn candidate(scene: &Scene<'_>, key: &Key) -> Candidate {
    let shape = key.shape;
    let since = shape.since().map(|version| format!("since {version}"));
    let required = key.is_required.then(|| "required".to_owned());
    let group = shape.group().map(str::to_owned);
    let detail: Vec<_> = [required, group, since].into_iter().flatten().collect();
    let documentation = shape.description().zip(shape.markdown());
    let documentation =
        documentation.map(|(plain, markdown)| Documentation { plain: plain.to_owned(), markdown: markdown.to_owned() });
    let candidate = Candidate::new(key.name, CompletionKind::Key, with_partner(scene, key));
    candidate.detail(detail.join(" · ")).documentation(documentation)
}

/// The first value of a key, with the key that reads it if that is missing: alone, the runner ignores it.
fn with_partner(scene: &Scene<'_>, key: &Key) -> Snippet {
    let json = values::initial(scene, key.name, key.shape);
    let partner = key.shape.read_with().filter(|partner| !scene.has(partner) && key.name != "source_patterns");
    let partner = partner.and_then(|name| Some((name, scene.shape()?.key(name)?)));
    match partner {
        Some((name, shape)) => json.text(format!(", \"{name}\": ")).then(values::by_shape(shape)),
        None => json,
    }
}

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
    let Candidate { label, kind, detail, documentation, json, form } = candidate;
    let token = scene.cursor.token;
    let body = body(scene, &label, form, json);
    let text = spaced(scene, form, body, &mut also)?;
    let filter = match token.quote {
        None => label.clone(),
        Some('"') => encode(&label),
        Some(quote) => format!("{quote}{label}"),
    };
    Some(Completion { label, kind, detail, documentation, filter, span: token.span, text, also })
}

/// The text of the member or value.
fn body(scene: &Scene<'_>, label: &str, form: Form, json: Snippet) -> Snippet {
    match (form, scene.cursor.follows) {
        // The colon and the value exist already.
        (Form::Member, Follows::Colon) => Snippet::string(label),
        (Form::Member, Follows::Value) if has_value(scene) => Snippet::string(label).text(":"),
        (Form::Member, _) => Snippet::string(label).text(": ").then(json),
        (Form::Members | Form::Value, _) => json,
        (Form::OnlyElement, _) => Snippet::new("[").then(json).text("]"),
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

/// One level of the indentation of a text: that of its first indented line. Looking further would be slow in a large file.
fn indentation_level(text: &str) -> Option<&str> {
    let deeper = text.split('\n').take(50).skip(1).map(leading_space).find(|space| !space.is_empty());
    deeper.filter(|space| space.len() <= 8)
}

fn leading_space(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}
