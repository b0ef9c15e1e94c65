//! The text of a suite that is imported, with its prompts made from templates such as `Translate {{text}}`; and a file that is imported
//! again: its new cases, into a suite that somebody may have edited since.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use serde_json::{Map, Value, json};

use crate::syntax::{Kind, Node, parse};
use crate::text::Span;

use super::assertions::text;
use super::{ImportError, Imported};

/// The text of a suite, with an entry on each line.
pub(crate) fn suite_text(suite: &Value) -> String {
    format!("{suite:#}\n")
}

/// The most bytes that the templates of a file make. Variables that name variables would fill the memory otherwise.
const MOST_BYTES: usize = 64 << 20;

/// The variables of a test, and how many bytes were made with those of its file so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Vars {
    pub(super) values: Map<String, Value>,
    made: Rc<Cell<usize>>,
}

impl Vars {
    /// Other variables for the same file.
    pub(super) fn with(&self, values: Map<String, Value>) -> Vars {
        Vars { values, made: Rc::clone(&self.made) }
    }

    /// Counts bytes that are made.
    ///
    /// # Errors
    /// If they are too many.
    pub(super) fn make(&self, bytes: usize) -> Result<(), String> {
        self.made.set(self.made.get().saturating_add(bytes));
        let fault = || format!("its templates make more than {} MiB", MOST_BYTES >> 20);
        (self.made.get() <= MOST_BYTES).then_some(()).ok_or_else(fault)
    }

    /// # Errors
    /// If the file has made too many bytes.
    pub(super) fn within_limits(&self) -> Result<(), ImportError> {
        self.make(0).map_err(ImportError)
    }
}

/// The text with each `{{name}}` replaced by the variable.
///
/// # Errors
/// Why it cannot be filled in: `needs …`, or `has …`. Only names of variables with texts are read: no statements, comments or filters.
pub(super) fn rendered(template: &str, vars: &Vars) -> Result<String, String> {
    if let Some(part) = ["{%", "{#"].into_iter().find(|part| template.contains(part)) {
        return Err(format!("has `{part}`, which is not supported"));
    }
    let mut result = String::new();
    let mut rest = template;
    while let Some(start) = rest.find("{{") {
        let Some(length) = rest[start..].find("}}") else { break };
        let name = rest[start + 2..start + length].trim();
        let name = name.strip_prefix("vars.").unwrap_or(name);
        let mut path = name.split('.');
        let first = path.next().and_then(|first| vars.values.get(first));
        let found = vars.values.get(name).or_else(|| path.try_fold(first?, |value, key| value.get(key)));
        if name.contains('|') {
            return Err(format!("has `{{{{{name}}}}}`, and filters are not supported"));
        }
        let Some(value) = found.and_then(text) else {
            return Err(format!("needs `{name}`, and no variable of the test is that text"));
        };
        if value.starts_with("file://") {
            return Err(format!("needs `{name}`, which is in another file"));
        }
        if let Some((_, hole)) = value.split_once("{{").filter(|(_, hole)| hole.contains("}}")) {
            let hole = hole.split("}}").next().unwrap_or_default().trim();
            return Err(format!("needs `{hole}`, and no variable of the test is that text"));
        }
        vars.make(start + value.len())?;
        result.push_str(&rest[..start]);
        result.push_str(&value);
        rest = &rest[start + length + 2..];
    }
    vars.make(rest.len())?;
    Ok(result + rest)
}

/// The value with the templates in its texts filled in.
///
/// # Errors
/// Those of [`rendered`].
pub(super) fn filled(value: &Value, vars: &Vars) -> Result<Value, String> {
    Ok(match value {
        Value::String(text) => Value::String(rendered(text, vars)?),
        Value::Array(list) => list.iter().map(|value| filled(value, vars)).collect::<Result<_, _>>()?,
        Value::Object(object) => Value::Object(
            object.iter().map(|(key, value)| Ok((key.clone(), filled(value, vars)?))).collect::<Result<_, String>>()?,
        ),
        other => other.clone(),
    })
}

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

/// The cases of an import, as the next one reads them, and whether personal data was replaced.
pub(crate) fn base_text(suite: &Value, is_redacted: bool) -> String {
    format!("{}\n", json!({ "format": FORMAT, "redacted": is_redacted, "cases": suite["cases"] }))
}

/// Whether the import that wrote this text replaced personal data.
pub(crate) fn was_redacted(base: &str) -> bool {
    serde_json::from_str::<Value>(base).is_ok_and(|base| base["redacted"] == true)
}

/// Whether a text is what an import writes beside a suite.
pub(crate) fn is_base(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|base| base["format"] == FORMAT)
}

/// Gives the cases that have no checks those that the last import gave them, if their prompts are the same. `base` is what it wrote.
/// Returns their ids.
pub(crate) fn keep_checks(imported: &mut Imported, base: &str) -> HashSet<String> {
    let base: Value = serde_json::from_str(base).unwrap_or_default();
    let of_base = by_id(&base["cases"]);
    let mut kept = HashSet::new();
    for case in imported.suite["cases"].as_array_mut().into_iter().flatten().filter(|case| !Imported::has_checks(case))
    {
        let id = case["id"].as_str().unwrap_or_default().to_owned();
        let last = of_base.get(id.as_str()).filter(|last| Imported::has_checks(last));
        if let Some(last) =
            last.filter(|last| ["prompt", "setup_prompts"].iter().all(|key| last.get(key) == case.get(key)))
        {
            case["expected"] = last["expected"].clone();
            kept.insert(id);
        }
    }
    imported.checked += kept.len();
    kept
}

/// Merges the cases of `new`, see [`suite_text`], into the text of a suite. `base` is what the last import wrote, see [`base_text`]. A case that is
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
