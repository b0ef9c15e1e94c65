//! A row for every rule of `docs/scoring.md` about groups, soft score, hard fail and status.

use serde_json::json;

use super::*;

/// Judges `expected` by a response that contains only `yes`, and asserts the status, the soft score and the failed ids.
#[track_caller]
fn check(expected: &str, status: Status, value: f64, failed: &[&str]) -> CaseResult {
    let case = case(&format!(r#"{{ "id": "W1", "expected": {expected} }}"#));
    let verdict = judge(&case, &transcript("yes", json!([])), &Config::default());
    assert_eq!(verdict.checks.failed, failed, "{expected}");
    assert_eq!((verdict.status, verdict.metrics.scoring.soft_score.value), (status, Some(value)), "{expected}");
    verdict
}

/// Like [`check`], with this `scoring`, two checks of `formatting`, one of which fails, and an outcome that passes.
#[track_caller]
fn scored(scoring: &str, status: Status, value: f64, added: &[&str]) {
    let expected = format!(r#"{{ "must_say_any": ["yes"], "must_not_say": ["yes"], "scoring": {scoring} }}"#);
    let failed: Vec<&str> = ["must_not_say:yes"].iter().chain(added).copied().collect();
    check(&expected, status, value, &failed);
}

#[test]
fn status_comes_from_the_checks() {
    check("{}", Status::Pass, 1.0, &[]);
    check(r#"{ "must_say_any": ["yes"] }"#, Status::Pass, 1.0, &[]);
    check(r#"{ "must_say_any": ["no"] }"#, Status::Fail, 0.95, &["must_say_any"]);
    check(r#"{ "ui": ["Nobody defined this."] }"#, Status::Partial, 0.825, &[]);
    check(r#"{ "ui": ["?"], "must_say_any": ["no"] }"#, Status::Fail, 0.775, &["must_say_any"]);
}

#[test]
fn an_outcome_that_does_not_exist_fails_and_counts_in_no_group() {
    let verdict = check(r#"{ "outcome": "magic" }"#, Status::Fail, 1.0, &["outcome:unknown:magic"]);
    assert!(scores(&verdict.check_details).iter().all(|group| group.total == 0));
    let hard = r#"{ "outcome": "magic", "scoring": { "hard_fail": ["tool_hygiene"] } }"#;
    check(hard, Status::Fail, 1.0, &["outcome:unknown:magic"]);
    let soft = r#"{ "outcome": "magic", "scoring": { "soft_score": { "threshold": 1 } } }"#;
    check(soft, Status::Partial, 1.0, &["outcome:unknown:magic"]);
}

#[test]
fn groups_score_the_share_that_passed() {
    let expected = r#"{
        "tool_calls_none": ["a"], "tool_calls_any": ["b"], "ui": ["?"],
        "must_say_any": ["yes"], "must_not_say": ["yes", "no", "never"],
        "required_sources": ["yes"], "must_ground_numbers": [1, 2, 3], "must_label_assumptions": true,
        "required_levers": 1, "must_allow_override_actions": ["yes"]
    }"#;
    let verdict =
        judge(&case(&format!(r#"{{ "expected": {expected} }}"#)), &transcript("yes", json!([])), &Config::default());
    let scores =
        scores(&verdict.check_details).map(|group| (group.group.name(), group.passed, group.total, group.score()));
    assert_eq!(
        scores,
        [
            ("tool_hygiene", 2, 4, 0.5),
            ("synthesis_coverage", 1, 1, 1.0),
            ("numeric_grounding", 0, 3, 0.0),
            ("uncertainty", 0, 1, 0.0),
            ("formatting", 3, 4, 0.75),
            ("morning_brief_contract", 1, 2, 0.5),
        ]
    );
    // 0.35 × 0.5 + 0.30 × 1 + 0.20 × 0 + 0.10 × 0 + 0.05 × 0.75
    assert_eq!(verdict.metrics.scoring.soft_score.value, Some(0.5125));
    assert!(has_default_weights(&verdict.metrics.scoring.soft_score.terms));
    let terms: Vec<_> = verdict
        .metrics
        .scoring
        .soft_score
        .terms
        .iter()
        .map(|term| (term.group.as_str(), term.weight, term.score))
        .collect();
    assert_eq!(
        terms,
        [
            ("tool_hygiene", 0.35, 0.5),
            ("synthesis_coverage", 0.3, 1.0),
            ("numeric_grounding", 0.2, 0.0),
            ("uncertainty", 0.1, 0.0),
            ("formatting", 0.05, 0.75),
        ]
    );
}

#[test]
fn the_soft_score_is_the_weighted_mean() {
    for (weights, value) in [
        // The default weights: formatting has 0.05.
        ("null", 0.975),
        (r#"{ "formatting": 1 }"#, 0.5),
        (r#"{ "formatting": 3, "uncertainty": 1 }"#, 0.625),
        (r#"{ "formatting": 0.3, "uncertainty": 0.1 }"#, 0.625),
        // Rounded to six decimals.
        (r#"{ "formatting": 1, "uncertainty": 2 }"#, 0.833_333),
        (r#"{ "formatting": 2, "uncertainty": 1 }"#, 0.666_667),
        // A group that does not exist, or has no checks, scores 1.
        (r#"{ "formatting": 1, "elegance": 1 }"#, 0.75),
        (r#"{ "elegance": 1 }"#, 1.0),
        (r#"{ "formatting": 1, "morning_brief_contract": 1 }"#, 0.75),
        // Weights that do not add up to more than 0.
        ("{}", 1.0),
        (r#"{ "formatting": 0 }"#, 1.0),
        (r#"{ "formatting": -1 }"#, 1.0),
        (r#"{ "formatting": 1, "uncertainty": -1 }"#, 1.0),
        // Negative weights with a positive sum.
        (r#"{ "formatting": 2, "uncertainty": -1 }"#, 0.0),
        (r#"{ "formatting": 4, "uncertainty": -3 }"#, -1.0),
        (r#"{ "formatting": -1, "uncertainty": 2 }"#, 1.5),
        // The last value of a repeated key counts.
        (r#"{ "formatting": 100, "uncertainty": 1, "formatting": 1 }"#, 0.75),
        // A value that is not a number is ignored.
        (r#"{ "formatting": "1", "uncertainty": 1 }"#, 1.0),
        (r#"{ "tool_hygiene": 1e308, "uncertainty": 1e308 }"#, 1.0),
    ] {
        scored(&format!(r#"{{ "soft_score": {{ "weights": {weights} }} }}"#), Status::Fail, value, &[]);
    }
    scored("{}", Status::Fail, 0.975, &[]);
    scored(r#"{ "soft_score": {} }"#, Status::Fail, 0.975, &[]);
}

#[test]
fn reaching_the_threshold_makes_a_failure_partial_and_missing_it_fails_the_case() {
    const BELOW: &str = "scoring:soft_score_below_threshold";
    let soft = |threshold: &str| {
        format!(r#"{{ "soft_score": {{ "threshold": {threshold}, "weights": {{ "formatting": 1 }} }} }}"#)
    };
    scored(&soft("0.5"), Status::Partial, 0.5, &[]);
    scored(&soft("0.500001"), Status::Fail, 0.5, &[BELOW]);
    scored(&soft("0.4"), Status::Partial, 0.5, &[]);
    scored(&soft("0"), Status::Partial, 0.5, &[]);
    scored(&soft("-1"), Status::Partial, 0.5, &[]);
    scored(&soft("1.1"), Status::Fail, 0.5, &[BELOW]);
    scored(&soft("null"), Status::Fail, 0.5, &[]);
    scored(&soft(r#""0.4""#), Status::Fail, 0.5, &[]);
    // PASS stays PASS, and PARTIAL stays PARTIAL.
    let threshold = |expected: &str, threshold: f64| {
        format!(r#"{{ {expected} "scoring": {{ "soft_score": {{ "threshold": {threshold} }} }} }}"#)
    };
    check(&threshold("", 1.0), Status::Pass, 1.0, &[]);
    check(&threshold(r#""ui": ["?"],"#, 0.825), Status::Partial, 0.825, &[]);
    check(&threshold(r#""ui": ["?"],"#, 0.83), Status::Fail, 0.825, &[BELOW]);
    // A threshold above 1 fails even a case whose checks all pass.
    check(&threshold("", 1.01), Status::Fail, 1.0, &[BELOW]);
}

#[test]
fn the_rounded_score_is_compared() {
    // 0.1 + 0.2 is a little more than 0.3, and 0.3 / 0.9 is rounded.
    let expected = |threshold: &str| {
        format!(
            r#"{{ "must_say_any": ["no"], "must_label_assumptions": true, "scoring": {{ "soft_score": {{ "threshold": {threshold},
                "weights": {{ "synthesis_coverage": 0.1, "tool_hygiene": 0.2, "formatting": 0.6 }} }} }} }}"#
        )
    };
    let failed = ["must_say_any", "synthesis:assumptions"];
    check(&expected("0.333333"), Status::Partial, 0.333_333, &failed);
    let below = [&failed[..], &["scoring:soft_score_below_threshold"]].concat();
    check(&expected("0.3333333"), Status::Fail, 0.333_333, &below);
    // Ten times 0.1 is a little less than 1; the score is not.
    let sum = r#"{ "must_say_any": ["no"], "scoring": { "soft_score": { "threshold": 0.9, "weights": {
        "formatting": 0.1, "a": 0.1, "b": 0.1, "c": 0.1, "d": 0.1, "e": 0.1, "f": 0.1, "g": 0.1, "h": 0.1, "i": 0.1 } } } }"#;
    check(sum, Status::Partial, 0.9, &["must_say_any"]);
    let third = r#"{ "must_not_say": ["yes", "no", "never"], "scoring": { "soft_score": { "threshold": 0.666667, "weights": {
        "formatting": 1 } } } }"#;
    check(third, Status::Partial, 0.666_667, &["must_not_say:yes"]);
}

#[test]
fn a_hard_fail_group_decides_before_the_soft_score() {
    let hard = |groups: &str| format!(r#"{{ "hard_fail": {groups}, "soft_score": {{ "threshold": 0.1 }} }}"#);
    scored(&hard(r#"["formatting"]"#), Status::Fail, 0.975, &["scoring:hard_fail:formatting"]);
    scored(
        &hard(r#"["formatting", "tool_hygiene", "formatting"]"#),
        Status::Fail,
        0.975,
        &["scoring:hard_fail:formatting"],
    );
    // A group whose checks passed, that has none, or that does not exist is not triggered.
    for groups in [r#"["tool_hygiene"]"#, r#"["uncertainty"]"#, r#"["elegance"]"#, r#"[""]"#, r#"["Formatting"]"#, "[]"]
    {
        scored(&hard(groups), Status::Partial, 0.975, &[]);
    }
    // Below the threshold as well: only the hard fail is named.
    let both = r#"{ "hard_fail": ["formatting"], "soft_score": { "threshold": 0.99 } }"#;
    scored(both, Status::Fail, 0.975, &["scoring:hard_fail:formatting"]);
    // A hint without a definition did not pass.
    let unknown = r#"{ "ui": ["?"], "scoring": { "hard_fail": ["tool_hygiene"] } }"#;
    check(unknown, Status::Fail, 0.825, &["scoring:hard_fail:tool_hygiene"]);
    // Several groups, in the order of `hard_fail`.
    let several = r#"{ "ui": ["?"], "must_say_any": ["no"], "must_label_assumptions": true,
        "scoring": { "hard_fail": ["uncertainty", "tool_hygiene", "numeric_grounding", "formatting"] } }"#;
    let verdict = check(
        several,
        Status::Fail,
        0.675,
        &[
            "must_say_any",
            "synthesis:assumptions",
            "scoring:hard_fail:uncertainty",
            "scoring:hard_fail:tool_hygiene",
            "scoring:hard_fail:formatting",
        ],
    );
    assert_eq!(
        verdict.metrics.scoring.hard_fail_triggered,
        [Group::Uncertainty, Group::ToolHygiene, Group::Formatting]
    );
}

#[test]
fn one_check_that_cannot_be_judged_makes_the_case_an_error() {
    let evil = r#"{ "must_match_regex": ["(a|a|aa)+(?!.)"], "must_say_any": ["no"],
        "scoring": { "hard_fail": ["formatting"], "soft_score": { "threshold": 0.9 } } }"#;
    let case = case(&format!(r#"{{ "expected": {evil} }}"#));
    let response = format!("one\ntwo\n{}!", "a".repeat(300));
    let verdict = judge(&case, &transcript(&response, json!([])), &Config::default());
    assert_eq!((verdict.status, verdict.checks.failed.len()), (Status::Error, 0));
    let reason = verdict.reason.unwrap();
    assert!(reason.starts_with("cannot judge `(a|a|aa)+(?!.)` on line 3: "), "{reason}");
}

#[test]
fn a_transcript_is_stale_if_its_prompts_differ_from_the_cases() {
    let case = case(r#"{ "prompt": "Book it.", "setup_prompts": ["Open.", "", "Wait."] }"#);
    for (prompt, setup, stale) in [
        (None, None, false),
        (Some("Book it."), Some(&["Open.", "Wait."][..]), false),
        (Some("Book it. "), Some(&["Open.", "Wait."]), true),
        (Some("Book it."), Some(&["Wait.", "Open."]), true),
        (Some("Book it."), Some(&[]), true),
        (None, Some(&["Open.", "Wait.", "Close."]), true),
    ] {
        let transcript = Transcript {
            prompt: prompt.map(str::to_owned),
            setup_prompts: setup.map(|setup| setup.iter().map(|&prompt| prompt.to_owned()).collect()),
            ..Transcript::default()
        };
        let verdict = judge(&case, &transcript, &Config::default());
        assert_eq!((verdict.stale, verdict.status), (stale, Status::Pass), "{prompt:?} {setup:?}");
    }
}
