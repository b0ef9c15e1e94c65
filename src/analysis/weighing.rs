use crate::suite::{Case, DEFAULT_WEIGHTS, Expectation, Group, List, effective_weights};
use crate::text::number;

/// How the checks of a case are counted: what hovers and hints say of groups and weights.
pub(super) struct Weighing {
    /// Each group, in the order of [`Group::ALL`].
    groups: [Weighed; 6],
    /// Whether the case gives weights; else the default ones hold.
    pub(super) is_given: bool,
    /// What the weights add up to, those of groups that do not exist included.
    pub(super) sum: f64,
}

/// How one group counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Weighed {
    /// The group.
    pub(super) group: Group,
    /// How many checks the case has in it.
    pub(super) checks: usize,
    /// Its weight in the soft score, if it has one.
    pub(super) weight: Option<f64>,
    /// Whether `hard_fail` names it.
    pub(super) is_hard_fail: bool,
}

impl Weighing {
    /// That of a case with these checks.
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

    /// The share that a weight has in the soft score, from 0 to 1 unless weights are negative; `None` where the weights
    /// do not add up to more than 0, so that the soft score is 1 whatever happens.
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
    use crate::suite::{Suite, expectations};
    use crate::syntax::parse;

    fn weighing(expected: &str, look: impl FnOnce(&Weighing)) {
        let source = format!(r#"{{ "cases": [ {{ "expected": {expected} }} ] }}"#);
        let parsed = parse(&source);
        let suite = Suite::lower(parsed.tree.root(&source).unwrap());
        let case = &suite.cases[0].case;
        look(&Weighing::of(case, &expectations(case)));
    }

    #[test]
    fn the_last_of_two_weights_counts() {
        let weights = r#"{ "must_not_say": ["a", "", "b"], "scoring": { "hard_fail": ["uncertainty"], "soft_score": {
            "weights": { "formatting": 5, "uncertainty": 1, "nonsense": 2, "formatting": 3 } } } }"#;
        weighing(weights, |weighing| {
            let formatting = weighing.group(Group::Formatting);
            assert_eq!((weighing.sum, weighing.is_given), (6.0, true));
            assert_eq!((formatting.checks, formatting.weight, formatting.is_hard_fail), (2, Some(3.0), false));
            assert_eq!(weighing.share(3.0), Some(0.5));
            assert_eq!(weighing.group(Group::ToolHygiene).weight, None);
            assert!(weighing.group(Group::Uncertainty).is_hard_fail);
        });
    }

    #[test]
    fn defaults_hold_where_no_weights_are_given() {
        weighing("{}", |weighing| {
            assert!(!weighing.is_given);
            assert_eq!(weighing.group(Group::ToolHygiene).weight, Some(0.35));
            assert_eq!(weighing.group(Group::MorningBriefContract).weight, None);
            assert_eq!(percent(weighing.share(0.35).unwrap()), "35 %");
        });
    }

    #[test]
    fn weights_of_nothing_have_no_share() {
        for weights in ["{}", r#"{ "formatting": 0 }"#, r#"{ "formatting": -1 }"#, r#"{ "formatting": 1e999 }"#] {
            weighing(&format!(r#"{{ "scoring": {{ "soft_score": {{ "weights": {weights} }} }} }}"#), |weighing| {
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
