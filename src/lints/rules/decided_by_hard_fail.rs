use crate::lints::declare::declare_lint;
use crate::lints::facts::asked::is_asked;
use crate::lints::facts::weighing::{deciding_threshold, is_hard_fail, weighed_groups};
use crate::lints::{CaseContext, Check, Report};

declare_lint! {
    /// A threshold never decides, because every weighted group is a hard-fail group.
    ///
    /// The threshold is looked at only where no hard-fail group has triggered. If every weighted group that has checks is in
    /// `hard_fail`, then all of them have passed whole by then and the soft score is 1: each threshold up to 1 gives the
    /// same verdict. That may be meant, as a record of how much each group matters; often one group was to be forgiven.
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
    /// Take the groups that a soft score may forgive out of `hard_fail`, or drop the threshold.
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
    pub DECIDED_BY_HARD_FAIL = "decided-by-hard-fail", Hint, Check::Case(check);
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
                "the threshold never decides: every weighted group that has checks is a hard-fail group, and where none of \
                 them triggers the soft score is 1",
            )
            .also(hard_fail.key, "the hard-fail groups");
    }
}

#[cfg(test)]
mod tests {
    use super::DECIDED_BY_HARD_FAIL;
    use crate::lints::testing::check;

    #[test]
    fn where_all_that_weighs_and_is_asked_fails_hard() {
        check(
            &DECIDED_BY_HARD_FAIL,
            r#"
{ "cases": [
  { "expected": { "must_say_any": ["a"], "must_label_assumptions": true, "scoring": {
    "hard_fail": ["uncertainty", "formatting"], "soft_score": { "threshold": 0.8,
                                                                ^^^^^^^^^^^ the threshold never decides: every weighted group that has checks
      "weights": { "formatting": 0.5, "uncertainty": 0.5 } } } } },
  { "expected": { "must_say_any": ["a"], "must_label_assumptions": true, "scoring": {
    "hard_fail": ["formatting"], "soft_score": { "weights": { "formatting": 0.5, "uncertainty": 0, "tool_hygiene": 0.5 }, "threshold": 1 } } } },
                                                                                                                          ^^^^^^^^^^^ the threshold never decides
  { "expected": { "must_say_any": ["a"], "required_levers": 2, "scoring": {
    "hard_fail": ["formatting"], "soft_score": { "threshold": 0.8 } } } }
                                                 ^^^^^^^^^^^ the threshold never decides
] }
"#,
        );
    }

    #[test]
    fn is_silent_where_a_weighted_group_may_be_forgiven_or_a_doubt_is_left() {
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

    #[test]
    fn is_silent_where_no_weighted_group_has_a_check() {
        check(
            &DECIDED_BY_HARD_FAIL,
            r#"{ "cases": [ { "expected": { "required_levers": 2, "scoring": {
                "hard_fail": ["morning_brief_contract"], "soft_score": { "threshold": 0.8 } } } } ] }"#,
        );
    }
}
