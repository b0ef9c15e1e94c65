use crate::diagnostic::{Edit, Fix, quoted};
use crate::lints::facts::weighing::Given;
use crate::lints::{CaseContext, Check, Report, declare_lint};

declare_lint! {
    /// A weight is below 0.
    ///
    /// It inverts the soft score: a passed check of the group lowers the score, and a failed one raises it.
    ///
    /// ## Example
    ///
    /// ```json
    /// {
    ///   "must_say_any": ["Thursday"],
    ///   "must_label_assumptions": true,
    ///   "scoring": { "soft_score": { "threshold": 0.8, "weights": { "formatting": 1.2, "uncertainty": -0.2 } } }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Write a weight of 0 or more. A group that should not count needs no weight.
    ///
    /// ```json
    /// {
    ///   "must_say_any": ["Thursday"],
    ///   "must_label_assumptions": true,
    ///   "scoring": { "soft_score": { "threshold": 0.8, "weights": { "formatting": 0.8, "uncertainty": 0.2 } } }
    /// }
    /// ```
    pub(crate) NEGATIVE_WEIGHT = "negative-weight", Error, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let Some(given) = Given::of(cx) else { return };
    for weight in given.weights.iter().filter(|weight| weight.value.value < 0.0) {
        let span = weight.value.span;
        let text = cx.node.text().get(span.range()).unwrap_or_default();
        let minus = crate::text::Span::new(span.start, span.start + 1);
        report
            .add(span, format!("expected a weight of at least 0, found {}", quoted(text)))
            .fix(Fix::new("remove the minus", vec![Edit::delete(minus)]));
    }
}

#[cfg(test)]
mod tests {
    use super::NEGATIVE_WEIGHT;
    use crate::lints::tests::fixture::check_each;

    #[test]
    fn findings_are_as_marked() {
        check_each(
            &NEGATIVE_WEIGHT,
            r#"
# finds each
{ "cases": [
  { "expected": { "scoring": { "soft_score": { "weights": { "formatting": -0.2, "uncertainty": -1e-9, "unknown": -3 } } } } },
                                                                          ^^^^ expected a weight of at least 0, found `-0.2`
                                                                                               ^^^^^ expected a weight of at least 0, found `-1e-9`
                                                                                                                 ^^ expected a weight of at least 0, found `-3`
  { "expected": { "scoring": { "soft_score": { "weights": { "formatting": -1 } } } } }
                                                                          ^^ expected a weight of at least 0, found `-1`
] }

# zeros lost values and other types have no finding
{ "cases": [ { "expected": { "scoring": { "soft_score": {
                "threshold": -1, "weights": { "formatting": -1, "formatting": -0.0, "uncertainty": 0, "tool_hygiene": "-1" }
            } } } } ] }
"#,
        );
    }
}
