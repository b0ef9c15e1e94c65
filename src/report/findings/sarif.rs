//! SARIF 2.1.0, which code scanning services read.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::config::ConfigError;
use crate::diagnostic::{Finding, Fix, Severity};
use crate::lints::{LINTS, repository};
use crate::text::{LineRange, Span, Text};

use super::{Checked, each, uri};

/// Returns the findings of all files as a SARIF log. `complete` is whether all files could be checked.
pub(crate) fn sarif(all: &[Checked], complete: bool) -> impl Serialize {
    let mut driver = json!({ "name": "eval-ls", "semanticVersion": env!("CARGO_PKG_VERSION"), "rules": rules() });
    if let Some(address) = repository() {
        driver["informationUri"] = address.into();
    }
    Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: json!({ "driver": driver }),
            invocations: json!([{ "executionSuccessful": complete }]),
            column_kind: "unicodeCodePoints",
            results: Results(all),
        }],
    }
}

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Value,
    invocations: Value,
    column_kind: &'static str,
    results: Results<'a>,
}

/// Serialized one by one, because there may be a hundred thousand.
struct Results<'a>(&'a [Checked]);

impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(each(self.0).map(|(checked, finding)| result(checked, finding)))
    }
}

/// The lints in the order of [`LINTS`], and after them the errors in the configuration.
fn rules() -> Value {
    let lints = LINTS.iter().map(|lint| {
        let mut rule = json!({
            "id": lint.name,
            "shortDescription": { "text": lint.summary() },
            "help": { "text": lint.markdown(), "markdown": lint.markdown() },
            "defaultConfiguration": { "level": level(lint.level) },
        });
        if let Some(address) = lint.address() {
            rule["helpUri"] = address.into();
        }
        rule
    });
    let configuration = json!({
        "id": ConfigError::LINT,
        "shortDescription": { "text": "An error in `eval-ls.toml`." },
        "defaultConfiguration": { "level": level(Severity::Error) },
    });
    lints.chain([configuration]).collect()
}

fn result(checked: &Checked, finding: &Finding) -> Value {
    let Checked { name, text, .. } = checked;
    let is_of_configuration = finding.lint == ConfigError::LINT;
    let rule = LINTS.iter().position(|lint| lint.name == finding.lint).or(is_of_configuration.then_some(LINTS.len()));
    let mut result = json!({
        "ruleId": finding.lint,
        "ruleIndex": rule,
        "level": level(finding.severity),
        "message": { "text": plain(&finding.message) },
        "locations": [{ "physicalLocation": place(name, text, finding.span) }],
    });
    // Findings of challenges have no entry in the list of rules.
    if rule.is_none() {
        result.as_object_mut().and_then(|result| result.remove("ruleIndex"));
    }
    if !finding.related.is_empty() {
        let related = finding.related.iter().enumerate().map(|(id, related)| {
            let message = json!({ "text": plain(&related.message) });
            json!({ "id": id, "message": message, "physicalLocation": place(name, text, related.span) })
        });
        result["relatedLocations"] = related.collect();
    }
    // A fix in SARIF needs a replacement; other help has no field.
    if !finding.help.is_empty() {
        result["properties"] = json!({ "help": finding.help });
    }
    if !finding.fixes.is_empty() {
        result["fixes"] =
            finding.fixes.iter().filter(|fix| !fix.edits.is_empty()).map(|fix| fixed(name, text, fix)).collect();
    }
    result
}

fn fixed(name: &str, text: &Text, fix: &Fix) -> Value {
    let replacements = fix
        .edits
        .iter()
        .map(|edit| json!({ "deletedRegion": region(text, edit.span), "insertedContent": { "text": edit.text } }));
    json!({
        "description": { "text": plain(&fix.title) },
        "artifactChanges": [{ "artifactLocation": { "uri": uri(name) }, "replacements": replacements.collect::<Value>() }],
        "properties": { "safe": fix.safe },
    })
}

/// A message without embedded links: SARIF reads `[text](target)` as one. Other brackets stay as they are, because not every viewer
/// removes the backslash.
fn plain(message: &str) -> Cow<'_, str> {
    let Some(last) = message.rfind("](") else { return Cow::Borrowed(message) };
    let (linked, rest) = message.split_at(last);
    let mut plain = String::new();
    for c in linked.chars() {
        if c == '[' {
            // A backslash before the bracket would otherwise escape the new one.
            let backslashes = plain.len() - plain.trim_end_matches('\\').len();
            plain.extend(std::iter::repeat_n('\\', backslashes + 1));
        }
        plain.push(c);
    }
    Cow::Owned(plain + rest)
}

fn place(name: &str, text: &Text, span: Span) -> Value {
    json!({ "artifactLocation": { "uri": uri(name) }, "region": region(text, span) })
}

fn region(text: &Text, span: Span) -> Value {
    let LineRange { start, end } = text.line_range(span);
    json!({ "startLine": start.line, "startColumn": start.column, "endLine": end.line, "endColumn": end.column })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "note",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_no_embedded_links() {
        for (message, expected) in [
            ("`[0-9]{2}` matches [x]", "`[0-9]{2}` matches [x]"),
            ("say `[x](command:y)`", r"say `\[x](command:y)`"),
            ("[a [b](1) [c]", r"\[a \[b](1) [c]"),
            (r"\[x](1)", r"\\\[x](1)"),
            (r"\\[x](1) \d", r"\\\\\[x](1) \d"),
        ] {
            assert_eq!(plain(message), expected);
        }
    }
}
