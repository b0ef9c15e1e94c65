use crate::diagnostic::{Edit, Fix, quoted};
use crate::lints::declare::declare_lint;
use crate::lints::{CaseContext, Check, Report};
use crate::syntax::encode;

declare_lint! {
    /// A pattern means something else, or is invalid, with another version of PCRE2 or in another runner.
    ///
    /// This program has PCRE2 built in, so its verdicts do not depend on the machine. A runner that calls ripgrep uses the
    /// PCRE2 of the system. Before version 10.43, `a{,3}` is the text `a{,3}`, and a look-behind must have a fixed length.
    /// `a)(b` is valid only because a pattern is put into a group before it is compiled.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_match_regex": ["(?<=slot {1,3})booked", "\\d{,3} bikes"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Write a form that all versions read in the same way. `\K` can replace a look-behind.
    ///
    /// ```json
    /// { "must_match_regex": ["slot {1,3}\\Kbooked", "\\d{0,3} bikes"] }
    /// ```
    pub(crate) UNPORTABLE_REGEX = "unportable-regex", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    for pattern in &cx.patterns {
        for part in &pattern.facts.unportable {
            let span = pattern.raw(part.span);
            let finding = report.add(span, format!("{} {}", quoted(&pattern.value[part.span.range()]), part.why));
            if let Some(same) = &part.same {
                let literal = encode(same);
                let edit = Edit::replace(span, &literal[1..literal.len() - 1]);
                finding.fix(Fix::safe(format!("write {}", quoted(same)), vec![edit]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::UNPORTABLE_REGEX;
    use crate::lints::testing::{check, check_fix};

    #[test]
    fn parts_that_other_versions_read_differently_are_reported() {
        check(
            &UNPORTABLE_REGEX,
            r#"
{ "cases": [ { "id": "A", "expected": {
  "must_match_regex": ["a)(b", "(?<=a{1,3})b", "^a{,3}$", "(?<=a)b{2,}", "\u0061{,3}"],
                         ^ `)` closes the group that the runner puts around a pattern, and alone the pattern is invalid
                                ^^^^ `(?<=` has no fixed length, which is invalid before PCRE2 10.43
                                                  ^^^^ `{,3}` is literal text before PCRE2 10.43
                                                                                ^^^^ `{,3}` is literal text
  "must_not_match_regex": ["a)b"]
} } ] }
"#,
        );
    }

    #[test]
    fn the_fix_writes_counts_that_all_versions_read() {
        let case = |pattern: &str| {
            format!(r#"{{ "cases": [ {{ "id": "A", "expected": {{ "must_match_regex": ["{pattern}"] }} }} ] }}"#)
        };
        check_fix(&UNPORTABLE_REGEX, &case("a{,3}"), &case("a{0,3}"));
        check_fix(&UNPORTABLE_REGEX, &case("a{ 1,\\t3 }"), &case("a{1,3}"));
    }
}
