mod simulation;

use serde_json::Value;

use super::*;

fn reference() -> Value {
    serde_json::from_str(include_str!("../reference.json")).unwrap()
}

fn rows<'a>(reference: &'a Value, name: &str) -> &'a Vec<Value> {
    let rows = reference[name].as_array().unwrap();
    assert!(rows.len() > 2, "{name}");
    rows
}

#[track_caller]
fn assert_near(found: f64, expected: &Value) {
    let expected = expected.as_f64().unwrap();
    assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
}

fn counts(value: &Value) -> Counts {
    let [passed, attempts] = [0, 1].map(|at| usize::try_from(value[at].as_u64().unwrap()).unwrap());
    Counts { passed, attempts }
}

fn count(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

/// A case with one attempt before and one after.
fn once(before: usize, after: usize) -> Pair {
    let of = |passed| Counts { passed, attempts: 1 };
    Pair { before: of(before), after: of(after) }
}

#[test]
fn intervals_are_those_of_statsmodels() {
    for row in rows(&reference(), "wilson") {
        let interval = wilson(count(&row["passed"]), count(&row["trials"])).unwrap();
        assert_near(interval.low, &row["low"]);
        assert_near(interval.high, &row["high"]);
    }
    assert_eq!(wilson(0, 0), None);
}

/// Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
#[test]
fn intervals_are_those_of_newcombe() {
    for (passed, trials, low, high) in
        [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
    {
        let interval = wilson(passed, trials).unwrap();
        assert!((interval.low - low).abs() < 5e-5 && (interval.high - high).abs() < 5e-5, "{passed}: {interval:?}");
    }
}

#[test]
fn one_attempt_each_is_mcnemars_test() {
    for row in rows(&reference(), "one attempt") {
        let changed = [(count(&row["fixed"]), once(0, 1)), (count(&row["regressed"]), once(1, 0))];
        let mut pairs = vec![once(1, 1), once(0, 0)];
        pairs.extend(changed.into_iter().flat_map(|(times, pair)| vec![pair; times]));
        assert_near(exact_test(&pairs).two_sided, &row["p"]);
    }
}

#[test]
fn one_case_is_fishers_test() {
    for row in rows(&reference(), "one case") {
        let pair = Pair { before: counts(&row["before"]), after: counts(&row["after"]) };
        assert_near(exact_test(&[pair]).worse, &row["worse"]);
    }
}

#[test]
fn several_cases_are_added() {
    for row in rows(&reference(), "several cases") {
        let cases = row["cases"].as_array().unwrap().iter();
        let pairs: Vec<_> =
            cases.map(|case| Pair { before: counts(&case["before"]), after: counts(&case["after"]) }).collect();
        let test = exact_test(&pairs);
        assert_near(test.worse, &row["worse"]);
        assert_near(test.better, &row["better"]);
        assert_near(test.variance, &row["variance"]);
    }
    assert_eq!(exact_test(&[]).two_sided, 1.0);
}

#[test]
fn differences_are_those_of_statsmodels() {
    for row in rows(&reference(), "paired") {
        let differences = row["differences"].as_array().unwrap().iter().map(|number| number.as_f64().unwrap());
        let clusters = row["clusters"].as_array().unwrap().iter().map(|name| name.as_str().unwrap());
        let found = paired_difference(&differences.zip(clusters).collect::<Vec<_>>()).unwrap();
        assert_near(found.mean, &row["mean"]);
        assert_near(found.standard_error, &row["standard_error"]);
        assert_near(found.interval.low, &row["low"]);
        assert_near(found.interval.high, &row["high"]);
    }
    assert_eq!(paired_difference(&[(0.5, "a")]), None);
}
