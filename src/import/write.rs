//! The text of a suite that is imported, with its prompts made from templates such as `Translate {{text}}`.

use std::cell::Cell;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::ImportError;
use super::results::text;

/// The suite with a line for each key of a case and of `expected`. The formatter of suites does the rest.
pub(crate) fn suite_text(suite: &Value) -> String {
    let mut text = String::new();
    write(suite, 0, &mut text);
    text.push('\n');
    text
}

/// The depth of `expected`: the file, its list, a case.
const EXPECTED: usize = 3;

fn write(value: &Value, depth: usize, text: &mut String) {
    let is_nested = |value: &Value| value.is_array() || value.is_object();
    let members: Vec<(String, &Value)> = match value {
        Value::Array(list) if list.iter().any(is_nested) => {
            list.iter().map(|element| (String::new(), element)).collect()
        }
        Value::Object(object) if depth <= EXPECTED || object.values().any(is_nested) => {
            object.iter().map(|(key, member)| (format!("{}: ", Value::from(key.as_str())), member)).collect()
        }
        value => return text.push_str(&value.to_string()),
    };
    let [open, close] = if value.is_array() { ['[', ']'] } else { ['{', '}'] };
    text.push(open);
    for (index, (key, member)) in members.into_iter().enumerate() {
        text.push_str(if index == 0 { "\n" } else { ",\n" });
        text.push_str(&key);
        write(member, depth + 1, text);
    }
    text.push(close);
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
    /// The same file with other variables.
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
