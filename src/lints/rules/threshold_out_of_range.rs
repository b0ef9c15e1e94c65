use crate::diagnostic::{Edit, Fix, quoted};
use crate::lints::{CaseContext, Check, Report, declare_lint};

declare_lint! {
    /// A threshold is below 0 or above 1.
    ///
    /// The soft score ranges from 0 to 1. A threshold above 1 is never reached, so the case can only fail. A threshold
    /// below 0 is always reached, so failed checks only lead to `PARTIAL`. Write a percentage as 0.8, not as 80.
    ///
    /// ## Example
    ///
    /// ```json
    /// {
    ///   "must_say_any": ["Thursday"],
    ///   "scoring": { "soft_score": { "threshold": 80, "weights": { "formatting": 1 } } }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Write a threshold above 0 and up to 1.
    ///
    /// ```json
    /// {
    ///   "must_say_any": ["Thursday"],
    ///   "scoring": { "soft_score": { "threshold": 0.8, "weights": { "formatting": 1 } } }
    /// }
    /// ```
    pub(crate) THRESHOLD_OUT_OF_RANGE = "threshold-out-of-range", Error, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let Some(threshold) = cx.case.expected.threshold() else { return };
    let effect = match threshold.value {
        value if value < 0.0 => "is always reached",
        value if value > 1.0 => "can never be reached",
        _ => return,
    };
    let written = cx.node.text().get(threshold.span.range()).unwrap_or_default();
    let text = quoted(written);
    let finding = report.add(threshold.span, format!("expected a threshold from 0 to 1, found {text}, which {effect}"));
    let meant = match threshold.value {
        value if (-1.0..0.0).contains(&value) => written.trim_start_matches('-').to_owned(),
        value if (2.0..=100.0).contains(&value) => format!("{}", (value * 1e6).round() / 1e8),
        _ => return,
    };
    finding.fix(Fix::new(format!("replace with `{meant}`"), vec![Edit::replace(threshold.span, meant)]));
}

#[cfg(test)]
mod tests {
    use super::THRESHOLD_OUT_OF_RANGE;
    use crate::lints::tests::fixture::check;

    #[test]
    fn thresholds_on_both_sides_are_reported() {
        check(
            &THRESHOLD_OUT_OF_RANGE,
            r#"
{ "cases": [
  { "expected": { "scoring": { "soft_score": { "threshold": -0.1 } } } },
                                                            ^^^^ expected a threshold from 0 to 1, found `-0.1`, which is always reached
  { "expected": { "scoring": { "soft_score": { "threshold": 1.000001 } } } },
                                                            ^^^^^^^^ expected a threshold from 0 to 1, found `1.000001`, which can never be reached
  { "expected": { "scoring": { "soft_score": { "threshold": 0 } } } },
  { "expected": { "scoring": { "soft_score": { "threshold": -0 } } } },
  { "expected": { "scoring": { "soft_score": { "threshold": 1.0 } } } },
  { "expected": { "scoring": { "soft_score": { "threshold": "2" } } } },
  { "expected": { "scoring": { "soft_score": { "threshold": 2, "threshold": 0.5 } } } },
  { "expected": { "scoring": { "threshold": 2, "soft_score": {} } } }
] }
"#,
        );
    }
}
