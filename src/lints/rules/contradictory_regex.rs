use std::collections::HashMap;

use crate::diagnostic::quoted;
use crate::lints::facts::claims::removals;
use crate::lints::facts::patterns::CasePattern;
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::suite::PatternUse;

declare_lint! {
    /// The same pattern must match and must not match.
    ///
    /// One of the two checks fails for every response.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_match_regex": ["booked for (Thursday|Friday)"], "must_not_match_regex": ["booked for (Thursday|Friday)"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Remove one of them, or make the forbidden pattern more specific.
    ///
    /// ```json
    /// { "must_match_regex": ["booked for Thursday"], "must_not_match_regex": ["booked for Friday"] }
    /// ```
    pub(crate) CONTRADICTORY_REGEX = "contradictory-regex", Error, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let mut wanted = HashMap::new();
    for pattern in cx.patterns.iter().filter(|pattern| must_match(pattern)) {
        wanted.entry(pattern.value).or_insert(pattern.span);
    }
    for forbidden in cx.patterns.iter().filter(|pattern| pattern.used == PatternUse::Forbidden) {
        if let Some(wanted) = wanted.get(forbidden.value) {
            let message =
                format!("{} must match and must not match: one of the two checks fails", quoted(forbidden.value));
            let finding = report.add(forbidden.span, message);
            finding.also(*wanted, "must match here");
            finding.fixes = removals(cx, [forbidden.span, *wanted]);
        }
    }
}

/// Returns whether a check fails if the pattern matches nothing. The pattern must treat case as `must_not_match_regex`
/// does.
fn must_match(pattern: &CasePattern<'_>) -> bool {
    let other = matches!(pattern.used, PatternUse::Forbidden | PatternUse::Counted | PatternUse::Age);
    pattern.is_read && !other
}

#[cfg(test)]
mod tests {
    use super::CONTRADICTORY_REGEX;
    use crate::lints::tests::fixture::{Setup, check_each, findings};

    #[test]
    fn findings_are_as_marked() {
        check_each(
            &CONTRADICTORY_REGEX,
            r#"
# patterns are compared by their value
{ "cases": [ { "id": "A", "expected": {
  "must_match_regex": ["a\\d", "(Booked)", "", "[0-9]+"],
  "must_not_match_regex": ["a\\d+", "(booked)", "", "\u005b0-9]+", "[0-9]+"]
                                                    ^^^^^^^^^^^^^ `[0-9]+` must match and must not match: one of the two checks fails
                                                                   ^^^^^^^^ `[0-9]+` must match and must not
} } ] }

# every field that must match is compared
{ "cases": [ { "id": "A", "expected": {
  "must_ground_numbers": [{ "regex": "[0-9]+ bikes" }],
  "claim_evidence_alignment": true, "evidence_marker_regex": "stock list",
  "must_not_match_regex": ["[0-9]+ bikes", "stock list", "- .+"], "lever_regex": "- .+"
                           ^^^^^^^^^^^^^^ `[0-9]+ bikes` must match and must not
                                           ^^^^^^^^^^^^ `stock list` must match and must not
} },
{ "id": "B", "expected": { "must_not_match_regex": ["stock list"], "evidence_marker_regex": "stock list" } },
{ "id": "C", "expected": { "must_match_regex": ["stock list"] } } ] }
"#,
        );
    }

    #[test]
    fn the_finding_shows_the_other_pattern() {
        let suite =
            r#"{"cases": [{"id": "A", "expected": {"must_match_regex": ["x"], "must_not_match_regex": ["x"]}}]}"#;
        let found = findings(&Setup::default(), &CONTRADICTORY_REGEX, suite);
        assert_eq!(found[0].related[0].span.start, suite.find("\"x\"").unwrap());
    }
}
