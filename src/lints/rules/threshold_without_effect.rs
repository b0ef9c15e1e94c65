use crate::lints::facts::weighing::{Given, is_hard_fail};
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::suite::{DEFAULT_WEIGHTS, Group};

declare_lint! {
    /// A threshold decides nothing.
    ///
    /// If no hard-fail group is triggered, the soft score is at least the share of the hard-fail groups. If even the lowest score
    /// that can be reached is not below the threshold, no failed check can fail the case: it is `PARTIAL` at worst.
    ///
    /// Each score reaches a threshold of 0.
    ///
    /// ## Example
    ///
    /// ```json
    /// {
    ///   "must_say_any": ["Thursday"],
    ///   "must_label_assumptions": true,
    ///   "scoring": {
    ///     "hard_fail": ["formatting"],
    ///     "soft_score": { "threshold": 0.3, "weights": { "formatting": 0.7, "uncertainty": 0.3 } }
    ///   }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Raise the threshold above the lowest score, put the group into `hard_fail`, or remove from `hard_fail` the groups that a soft score
    /// may forgive. Without a threshold the soft score is reported and decides nothing.
    ///
    /// ```json
    /// {
    ///   "must_say_any": ["Thursday"],
    ///   "must_match_regex": ["[0-9]{2}:[0-9]{2}"],
    ///   "must_label_assumptions": true,
    ///   "scoring": {
    ///     "soft_score": { "threshold": 0.7, "weights": { "formatting": 0.7, "uncertainty": 0.3 } }
    ///   }
    /// }
    /// ```
    pub(crate) THRESHOLD_WITHOUT_EFFECT = "threshold-without-effect", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let Some(threshold) = cx.case.expected.threshold().filter(|it| (0.0..=1.0).contains(&it.value)) else { return };
    if threshold.value == 0.0 {
        let message = "every soft score reaches a threshold of 0: failed checks make the case `PARTIAL` at worst";
        report.add(threshold.span, message);
        return;
    }
    let Some(lowest) = lowest_score(cx) else { return };
    // As in a verdict, scores have six decimals (`docs/scoring.md`).
    if (lowest * 1e6).round() / 1e6 >= threshold.value {
        let shown = format!("{lowest:.2}");
        let hard_fail = Group::ALL.into_iter().any(|group| cx.can_fail(group) && is_hard_fail(cx, group));
        let message = format!(
            "the threshold decides nothing: no score below {} can be reached{}, so failed checks only make the case `PARTIAL`",
            shown.trim_end_matches('0').trim_end_matches('.'),
            if hard_fail { " unless a hard-fail group fails the case" } else { "" },
        );
        report.add(threshold.span, message);
    }
}

/// The lowest score if checks fail and no hard-fail group is triggered. `None` if the text leaves a doubt, or if no such check lowers
/// the score.
fn lowest_score(cx: &CaseContext<'_>) -> Option<f64> {
    let is_given = Given::of(cx).is_some();
    let weights = weights(cx)?;
    let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
    let weight_of =
        |group: Group| weights.iter().filter(|(other, _)| *other == group).map(|(_, w)| w / sum).sum::<f64>();
    let mut lowest = 1.0;
    for group in Group::ALL {
        let total = cx.checks_of(group).count();
        if total == 0 && is_given && weight_of(group) > 0.0 {
            // `vacuous-weight` reports it, and the scores change with its fix.
            return None;
        }
        if cx.can_fail(group) && !is_hard_fail(cx, group) {
            let can_fail = cx.checks_of(group).filter(|check| check.rule.can_fail()).count();
            lowest -= weight_of(group) * can_fail as f64 / total as f64;
        }
    }
    (lowest < 1.0).then_some(lowest)
}

/// The weights that hold, if they are sound.
fn weights(cx: &CaseContext<'_>) -> Option<Vec<(Group, f64)>> {
    let Some(given) = Given::of(cx) else {
        return cx.case.expected.weights().is_none().then(|| DEFAULT_WEIGHTS.to_vec());
    };
    given.sum().filter(|sum| *sum > 0.0)?;
    let weight = |weight: &&crate::suite::Weight| Some((Group::from_name(&weight.group.value)?, weight.value.value));
    given.weights.iter().map(weight).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::THRESHOLD_WITHOUT_EFFECT;
    use crate::lints::tests::fixture::{Setup, findings};

    /// A case with so many checks of the formatting, coverage and uncertainty groups.
    fn suite(checks: [usize; 3], hard_fail: &[&str], weights: [u32; 3], threshold: f64) -> String {
        let list =
            |count: usize, name: &str| (0..count).map(|n| format!("\"{name} {n}\"")).collect::<Vec<_>>().join(", ");
        let assumptions = checks[2] > 0;
        let hard_fail = hard_fail.iter().map(|group| format!("\"{group}\"")).collect::<Vec<_>>().join(", ");
        format!(
            r#"{{ "cases": [ {{ "expected": {{ "must_match_regex": [{}], "required_sources": [{}], "must_label_assumptions": {assumptions},
            "scoring": {{ "hard_fail": [{hard_fail}], "soft_score": {{ "threshold": {threshold}, "weights": {{
            "formatting": {}, "synthesis_coverage": {}, "uncertainty": {} }} }} }} }} }} ] }}"#,
            list(checks[0], "line"),
            list(checks[1], "source"),
            f64::from(weights[0]) / 10.0,
            f64::from(weights[1]) / 10.0,
            f64::from(weights[2]) / 10.0,
        )
    }

    fn is_found(suite: &str) -> bool {
        !findings(&Setup::default(), &THRESHOLD_WITHOUT_EFFECT, suite).is_empty()
    }

    #[test]
    fn thresholds_that_decide_nothing() {
        for (checks, hard_fail, weights, threshold, expected) in [
            ([1, 0, 1], &["formatting"][..], [7, 0, 3], 0.3, true),
            ([1, 0, 1], &["formatting"], [7, 0, 3], 0.7, true),
            ([1, 0, 1], &["formatting"], [7, 0, 3], 0.8, false),
            ([4, 0, 1], &[], [7, 0, 3], 0.7, false),
            ([1, 1, 1], &["formatting", "synthesis_coverage", "uncertainty"], [4, 3, 3], 0.5, false),
            ([1, 1, 0], &[], [10, 0, 0], 0.5, false),
        ] {
            let suite = suite(checks, hard_fail, weights, threshold);
            assert_eq!(is_found(&suite), expected, "{suite}");
        }
    }

    #[test]
    fn zero_however_it_is_written() {
        for (threshold, expected) in [
            ("0", true),
            ("-0.00e1", true),
            ("0.000001", false),
            ("-0.1", false),
            ("\"0\"", false),
            ("0, \"threshold\": 1", false),
        ] {
            let scoring = format!(r#"{{ "soft_score": {{ "threshold": {threshold} }} }}"#);
            let suite = format!(r#"{{ "cases": [ {{ "expected": {{ "scoring": {scoring} }} }} ] }}"#);
            assert_eq!(is_found(&suite), expected, "{threshold}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn agrees_with_all_scores_that_can_be_reached(
            checks in proptest::array::uniform3(1_usize..4), weights in proptest::array::uniform3(0_u32..9), hard in 0_usize..4,
            threshold in 1_u32..20,
        ) {
            let checks = [checks[0], checks[1], 1];
            let groups = ["formatting", "synthesis_coverage", "uncertainty"];
            let hard_fail: Vec<_> = groups.get(hard).into_iter().copied().collect();
            prop_assume!(weights.iter().sum::<u32>() > 0);
            let threshold = f64::from(threshold) / 20.0;
            let sum = f64::from(weights.iter().sum::<u32>());
            let mut verdicts = Vec::new();
            for failed in (0..=checks[0]).flat_map(|a| (0..=checks[1]).flat_map(move |b| (0..=1).map(move |c| [a, b, c]))) {
                let is_hard = (0..3).any(|group| failed[group] > 0 && hard == group);
                let is_any = failed.iter().any(|count| *count > 0);
                if is_any && !is_hard {
                    let score: f64 = (0..3)
                        .map(|g| f64::from(weights[g]) / sum * (checks[g] - failed[g]) as f64 / checks[g] as f64)
                        .sum();
                    verdicts.push(score >= threshold - 1e-9);
                }
            }
            let can_score_fail = (0..3).any(|group| weights[group] > 0 && hard != group);
            let found = is_found(&suite(checks, &hard_fail, weights, threshold));
            prop_assert_eq!(found, can_score_fail && verdicts.iter().all(|passes| *passes));
        }
    }
}
