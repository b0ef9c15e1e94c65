use super::*;
use crate::targets::ReplayTarget;

/// The events about interrupted runs.
fn interrupted(events: &[Event]) -> Vec<&InterruptedRun> {
    let mut found = Vec::new();
    for event in events {
        if let Event::InterruptedRun(interrupted) = event {
            found.push(interrupted);
        }
    }
    found
}

/// Runs until the case with that id starts, then drops the run, as if the process were killed.
async fn run_until(bench: &Bench, id: &str) {
    let (killed, kill) = tokio::sync::oneshot::channel();
    let mut killed = Some(killed);
    let target = Fake::new([("C", Does::Hang)]);
    let running = bench.run_with(Arc::new(target), |event| {
        if matches!(event, Event::CaseStarted(started) if started.case.case == id) {
            let _ = killed.take().expect("a case starts once").send(());
        }
    });
    tokio::select! {
        _ = running => panic!("the case hangs"),
        _ = kill => {}
    }
    // Waits until the file is closed, as the system does for a killed process.
    let journal = fs::File::open(bench.results().join(&files(&bench.results())[0])).unwrap();
    while journal.try_lock().is_err() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_journal_has_the_results_until_the_reports_are_written() {
    let bench = Bench::with_cases(&["A", "B"]);
    let mut finished = 0;
    let outcome = bench
        .run_with(Arc::new(Fake::new([("B", Does::Answer("no"))])), |event| {
            if let Event::CaseFinished(_) = event {
                let journal = bench.results().join(&files(&bench.results())[0]);
                finished += 1;
                let lines = fs::read_to_string(journal).unwrap().lines().count();
                assert!(lines > finished, "a header and {finished} cases need more than {lines} lines");
            }
        })
        .await;
    assert_eq!(finished, 2);
    let journal = outcome.suites[0].journal().expect("a live run has a journal").to_owned();
    let text = fs::read_to_string(&journal).unwrap();
    let written: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(written[0]["total"], 2);
    let results = outcome.cases().map(|case| serde_json::to_value(case).unwrap());
    assert_eq!(written[1..].iter().map(|line| line["result"].clone()).collect::<Vec<_>>(), results.collect::<Vec<_>>());
    outcome.reports_written().unwrap();
    assert!(!journal.exists());
}

#[tokio::test]
async fn the_next_run_reports_an_interrupted_run() {
    let bench = Bench::with_cases(&["A", "B", "C"]);
    run_until(&bench, "C").await;

    // A replay reports it too.
    let (_, events) = bench.run(Arc::new(ReplayTarget::new("replay", Arc::clone(&bench.config)))).await;
    let [found] = interrupted(&events)[..] else { panic!("expected one interrupted run: {events:?}") };
    assert_eq!((found.suite.as_str(), found.finished), (bench.path().to_str().unwrap(), 2));
    assert!(found.started_at.as_ref().is_some_and(|at| at.ends_with('Z')));
    let text = fs::read_to_string(&found.results).unwrap();
    let ids = text.lines().skip(1).map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        line["result"]["id"].as_str().unwrap().to_owned()
    });
    assert_eq!(ids.collect::<Vec<_>>(), ["A", "B"]);
    assert!(found.results.ends_with(".interrupted.jsonl"), "{}", found.results);

    // It is reported once, and its file stays.
    let (_, events) = bench.run(Arc::new(ReplayTarget::new("replay", Arc::clone(&bench.config)))).await;
    assert_eq!(interrupted(&events).len(), 0);
    assert_eq!(files(&bench.results()).len(), 1);
}

#[tokio::test]
async fn an_interrupted_run_without_results_is_not_reported() {
    let bench = Bench::with_cases(&["C"]);
    run_until(&bench, "C").await;
    assert_eq!(files(&bench.results()).len(), 1);
    let (outcome, events) = bench.run(Arc::new(Fake::new([]))).await;
    assert_eq!(interrupted(&events).len(), 0);
    outcome.reports_written().unwrap();
    assert_eq!(files(&bench.results()), [""; 0]);
}

#[tokio::test]
async fn two_runs_at_once_have_separate_journals() {
    let bench = Bench::with_cases(&["A"]);
    let (first, _) = bench.run(Arc::new(Fake::new([]))).await;
    let (second, events) = bench.run(Arc::new(Fake::new([]))).await;
    assert_eq!(interrupted(&events).len(), 0);
    assert_eq!(files(&bench.results()).len(), 2);
    second.reports_written().unwrap();
    first.reports_written().unwrap();
    assert_eq!(files(&bench.results()), [""; 0]);
}

#[tokio::test]
async fn without_results_nothing_is_written() {
    let mut bench = Bench::with_cases(&["A"]);
    bench.options.results = None;
    let (outcome, _) = bench.run(Arc::new(Fake::new([]))).await;
    assert_eq!(outcome.suites[0].journal(), None);
    assert_eq!(files(bench.folder.path()), [""; 0]);
}

#[tokio::test]
async fn a_journal_that_cannot_be_created_is_an_error_before_any_case_is_asked() {
    let bench = Bench::with_cases(&["A"]);
    fs::write(bench.results(), "a file where a folder should be").unwrap();
    let target = Fake::new([]);
    let (config, options) = (Arc::clone(&bench.config), bench.options.clone());
    let running = run(bench.plan(), Arc::new(Arc::clone(&target)), config, options, &bench.cancel, |_| ());
    let error = running.await.unwrap_err().to_string();
    assert!(error.starts_with("cannot make the folder `") && error.contains("/results`"), "{error}");
    assert!(target.asked.lock().unwrap().is_empty());
}
