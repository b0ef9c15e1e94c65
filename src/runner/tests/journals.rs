use super::*;
use crate::targets::ReplayTarget;

/// What the events say of earlier runs.
fn interrupted(events: &[Event]) -> Vec<&InterruptedRun> {
    let mut found = Vec::new();
    for event in events {
        if let Event::InterruptedRun(interrupted) = event {
            found.push(interrupted);
        }
    }
    found
}

/// Runs until the case with that id begins, and no further: whatever happens then, as when the process is killed, what
/// the run found before is on the disk.
async fn run_until(bench: &Bench, id: &str) {
    let (killed, kill) = tokio::sync::oneshot::channel();
    let mut killed = Some(killed);
    let target = Fake::new([("C", Does::Hang)]);
    let running = bench.run_telling(Arc::new(target), |event| {
        if matches!(event, Event::CaseStarted(started) if started.case.case == id) {
            let _ = killed.take().expect("a case starts once").send(());
        }
    });
    tokio::select! {
        _ = running => panic!("the case hangs"),
        _ = kill => {}
    }
    // What a process that is killed does at once: its files are closed.
    let journal = fs::File::open(bench.results().join(&files(&bench.results())[0])).unwrap();
    while journal.try_lock().is_err() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_journal_has_what_was_found_until_the_reports_have_it() {
    let bench = Bench::with_cases(&["A", "B"]);
    let mut told = 0;
    let outcome = bench
        .run_telling(Arc::new(Fake::new([("B", Does::Answer("no"))])), |event| {
            if let Event::CaseFinished(_) = event {
                let journal = bench.results().join(&files(&bench.results())[0]);
                told += 1;
                let lines = fs::read_to_string(journal).unwrap().lines().count();
                assert!(lines > told, "the header, and each case before it is told: {lines} lines for {told} cases");
            }
        })
        .await;
    assert_eq!(told, 2);
    let journal = outcome.suites[0].journal().expect("a live run has a journal").to_owned();
    let text = fs::read_to_string(&journal).unwrap();
    let kept: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(kept[0]["total"], 2);
    let results = outcome.cases().map(|case| serde_json::to_value(case).unwrap());
    assert_eq!(kept[1..].iter().map(|line| line["result"].clone()).collect::<Vec<_>>(), results.collect::<Vec<_>>());
    outcome.reports_written().unwrap();
    assert!(!journal.exists());
}

#[tokio::test]
async fn the_next_run_says_what_became_of_one_that_was_cut_short() {
    let bench = Bench::with_cases(&["A", "B", "C"]);
    run_until(&bench, "C").await;

    // Also a run that only replays.
    let (_, events) = bench.run(Arc::new(ReplayTarget::new("replay", Arc::clone(&bench.config)))).await;
    let [found] = interrupted(&events)[..] else { panic!("there is one: {events:?}") };
    assert_eq!((found.suite.as_str(), found.finished), (bench.path().to_str().unwrap(), 2));
    assert!(found.started_at.as_ref().is_some_and(|at| at.ends_with('Z')));
    let text = fs::read_to_string(&found.results).unwrap();
    let ids = text.lines().skip(1).map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        line["result"]["id"].as_str().unwrap().to_owned()
    });
    assert_eq!(ids.collect::<Vec<_>>(), ["A", "B"]);
    assert!(found.results.ends_with(".interrupted.jsonl"), "{}", found.results);

    // It is said once, and stays.
    let (_, events) = bench.run(Arc::new(ReplayTarget::new("replay", Arc::clone(&bench.config)))).await;
    assert_eq!(interrupted(&events).len(), 0);
    assert_eq!(files(&bench.results()).len(), 1);
}

#[tokio::test]
async fn a_run_that_found_nothing_leaves_nothing_to_say() {
    let bench = Bench::with_cases(&["C"]);
    run_until(&bench, "C").await;
    assert_eq!(files(&bench.results()).len(), 1);
    let (outcome, events) = bench.run(Arc::new(Fake::new([]))).await;
    assert_eq!(interrupted(&events).len(), 0);
    outcome.reports_written().unwrap();
    assert_eq!(files(&bench.results()), [""; 0]);
}

#[tokio::test]
async fn two_runs_at_once_leave_each_other_alone() {
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
async fn a_journal_that_cannot_be_kept_is_an_error_before_anything_is_asked() {
    let bench = Bench::with_cases(&["A"]);
    fs::write(bench.results(), "a file where a folder should be").unwrap();
    let target = Fake::new([]);
    let (config, options) = (Arc::clone(&bench.config), bench.options.clone());
    let running = run(bench.plan(), Arc::new(Arc::clone(&target)), config, options, &bench.cancel, |_| ());
    let error = running.await.unwrap_err().to_string();
    assert!(error.starts_with("cannot make the folder `") && error.contains("/results`"), "{error}");
    assert!(target.asked.lock().unwrap().is_empty());
}
