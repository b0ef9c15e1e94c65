use super::*;
use crate::runner::run::NoCases;

fn suite(path: &str, text: &str) -> SuiteInput {
    SuiteInput::parse(path, Text::new(text))
}

fn two_suites() -> Vec<SuiteInput> {
    vec![
        suite("a.json", r#"{"cases": [{"id": "SYN1"}, {"id": "SYN2"}, {"id": "SYN1"}, {}]}"#),
        suite("b.json", r#"{"cases": [{"id": "SYN1"}, {"id": "B\u202e1"}]}"#),
    ]
}

#[test]
fn cases_are_planned_in_the_order_of_the_suites() {
    let plan = |is_selected: fn(usize, usize) -> bool| {
        let plan = Plan::select(two_suites(), is_selected)?;
        assert_eq!(plan.len(), plan.cases.len());
        Ok(plan.cases.iter().map(|case| (case.suite, case.index)).collect::<Vec<_>>())
    };
    assert_eq!(plan(|_, _| true), Ok(vec![(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1)]));
    assert_eq!(plan(|suite, index| suite != index), Ok(vec![(0, 1), (0, 2), (0, 3), (1, 0)]));
    assert_eq!(plan(|_, _| false), Err(NoCases));
}

#[test]
fn a_plan_without_cases_is_an_error() {
    for text in ["", "[]", r#"{"cases": []}"#, r#"{"cases": [1]}"#, "{\"cases\": {}}"] {
        let plan = Plan::select(vec![suite("a.json", text)], |_, _| true);
        assert_eq!(plan.map(|plan| plan.len()), Err(NoCases), "{text}");
    }
}

#[test]
fn options_come_from_the_configuration() {
    let (config, errors) = Config::parse(
        "[run]\njobs = 3\nretry_errors = 2\ntimeout = \"5s\"\n\
         [targets.slow]\nkind = \"command\"\ncommand = [\"a\"]\ntimeout = \"7s\"\n",
        &[],
    );
    assert_eq!(errors, []);
    for (target, timeout) in [("replay", "5s"), ("slow", "7s"), ("unknown", "5s")] {
        let options = Options::new(&config, target);
        assert_eq!((options.jobs.get(), options.retry_errors), (3, 2), "{target}");
        assert_eq!(options.timeout, timeout.parse().unwrap(), "{target}");
        assert!(!options.record && !options.hand_over && options.kept.is_none(), "{target}");
    }
}
