use crate::diagnostic::{Edit, Fix};
use crate::lints::{CaseContext, Check, Report, declare_lint};

declare_lint! {
    /// A pattern has one level of backslashes too many.
    ///
    /// JSON removes one level of backslashes. `\\s` in the file is `\s` in the pattern, which matches white space.
    /// `\\\\s` in the file is `\\s` in the pattern, which matches a backslash and the letter `s`. Responses rarely
    /// contain that.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_match_regex": ["Total:\\\\s*\\\\d+ bikes"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Remove one level.
    ///
    /// ```json
    /// { "must_match_regex": ["Total:\\s*\\d+ bikes"] }
    /// ```
    pub(crate) OVER_ESCAPED_REGEX = "over-escaped-regex", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    for pattern in &cx.patterns {
        let Some(over) = &pattern.facts.over_escaped else { continue };
        let letter = &pattern.value[over.first.end - 1..over.first.end];
        let message = format!("`\\\\{letter}` is a backslash and the letter `{letter}`, not {}", meant(letter));
        let finding = report.add(pattern.raw(over.first), message);
        if !over.excess.is_empty() {
            let edits = over.excess.iter().map(|backslash| Edit::delete(pattern.raw(*backslash))).collect();
            finding.fix(Fix::new("remove one level of backslashes", edits));
        }
    }
}

fn meant(letter: &str) -> &'static str {
    match letter {
        "s" => "white space",
        "S" => "a character other than white space",
        "d" => "a digit",
        "D" => "a character other than a digit",
        "w" => "a letter, digit or `_`",
        "W" => "a character other than a letter, digit or `_`",
        "b" => "a word boundary",
        _ => "a place without a word boundary",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lints::tests::fixture::check_each;

    #[test]
    fn findings_and_fixes_are_as_marked() {
        check_each(
            &OVER_ESCAPED_REGEX,
            r#"
# the finding covers the backslashes and the letter
{ "cases": [ { "id": "A", "expected": {
  "must_match_regex": ["\u00e9\\\\s*", "\\s\\\\b", "\\\\("], "required_levers": 1, "lever_regex": "^\u005c\u005cd"
                              ^^^^^ `\\s` is a backslash and the letter `s`, not white space
                                           ^^^^^ `\\b` is a backslash and the letter `b`, not a word boundary
                                                                                                    ^^^^^^^^^^^^^ `\\d` is a backslash and the letter `d`, not a digit
} } ] }

# the fix removes one level
{"must_match_regex": ["Total:\\\\s*\\\\d+"]}
→ {"must_match_regex": ["Total:\\s*\\d+"]}

{"must_match_regex": ["\\\\(\\\\d+\\\\.\\\\d\\\\)"]}
→ {"must_match_regex": ["\\(\\d+\\.\\d\\)"]}

{"must_match_regex": ["\\d\\\\d"]}
→ {"must_match_regex": ["\\d\\d"]}

{"must_match_regex": ["[\\\\w.]+"]}
→ {"must_match_regex": ["[\\w.]+"]}

{"must_match_regex": ["^\u005c\u005cd"]}
→ {"must_match_regex": ["^\u005cd"]}
"#,
        );
    }
}
