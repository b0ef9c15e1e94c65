use crate::lints::facts::weighing::Given;
use crate::lints::{CaseContext, Check, Report, declare_lint};

declare_lint! {
    /// The weights of a soft score add up to 0.
    ///
    /// The sum is a divisor, so the soft score is then 1 whatever the assistant does, and every threshold is reached.
    /// An empty `weights` does not mean the default weights; for those, omit the key.
    ///
    /// ## Example
    ///
    /// ```json
    /// {
    ///   "must_say_any": ["Thursday"],
    ///   "scoring": { "soft_score": { "threshold": 0.8, "weights": { "formatting": 0 } } }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Give weight to the groups that matter, or omit `weights`.
    ///
    /// ```json
    /// {
    ///   "must_say_any": ["Thursday"],
    ///   "scoring": { "soft_score": { "threshold": 0.8, "weights": { "formatting": 1 } } }
    /// }
    /// ```
    pub(crate) ZERO_WEIGHTS = "zero-weights", Error, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let Some(given) = Given::of(cx).filter(|given| given.sum() == Some(0.0)) else { return };
    let what = if given.weights.is_empty() { "there are no weights here" } else { "the weights add up to 0" };
    report.add(given.key, format!("{what}, so the soft score is always 1"));
}

#[cfg(test)]
mod tests {
    use super::ZERO_WEIGHTS;
    use crate::lints::tests::fixture::check_each;

    #[test]
    fn findings_are_as_marked() {
        check_each(
            &ZERO_WEIGHTS,
            r#"
# zeros and empty weights are reported
{ "cases": [
  { "expected": { "scoring": { "soft_score": { "threshold": 0.5, "weights": { "formatting": 0, "uncertainty": 0.00 } } } } },
                                                                 ^^^^^^^^^ the weights add up to 0, so the soft score is always 1
  { "expected": { "scoring": { "soft_score": { "weights": { "formatting": 1, "formatting": -0 } } } } },
                                               ^^^^^^^^^ the weights add up to 0, so the soft score is always 1
  { "expected": { "scoring": { "soft_score": { "weights": {} } } } }
                                               ^^^^^^^^^ there are no weights here, so the soft score is always 1
] }

# positive and unreadable weights have no finding
{ "scoring": { "soft_score": { "weights": {"formatting": 0, "uncertainty": 1e-9} } } }

{ "scoring": { "soft_score": { "weights": {"formatting": 0, "unknown": 1} } } }

{ "scoring": { "soft_score": { "weights": {"formatting": 0.5, "uncertainty": -0.5} } } }

{ "scoring": { "soft_score": { "weights": {"formatting": 0, "uncertainty": "1"} } } }

{ "scoring": { "soft_score": { "weights": {"formatting": 0, "uncertainty": } } } }

{ "scoring": { "soft_score": { "weights": {"formatting"} } } }

{ "scoring": { "soft_score": { "weights": [] } } }

{ "scoring": { "soft_score": { "weights": null } } }
"#,
        );
    }
}
