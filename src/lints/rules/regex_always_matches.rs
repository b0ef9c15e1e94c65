use crate::lints::facts::patterns::Always;
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::suite::PatternUse;

declare_lint! {
    /// A pattern matches every line, so its check is useless.
    ///
    /// A pattern that can match the empty string, such as `x*` or `booked|`, matches in every line, even an empty one.
    /// Its check cannot fail. Under `must_not_match_regex` the check cannot pass.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_match_regex": ["booked|reserved|", "(bike )*"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Remove the empty alternative, or use `+` instead of `*` or `?`.
    ///
    /// ```json
    /// { "must_match_regex": ["booked|reserved", "(bike )+"] }
    /// ```
    pub(crate) REGEX_ALWAYS_MATCHES = "regex-always-matches", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    // Levers and freshness ignore empty matches.
    for pattern in cx.patterns.iter().filter(|pattern| pattern.is_read && !pattern.used.collects_matches()) {
        let Some(always) = pattern.facts.always else { continue };
        let so = if pattern.used == PatternUse::Forbidden { "pass" } else { "fail" };
        let (span, what) = match always {
            Always::Whole => (pattern.span, "the pattern matches"),
            Always::Branch(span) => (pattern.raw(span), "this alternative matches"),
            Always::EmptyBranch(bar) => (pattern.raw(bar), "the empty alternative beside this `|` matches"),
        };
        report.add(span, format!("{what} any line, even an empty one: the check cannot {so}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lints::tests::fixture::check;

    #[test]
    fn the_finding_covers_the_alternative() {
        check(
            &REGEX_ALWAYS_MATCHES,
            r#"
{ "cases": [ { "id": "A", "expected": {
  "must_match_regex": ["\u00e9|b*|c", "booked|", "|booked", "a||b", "(a|b|)", ".*"],
                               ^^ this alternative matches any line, even an empty one: the check cannot fail
                                             ^ the empty alternative beside this `|` matches any line
                                                  ^ the empty alternative beside this `|`
                                                              ^ the empty alternative beside this `|`
                                                                    ^^^^^^^^ the pattern matches any line, even an empty one: the check cannot fail
                                                                              ^^^^ the pattern matches any line
  "must_not_match_regex": ["x*"], "must_ground_numbers": [{ "regex": "[0-9]*" }, { "regex": "" }],
                           ^^^^ the pattern matches any line, even an empty one: the check cannot pass
                                                                     ^^^^^^^^ the pattern matches any line
                                                                                            ^^ the pattern matches any line
  "required_levers": 1, "lever_regex": "(- .+)?", "claim_evidence_alignment": true,
  "claim_marker_regex": ".*", "evidence_marker_regex": "seen?", "alignment_marker_regex": "(because)?"
                        ^^^^ the pattern matches any line
                                                                                          ^^^^^^^^^^^^ the pattern matches any line
} },
{ "id": "B", "expected": {
  "evidence_freshness_max_age_minutes": 1, "evidence_freshness_regex": "[0-9]*", "claim_marker_regex": ".*"
} } ] }
"#,
        );
    }
}
