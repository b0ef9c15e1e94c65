use super::*;

#[tokio::test]
async fn a_case_that_did_not_pass_has_a_screenshot_beside_the_transcript() {
    let bench = Bench::with_cases(&["A", "B.1", "C/1"]);
    let target = Fake { takes_pictures: true, ..Fake::default() };
    let does = [("B.1", Does::Answer("no")), ("C/1", Does::Panic), ("A", Does::Answer("no"))];
    let target = Arc::new(Fake { does: does.into(), ..target });
    let (outcome, _) = bench.run(Arc::new(target)).await;
    let pictures: Vec<_> = outcome.run.results().map(|case| case.screenshot.clone()).collect();
    let file = |name: &str| bench.store().folder().join(name);
    let shown = |name| Some(file(name).display().to_string());
    // A session that panicked has no screenshot.
    assert_eq!(pictures, [shown("A.png"), shown("B.1.png"), None]);
    assert_eq!(fs::read_to_string(file("B.1.png")).unwrap(), "B.1");

    let passes = Arc::new(Fake { takes_pictures: true, ..Fake::default() });
    let (outcome, _) = bench.run(Arc::new(passes)).await;
    assert!(outcome.run.results().all(|case| case.screenshot.is_none()));
    assert_eq!(files(bench.store().folder()), [""; 0], "screenshots of cases that pass now are removed");
}

#[tokio::test]
async fn a_run_without_results_stores_no_screenshots() {
    let mut bench = Bench::with_cases(&["A"]);
    bench.options.results = None;
    let does = [("A", Does::Answer("no"))];
    let target = || Arc::new(Fake { does: does.into(), takes_pictures: true, ..Fake::default() });
    let (outcome, _) = bench.run(Arc::new(target())).await;
    assert_eq!(outcome.run.results().next().unwrap().screenshot, None);
    assert_eq!(files(bench.store().folder()), [""; 0]);

    bench.options.record = true;
    let (outcome, _) = bench.run(Arc::new(target())).await;
    assert!(outcome.run.results().next().unwrap().screenshot.is_some());
    assert_eq!(files(bench.store().folder()), ["A.json", "A.png"]);
}

#[tokio::test]
async fn a_target_can_limit_the_number_of_jobs() {
    let bench = Bench::with_cases(&["A", "B", "C"]).jobs(3);
    let target = Arc::new(Fake { most_jobs: NonZeroUsize::new(1), ..Fake::default() });
    let (_, events) = bench.run(Arc::new(Arc::clone(&target))).await;
    assert_eq!(target.most_running.load(Ordering::SeqCst), 1);
    let warnings: Vec<_> = events
        .iter()
        .filter_map(|event| if let Event::Warning(warning) = event { Some(warning.message.as_str()) } else { None })
        .collect();
    assert_eq!(warnings, ["one case at a time is run with the target `fake`, because it has one window"]);
    assert!(matches!(&events[0], Event::RunStarted(run) if run.jobs == 1));
}
