use crate::diagnostic::{Edit, Fix};
use crate::lints::facts::weighing::{Given, has_key_like};
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::syntax::separator_before;

declare_lint! {
    /// A soft score has weights but no threshold.
    ///
    /// The soft score decides only if there is a threshold. Without a threshold the score is reported, and any failed
    /// check fails the case, whatever its weight is.
    ///
    /// ## Example
    ///
    /// ```json
    /// {
    ///   "must_say_any": ["Thursday"],
    ///   "must_label_assumptions": true,
    ///   "scoring": { "soft_score": { "weights": { "formatting": 0.7, "uncertainty": 0.3 } } }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Add a threshold, or remove the weights.
    ///
    /// ```json
    /// {
    ///   "must_say_any": ["Thursday"],
    ///   "must_label_assumptions": true,
    ///   "scoring": { "soft_score": { "threshold": 0.8, "weights": { "formatting": 0.7, "uncertainty": 0.3 } } }
    /// }
    /// ```
    pub(crate) UNUSED_WEIGHTS = "unused-weights", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let Some(given) = Given::of(cx).filter(|given| !given.weights.is_empty()) else { return };
    if cx.case.expected.threshold().is_some() || has_key_like(cx, "threshold") {
        return;
    }
    let separator = separator_before(cx.node.text(), given.key.start);
    report.add(given.key, "weights have no effect without a threshold").fix(Fix::new(
        "add a threshold of 0.8",
        vec![Edit::insert(given.key.start, format!("\"threshold\": 0.8,{separator}"))],
    ));
}

#[cfg(test)]
mod tests {
    use super::UNUSED_WEIGHTS;
    use crate::lints::tests::fixture::{check, first_fix};

    fn case(scoring: &str) -> String {
        format!(r#"{{"cases": [{{"expected": {{"must_say_any": ["a"], "scoring": {scoring}}}}}]}}"#)
    }

    #[test]
    fn weights_are_reported_whatever_their_sum_is() {
        check(
            &UNUSED_WEIGHTS,
            r#"
{ "cases": [
  { "expected": { "scoring": { "soft_score": { "weights": { "formatting": 1 } } } } },
                                               ^^^^^^^^^ weights have no effect without a threshold
  { "expected": { "scoring": { "hard_fail": ["formatting"], "soft_score": { "weights": { "formatting": 0.5, "unknown": 1 } } } } }
                                                                            ^^^^^^^^^ weights have no effect without a threshold
] }
"#,
        );
    }

    #[test]
    fn given_and_intended_thresholds_have_no_finding() {
        for scoring in [
            r#"{"soft_score": {"threshold": 0.8, "weights": {"formatting": 1}}}"#,
            r#"{"soft_score": {"threshold": 0, "weights": {"formatting": 1}}}"#,
            r#"{"soft_score": {"threshold": "0.8", "weights": {"formatting": 1}}}"#,
            r#"{"soft_score": {"threshold": , "weights": {"formatting": 1}}}"#,
            r#"{"soft_score": {"treshold": 0.8, "weights": {"formatting": 1}}}"#,
            r#"{"threshold": 0.8, "soft_score": {"weights": {"formatting": 1}}}"#,
            r#"{"soft_score": {"weights": {}}}"#,
            r#"{"soft_score": {"weights": [1]}}"#,
            r#"{"soft_score": {}}"#,
        ] {
            check(&UNUSED_WEIGHTS, &case(scoring));
        }
    }

    #[test]
    fn the_fix_adds_a_threshold() {
        let fixed = [
            r#"{"soft_score": {"weights": {"formatting": 1}}}"#,
            "{\"soft_score\": {\r\n    \"weights\": {\"formatting\": 1}\r\n  }}",
        ]
        .map(|scoring| first_fix(&UNUSED_WEIGHTS, &case(scoring)).replace('\r', "␍"));
        insta::assert_snapshot!(fixed.join("\n\n"));
    }
}
