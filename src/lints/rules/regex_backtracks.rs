use crate::diagnostic::quoted;
use crate::lints::declare::declare_lint;
use crate::lints::{CaseContext, Check, Report};

declare_lint! {
    /// A pattern reaches the match limit on a short line, or on an ordinary long one.
    ///
    /// If a repeat contains another one, as in `(\\w+\\s?)+`, a line can be split between them in many ways. If no match
    /// follows, PCRE2 tries all of them, and each additional character doubles their number. It stops at its match limit.
    ///
    /// If the pattern has no references, look-arounds or atomic groups, a second engine then decides without backtracking:
    /// the case has a verdict, but each such line costs as much as a million steps, and other runners stop with an error.
    /// Any other pattern makes the case an `ERROR`, which is neither passed nor failed.
    ///
    /// Such a pattern can also be too expensive on a long line, such as JSON in one line: in `booked(?=.*Thursday)`, each `booked`
    /// reads the rest of the line. It is reported if eval-ls finds a line of 64 KiB on which the case is an `ERROR`.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_match_regex": ["^(\\w+\\s?)+: booked$"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Write the repeats so that a text can be split between them in one way only, or make them possessive (`++`). Begin a pattern
    /// that reads the rest of the line with `^`, or limit its repeats, as in `booked(?=.{0,100}Thursday)`.
    ///
    /// ```json
    /// { "must_match_regex": ["^\\w+(\\s\\w+)*: booked$"] }
    /// ```
    pub(crate) REGEX_BACKTRACKS = "regex-backtracks", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    for pattern in cx.patterns.iter().filter(|pattern| pattern.is_tried) {
        if let Some(hostile) = &pattern.facts.hostile {
            let span = hostile.repeat.map_or(pattern.span, |repeat| pattern.raw(repeat));
            let line = quoted(&hostile.line);
            let effect = if hostile.is_decided { "it is slow there" } else { "the case is then an `ERROR`" };
            report.add(span, format!("reaches the match limit on a line such as {line}: {effect}"));
        } else if let Some(long) = &pattern.facts.long {
            let line = long.description();
            report.add(pattern.span, format!("reaches the match limit on {line}: the case is then an `ERROR`"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::REGEX_BACKTRACKS;
    use crate::lints::testing::check;

    #[test]
    fn a_long_line_is_described() {
        check(
            &REGEX_BACKTRACKS,
            r#"
{ "cases": [ { "id": "A", "expected": { "must_match_regex": ["booked(?=.*Thursday)", "booked(?=.{0,100}Thursday)"] } } ] }
                                                             ^^^^^^^^^^^^^^^^^^^^^^ reaches the match limit on a line of 64 KiB that repeats `booked some ordinary words, 12 of 300;` after `Thursday`: the case is then an `ERROR`
"#,
        );
    }

    #[test]
    fn the_finding_covers_the_repeat_or_the_pattern() {
        check(
            &REGEX_BACKTRACKS,
            r#"
{ "cases": [ { "id": "A", "expected": {
  "must_match_regex": ["\u00e9(\\w+\\s?)+$", "\\s*\\s*\\s*\\s*\\s*\\s*\\s*x", "\\w+(\\s\\w+)*: booked"],
                              ^^^^^^^^^^^ reaches the match limit on a line such as `éaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!`: it is slow there
                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ reaches the match limit on a line such as
  "required_levers": 1, "lever_regex": "^(?=a)(a+)+$"
                                              ^^^^^ reaches the match limit on a line such as `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!`: the case is then an `ERROR`
} }, { "id": "B", "expected": { "lever_regex": "^(a+)+$" } } ] }
"#,
        );
    }
}
