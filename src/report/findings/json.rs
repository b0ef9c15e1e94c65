use serde::{Serialize, Serializer};
use serde_json::{Value, json as value};

use crate::diagnostic::{Finding, Fix};

use super::{Checked, each};

/// Returns the findings of all files as one JSON array.
pub(crate) fn json(all: &[Checked]) -> impl Serialize {
    Findings(all)
}

/// Serialized one by one, because there may be a hundred thousand.
struct Findings<'a>(&'a [Checked]);

impl Serialize for Findings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(each(self.0).map(|(checked, finding)| json_of(checked, finding)))
    }
}

fn json_of(checked: &Checked, finding: &Finding) -> Value {
    let range = |span| checked.text.line_range(span);
    let related = finding.related.iter();
    let related = related.map(|place| value!({ "message": place.message, "range": range(place.span) }));
    let edits = |fix: &Fix| -> Value {
        let edits = fix.edits.iter();
        edits.map(|edit| value!({ "range": range(edit.span), "newText": edit.text })).collect()
    };
    let fixes = finding.fixes.iter();
    let fixes = fixes.map(|fix| value!({ "title": fix.title, "safe": fix.safe, "edits": edits(fix) }));
    let mut object = value!({
        "file": checked.name,
        "lint": finding.lint,
        "severity": finding.severity.as_str(),
        "message": finding.message,
        "range": range(finding.span),
        "related": related.collect::<Value>(),
        "fixes": fixes.collect::<Value>(),
    });
    if !finding.help.is_empty() {
        object["help"] = value!(finding.help);
    }
    object
}
