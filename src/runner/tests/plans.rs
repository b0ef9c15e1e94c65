use super::*;
use crate::runner::plan::PlanError;

fn suite(path: &str, text: &str) -> SuiteInput {
    SuiteInput::parse(path, Text::new(text))
}

fn two_suites() -> Vec<SuiteInput> {
    vec![
        suite("a.json", r#"{"cases": [{"id": "SYN1"}, {"id": "SYN2"}, {"id": "SYN1"}, {}]}"#),
        suite("b.json", r#"{"cases": [{"id": "SYN1"}, {"id": "B\u202e1"}]}"#),
    ]
}

fn plan(ids: Option<&[&str]>) -> Result<Vec<(usize, usize)>, PlanError> {
    let ids: Option<Vec<String>> = ids.map(|ids| ids.iter().map(|id| (*id).to_owned()).collect());
    let plan = Plan::new(two_suites(), ids.as_deref())?;
    assert_eq!(plan.len(), plan.cases.len());
    Ok(plan.cases.iter().map(|case| (case.suite, case.index)).collect())
}

#[test]
fn cases_are_planned_in_the_order_of_the_suites() {
    assert_eq!(plan(None), Ok(vec![(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1)]));
    assert_eq!(plan(Some(&["SYN2", "SYN1"])), Ok(vec![(0, 0), (0, 1), (0, 2), (1, 0)]));
    assert_eq!(plan(Some(&["B\u{202e}1"])), Ok(vec![(1, 1)]));
}

#[test]
fn an_unknown_case_is_an_error() {
    let error = plan(Some(&["SYN1", "syn3", "other"])).unwrap_err();
    assert_eq!(error.to_string(), "there is no case `syn3`; did you mean `SYN1`?; there is no case `other`");
    let error = plan(Some(&["B1"])).unwrap_err();
    assert_eq!(error.to_string(), r"there is no case `B1`; did you mean `B\u{202e}1`?");
}

#[test]
fn a_plan_without_cases_is_an_error() {
    assert_eq!(plan(Some(&[])), Err(PlanError::NoCases));
    for text in ["", "[]", r#"{"cases": []}"#, r#"{"cases": [1]}"#, "{\"cases\": {}}"] {
        assert_eq!(
            Plan::new(vec![suite("a.json", text)], None).map(|plan| plan.len()),
            Err(PlanError::NoCases),
            "{text}"
        );
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
