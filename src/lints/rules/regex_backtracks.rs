use crate::lints::{CaseContext, Check, Report, declare_lint};

declare_lint! {
    /// A pattern reaches the match limit on an ordinary line, and the case is an `ERROR`.
    ///
    /// A pattern with references, look-arounds, atomic groups or possessive repeats is matched by backtracking. If a repeat contains
    /// another one, as in `(\\w+\\s?)+`, a line can be split between them in many ways, and all of them are tried if no match
    /// follows. In `booked(?=.*Thursday)`, each `booked` reads the rest of the line, which takes long on JSON in one line. A limit
    /// ends this, and the case is an `ERROR`, which is neither passed nor failed.
    ///
    /// eval-ls tries the pattern on up to 14 lines: short ones of letters, digits, words and spaces, and lines of 64 KiB of words and
    /// of the pattern's own texts. All other patterns are matched without backtracking where it would take too long.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_match_regex": ["booked(?=.*Thursday)"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Begin a pattern that reads the rest of the line with `^`, or limit its repeats. Write nested repeats so that a text can be
    /// split between them in one way only, or make them possessive (`++`).
    ///
    /// ```json
    /// { "must_match_regex": ["booked(?=.{0,100}Thursday)"] }
    /// ```
    pub(crate) REGEX_BACKTRACKS = "regex-backtracks", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    for pattern in cx.patterns.iter().filter(|pattern| pattern.is_read) {
        if let Some(hostile) = &pattern.facts.hostile {
            let line = hostile.description();
            report.add(pattern.span, format!("reaches the match limit on {line}: the case is then an `ERROR`"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::REGEX_BACKTRACKS;
    use crate::lints::tests::fixture::check_each;

    #[test]
    fn findings_are_as_marked() {
        check_each(
            &REGEX_BACKTRACKS,
            r#"
# a long line is described
{ "cases": [ { "id": "A", "expected": { "must_match_regex": ["booked(?=.*Thursday)", "booked(?=.{0,100}Thursday)"] } } ] }
                                                             ^^^^^^^^^^^^^^^^^^^^^^ reaches the match limit on a line of 64 KiB that repeats `booked some ordinary words, 12 of 300;` after `Thursday`: the case is then an `ERROR`

# a short line is shown
{ "cases": [ { "id": "A", "expected": {
  "must_match_regex": ["(\\w+\\s?)+$", "\\w+(\\s\\w+)*: booked"],
  "required_levers": 1, "lever_regex": "^(?=a)(a+)+$"
                                       ^^^^^^^^^^^^^^ reaches the match limit on a line such as `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!`: the case is then an `ERROR`
} }, { "id": "B", "expected": { "lever_regex": "^(?=a)(a+)+$" } } ] }
"#,
        );
    }
}
