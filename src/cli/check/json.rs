use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::cli::Console;
use crate::diagnostic::{Finding, Fix};

use super::Checked;

/// Prints the findings of all files as one JSON array.
pub(super) fn print(all: &[Checked], console: &mut Console) {
    console.out.write_json(&Findings(all));
}

/// Serialized one by one, because there may be a hundred thousand.
struct Findings<'a>(&'a [Checked]);

impl Serialize for Findings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let findings = self.0.iter().flat_map(|checked| checked.findings.iter().map(move |finding| (checked, finding)));
        serializer.collect_seq(findings.map(|(checked, finding)| json_of(checked, finding)))
    }
}

fn json_of(checked: &Checked, finding: &Finding) -> Value {
    let range = |span| checked.text.line_range(span);
    let related = finding.related.iter();
    let related = related.map(|place| json!({ "message": place.message, "range": range(place.span) }));
    let edits = |fix: &Fix| -> Value {
        let edits = fix.edits.iter();
        edits.map(|edit| json!({ "range": range(edit.span), "newText": edit.text })).collect()
    };
    let fixes = finding.fixes.iter();
    let fixes = fixes.map(|fix| json!({ "title": fix.title, "safe": fix.safe, "edits": edits(fix) }));
    let mut object = json!({
        "file": checked.name,
        "lint": finding.lint,
        "severity": finding.severity.as_str(),
        "message": finding.message,
        "range": range(finding.span),
        "related": related.collect::<Value>(),
        "fixes": fixes.collect::<Value>(),
    });
    if !finding.help.is_empty() {
        object["help"] = json!(finding.help);
    }
    object
}
