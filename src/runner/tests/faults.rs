use std::time::Duration;

use super::*;
use crate::runner::case;
use crate::targets::{Deadline, Progress};

#[tokio::test]
async fn a_timeout_is_an_error_of_its_case_alone() {
    let mut bench = Bench::with_cases(&["A", "B"]);
    bench.options.timeout = "10ms".parse().unwrap();
    let (outcome, _) = bench.run(Arc::new(Fake::new([("A", Does::Hang)]))).await;
    assert_eq!(ends(&outcome), pairs(&[("A", "timed out after 10ms"), ("B", "PASS")]));
    let first = outcome.run.results().next().unwrap();
    assert!(first.duration_ms.is_some_and(|duration| duration >= 10));
}

#[tokio::test]
async fn a_target_that_does_not_stop_is_given_up() {
    let target: Arc<dyn Target> = Arc::new(Fake::new([("A", Does::HangForever)]));
    let deadline = Deadline::start("1ms".parse().unwrap(), &Cancel::new());
    let context = Context { deadline, progress: Progress::ignored() };
    let request = Request { case: "A".to_owned(), ..Request::default() };
    let mut session = None;
    let answer = case::ask(&*target, 0, &mut session, &request, &context, Duration::from_millis(1)).await;
    let why = answer.unwrap_err();
    assert_eq!(why.reason, "timed out after 1ms; the target did not stop in time and was given up");
    assert!(!why.cancelled);
    assert!(session.is_none());
}

#[tokio::test]
async fn a_target_that_panics_loses_one_case() {
    let bench = Bench::with_cases(&["A", "B", "C"]);
    let target = Fake::new([("B", Does::Panic)]);
    let (outcome, _) = bench.run(Arc::new(Arc::clone(&target))).await;
    let reason = "internal error in this case (the target fell over); please report it";
    assert_eq!(ends(&outcome), pairs(&[("A", "PASS"), ("B", reason), ("C", "PASS")]));
    assert_eq!(target.sessions.load(Ordering::SeqCst), 2, "a session that panicked is not used again");
}

#[tokio::test]
async fn a_target_that_cannot_be_set_up_makes_every_case_an_error() {
    let bench = Bench::with_cases(&["A", "B"]);
    let target = Arc::new(Fake { set_up_fails: true, ..Fake::default() });
    let (outcome, events) = bench.run(Arc::new(Arc::clone(&target))).await;
    let reason = "no transcript to replay: `chromium` is not a file";
    assert_eq!(ends(&outcome), pairs(&[("A", reason), ("B", reason)]));
    assert_eq!(events.len(), 6);
    assert_eq!(target.sessions.load(Ordering::SeqCst), 0);
    assert_eq!(target.torn_down.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_case_without_id_or_prompt_is_not_asked() {
    let bench = Bench::new(
        r#"{"cases": [{"prompt": "a"}, {"id": "B"}, {"id": "C", "prompt": ""}, {"id": "D", "prompt": "d"}]}"#,
    );
    let target = Fake::new([]);
    let (outcome, _) = bench.run(Arc::new(Arc::clone(&target))).await;
    let no_prompt = "the case has no `prompt`";
    let expected = [("", "the case has no `id`"), ("B", no_prompt), ("C", no_prompt), ("D", "PASS")];
    assert_eq!(ends(&outcome), pairs(&expected));
    assert_eq!(*target.asked.lock().unwrap(), ["D"]);
}

#[tokio::test]
async fn cancelling_stops_running_cases_and_keeps_finished_ones() {
    let bench = Bench::with_cases(&["A", "B", "C", "D", "E"]).jobs(2);
    let target = Fake::new([("C", Does::Hang), ("D", Does::Hang)]);
    let mut last = None;
    let outcome = bench
        .run_with(Arc::new(Arc::clone(&target)), |event| {
            if matches!(event, Event::CaseStarted(started) if started.case.case == "D") {
                bench.cancel.cancel();
            }
            last = Some(event.clone());
        })
        .await;
    assert_eq!(ends(&outcome), pairs(&[("A", "PASS"), ("B", "PASS")]));
    assert!(outcome.run.finished().unwrap().cancelled);
    assert_eq!(outcome.run.finished().unwrap().not_run, 3);
    let Some(Event::RunFinished(finished)) = last else { panic!("not the last event: {last:?}") };
    assert!(finished.cancelled);
    assert_eq!((finished.not_run, finished.suites[0].not_run), (3, 3));
    assert_eq!((finished.summary.total, finished.summary.pass, finished.errors), (2, 2, 1));
    assert_eq!(target.closed.load(Ordering::SeqCst), 2);
    assert_eq!(target.torn_down.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_run_that_is_cancelled_before_it_starts_asks_nothing() {
    let bench = Bench::with_cases(&["A"]);
    bench.cancel.cancel();
    let target = Fake::new([]);
    let (outcome, _) = bench.run(Arc::new(Arc::clone(&target))).await;
    assert_eq!((outcome.run.results().count(), outcome.run.finished().unwrap().not_run), (0, 1));
    assert!(target.asked.lock().unwrap().is_empty());
}
