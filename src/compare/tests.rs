use super::*;
use std::sync::Arc;

use crate::runs::{AnswerRecord, CaseHashes, CaseLine, CaseRecord, RunRecord, SuiteRecord};
use crate::text::{LineColumn, LineRange};
use crate::verdict::{CaseResult, Repeat, Repeats, Status};

/// A result with these checks. Its status follows: one that failed fails it, one that is not defined makes it partial.
fn result(id: &str, passed: &[&str], failed: &[&str], unknown: &[&str]) -> CaseResult {
    let list = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>();
    let mut result = CaseResult::not_run(&crate::suite::Case::default(), "");
    result.id = id.to_owned();
    result.prompt = format!("prompt of {id}");
    result.reason = None;
    result.status = match (failed, unknown) {
        ([], []) => Status::Pass,
        ([], _) => Status::Partial,
        _ => Status::Fail,
    };
    result.checks.passed = list(passed);
    result.checks.failed = list(failed);
    result.checks.unknown_ui = list(unknown);
    result.metrics.scoring.soft_score.value = Some(passed.len() as f64 / (passed.len() + failed.len()).max(1) as f64);
    result
}

/// A case of a run, with its suite.
#[derive(Clone)]
struct Case {
    suite: &'static str,
    result: CaseResult,
    hashes: [&'static str; 3],
    answer: &'static str,
}

fn case(result: CaseResult) -> Case {
    Case { suite: "s.json", result, hashes: ["t", "p", "h"], answer: "" }
}

/// The side of a run with these cases.
fn side(run: &str, cases: Vec<Case>) -> Side {
    let mut record = RunRecord { id: run.to_owned(), ..RunRecord::default() };
    let mut lines = Vec::new();
    for Case { suite, result, hashes: [hash, prompts, hints], answer } in cases {
        let place = record.suites.iter().position(|known| known.path == suite).unwrap_or_else(|| {
            record.suites.push(SuiteRecord { path: suite.to_owned(), ..SuiteRecord::default() });
            record.suites.len() - 1
        });
        let cases = &mut record.suites[place].cases;
        let hashes = CaseHashes { hash: hash.to_owned(), prompts: prompts.to_owned(), hints: hints.to_owned() };
        cases.push(CaseRecord { index: cases.len(), id: result.id.clone(), hashes });
        let answer = AnswerRecord { sha256: answer.to_owned(), ..AnswerRecord::default() };
        lines.push(CaseLine {
            suite: place,
            index: cases.len() - 1,
            case: result.id.clone(),
            status: result.status,
            attempt: None,
            duration_ms: 0,
            range: LineRange { start: LineColumn { line: 1, column: 1 }, end: LineColumn { line: 1, column: 1 } },
            transcript: None,
            answer: Some(answer).filter(|answer| !answer.sha256.is_empty()),
            attempts: Vec::new(),
            picture: None,
            result: Arc::new(result),
        });
    }
    Side::new(&record, true, &lines)
}

#[track_caller]
fn change(before: CaseResult, after: CaseResult) -> CaseChange {
    changed(case(before), case(after))
}

#[track_caller]
fn changed(before: Case, after: Case) -> CaseChange {
    let comparison = Comparison::new(&side("a", vec![before]), &side("b", vec![after]));
    let [only] = &comparison.cases[..] else { panic!("{comparison:?}") };
    only.clone()
}

#[test]
fn each_case_has_one_change() {
    let passes = || result("C", &["must_say_any:a", "outcome:x"], &[], &[]);
    let fails = || result("C", &["outcome:x"], &["must_say_any:a"], &[]);
    let fails_otherwise = || result("C", &["must_say_any:a"], &["outcome:x"], &[]);
    let error =
        || CaseResult { status: Status::Error, reason: Some("no answer".to_owned()), ..result("C", &[], &[], &[]) };
    let stale = || CaseResult { stale: true, ..fails() };
    for (before, after, expected) in [
        (passes(), fails(), Change::Regressed),
        (fails(), passes(), Change::Fixed),
        (passes(), passes(), Change::Unchanged),
        (fails(), fails_otherwise(), Change::ChecksMoved),
        (passes(), error(), Change::NotJudged),
        (error(), fails(), Change::NotJudged),
        (error(), error(), Change::NotJudged),
        (passes(), stale(), Change::Stale),
    ] {
        let found = change(before, after);
        assert_eq!(found.change, expected, "{found:?}");
    }
}

#[test]
fn hashes_decide_what_was_edited() {
    let hashed = |result, hashes, answer| Case { hashes, answer, ..case(result) };
    let passes = || hashed(result("C", &["ui:A"], &[], &[]), ["t", "p", "h"], "1");
    let fails = |hashes, answer| hashed(result("C", &[], &["ui:A"], &[]), hashes, answer);
    for (after, expected, edits) in [
        (fails(["t", "p", "h"], "2"), Change::Regressed, &[][..]),
        (fails(["t", "p", "other"], "2"), Change::ConfigurationEdited, &["hints"][..]),
        (fails(["other", "p", "h"], "2"), Change::CaseEdited, &["expectations"][..]),
        (fails(["other", "other", "h"], "2"), Change::CaseEdited, &["prompts"][..]),
        (fails(["t", "p", "h"], "1"), Change::ConfigurationEdited, &["versions"][..]),
    ] {
        let found = changed(passes(), after);
        assert_eq!((found.change, &found.edits[..]), (expected, edits));
    }
}

#[test]
fn cases_of_one_side_are_new_or_vanished() {
    let of = |id: &str| case(result(id, &["outcome:x"], &[], &[]));
    let moved = Case { suite: "other/s.json", ..of("A") };
    let comparison = Comparison::new(&side("a", vec![of("A"), of("B")]), &side("b", vec![moved, of("C")]));
    let changes: Vec<_> = comparison.cases.iter().map(|case| (case.case.as_str(), case.change)).collect();
    assert_eq!(changes, [("B", Change::Vanished), ("C", Change::New), ("A", Change::Unchanged)]);
    assert_eq!(
        comparison.sentence,
        "the one case that can be compared is as before (1 vanished, 1 new); too few cases for a statement; run more of them, or use --repeat 5"
    );
}

/// A side of a case with several attempts, of which this number passed.
fn repeated(name: &str, passed: usize, attempts: usize) -> Side {
    let attempt = |number: usize| {
        let result = if number < passed { result("C", &["ui:A"], &[], &[]) } else { result("C", &[], &["ui:A"], &[]) };
        let CaseResult { status, checks, .. } = result;
        Repeat { status, reason: None, soft_score: None, checks, duration_ms: None, usage: None }
    };
    let mut all = result("C", &["ui:A"], &[], &[]);
    let all_of = (0..attempts).map(attempt).collect();
    all.repeats = Some(Repeats { planned: attempts, min_pass: attempts, flaky: false, attempts: all_of });
    side(name, vec![case(all)])
}

#[test]
fn several_attempts_regress_only_beyond_chance() {
    for (before, after, expected) in [
        ((5, 5), (1, 5), Change::Regressed),
        ((5, 5), (3, 5), Change::Flaky),
        ((3, 5), (0, 5), Change::Flaky),
        ((0, 5), (4, 5), Change::Fixed),
        ((5, 5), (0, 1), Change::Regressed),
        ((5, 5), (5, 5), Change::Unchanged),
        ((4, 5), (4, 5), Change::Flaky),
    ] {
        let comparison = Comparison::new(&repeated("a", before.0, before.1), &repeated("b", after.0, after.1));
        assert_eq!(comparison.cases[0].change, expected, "{before:?} {after:?}");
    }
    let comparison = Comparison::new(&repeated("a", 5, 5), &repeated("b", 1, 5));
    let check = &comparison.cases[0].checks[0];
    let shares = (check.before.unwrap(), check.after.unwrap());
    assert_eq!(shares, (Share { passed: 5, attempts: 5 }, Share { passed: 1, attempts: 5 }));
    assert!(comparison.sentence.ends_with("all together pass less often than chance explains"));
}

#[test]
fn totals_count_only_cases_that_can_be_compared() {
    let of = |id: String, passes: bool| {
        let (passed, failed): (&[&str], &[&str]) = if passes { (&["ui:A"], &[]) } else { (&[], &["ui:A"]) };
        case(result(&id, passed, failed, &[]))
    };
    let all = |passing: usize| (0..18).map(|number| of(format!("C{number}"), number < passing)).collect::<Vec<_>>();
    let (mut before, mut after) = (all(12), all(10));
    before.push(of("edited".to_owned(), true));
    after.push(Case { hashes: ["t", "other", "h"], ..case(result("edited", &[], &["ui:A"], &[])) });
    let comparison = Comparison::new(&side("a", before), &side("b", after));
    let totals = &comparison.totals;
    assert_eq!((totals.cases, totals.before.unwrap().passed, totals.after.unwrap().passed), (18, 12, 10));
    assert_eq!(totals.p, 0.5);
    assert_eq!(comparison.sentence, "2 of 18 cases got worse (1 edited); chance alone can make such a difference");
    let comparison = Comparison::new(&side("a", all(12)), &side("b", all(6)));
    assert_eq!(comparison.sentence, "6 of 18 cases got worse; all together pass less often than chance explains");
}
