//! Workflow commands of GitHub Actions.

use crate::text::visible;

/// The message of a workflow command. It cannot end the command.
pub(crate) fn message(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '%' => escaped.push_str("%25"),
            '\r' => escaped.push_str("%0D"),
            '\n' => escaped.push_str("%0A"),
            _ => escaped.push(visible(c)),
        }
    }
    escaped
}

/// The value of a property of a workflow command. It can end neither the property nor the command.
pub(crate) fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

/// A line that is not a workflow command if it is printed to the log of a workflow.
pub(crate) fn disarmed(line: &str) -> String {
    if line.trim_start().starts_with("::") { line.replacen("::", ": :", 1) } else { line.to_owned() }
}
