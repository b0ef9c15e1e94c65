use crate::lints::declare::declare_lint;
use crate::lints::{CaseContext, Check, Report};

declare_lint! {
    /// A pattern does not compile.
    ///
    /// Patterns are PCRE2. A check whose pattern does not compile always fails, also under `must_not_match_regex`. The
    /// message is PCRE2's own; it is shown at the characters that caused it.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_match_regex": ["(booked|reserved for Thursday"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Fix the pattern. To match a special character such as `(` literally, write a backslash before it. JSON requires
    /// the backslash to be doubled: `\\(`.
    ///
    /// ```json
    /// { "must_match_regex": ["(booked|reserved) for Thursday", "\\(2 bikes"] }
    /// ```
    pub(crate) INVALID_REGEX = "invalid-regex", Error, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    for pattern in &cx.patterns {
        if let Some(error) = &pattern.facts.error {
            report.add(pattern.raw(error.span), format!("invalid pattern: {error}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::INVALID_REGEX;
    use crate::lints::testing::check;

    #[test]
    fn errors_are_reported_in_every_field() {
        check(
            &INVALID_REGEX,
            r#"
{ "cases": [ { "id": "A", "expected": {
  "must_match_regex": ["booked", "[a-", "", "(bike"],
                                  ^ invalid pattern: missing terminating ] for character class
                                             ^ invalid pattern: missing closing parenthesis
  "must_not_match_regex": ["bike)"],
                                ^ invalid pattern: unmatched closing parenthesis
  "must_ground_numbers": [{ "regex": "*" }, { "value": "*" }, "*"],
                                      ^ invalid pattern: quantifier does not follow a repeatable item
  "lever_regex": "[z-a]", "claim_marker_regex": "a{3,1}", "evidence_marker_regex": "(?z)", "alignment_marker_regex": "(a",
                   ^^^ invalid pattern: range out of order in character class
                                                  ^^^^^ invalid pattern: numbers out of order in {} quantifier
                                                                                      ^ invalid pattern: unrecognized character after (? or (?-
                                                                                                                      ^ invalid pattern: missing closing parenthesis
  "evidence_freshness_regex": "(a", "must_say_any": ["("]
                               ^ invalid pattern: missing closing parenthesis
} } ] }
"#,
        );
    }

    #[test]
    fn spans_account_for_escapes_of_json() {
        check(
            &INVALID_REGEX,
            r#"
{ "cases": [ {
  "id": "\u00e9", "expected": {
  "must_match_regex": ["\u00e9\\d+\"\ud83d\ude00(", "é😀\\y", "\u00e9\u005b\u007a-a]", "\\"]
                                                ^ invalid pattern: missing closing parenthesis
                                                       ^^^ invalid pattern: unrecognized character follows \
                                                                          ^^^^^^^^ invalid pattern: range out of order in character class
                                                                                       ^^ invalid pattern: \ at end of pattern
} } ] }
"#,
        );
    }

    #[test]
    fn patterns_that_pcre2_accepts_have_no_finding() {
        check(
            &INVALID_REGEX,
            r#"
{ "cases": [ { "id": "A", "expected": {
  "must_match_regex": ["(?<=saddle )\\d++(?! left)", "\\p{L}\\X(?>a|b)(?1)?()", "{", "a{,3}", "[]]", "\\Qa\\E"]
} } ] }
"#,
        );
    }

    #[test]
    fn unclosed_strings_have_no_finding() {
        check(&INVALID_REGEX, r#"{ "cases": [ { "id": "A", "expected": { "must_match_regex": ["\("] } } ] }"#);
        check(&INVALID_REGEX, r#"{ "cases": [ { "id": "A", "expected": { "must_match_regex": ["(booked"#);
    }
}
