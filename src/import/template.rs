//! The templates of prompts: `Translate {{text}}`.

use serde_json::{Map, Value};

use super::values::text;

/// The text with each `{{name}}` replaced by the variable.
///
/// # Errors
/// Why it cannot be filled in: `needs …`, or `has …`. Only names of variables with texts are read: no statements, comments or filters.
pub(super) fn rendered(template: &str, vars: &Map<String, Value>) -> Result<String, String> {
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
        let first = path.next().and_then(|first| vars.get(first));
        let found = vars.get(name).or_else(|| path.try_fold(first?, |value, key| value.get(key)));
        let Some(value) = found.and_then(text) else {
            return Err(format!("needs `{name}`, and no variable of the test is that text"));
        };
        if value.starts_with("file://") {
            return Err(format!("needs `{name}`, which is in another file"));
        }
        result.push_str(&rest[..start]);
        result.push_str(&value);
        rest = &rest[start + length + 2..];
    }
    Ok(result + rest)
}

/// The value with the templates in its texts filled in.
///
/// # Errors
/// Those of [`rendered`].
pub(super) fn filled(value: &Value, vars: &Map<String, Value>) -> Result<Value, String> {
    Ok(match value {
        Value::String(text) => Value::String(rendered(text, vars)?),
        Value::Array(list) => list.iter().map(|value| filled(value, vars)).collect::<Result<_, _>>()?,
        Value::Object(object) => Value::Object(
            object.iter().map(|(key, value)| Ok((key.clone(), filled(value, vars)?))).collect::<Result<_, String>>()?,
        ),
        other => other.clone(),
    })
}
