use crate::checks::Expectation;
use crate::lints::{CaseContext, Check, Report, declare_lint};

declare_lint! {
    /// No lever is required.
    ///
    /// `required_levers` is a minimum. Every response has at least 0 levers, so the check cannot fail.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "required_levers": 0 }
    /// ```
    ///
    /// ## Fix
    ///
    /// Require at least one lever, or remove the key. To forbid levers, use `must_not_match_regex`.
    ///
    /// ```json
    /// { "required_levers": 1 }
    /// ```
    pub(crate) ZERO_LEVERS = "zero-levers", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let Some(levers) = cx.case.expected.required_levers.as_ref().filter(|levers| levers.value == 0.0) else { return };
    let can_fail = |check: &Expectation<'_>| check.rule.can_fail() && check.key != "required_levers";
    let only = if cx.expectations.iter().any(can_fail) { "" } else { ", and this case can only pass" };
    report.add(levers.span, format!("every response has at least 0 levers: the check cannot fail{only}"));
}

#[cfg(test)]
mod tests {
    use super::ZERO_LEVERS;
    use crate::lints::tests::fixture::check;

    #[test]
    fn zero_is_no_minimum() {
        check(
            &ZERO_LEVERS,
            r#"
{ "cases": [
  { "expected": { "required_levers": 0 } }, { "expected": { "required_levers": 0.0, "must_say_any": ["a"] } },
                                     ^ every response has at least 0 levers: the check cannot fail, and this case can only pass
                                                                               ^^^ every response has at least 0 levers: the check cannot fail
  { "expected": { "required_levers": 1 } }, { "expected": { "required_levers": "0" } }
] }
"#,
        );
    }
}
