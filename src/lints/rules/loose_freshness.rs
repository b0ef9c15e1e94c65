use crate::diagnostic::{Edit, Fix};
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::pattern::{Budget, Case, compile_cached};
use crate::suite::PatternUse;
use crate::syntax::encode;

declare_lint! {
    /// The pattern for the age of evidence reads other numbers as minutes.
    ///
    /// A pattern may accept a number before any word that begins with `m`: then "2 mentions" counts as two minutes, and
    /// "412 messages" as 412. So a brief without an age passes, and one with a fresh age fails. The default pattern is not reported.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "evidence_freshness_max_age_minutes": 30, "evidence_freshness_regex": "(?i)[0-9]{1,4}\\s*m" }
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
    let Some(given) = &cx.case.expected.evidence_freshness_regex else { return };
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
    use crate::lints::tests::fixture::check_lines;

    #[test]
    fn the_strict_pattern_takes_ages_alone() {
        assert_eq!(other_number(STRICT_FRESHNESS), None);
        let pattern = compile_cached(STRICT_FRESHNESS, Case::Matters).unwrap();
        for line in ["5 min ago", "Updated 12 minutes ago", "3m", "1 Minute"] {
            assert!(pattern.find(line, 0, &Budget::default()).unwrap().is_some(), "{line}");
        }
    }

    #[test]
    fn finds_patterns_that_take_other_numbers_unless_it_is_the_default() {
        check_lines(
            &LOOSE_FRESHNESS,
            r#"
            { "evidence_freshness_max_age_minutes": 5, "evidence_freshness_regex": «"[0-9]+"» }
            { "evidence_freshness_max_age_minutes": 5, "evidence_freshness_regex": «"[0-9]+\\s*m"» }
            { "evidence_freshness_max_age_minutes": 5, "evidence_freshness_regex": "[0-9]+ minutes?" }
            { "evidence_freshness_max_age_minutes": 5, "evidence_freshness_regex": "[0-9]+\\s*m(in)?\\b" }
            { "evidence_freshness_max_age_minutes": 5, "evidence_freshness_regex": "(" }
            { "evidence_freshness_max_age_minutes": 5, "evidence_freshness_regex": 1 }
            { "evidence_freshness_max_age_minutes": 5 }
            { "evidence_freshness_max_age_minutes": 5, "evidence_freshness_regex": «"[0-9]+ *m"» }
            → { "evidence_freshness_max_age_minutes": 5, "evidence_freshness_regex": "(?i)\\b[0-9]{1,4}\\s*(?:m|mins?|minutes?)\\b" }
            "#,
        );
    }
}
