//! The templates of prompts: `Translate {{text}}`.

use serde_json::{Map, Value};

use super::list::text;

/// The text with each `{{name}}` replaced by the variable.
///
/// # Errors
/// The first expression that is not the name of a variable with a text.
pub(super) fn rendered(template: &str, vars: &Map<String, Value>) -> Result<String, String> {
    let mut result = String::new();
    let mut rest = template;
    while let Some(start) = rest.find("{{") {
        let Some(length) = rest[start..].find("}}") else { break };
        let name = rest[start + 2..start + length].trim();
        let name = name.strip_prefix("vars.").unwrap_or(name);
        let Some(value) = vars.get(name).and_then(text) else { return Err(name.to_owned()) };
        result.push_str(&rest[..start]);
        result.push_str(&value);
        rest = &rest[start + length + 2..];
    }
    if rest.contains("{%") {
        return Err("{%".to_owned());
    }
    Ok(result + rest)
}
