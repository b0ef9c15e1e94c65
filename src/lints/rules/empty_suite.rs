use crate::lints::{Check, Report, SuiteContext, declare_lint};
use crate::syntax::Kind;

declare_lint! {
    /// A suite has no case.
    ///
    /// Nothing is judged, and `run` ends with exit status 4.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "cases": [] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Write a case, or remove the file.
    ///
    /// ```json
    /// { "cases": [ { "id": "BOOK1", "prompt": "Book a slot.", "expected": { "must_say_any": ["booked"] } } ] }
    /// ```
    pub(crate) EMPTY_SUITE = "empty-suite", Warning, Check::Suite(check);
}

fn check(cx: &SuiteContext<'_>, report: &mut Report) {
    let Some(member) = cx.root.member("cases") else { return };
    let list = member.value.filter(|list| list.kind() == Kind::Array && !list.is_broken());
    if list.is_some_and(|list| list.elements().next().is_none()) {
        report.add(member.key.span(), "the suite has no case, so nothing is judged");
    }
}

#[cfg(test)]
mod tests {
    use super::EMPTY_SUITE;
    use crate::lints::tests::fixture::{Setup, flagged_in};

    #[test]
    fn finds_an_empty_list_of_cases() {
        let found = |suite: &str| flagged_in(&Setup::default(), &EMPTY_SUITE, suite);
        assert_eq!(found(r#"{ "cases": [ ] }"#), [r#""cases""#]);
        for suite in [r#"{ "cases": [ {} ] }"#, r#"{ "cases": {} }"#, r#"{ "cases": [1] }"#, "{}", r#"{ "cases": ["#] {
            assert_eq!(found(suite), [] as [&str; 0], "{suite}");
        }
    }
}
