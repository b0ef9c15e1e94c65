use crate::lints::facts::claims::is_asked;
use crate::lints::facts::weighing::{deciding_threshold, is_hard_fail, weighed_groups};
use crate::lints::{CaseContext, Check, Report, declare_lint};

declare_lint! {
    /// A threshold never decides, because every weighted group is a hard-fail group.
    ///
    /// The threshold applies only if no hard-fail group has triggered. If every weighted group with checks is in
    /// `hard_fail`, all of their checks have passed at that point, and the soft score is 1. So every threshold up to 1
    /// gives the same verdict. The weights may only document the importance of each group; often, however, one group
    /// should not be a hard fail.
    ///
    /// ## Example
    ///
    /// ```json
    /// {
    ///   "must_say_any": ["Thursday"],
    ///   "must_label_assumptions": true,
    ///   "scoring": {
    ///     "hard_fail": ["formatting", "uncertainty"],
    ///     "soft_score": { "threshold": 0.8, "weights": { "formatting": 0.7, "uncertainty": 0.3 } }
    ///   }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Remove the groups that a soft score may forgive from `hard_fail`, or remove the threshold.
    ///
    /// ```json
    /// {
    ///   "must_say_any": ["Thursday"],
    ///   "must_label_assumptions": true,
    ///   "scoring": {
    ///     "hard_fail": ["formatting"],
    ///     "soft_score": { "threshold": 0.7, "weights": { "formatting": 0.7, "uncertainty": 0.3 } }
    ///   }
    /// }
    /// ```
    pub(crate) DECIDED_BY_HARD_FAIL = "decided-by-hard-fail", Hint, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let Some((threshold, hard_fail)) = deciding_threshold(cx).zip(cx.case.expected.hard_fail()) else { return };
    let mut groups = weighed_groups(cx).unwrap_or_default();
    groups.retain(|group| is_asked(cx, *group));
    let can_fail = groups.iter().any(|group| cx.can_fail(*group));
    if can_fail && groups.iter().all(|group| is_hard_fail(cx, *group)) {
        report
            .add(
                threshold.key,
                "the threshold decides nothing: every weighted group with checks is a hard-fail group, and the soft score is \
                 1 unless one of them triggers",
            )
            .also(hard_fail.key, "the hard-fail groups");
    }
}

#[cfg(test)]
mod tests {
    use super::DECIDED_BY_HARD_FAIL;
    use crate::lints::tests::fixture::{check, check_each};

    #[test]
    fn findings_are_as_marked() {
        check_each(
            &DECIDED_BY_HARD_FAIL,
            r#"
# thresholds below hard fails only are reported
{ "cases": [
  { "expected": { "must_say_any": ["a"], "must_label_assumptions": true, "scoring": {
    "hard_fail": ["uncertainty", "formatting"], "soft_score": { "threshold": 0.8,
                                                                ^^^^^^^^^^^ the threshold decides nothing: every weighted group with checks
      "weights": { "formatting": 0.5, "uncertainty": 0.5 } } } } },
  { "expected": { "must_say_any": ["a"], "must_label_assumptions": true, "scoring": {
    "hard_fail": ["formatting"], "soft_score": { "weights": { "formatting": 0.5, "uncertainty": 0, "tool_hygiene": 0.5 }, "threshold": 1 } } } },
                                                                                                                          ^^^^^^^^^^^ the threshold decides nothing
  { "expected": { "must_say_any": ["a"], "required_levers": 2, "scoring": {
    "hard_fail": ["formatting"], "soft_score": { "threshold": 0.8 } } } }
                                                 ^^^^^^^^^^^ the threshold decides nothing
] }

# weighted groups without checks have no finding
{ "cases": [ { "expected": { "required_levers": 2, "scoring": {
                "hard_fail": ["morning_brief_contract"], "soft_score": { "threshold": 0.8 } } } } ] }
"#,
        );
    }

    #[test]
    fn forgiven_groups_and_doubts_have_no_finding() {
        for (checks, hard_fail, soft_score) in [
            (r#""outcome": "tool_started""#, r#"["formatting"]"#, r#""threshold": 0.8"#),
            (r#""must_label_assumptions": true"#, r#"["formatting"]"#, r#""threshold": 0.8"#),
            (r#""must_label_assumptions": "yes""#, r#"["formatting"]"#, r#""threshold": 0.8"#),
            (r#""ui": []"#, r#"[]"#, r#""threshold": 0.8"#),
            (r#""ui": []"#, r#"["format"]"#, r#""threshold": 0.8"#),
            (r#""ui": []"#, r#""formatting""#, r#""threshold": 0.8"#),
            (r#""ui": []"#, r#"["formatting"]"#, r#""threshold": 0"#),
            (r#""ui": []"#, r#"["formatting"]"#, r#""threshold": 2"#),
            (r#""ui": []"#, r#"["formatting"]"#, r#""weights": {"formatting": 1}"#),
            (r#""ui": []"#, r#"["formatting"]"#, r#""threshold": 0.8, "weights": {"formatting": 0}"#),
            (r#""ui": []"#, r#"["formatting"]"#, r#""threshold": 0.8, "weights": {"uncertainty": 1}"#),
            (r#""ui": []"#, r#"["formatting"]"#, r#""threshold": 0.8, "weights": {"formatting": 0.5, "unknown": 0.5}"#),
            (
                r#""ui": []"#,
                r#"["formatting"]"#,
                r#""threshold": 0.8, "weights": {"formatting": 1.5, "uncertainty": -0.5}"#,
            ),
            (r#""ui": []"#, r#"["formatting"]"#, r#""threshold": 0.8, "weights": {"formatting": 0.5, "uncert"#),
            (r#""ui": []"#, r#"["formatting"]"#, r#""threshold": 0.8, "weights": []"#),
            (r#""ui": []"#, r#"["formatting"]"#, r#""threshold": 0.8, "weigths": {"uncertainty": 1}"#),
        ] {
            check(
                &DECIDED_BY_HARD_FAIL,
                &format!(
                    r#"{{ "cases": [ {{ "expected": {{ "must_say_any": ["a"], {checks}, "scoring": {{ "hard_fail": {hard_fail}, "soft_score": {{ {soft_score} }} }} }} }} ] }}"#
                ),
            );
        }
    }
}
