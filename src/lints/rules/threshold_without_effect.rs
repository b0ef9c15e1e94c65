use crate::diagnostic::Severity;
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
    /// Two cases are hints. If one failed check always gives a score below the threshold, the verdict is the same as without
    /// a threshold. If every weighted group with checks is in `hard_fail`, all of their checks have passed if none of these groups has
    /// triggered, and the soft score is 1. Then the weights may only document how important each group is.
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
    let Some(scores) = Scores::of(cx) else { return };
    if scores.highest == f64::NEG_INFINITY {
        if let Some(hard_fail) = cx.case.expected.hard_fail().filter(|_| scores.is_of_hard_fail) {
            let message = "the threshold decides nothing: every weighted group with checks is a hard-fail group, and the soft score \
                           is 1 unless one of them triggers";
            report.add(threshold.key(), message).also(hard_fail.key(), "the hard-fail groups").severity =
                Severity::Hint;
        }
        return;
    }
    let shown = |score: f64| {
        let text = format!("{score:.2}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    // As in a verdict, scores have six decimals (`docs/scoring.md`).
    let rounded = |score: f64| (score * 1e6).round() / 1e6;
    let (lowest, highest) = (rounded(scores.lowest), rounded(scores.highest));
    if lowest >= threshold.value {
        let message = format!(
            "the threshold decides nothing: no score below {} can be reached{}, so failed checks only make the case `PARTIAL`",
            shown(scores.lowest),
            if scores.has_hard_fail { " unless a hard-fail group fails the case" } else { "" },
        );
        report.add(threshold.span, message);
    } else if scores.is_complete && threshold.value < 1.0 && highest < threshold.value {
        let message = format!(
            "one failed check gives a score of {} at most, so the verdict is the same as without this threshold",
            shown(scores.highest)
        );
        report.add(threshold.span, message).severity = Severity::Hint;
    }
}

/// The scores that can be reached if some check fails and no hard-fail group is triggered.
struct Scores {
    lowest: f64,
    /// The highest one below 1; minus infinity if no weighted group can fail without being a hard fail.
    highest: f64,
    has_hard_fail: bool,
    /// Whether a hard-fail group has a weight.
    is_of_hard_fail: bool,
    /// Whether each check that can fail lowers the score.
    is_complete: bool,
}

impl Scores {
    /// `None` if the text leaves a doubt.
    fn of(cx: &CaseContext<'_>) -> Option<Scores> {
        let is_given = Given::of(cx).is_some();
        let weights = weights(cx)?;
        let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
        let weight_of =
            |group: Group| weights.iter().filter(|(other, _)| *other == group).map(|(_, w)| w / sum).sum::<f64>();
        // An unknown outcome fails without a group, so it lowers no score.
        let is_complete = cx.expectations.iter().all(|check| check.group.is_some());
        let (has_hard_fail, is_of_hard_fail) = (false, false);
        let mut scores =
            Scores { lowest: 1.0, highest: f64::NEG_INFINITY, has_hard_fail, is_of_hard_fail, is_complete };
        for group in Group::ALL {
            let total = cx.checks_of(group).count();
            let can_fail = cx.checks_of(group).filter(|check| check.rule.can_fail()).count();
            if total == 0 && is_given && weight_of(group) > 0.0 {
                // `vacuous-weight` reports it, and the scores change with its fix.
                return None;
            }
            if can_fail == 0 {
                continue;
            }
            let step = weight_of(group) / total as f64;
            if is_hard_fail(cx, group) {
                scores.has_hard_fail = true;
                scores.is_of_hard_fail |= step > 0.0;
                continue;
            }
            if step <= 0.0 {
                scores.is_complete = false;
                continue;
            }
            scores.lowest -= step * can_fail as f64;
            scores.highest = scores.highest.max(1.0 - step);
        }
        Some(scores)
    }
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
    use crate::diagnostic::Severity;
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

    fn found(suite: &str) -> Vec<Severity> {
        let found = findings(&Setup::default(), &THRESHOLD_WITHOUT_EFFECT, suite);
        found.iter().map(|finding| finding.severity).collect()
    }

    #[test]
    fn thresholds_that_decide_nothing() {
        for (checks, hard_fail, weights, threshold, expected) in [
            ([1, 0, 1], &["formatting"][..], [7, 0, 3], 0.3, Some(Severity::Warning)),
            ([1, 0, 1], &["formatting"], [7, 0, 3], 0.7, Some(Severity::Warning)),
            ([1, 0, 1], &["formatting"], [7, 0, 3], 0.8, Some(Severity::Hint)),
            ([4, 0, 1], &[], [7, 0, 3], 0.7, None),
            ([1, 1, 1], &[], [4, 3, 3], 0.9, Some(Severity::Hint)),
            ([1, 1, 1], &[], [4, 3, 3], 1.0, None),
            ([1, 1, 1], &["formatting", "synthesis_coverage", "uncertainty"], [4, 3, 3], 0.5, Some(Severity::Hint)),
            ([1, 1, 0], &[], [10, 0, 0], 0.5, None),
        ] {
            let suite = suite(checks, hard_fail, weights, threshold);
            assert_eq!(found(&suite), expected.into_iter().collect::<Vec<_>>(), "{suite}");
        }
    }

    #[test]
    fn zero_however_it_is_written() {
        for (threshold, is_found) in [
            ("0", true),
            ("-0.00e1", true),
            ("0.000001", false),
            ("-0.1", false),
            ("\"0\"", false),
            ("0, \"threshold\": 1", false),
        ] {
            let scoring = format!(r#"{{ "soft_score": {{ "threshold": {threshold} }} }}"#);
            let suite = format!(r#"{{ "cases": [ {{ "expected": {{ "scoring": {scoring} }} }} ] }}"#);
            assert_eq!(!found(&suite).is_empty(), is_found, "{threshold}");
        }
    }

    #[test]
    fn thresholds_below_hard_fails() {
        for (checks, hard_fail, soft_score, is_found) in [
            (r#""ui": []"#, r#"["formatting"]"#, r#""threshold": 0.8"#, true),
            (r#""required_levers": 2"#, r#"["formatting"]"#, r#""threshold": 0.8"#, true),
            (
                r#""must_label_assumptions": true"#,
                r#"["uncertainty", "formatting"]"#,
                r#""threshold": 0.8, "weights": { "formatting": 0.5, "uncertainty": 0.5 }"#,
                true,
            ),
            (r#""must_label_assumptions": true"#, r#"["formatting"]"#, r#""threshold": 0.8"#, false),
            (r#""must_label_assumptions": "yes""#, r#"["formatting"]"#, r#""threshold": 0.8"#, false),
            (r#""ui": []"#, r#"["format"]"#, r#""threshold": 0.8"#, false),
            (r#""ui": []"#, r#""formatting""#, r#""threshold": 0.8"#, false),
            (r#""ui": []"#, r#"["formatting"]"#, r#""threshold": 0.8, "weights": {"formatting": 0}"#, false),
            (r#""ui": []"#, r#"["formatting"]"#, r#""threshold": 0.8, "weights": {"uncertainty": 1}"#, false),
            (
                r#""ui": []"#,
                r#"["formatting"]"#,
                r#""threshold": 0.8, "weights": {"formatting": 0.5, "unknown": 0.5}"#,
                false,
            ),
            (r#""ui": []"#, r#"["formatting"]"#, r#""threshold": 0.8, "weigths": {"uncertainty": 1}"#, false),
        ] {
            let suite = format!(
                r#"{{ "cases": [ {{ "expected": {{ "must_say_any": ["a"], {checks}, "scoring": {{ "hard_fail": {hard_fail}, "soft_score": {{ {soft_score} }} }} }} }} ] }}"#
            );
            let found = findings(&Setup::default(), &THRESHOLD_WITHOUT_EFFECT, &suite);
            let is_of_hard_fail = found.iter().any(|finding| finding.message.contains("every weighted group"));
            assert_eq!(is_of_hard_fail, is_found, "{suite}");
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
            let found = found(&suite(checks, &hard_fail, weights, threshold));
            if can_score_fail {
                prop_assert_eq!(found.contains(&Severity::Warning), verdicts.iter().all(|passes| *passes));
                if threshold < 1.0 {
                    prop_assert_eq!(found.contains(&Severity::Hint), verdicts.iter().all(|passes| !passes));
                }
            } else {
                prop_assert!(!found.contains(&Severity::Warning));
            }
        }
    }
}
