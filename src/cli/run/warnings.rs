//! The warnings of the cases that are run, in one line.

use std::collections::{BTreeMap, HashSet};

use crate::cli::input::Warning;
use crate::suite::Suite;
use crate::text::counted;

/// The line names so many lints at most. `eval-ls check` has all.
const MOST: usize = 5;

/// The warnings in the cases with these indexes, and around the cases. `None` if there are none.
pub(super) fn line(suite: &Suite, warnings: &[Warning], selected: &[usize]) -> Option<String> {
    let selected: HashSet<usize> = selected.iter().copied().collect();
    let is_run = |(_, span): &&Warning| suite.case_at(span.start).is_none_or(|(index, _)| selected.contains(&index));
    let mut by_lint: BTreeMap<&str, usize> = BTreeMap::new();
    for (lint, _) in warnings.iter().filter(is_run) {
        *by_lint.entry(lint).or_default() += 1;
    }
    let total: usize = by_lint.values().sum();
    if total == 0 {
        return None;
    }
    let mut lints: Vec<_> = by_lint.into_iter().collect();
    lints.sort_by_key(|(lint, count)| (std::cmp::Reverse(*count), *lint));
    let mut named: Vec<_> = lints.iter().take(MOST).map(|(lint, count)| format!("{lint} {count}")).collect();
    if lints.len() > MOST {
        named.push("…".to_owned());
    }
    Some(format!("{} ({}); `eval-ls check` shows them", counted(total, "warning"), named.join(", ")))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::analysis::Document;
    use crate::diagnostic::Severity;
    use crate::text::Text;

    #[test]
    fn the_warnings_of_the_cases_that_are_run() {
        let suite = r#"{ "cases": [
            { "id": "A", "prompt": "", "expected": {} },
            { "id": "B", "prompt": "p", "expected": { "notes": 1, "ui": [" "] } },
            { "id": "C", "prompt": "q", "expected": { "must_say_any": ["x"] } }
        ] }"#;
        let document = Document::new(Text::new(suite), None);
        let findings = document.findings(&Arc::default());
        let warnings = findings.iter().filter(|finding| finding.severity == Severity::Warning);
        let warnings = warnings.filter(|finding| finding.lint != "undefined-ui-hint");
        let warnings: Vec<_> = warnings.map(|finding| (finding.lint, finding.span)).collect();
        let line = |selected: &[usize]| line(document.suite(), &warnings, selected);
        let all =
            "4 warnings (blank-entry 1, empty-prompt 1, unknown-key 1, vacuous-case 1); `eval-ls check` shows them";
        assert_eq!(line(&[0, 1, 2]).as_deref(), Some(all));
        let of_b = "2 warnings (blank-entry 1, unknown-key 1); `eval-ls check` shows them";
        assert_eq!(line(&[1, 2]).as_deref(), Some(of_b));
        assert_eq!(line(&[2]), None);
    }
}
