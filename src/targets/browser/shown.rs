//! The text that people read on a page: JavaScript that runs in the page.

use serde_json::Value;

const PAGE: &str = include_str!("shown.js");

/// JavaScript whose value is the text that the page shows, or the part of it that a CSS selector finds; `null` if there is no such
/// part.
pub(super) fn script(selector: Option<&str>) -> String {
    format!("(() => {{\n{PAGE}return shown({});\n}})()", Value::from(selector))
}

/// The text in the result of the script.
pub(super) fn read(result: &Value) -> Option<String> {
    Some(result.get("result")?.as_str()?.replace("\r\n", "\n"))
}
