use crate::diagnostic::quoted;
use crate::lints::declare::declare_lint;
use crate::lints::{CaseContext, Check, Report};

declare_lint! {
    /// A pattern runs into the match limit on a short line.
    ///
    /// Where a repeat holds another one, as in `(\\w+\\s?)+`, a line can be parted between them in many ways. If no match
    /// follows, all of them are tried, and each character more doubles their number. The runner stops at its match limit,
    /// and the case is then neither passed nor failed but an `ERROR`.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_match_regex": ["^(\\w+\\s?)+: booked$"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Write the repeats so that a text can be parted between them in one way only, or make them possessive (`++`).
    ///
    /// ```json
    /// { "must_match_regex": ["^\\w+(\\s\\w+)*: booked$"] }
    /// ```
    pub REGEX_BACKTRACKS = "regex-backtracks", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    for pattern in cx.patterns.iter().filter(|pattern| pattern.is_tried) {
        if let Some(hostile) = &pattern.facts.hostile {
            let span = hostile.repeat.map_or(pattern.span, |repeat| pattern.raw(repeat));
            let line = quoted(&hostile.line);
            report
                .add(span, format!("runs into the match limit on a line such as {line}: the case is then an `ERROR`"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::REGEX_BACKTRACKS;
    use crate::lints::testing::check;

    #[test]
    fn points_at_the_repeat_or_at_all_of_them() {
        check(
            &REGEX_BACKTRACKS,
            r#"
{ "cases": [ { "id": "A", "expected": {
  "must_match_regex": ["\u00e9(\\w+\\s?)+$", "\\s*\\s*\\s*\\s*\\s*\\s*\\s*x", "\\w+(\\s\\w+)*: booked"],
                              ^^^^^^^^^^^ runs into the match limit on a line such as `éaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!`: the case is then an `ERROR`
                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ runs into the match limit on a line such as
  "required_levers": 1, "lever_regex": "^(a+)+$"
                                         ^^^^^ runs into the match limit on a line such as `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!`
} }, { "id": "B", "expected": { "lever_regex": "^(a+)+$" } } ] }
"#,
        );
    }
}
