//! The time to score: to replay many transcripts from disk, to judge one transcript, and to judge a very long response.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use eval_ls::testing::Config;
use eval_ls::testing::parse;
use eval_ls::testing::{Case, Suite};
use eval_ls::testing::{Event, Store, Transcript};
use eval_ls::testing::{Status, judge};
use serde_json::json;

const CASES: usize = 5_000;
const LINES: usize = 1_000_000;

fn case(expected: &str) -> Case {
    let source = format!(r#"{{ "cases": [ {{ "id": "W1", "prompt": "Brief me.", "expected": {expected} }} ] }}"#);
    let parsed = parse(&source);
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    Case::clone(&Suite::lower(parsed.tree.root(&source).expect("a document")).cases[0].case)
}

/// A realistic case with sources, numbers, assumptions and patterns, of which some fail.
fn brief() -> Case {
    case(
        r#"{
            "required_sources": ["github", "slack", "posthog"], "must_label_assumptions": true,
            "must_ground_numbers": [
                { "label": "github", "regex": "GitHub:\\s*[0-9]+" }, { "label": "slack", "regex": "Slack:\\s*[0-9]+" },
                { "label": "posthog", "value": "97", "context_any": ["sessions"] }
            ],
            "must_match_regex": ["Signals", "Conflicts", "^Recommendation$", "(conflict|tension|mismatch)"],
            "must_not_match_regex": ["HallucinatedSource"], "must_not_say": ["I cannot", "as an AI"],
            "tool_calls_any": ["add_component"], "telemetry": ["tool.add_component result success:true", "warn"],
            "required_levers": 2, "claim_evidence_alignment": true, "evidence_freshness_max_age_minutes": 180,
            "scoring": { "hard_fail": ["synthesis_coverage"], "soft_score": { "threshold": 0.8 } }
        }"#,
    )
}

/// A response of about 1.5 kB and half a kilobyte of telemetry.
fn transcript(number: usize) -> Transcript {
    let lines =
        (0..24).map(|line| format!("- Observed {line} changes because tyres wear, {number} of {line} min ago\n"));
    let head =
        format!("Signals\nGitHub: {number}\nSlack: 4 mentions\nPostHog: 97 sessions\nToday's mission, assuming so\n");
    let telemetry = ["start", "result"].map(|event| {
        Event::from_value(json!({
            "ts": "2026-03-01T09:00:01Z", "level": "info", "source": "tool.add_component", "event": event,
            "data": { "id": number, "args": { "kind": "feed", "title": "Mentions" }, "result": { "success": true } }
        }))
    });
    Transcript {
        case: format!("W{number}"),
        prompt: Some("Brief me.".to_owned()),
        response: head + &lines.collect::<String>(),
        telemetry: telemetry.into(),
        ..Transcript::default()
    }
}

fn replay(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let config = Config::default();
    let store = Store::new(&folder.path().join("suite.json"), &config);
    std::fs::create_dir_all(store.folder()).expect("a folder");
    for number in 0..CASES {
        let transcript = transcript(number);
        std::fs::write(store.path(&transcript.case), transcript.to_json()).expect("a file");
    }
    let case = brief();
    let mut group = c.benchmark_group("scoring");
    group.sample_size(10);
    group.bench_function("replay 5,000 transcripts of 2 kB from disk, to JSON", |b| {
        b.iter(|| {
            for number in 0..CASES {
                let transcript = store.read(&format!("W{number}")).expect("readable").expect("stored");
                let result = judge(&case, &transcript, &config);
                black_box(serde_json::to_string(&result).expect("JSON"));
            }
        });
    });
    let one = transcript(7);
    group.bench_function("judge one transcript of 2 kB", |b| b.iter(|| judge(black_box(&case), &one, &config)));
    group.finish();
}

fn long_response(c: &mut Criterion) {
    let lines = (0..LINES).map(|line| format!("- line {line} of a very long answer\n"));
    let transcript = Transcript { response: lines.collect(), ..Transcript::default() };
    let text = transcript.to_json();
    let config = Config::default();
    let mut group = c.benchmark_group("a million lines");
    group.sample_size(10);
    group.bench_function("read", |b| b.iter(|| Transcript::parse(black_box(&text)).expect("a transcript")));
    for (name, expected) in [
        (
            "five phrases",
            r#"{ "must_not_say": ["a", "b", "I cannot", "as an AI", "Größe"], "must_say_any": ["9999999"] }"#,
        ),
        ("a value", r#"{ "must_ground_numbers": ["12 9"] }"#),
        ("a pattern that matches nowhere", r#"{ "must_match_regex": ["HallucinatedSource"] }"#),
        ("an anchored pattern", r#"{ "must_match_regex": ["^Recommendation$"] }"#),
        ("levers", r#"{ "required_levers": 2 }"#),
        ("freshness", r#"{ "evidence_freshness_max_age_minutes": 5 }"#),
    ] {
        let case = case(expected);
        assert_ne!(judge(&case, &transcript, &config).status, Status::Error, "{name}");
        group.bench_function(name, |b| b.iter(|| judge(&case, black_box(&transcript), &config)));
    }
    group.finish();
}

/// Asserts that the benchmarks above measure what their names claim.
fn check(_: &mut Criterion) {
    let transcript = transcript(7);
    let size = transcript.to_json().len();
    assert!((1_800..3_500).contains(&size), "{size} bytes");
}

criterion_group!(benches, check, replay, long_response);
criterion_main!(benches);
