use serde_json::{Value, json};

use super::*;
use crate::targets::ReplayTarget;
use crate::text::{LineColumn, LineRange};
use crate::verdict::Versions;

/// The events as lines of JSON, with placeholders for values that differ from run to run.
fn lines(bench: &Bench, events: &[Event]) -> Vec<Value> {
    let folder = bench.folder.path().display().to_string();
    let line = |event: &Event| {
        let text = serde_json::to_string(event).unwrap();
        let read: Event = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), text, "an event survives a round trip");
        assert!(!text.contains('\n'));
        let mut line: Value = serde_json::from_str(&text.replace(&folder, "")).unwrap();
        for (key, value) in [("started_at", json!("…")), ("duration_ms", json!(0)), ("result", json!({}))] {
            if let Some(found) = line.get_mut(key) {
                *found = value;
            }
        }
        line
    };
    events.iter().map(line).collect()
}

#[tokio::test]
async fn a_run_emits_its_events_in_order() {
    let bench = Bench::new(
        "{\n  \"cases\": [\n    { \"id\": \"🚀A\", \"expected\": { \"must_say_any\": [\"yes\"] } },\n    \
         { \"name\": 1, \"id\": \"B\" }\n  ]\n}\n",
    );
    bench.accept("🚀A", "yes");
    let (_, events) = bench.run(Arc::new(ReplayTarget::new("replay", Arc::clone(&bench.config)))).await;
    let text: String = lines(&bench, &events).iter().map(|line| format!("{line}\n")).collect();
    insta::assert_snapshot!(text.replace(&json!(Versions::current()).to_string(), "\"versions\""));
    let Event::CaseFinished(finished) = &events[2] else { panic!("not the end of a case") };
    let detail = finished.result.check_details.iter().find(|detail| detail.id == "must_say_any").unwrap();
    assert_eq!(detail.suite.map(|place| (place.line, place.column)), Some((3, 49)));
}

#[tokio::test(flavor = "multi_thread")]
async fn progress_is_emitted_between_start_and_end() {
    let bench = Bench::with_cases(&["A", "B"]).jobs(2);
    let (_, events) = bench.run(Arc::new(Fake::new([("A", Does::AnswerAfter(&["B"]))]))).await;
    let lines = lines(&bench, &events);
    let of_a = lines.iter().filter(|line| line["case"] == "A").map(|line| line["event"].as_str().unwrap());
    assert_eq!(of_a.collect::<Vec<_>>(), ["case-started", "case-progress", "case-finished"]);
    let progress = lines.iter().find(|line| line["event"] == "case-progress").unwrap();
    let range = json!({"start": {"line": 2, "column": 8}, "end": {"line": 2, "column": 11}});
    let expected = json!({
        "event": "case-progress", "suite": "/evals.json", "case": "A", "index": 0, "range": range,
        "message": "waiting for B"
    });
    assert_eq!(*progress, expected);
}

#[test]
fn the_other_events_have_their_documented_shape() {
    let interrupted = InterruptedRun {
        suite: "a.json".to_owned(),
        started_at: None,
        finished: 3,
        results: "results/runs/20261121T102030Z-abcdef/cases.jsonl".to_owned(),
        run: "20261121T102030Z-abcdef".to_owned(),
    };
    let place = LineColumn { line: 4, column: 13 };
    let range = LineRange { start: place, end: LineColumn { column: 14, ..place } };
    let errors = vec![SuiteError { lint: "invalid-json".to_owned(), message: "expected a value".to_owned(), range }];
    let reason = "invalid-json: expected a value".to_owned();
    let suite = Event::SuiteNotRun(SuiteNotRun { suite: "a.json".to_owned(), reason, errors });
    let warning = Event::Warning(Warning { message: "why".to_owned() });
    let events = [Event::InterruptedRun(interrupted), suite, warning];
    insta::assert_snapshot!(events.map(|event| serde_json::to_string(&event).unwrap()).join("\n"));
}

#[test]
fn the_events_page_shows_every_event() {
    let page = include_str!("../../../docs/events.md");
    let names =
        "run-started interrupted-run suite-not-run case-started case-progress case-finished warning run-finished";
    let mut blocks = page.split("```json\n").skip(1).map(|block| block.split("```").next().unwrap());
    for name in names.split(' ') {
        let shown: Value = serde_json::from_str(blocks.next().expect(name)).unwrap();
        assert_eq!(shown["event"], name);
        assert!(page.contains(&format!("\n## `{name}`\n")), "{name} has a heading");
        // The result is shortened on the page.
        let mut whole = shown.clone();
        if let Some(result) = whole.get_mut("result") {
            *result = serde_json::to_value(CaseResult::not_run(&crate::suite::Case::default(), "")).unwrap();
        }
        let event: Event = serde_json::from_value(whole.clone()).expect(name);
        assert_eq!(serde_json::to_value(&event).unwrap(), whole, "the page shows {name} with all its keys");
    }
    assert_eq!(blocks.next(), None);
}
