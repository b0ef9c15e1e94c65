//! A file that is imported again: its new cases, into a suite that somebody may have edited since.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::syntax::{Kind, Node, parse};
use crate::text::Span;

use super::ImportError;
use super::write::case_text;

/// What a second import does with a suite.
#[derive(Debug, Default)]
pub(crate) struct Merged {
    /// The text of the suite.
    pub(crate) text: String,
    /// The cases that are new in the file.
    pub(crate) added: Vec<String>,
    /// The cases that have changed in the file, and not in the suite.
    pub(crate) changed: Vec<String>,
    /// The cases that have changed in both, so the suite's stay: each with what is different in the file.
    pub(crate) kept: Vec<(String, Vec<String>)>,
    /// The cases of the suite that the file has no more. They stay.
    pub(crate) gone: Vec<String>,
    /// The cases that somebody has removed from the suite. They stay removed.
    pub(crate) removed: Vec<String>,
}

/// The `format` of the file beside a suite that has the cases of its last import.
const FORMAT: &str = "eval-ls/import@1";

/// The cases of an import, as the next one reads them.
pub(crate) fn base_text(suite: &Value) -> String {
    format!("{}\n", json!({ "format": FORMAT, "cases": suite["cases"] }))
}

/// Whether a text is what an import writes beside a suite.
pub(crate) fn is_base(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|base| base["format"] == FORMAT)
}

/// Merges the cases of `new` into the text of a suite. `base` is what the last import wrote, see [`base_text`]. A case that is
/// unedited since then follows the file.
///
/// # Errors
/// If one of the texts cannot be read: a lower-case fragment.
pub(crate) fn merge(suite: &str, base: &str, new: &Value) -> Result<Merged, ImportError> {
    let parsed = parse(suite);
    let root = parsed.tree.root(suite).filter(|_| parsed.errors.is_empty());
    let cases = root.and_then(|root| root.get("cases")).filter(|cases| cases.kind() == Kind::Array);
    let cases = cases.ok_or_else(|| ImportError("the suite has an error; `eval-ls check` shows it".to_owned()))?;
    if !is_base(base) {
        return Err(ImportError("what the last import wrote cannot be read".to_owned()));
    }
    let base: Value = serde_json::from_str(base).unwrap_or_default();
    let base = by_id(&base["cases"]);
    let here: HashMap<String, Node<'_>> =
        cases.elements().filter_map(|case| Some((case.get("id")?.as_str()?.into_owned(), case))).collect();
    let mut merged = Merged::default();
    let (mut edits, mut appended): (Vec<(Span, String)>, Vec<String>) = (Vec::new(), Vec::new());
    let new_by_id = by_id(&new["cases"]);
    for case in new["cases"].as_array().into_iter().flatten() {
        let Some(id) = case["id"].as_str() else { continue };
        let last = base.get(id).copied();
        match here.get(id) {
            None if last.is_some() => merged.removed.push(id.to_owned()),
            None => {
                merged.added.push(id.to_owned());
                appended.push(case_text(case));
            }
            Some(node) => {
                let now = node.to_value();
                if now == *case || last == Some(case) {
                    continue;
                }
                if last == Some(&now) {
                    merged.changed.push(id.to_owned());
                    edits.push((node.span(), case_text(case)));
                } else {
                    let mut differences = Vec::new();
                    different("", &now, case, &mut differences);
                    merged.kept.push((id.to_owned(), differences));
                }
            }
        }
    }
    merged.gone = base
        .keys()
        .filter(|id| here.contains_key(**id) && !new_by_id.contains_key(**id))
        .map(|id| (*id).to_owned())
        .collect();
    merged.gone.sort();
    if !appended.is_empty() {
        let list = appended.join(",\n    ");
        edits.push(match cases.elements().last() {
            Some(last) => (Span::new(last.span().end, last.span().end), format!(",\n    {list}")),
            None => (cases.span(), format!("[\n    {list}\n  ]")),
        });
    }
    edits.sort_by_key(|(span, _)| span.start);
    merged.text = suite.to_owned();
    for (span, text) in edits.into_iter().rev() {
        merged.text.replace_range(span.start..span.end, &text);
    }
    Ok(merged)
}

fn by_id(cases: &Value) -> HashMap<&str, &Value> {
    cases.as_array().into_iter().flatten().filter_map(|case| Some((case["id"].as_str()?, case))).collect()
}

/// Lists the keys with different values, each with its value in the file.
fn different(path: &str, here: &Value, file: &Value, found: &mut Vec<String>) {
    let (Some(here), Some(file)) = (here.as_object(), file.as_object()) else {
        return found.push(format!("{path}: {file} in the file"));
    };
    for key in here.keys().chain(file.keys().filter(|key| !here.contains_key(*key))) {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match (here.get(key), file.get(key)) {
            (Some(here), Some(file)) if here == file => {}
            (Some(here), Some(file)) if here.is_object() && file.is_object() => different(&path, here, file, found),
            (_, Some(file)) => found.push(format!("{path}: {file} in the file")),
            (_, None) => found.push(format!("{path}: not in the file")),
        }
    }
}
