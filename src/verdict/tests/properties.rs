use proptest::prelude::*;

use super::*;
use crate::suite::{Expected, Field, Scoring, SoftScore as AskedSoftScore, Spanned, Weight};

fn field<T>(value: T) -> Field<T> {
    Field::new(value, Span::empty(0), Span::empty(0))
}

fn spanned(value: String) -> Spanned<String> {
    Spanned { value, span: Span::empty(0) }
}

fn group_name() -> impl Strategy<Value = String> {
    prop_oneof![9 => proptest::sample::select(&Group::ALL[..]).prop_map(|group| group.name().to_owned()), 1 => "[a-z]{0,3}"]
}

fn group() -> impl Strategy<Value = Option<Group>> {
    prop_oneof![9 => proptest::sample::select(&Group::ALL[..]).prop_map(Some), 1 => Just(None)]
}

fn checks() -> impl Strategy<Value = Vec<CheckResult>> {
    let outcome = proptest::sample::select(&[CheckOutcome::Passed, CheckOutcome::Failed, CheckOutcome::Unknown][..]);
    proptest::collection::vec((group(), outcome).prop_map(|(group, outcome)| made(group, outcome)), 0..12)
}

fn expected_with(weight: impl Strategy<Value = f64>) -> impl Strategy<Value = Expected> {
    let weights = proptest::collection::vec((group_name(), weight), 0..7);
    let hard_fail = proptest::collection::vec(group_name(), 0..3);
    let threshold = proptest::option::of(-0.1..1.1_f64);
    (proptest::option::of(weights), proptest::option::of(hard_fail), threshold).prop_map(
        |(weights, hard_fail, threshold)| {
            let weight =
                |(group, value)| Weight { group: spanned(group), value: Spanned { value, span: Span::empty(0) } };
            let soft_score = AskedSoftScore {
                threshold: threshold.map(field),
                weights: weights.map(|weights| field(weights.into_iter().map(weight).collect())),
            };
            let hard_fail = hard_fail.map(|groups| field(groups.into_iter().map(spanned).collect()));
            let scoring = Scoring { hard_fail, soft_score: Some(field(soft_score)) };
            Expected { scoring: Some(field(scoring)), ..Expected::default() }
        },
    )
}

fn expected() -> impl Strategy<Value = Expected> {
    expected_with(0.0..4.0_f64)
}

fn scaled(expected: &Expected, factor: f64) -> Expected {
    let mut scaled = expected.clone();
    let soft_score = scaled.scoring.as_mut().and_then(|scoring| scoring.value.soft_score.as_mut()).unwrap();
    for weight in soft_score.value.weights.iter_mut().flat_map(|weights| &mut weights.value) {
        weight.value.value *= factor;
    }
    scaled
}

fn without_threshold(expected: &Expected) -> Expected {
    let mut without = expected.clone();
    without.scoring.as_mut().and_then(|scoring| scoring.value.soft_score.as_mut()).unwrap().value.threshold = None;
    without
}

proptest! {
    #[test]
    fn a_passed_check_never_lowers_a_score(checks in checks(), expected in expected(), group in group(), at in any::<prop::sample::Index>()) {
        let before = CaseResult::of(checks.clone(), &expected);
        let mut more = checks;
        more.insert(at.index(more.len() + 1), made(group, CheckOutcome::Passed));
        let after = CaseResult::of(more, &expected);
        prop_assert!(after.metrics.scoring.soft_score.value >= before.metrics.scoring.soft_score.value || scores(&before.check_details).iter().any(|score| Some(score.group) == group && score.total == 0));
        for (before, after) in scores(&before.check_details).iter().zip(&scores(&after.check_details)) {
            prop_assert!(after.score() >= before.score());
        }
        prop_assert!(after.status <= before.status);
    }

    #[test]
    fn scaling_all_weights_changes_nothing(checks in checks(), expected in expected_with(-1.0..4.0), power in -20..20) {
        let verdict = CaseResult::of(checks.clone(), &expected);
        let scaled = CaseResult::of(checks, &scaled(&expected, 2_f64.powi(power)));
        prop_assert_eq!(verdict.metrics.scoring.soft_score.value, scaled.metrics.scoring.soft_score.value);
        prop_assert_eq!((verdict.status, verdict.checks.failed), (scaled.status, scaled.checks.failed));
    }

    #[test]
    fn weights_without_a_threshold_do_not_change_the_status(checks in checks(), expected in expected(), other in expected()) {
        let expected = without_threshold(&expected);
        let mut other = without_threshold(&other);
        other.scoring.as_mut().unwrap().value.hard_fail = expected.hard_fail().cloned();
        let (one, two) = (CaseResult::of(checks.clone(), &expected), CaseResult::of(checks, &other));
        prop_assert_eq!((one.status, &one.checks.failed), (two.status, &two.checks.failed));
        prop_assert_eq!(one.metrics.scoring.soft_score.passed, Some(true));
    }

    #[test]
    fn a_hard_fail_always_fails(checks in checks(), expected in expected()) {
        let verdict = CaseResult::of(checks, &expected);
        if !verdict.metrics.scoring.hard_fail_triggered.is_empty() {
            prop_assert_eq!(verdict.status, Status::Fail);
        }
        prop_assert_eq!(verdict.status == Status::Fail && verdict.checks.failed.is_empty(), false);
    }

    #[test]
    fn scores_of_positive_weights_are_shares(checks in checks(), expected in expected()) {
        let verdict = CaseResult::of(checks, &expected);
        let value = verdict.metrics.scoring.soft_score.value.unwrap();
        prop_assert!((0.0..=1.0).contains(&value), "{value}");
        prop_assert!(scores(&verdict.check_details).iter().all(|group| (0.0..=1.0).contains(&group.score())));
        let all_pass = verdict.check_details.iter().all(|check| check.outcome == CheckOutcome::Passed);
        if all_pass {
            prop_assert_eq!(value, 1.0);
        }
    }

    #[test]
    fn a_check_that_is_not_judged_makes_the_case_an_error(checks in checks(), expected in expected(), at in any::<prop::sample::Index>()) {
        let mut checks = checks;
        checks.insert(at.index(checks.len() + 1), made(Some(Group::Formatting), CheckOutcome::NotJudged));
        let verdict = CaseResult::of(checks, &expected);
        prop_assert_eq!(verdict.status, Status::Error);
        prop_assert!(verdict.reason.is_some() && verdict.checks.failed.is_empty());
    }
}
