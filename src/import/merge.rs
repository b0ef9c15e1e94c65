//! A file that is imported again: its new cases, into a suite that somebody may have edited since.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use crate::syntax::{Kind, Node, parse};
use crate::text::Span;

use super::ImportError;

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

/// Merges the cases of `new`, a formatted suite, into the text of a suite. `base` is what the last import wrote, see [`base_text`]. A case that is
/// unedited since then follows the file.
///
/// # Errors
/// If one of the texts cannot be read: a lower-case fragment.
pub(crate) fn merge(suite: &str, base: &str, new: &str) -> Result<Merged, ImportError> {
    let (parsed, of_new) = (parse(suite), parse(new));
    let root = parsed.tree.root(suite).filter(|_| parsed.errors.is_empty());
    let cases = root.and_then(|root| root.get("cases")).filter(|cases| cases.kind() == Kind::Array);
    let cases = cases.ok_or_else(|| ImportError("the suite has an error; `eval-ls check` shows it".to_owned()))?;
    if !is_base(base) {
        return Err(ImportError("what the last import wrote cannot be read".to_owned()));
    }
    let base: Value = serde_json::from_str(base).unwrap_or_default();
    let base = by_id(&base["cases"]);
    let id_of = |case: Node<'_>| Some(case.get("id")?.as_str()?.into_owned());
    let here: HashMap<String, Node<'_>> = cases.elements().filter_map(|case| Some((id_of(case)?, case))).collect();
    let mut merged = Merged::default();
    let (mut edits, mut appended): (Vec<(Span, String)>, Vec<String>) = (Vec::new(), Vec::new());
    let mut in_file: HashSet<String> = HashSet::new();
    for of_file in of_new.tree.root(new).and_then(|root| root.get("cases")).into_iter().flat_map(Node::elements) {
        let Some(id) = id_of(of_file) else { continue };
        in_file.insert(id.clone());
        let (last, case) = (base.get(id.as_str()).copied(), of_file.to_value());
        match here.get(&id).map(|node| (node.span(), node.to_value())) {
            None if last.is_some() => merged.removed.push(id),
            None => {
                merged.added.push(id);
                appended.push(of_file.text().to_owned());
            }
            Some((_, now)) if now == case || last == Some(&case) => {}
            Some((span, now)) if last == Some(&now) => {
                merged.changed.push(id);
                edits.push((span, of_file.text().to_owned()));
            }
            Some((_, now)) => {
                let mut differences = Vec::new();
                different("", &now, &case, &mut differences);
                merged.kept.push((id, differences));
            }
        }
    }
    let gone = base.keys().filter(|id| here.contains_key(**id) && !in_file.contains(**id));
    merged.gone = gone.map(|id| (*id).to_owned()).collect();
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
