use crate::diagnostic::quoted;
use crate::lints::{CaseContext, Check, Report, declare_lint};

declare_lint! {
    /// A pattern needs a line break, so it never matches.
    ///
    /// A pattern is matched against each line of the response separately, without the line break. A pattern that needs
    /// two lines never matches. Under `must_match_regex` its check always fails, and under `must_not_match_regex` it
    /// always passes. `[^\\n]` is allowed, because it does not need a
    /// line break, and so is `\\R`, which also matches a lone `\\r` and other characters within a line.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_match_regex": ["Booking:\\n- Thursday"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Write a separate pattern for each line.
    ///
    /// ```json
    /// { "must_match_regex": ["Booking:$", "^- Thursday"] }
    /// ```
    pub(crate) REGEX_SPANS_LINES = "regex-spans-lines", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    for pattern in &cx.patterns {
        if let Some(span) = pattern.facts.line_break {
            let text = quoted(&pattern.value[span.range()]);
            report.add(pattern.raw(span), format!("each line is matched separately, so {text} never matches"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lints::tests::fixture::check;

    #[test]
    fn the_finding_covers_the_line_break_in_the_json() {
        check(
            &REGEX_SPANS_LINES,
            r#"
{ "cases": [ { "id": "A", "expected": {
  "must_match_regex": ["Booking:\\nThursday", "\u00e9:\n- ", "[^\\n]+"],
                                ^^^ each line is matched separately, so `\n` never matches
                                                      ^^ each line is matched separately, so `\n` never
  "must_not_match_regex": ["\\n$", "(\\n", "\\R$"], "required_levers": 1, "lever_regex": "^-.*\u005cn"
                            ^^^ each line is matched separately, so `\n` never
                                                                                              ^^^^^^^ each line is matched separately
} } ] }
"#,
        );
    }
}
