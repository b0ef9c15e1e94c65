use crate::lints::{CaseContext, Check, Report, declare_lint};

declare_lint! {
    /// A threshold is 0.
    ///
    /// Every soft score reaches it, so failed checks outside of hard-fail groups cannot fail the case. The case is
    /// `PARTIAL` at worst.
    ///
    /// ## Example
    ///
    /// ```json
    /// {
    ///   "must_say_any": ["Thursday"],
    ///   "scoring": { "soft_score": { "threshold": 0, "weights": { "formatting": 1 } } }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Write a threshold above 0, or remove it. Without a threshold the soft score is reported and decides nothing.
    ///
    /// ```json
    /// {
    ///   "must_say_any": ["Thursday"],
    ///   "scoring": { "soft_score": { "threshold": 0.8, "weights": { "formatting": 1 } } }
    /// }
    /// ```
    pub(crate) ZERO_THRESHOLD = "zero-threshold", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    if let Some(threshold) = cx.case.expected.threshold().filter(|threshold| threshold.value == 0.0) {
        let message = "every soft score reaches a threshold of 0: failed checks make the case `PARTIAL` at worst";
        report.add(threshold.span, message);
    }
}

#[cfg(test)]
mod tests {
    use super::ZERO_THRESHOLD;
    use crate::lints::tests::fixture::check;

    #[test]
    fn zero_however_it_is_written() {
        check(
            &ZERO_THRESHOLD,
            r#"
{ "cases": [
  { "expected": { "scoring": { "soft_score": { "threshold": 0 } } } },
                                                            ^ every soft score reaches a threshold of 0
  { "expected": { "scoring": { "hard_fail": ["formatting"], "soft_score": { "threshold": -0.00e1 } } } },
                                                                                         ^^^^^^^ every soft score reaches a threshold of 0
  { "expected": { "scoring": { "soft_score": { "threshold": 0.000001 } } } },
  { "expected": { "scoring": { "soft_score": { "threshold": -0.1 } } } },
  { "expected": { "scoring": { "soft_score": { "threshold": "0" } } } },
  { "expected": { "scoring": { "soft_score": { "threshold": null } } } },
  { "expected": { "scoring": { "soft_score": { "threshold": 0, "threshold": 1 } } } },
  { "expected": { "scoring": { "soft_score": {} } } }
] }
"#,
        );
    }
}
