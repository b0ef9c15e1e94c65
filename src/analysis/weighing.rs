use crate::checks::Expectation;
use crate::suite::{Case, DEFAULT_WEIGHTS, Group, List, effective_weights};
use crate::text::number;

/// How the checks of a case count in its score, for hovers and hints on groups and weights.
pub(super) struct Weighing {
    /// Each group, in the order of [`Group::ALL`].
    groups: [Weighed; 6],
    /// Whether the case has weights; otherwise the default weights apply.
    pub(super) is_given: bool,
    /// The sum of the weights, including those of unknown groups.
    pub(super) sum: f64,
}

/// How one group counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Weighed {
    /// The group.
    pub(super) group: Group,
    /// The number of checks that the case has in the group.
    pub(super) checks: usize,
    /// The weight in the soft score, if the group has one.
    pub(super) weight: Option<f64>,
    /// Whether `hard_fail` names it.
    pub(super) is_hard_fail: bool,
}

impl Weighing {
    /// Counts the `checks` of a case.
    pub(super) fn of(case: &Case, checks: &[Expectation<'_>]) -> Weighing {
        let expected = &case.expected;
        let given = expected.weights().map(|field| effective_weights(&field.value));
        let is_given = given.is_some();
        let weights: Vec<(&str, f64)> = match given {
            Some(weights) => {
                weights.into_iter().map(|weight| (weight.group.value.as_str(), weight.value.value)).collect()
            }
            None => DEFAULT_WEIGHTS.iter().map(|(group, weight)| (group.name(), *weight)).collect(),
        };
        let mut hard_fail = expected.hard_fail().into_iter().flat_map(List::entries);
        let named: Vec<&str> = hard_fail.by_ref().map(|entry| entry.value.as_str()).collect();
        let groups = Group::ALL.map(|group| Weighed {
            group,
            checks: checks.iter().filter(|check| check.group == Some(group)).count(),
            weight: weights.iter().find(|(name, _)| *name == group.name()).map(|(_, weight)| *weight),
            is_hard_fail: named.contains(&group.name()),
        });
        Weighing { groups, is_given, sum: weights.iter().map(|(_, weight)| weight).sum() }
    }

    /// How a group counts.
    pub(super) fn group(&self, group: Group) -> Weighed {
        self.groups[group as usize]
    }

    /// Each group, in the order of [`Group::ALL`].
    pub(super) fn groups(&self) -> &[Weighed] {
        &self.groups
    }

    /// The share of a weight in the soft score, from 0 to 1 unless weights are negative. `None` if the sum of the weights
    /// is not greater than 0: then the soft score is always 1.
    pub(super) fn share(&self, weight: f64) -> Option<f64> {
        Some(weight / self.sum).filter(|share| self.sum > 0.0 && share.is_finite())
    }
}

/// A share as a percentage: `35 %`, `33.3 %`.
pub(super) fn percent(share: f64) -> String {
    format!("{} %", number((share * 1000.0).round() / 10.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::expectations;
    use crate::suite::Suite;
    use crate::syntax::parse;

    fn with_weighing(expected: &str, assert: impl FnOnce(&Weighing)) {
        let source = format!(r#"{{ "cases": [ {{ "expected": {expected} }} ] }}"#);
        let parsed = parse(&source);
        let suite = Suite::lower(parsed.tree.root(&source).unwrap());
        let case = &suite.cases[0].case;
        assert(&Weighing::of(case, &expectations(case)));
    }

    #[test]
    fn the_last_weight_of_a_group_counts() {
        let weights = r#"{ "must_not_say": ["a", "", "b"], "scoring": { "hard_fail": ["uncertainty"], "soft_score": {
            "weights": { "formatting": 5, "uncertainty": 1, "nonsense": 2, "formatting": 3 } } } }"#;
        with_weighing(weights, |weighing| {
            let formatting = weighing.group(Group::Formatting);
            assert_eq!((weighing.sum, weighing.is_given), (6.0, true));
            assert_eq!((formatting.checks, formatting.weight, formatting.is_hard_fail), (2, Some(3.0), false));
            assert_eq!(weighing.share(3.0), Some(0.5));
            assert_eq!(weighing.group(Group::ToolHygiene).weight, None);
            assert!(weighing.group(Group::Uncertainty).is_hard_fail);
        });
    }

    #[test]
    fn default_weights_apply_without_weights() {
        with_weighing("{}", |weighing| {
            assert!(!weighing.is_given);
            assert_eq!(weighing.group(Group::ToolHygiene).weight, Some(0.35));
            assert_eq!(weighing.group(Group::MorningBriefContract).weight, None);
            assert_eq!(percent(weighing.share(0.35).unwrap()), "35 %");
        });
    }

    #[test]
    fn weights_without_a_positive_sum_have_no_share() {
        for weights in ["{}", r#"{ "formatting": 0 }"#, r#"{ "formatting": -1 }"#, r#"{ "formatting": 1e999 }"#] {
            with_weighing(&format!(r#"{{ "scoring": {{ "soft_score": {{ "weights": {weights} }} }} }}"#), |weighing| {
                let weight = weighing.group(Group::Formatting).weight.unwrap_or(0.0);
                assert_eq!(weighing.share(weight), None, "{weights}");
            });
        }
    }

    #[test]
    fn percentages_have_at_most_one_decimal() {
        assert_eq!(percent(1.0 / 3.0), "33.3 %");
    }
}
