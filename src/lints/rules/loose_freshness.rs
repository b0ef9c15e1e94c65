use crate::diagnostic::{Edit, Fix};
use crate::lints::declare::declare_lint;
use crate::lints::{CaseContext, Check, Report};
use crate::pattern::{Budget, Case, compile_cached};
use crate::suite::{ExpectationKind, PatternUse};
use crate::syntax::{encode, separator_before};

declare_lint! {
    /// The pattern for the age of evidence reads other numbers as minutes.
    ///
    /// The default of `evidence_freshness_regex` accepts a number before any word that begins with `m`: "2 mentions" counts as
    /// two minutes, and "412 messages" as 412. So a brief without an age passes, and one with a fresh age fails.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "evidence_freshness_max_age_minutes": 30 }
    /// ```
    ///
    /// ## Fix
    ///
    /// Give a pattern that ends at the word.
    ///
    /// ```json
    /// {
    ///   "evidence_freshness_max_age_minutes": 30,
    ///   "evidence_freshness_regex": "(?i)\\b[0-9]{1,4}\\s*(?:m|mins?|minutes?)\\b"
    /// }
    /// ```
    pub(crate) LOOSE_FRESHNESS = "loose-freshness", Warning, Check::Case(check);
}

/// A pattern for the age in minutes that ends at the word: what the fix writes, and what completion writes.
pub(crate) const STRICT_FRESHNESS: &str = r"(?i)\b[0-9]{1,4}\s*(?:m|mins?|minutes?)\b";

/// Lines without an age.
const OTHER: [&str; 3] = ["2 mentions", "412 messages", "3 meetings"];

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let expected = &cx.case.expected;
    let Some(limit) = &expected.evidence_freshness_max_age_minutes else { return };
    let Some(given) = &expected.evidence_freshness_regex else {
        // One of the wrong type is given too.
        let object = cx.node.get("expected");
        let is_given = object.is_some_and(|object| object.member("evidence_freshness_regex").is_some());
        let default = cx.expectations.iter().find_map(|check| match check.kind {
            ExpectationKind::EvidenceFreshness { pattern, .. } => Some(pattern),
            _ => None,
        });
        if let Some(other) = default.and_then(other_number).filter(|_| !is_given) {
            let message = format!("the default pattern for the age reads \"{other}\" as minutes");
            let separator = separator_before(cx.node.text(), limit.key.start);
            let member = format!(",{separator}\"evidence_freshness_regex\": {}", encode(STRICT_FRESHNESS));
            let fix = Fix::new("add a pattern that ends at the word", vec![Edit::insert(limit.span.end, member)]);
            report.add(limit.key, message).fix(fix);
        }
        return;
    };
    let is_whole = cx.patterns.iter().any(|pattern| pattern.used == PatternUse::Age && pattern.facts.error.is_none());
    if let Some(other) = other_number(&given.value).filter(|_| is_whole) {
        let fix =
            Fix::new("use a pattern that ends at the word", vec![Edit::replace(given.span, encode(STRICT_FRESHNESS))]);
        report.add(given.span, format!("this pattern reads \"{other}\" as an age in minutes")).fix(fix);
    }
}

/// A line without an age in which the pattern finds one.
fn other_number(pattern: &str) -> Option<&'static str> {
    let pattern = compile_cached(pattern, Case::Matters).ok()?;
    let budget = Budget::default();
    let has_digit = |line: &str| {
        let found = pattern.find(line, 0, &budget).ok().flatten();
        found.is_some_and(|span| line[span.range()].contains(|c: char| c.is_ascii_digit()))
    };
    OTHER.into_iter().find(|line| has_digit(line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lints::testing::{check_fix_of, flagged};

    #[test]
    fn the_strict_pattern_takes_ages_alone() {
        assert_eq!(other_number(STRICT_FRESHNESS), None);
        let pattern = compile_cached(STRICT_FRESHNESS, Case::Matters).unwrap();
        for line in ["5 min ago", "Updated 12 minutes ago", "3m", "1 Minute"] {
            assert!(pattern.find(line, 0, &Budget::default()).unwrap().is_some(), "{line}");
        }
    }

    #[test]
    fn finds_patterns_that_take_other_numbers() {
        let with = |regex: &str| {
            format!(r#"{{ "evidence_freshness_max_age_minutes": 5, "evidence_freshness_regex": {regex} }}"#)
        };
        for (regex, is_found) in [
            (r#""[0-9]+""#, true),
            (r#""[0-9]+\\s*m""#, true),
            (r#""[0-9]+ minutes?""#, false),
            (r#""[0-9]+\\s*m(in)?\\b""#, false),
            (r#""(""#, false),
            ("1", false),
        ] {
            assert_eq!(!flagged(&LOOSE_FRESHNESS, &with(regex)).is_empty(), is_found, "{regex}");
        }
    }

    #[test]
    fn adds_a_pattern() {
        check_fix_of(
            &LOOSE_FRESHNESS,
            r#"{ "evidence_freshness_max_age_minutes": 5 }"#,
            r#"{ "evidence_freshness_max_age_minutes": 5, "evidence_freshness_regex": "(?i)\\b[0-9]{1,4}\\s*(?:m|mins?|minutes?)\\b" }"#,
        );
    }
}
