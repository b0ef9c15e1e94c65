use super::*;
use crate::targets::ReplayTarget;

const IDS: [&str; 5] = ["A", "B", "C", "D", "E"];

#[tokio::test(flavor = "multi_thread")]
async fn results_are_in_the_order_of_the_suite_not_of_time() {
    let bench = Bench::with_cases(&IDS).jobs(3);
    let target =
        Fake::new([("A", Does::AnswerAfter(&["E"])), ("B", Does::AnswerAfter(&["D"])), ("D", Does::Answer("no"))]);
    let (outcome, events) = bench.run(Arc::new(Arc::clone(&target))).await;
    let expected = [("A", "PASS"), ("B", "PASS"), ("C", "PASS"), ("D", "FAIL"), ("E", "PASS")];
    assert_eq!(ends(&outcome), pairs(&expected));
    let mut finished = events.iter().filter_map(|event| match event {
        Event::CaseFinished(finished) => Some(finished.case.case.as_str()),
        _ => None,
    });
    assert_eq!(finished.next(), Some("C"), "the first two wait for cases that begin after it");
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_limit_the_cases_that_run_at_once() {
    for (jobs, sessions) in [(1, 1), (2, 2), (3, 3), (64, 5)] {
        let bench = Bench::with_cases(&IDS).jobs(jobs);
        let target = Fake::new([]);
        let (outcome, _) = bench.run(Arc::new(Arc::clone(&target))).await;
        assert_eq!(outcome.run.results().count(), 5);
        assert!(target.most_running.load(Ordering::SeqCst) <= jobs);
        let opened = target.sessions.load(Ordering::SeqCst);
        assert!((1..=sessions).contains(&opened), "{opened} sessions");
        assert_eq!(target.closed.load(Ordering::SeqCst), opened);
        assert_eq!(target.torn_down.load(Ordering::SeqCst), 1);
    }
}

#[tokio::test]
async fn one_job_asks_the_cases_one_by_one() {
    let target = Fake::new([]);
    let (outcome, _) = Bench::with_cases(&IDS).run(Arc::new(Arc::clone(&target))).await;
    assert_eq!(*target.asked.lock().unwrap(), IDS);
    assert!(!outcome.run.finished().unwrap().cancelled);
    assert_eq!(outcome.run.started().unwrap().target, "fake");
}

#[tokio::test(flavor = "multi_thread")]
async fn thousands_of_transcripts_are_replayed() {
    let ids: Vec<String> = (0..2_000).map(|number| format!("C{number}")).collect();
    let bench = Bench::with_cases(&ids.iter().map(String::as_str).collect::<Vec<_>>()).jobs(4);
    for (number, id) in ids.iter().enumerate() {
        bench.accept(id, if number % 2 == 0 { "yes" } else { "no" });
    }
    let (outcome, events) = bench.run(Arc::new(ReplayTarget::new("replay", Arc::clone(&bench.config)))).await;
    let expected =
        ids.iter().enumerate().map(|(number, id)| (id.clone(), if number % 2 == 0 { "PASS" } else { "FAIL" }));
    assert!(ends(&outcome).into_iter().eq(expected.map(|(id, end)| (id, end.to_owned()))));
    assert_eq!(events.len(), 2 + 2 * ids.len());
}

#[tokio::test]
async fn several_suites_are_one_run() {
    let bench = Bench::with_cases(&["A"]);
    let suites = ["one/a.json", "two/b.json", "two/empty.json"].map(|path| {
        let text = if path.contains("empty") { "{}" } else { &bench.text };
        SuiteInput::parse(bench.folder.path().join(path), Text::new(text))
    });
    let plan = Plan::select(suites.to_vec(), |_, _| true).unwrap();
    let (config, options) = (Arc::clone(&bench.config), bench.options.clone());
    let target = Fake::new([]);
    let outcome = run(plan, Arc::new(target), config, options, &bench.cancel, |_| ()).await.unwrap();
    let run = &outcome.run;
    let cases: Vec<usize> = run.suites().iter().map(|suite| run.cases_of(&suite.suite).len()).collect();
    assert_eq!(cases, [1, 1, 0]);
    assert_eq!(outcome.results, bench.options.results);
}

#[tokio::test]
async fn recording_stores_the_answers_of_a_live_target() {
    let mut bench = Bench::with_cases(&["A", "B"]);
    bench.options.record = true;
    let target = Fake::new([("B", Does::Panic)]);
    let (_, events) = bench.run(Arc::new(target)).await;
    assert_eq!(files(bench.store().folder()), ["A.json"]);
    assert_eq!(bench.store().read("A").unwrap().unwrap().response, "yes");
    let stored = events.iter().filter_map(|event| match event {
        Event::CaseFinished(finished) => Some(finished.transcript.clone()),
        _ => None,
    });
    assert_eq!(stored.collect::<Vec<_>>(), [Some(bench.store().path("A").display().to_string()), None]);

    // A replay never writes transcripts, even with `record`.
    let before = fs::read(bench.store().path("A")).unwrap();
    let (outcome, events) = bench.run(Arc::new(ReplayTarget::new("replay", Arc::clone(&bench.config)))).await;
    assert_eq!(ends(&outcome)[0].1, "PASS");
    assert!(matches!(&events[0], Event::RunStarted(started) if !started.record && !started.live));
    assert_eq!(fs::read(bench.store().path("A")).unwrap(), before);
}

#[tokio::test]
async fn a_transcript_that_cannot_be_stored_is_a_warning() {
    let mut bench = Bench::with_cases(&["A"]);
    bench.options.record = true;
    fs::write(bench.folder.path().join("transcripts"), "a file where a folder should be").unwrap();
    let (outcome, events) = bench.run(Arc::new(Fake::new([]))).await;
    assert_eq!(ends(&outcome), pairs(&[("A", "PASS")]));
    let warning = events.iter().find_map(|event| match event {
        Event::Warning(warning) => Some(warning.message.as_str()),
        _ => None,
    });
    assert!(warning.is_some_and(|warning| warning.starts_with("the transcript is not stored: ")), "{warning:?}");
}
