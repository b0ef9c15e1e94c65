//! The report of code quality that GitLab shows in merge requests.

use std::collections::HashMap;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::diagnostic::{Finding, Severity};
use crate::text::LineRange;

use super::{Checked, each};

/// Returns an entry for each finding.
pub(crate) fn gitlab(all: &[Checked]) -> Vec<Value> {
    let mut seen = HashMap::new();
    each(all).map(|(checked, finding)| entry(checked, finding, &mut seen)).collect()
}

fn entry(checked: &Checked, finding: &Finding, seen: &mut HashMap<String, usize>) -> Value {
    let LineRange { start, end } = checked.text.line_range(finding.span);
    // GitLab compares the fingerprints of two branches, so they must not depend on the line.
    let facts = format!("{}\0{}\0{}", checked.name, finding.lint, finding.message);
    let nth = seen.entry(facts.clone()).and_modify(|count| *count += 1).or_insert(0);
    let fingerprint = data_encoding::HEXLOWER.encode(&Sha256::digest(format!("{facts}\0{nth}")));
    json!({
        "description": finding.message,
        "check_name": finding.lint,
        "fingerprint": fingerprint,
        "severity": match finding.severity {
            Severity::Error => "major",
            Severity::Warning => "minor",
            Severity::Hint => "info",
        },
        "location": { "path": checked.name, "lines": { "begin": start.line, "end": end.line } },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Span, Text};

    #[test]
    fn fingerprints_differ_and_do_not_depend_on_the_line() {
        let of = |text: &str| {
            let finding = |at| Finding::new("some-lint", Severity::Warning, Span::new(at, at + 1), "the same");
            let start = text.len() - 3;
            gitlab(&[Checked {
                name: "a.json".to_owned(),
                text: Text::new(text),
                findings: vec![finding(start), finding(start + 2)],
                fixed: false,
            }])
        };
        let (one, moved) = (of("x\ny"), of("\n\nx\ny"));
        assert_eq!(one[0]["location"], json!({ "path": "a.json", "lines": { "begin": 1, "end": 1 } }));
        assert_eq!(moved[1]["location"]["lines"], json!({ "begin": 4, "end": 4 }));
        assert_ne!(one[0]["fingerprint"], one[1]["fingerprint"]);
        assert_eq!(one[1]["fingerprint"], moved[1]["fingerprint"]);
    }
}
