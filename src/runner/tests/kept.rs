//! Runs that are kept.

use super::*;
use crate::runs::{KeptRun, OpenRun, RunId, RunState};
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
async fn run_until(bench: &Bench, id: &'static str) {
    let (killed, kill) = tokio::sync::oneshot::channel();
    let mut killed = Some(killed);
    let target = Fake::new([(id, Does::Hang)]);
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
    while bench.runs().latest().unwrap().state() == RunState::Running {
        tokio::task::yield_now().await;
    }
}

fn latest(bench: &Bench) -> KeptRun {
    bench.runs().latest().expect("a run is kept")
}

fn statuses(run: &KeptRun) -> Vec<(String, String)> {
    let lines = run.lines().unwrap();
    lines.into_iter().map(|line| (line.case, line.status.to_string())).collect()
}

#[tokio::test]
async fn a_case_is_kept_before_its_event_is_emitted() {
    let bench = Bench::with_cases(&["A", "B"]).kept();
    let mut finished = 0;
    let outcome = bench
        .run_with(Arc::new(Fake::new([("B", Does::Answer("no"))])), |event| {
            if let Event::CaseFinished(_) = event {
                finished += 1;
                let run = latest(&bench);
                assert!(run.lines().unwrap().len() >= finished);
                assert_eq!(run.state(), RunState::Running);
            }
        })
        .await;
    assert_eq!(finished, 2);
    assert_eq!(outcome.kept.as_ref().map(OpenRun::folder), Some(latest(&bench).folder()));
    outcome.finish().unwrap();

    let run = latest(&bench);
    assert_eq!(run.state(), RunState::Ended);
    assert_eq!(statuses(&run), pairs(&[("A", "PASS"), ("B", "FAIL")]));
    let record = run.record();
    assert_eq!((record.total(), record.not_run), (2, Some(0)));
    assert_eq!(record.summary.as_ref().map(|summary| (summary.pass, summary.fail)), Some((1, 1)));
    assert_eq!(record.suites[0].path, "evals.json");
    let lines = run.lines().unwrap();
    let answer = run.answer(&lines[1]).unwrap().unwrap();
    assert_eq!((answer.case.as_str(), answer.response.as_str()), ("B", "no"));
    assert_eq!(answer.prompt.as_deref(), Some("ask B"));
}

#[tokio::test]
async fn equal_answers_are_kept_once() {
    let bench = Bench::with_cases(&["A", "B", "C"]).kept();
    let (outcome, _) = bench.run(Arc::new(Fake::new([("B", Does::Answer("no"))]))).await;
    outcome.finish().unwrap();
    let run = latest(&bench);
    let answers = std::fs::read_to_string(run.folder().join("answers")).unwrap();
    assert_eq!(answers.matches("eval-ls/answer@1").count(), 2);
    let lines = run.lines().unwrap();
    let answers: Vec<_> = lines.iter().map(|line| run.answer(line).unwrap().unwrap().response).collect();
    assert_eq!(answers, ["yes", "no", "yes"]);
}

#[tokio::test]
async fn the_next_run_reports_an_interrupted_run() {
    let bench = Bench::with_cases(&["A", "B", "C"]).kept();
    run_until(&bench, "C").await;
    let killed = latest(&bench);
    assert_eq!(killed.state(), RunState::Interrupted);
    assert_eq!(statuses(&killed), pairs(&[("A", "PASS"), ("B", "PASS")]));

    // A replay reports it too.
    let (outcome, events) = bench.run(Arc::new(ReplayTarget::new("replay", Arc::clone(&bench.config)))).await;
    let [found] = interrupted(&events)[..] else { panic!("expected one interrupted run: {events:?}") };
    assert_eq!((found.suite.as_str(), found.finished), (bench.path().to_str().unwrap(), 2));
    assert_eq!(
        (found.run.as_str(), found.started_at.as_ref()),
        (killed.id().as_str(), Some(&killed.record().started_at))
    );
    assert!(Path::new(&found.results).is_file());
    outcome.finish().unwrap();

    // It is reported once, and stays.
    let (outcome, events) = bench.run(Arc::new(ReplayTarget::new("replay", Arc::clone(&bench.config)))).await;
    assert_eq!(interrupted(&events).len(), 0);
    outcome.finish().unwrap();
    assert_eq!(bench.runs().list().len(), 3);
}

#[tokio::test]
async fn an_interrupted_run_is_resumed() {
    let mut bench = Bench::with_cases(&["A", "B", "C", "D"]).kept();
    run_until(&bench, "C").await;
    let killed = latest(&bench);
    bench.options.kept.as_mut().unwrap().resume = Some(killed.id().clone());
    let target = Fake::new([("C", Does::Answer("no"))]);
    let (outcome, events) = bench.run(Arc::new(Arc::clone(&target))).await;
    assert_eq!(*target.asked.lock().unwrap(), ["C", "D"]);
    let expected = [("A", "PASS"), ("B", "PASS"), ("C", "FAIL"), ("D", "PASS")];
    assert_eq!(ends(&outcome), pairs(&expected));
    let resumed: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::CaseFinished(case) => Some((case.case.case.as_str(), case.resumed)),
            _ => None,
        })
        .collect();
    assert_eq!(resumed, [("A", true), ("B", true), ("C", false), ("D", false)]);
    outcome.finish().unwrap();
    let run = latest(&bench);
    assert_eq!((run.id(), run.state()), (killed.id(), RunState::Ended));
    assert_eq!((statuses(&run), run.record().resumed_at.len()), (pairs(&expected), 1));
}

#[tokio::test]
async fn a_resumed_run_runs_edited_cases_again() {
    let mut bench = Bench::with_cases(&["A", "B", "C"]).kept();
    run_until(&bench, "C").await;
    bench.options.kept.as_mut().unwrap().resume = Some(latest(&bench).id().clone());
    bench.text = bench.text.replace("ask B", "please ask B");
    let target = Fake::new([]);
    let (outcome, _) = bench.run(Arc::new(Arc::clone(&target))).await;
    assert_eq!(*target.asked.lock().unwrap(), ["B", "C"]);
    outcome.finish().unwrap();
    let run = latest(&bench);
    assert_eq!(run.lines().unwrap().len(), 3);
    assert_eq!(run.lines().unwrap()[1].result.prompt, "please ask B");
}

#[tokio::test]
async fn two_runs_at_once_have_separate_folders() {
    let bench = Bench::with_cases(&["A"]).kept();
    let (first, _) = bench.run(Arc::new(Fake::new([]))).await;
    let (second, events) = bench.run(Arc::new(Fake::new([]))).await;
    assert_eq!(interrupted(&events).len(), 0, "the first run still has its lock");
    let running = RunId::of_name(first.kept.as_ref().unwrap().folder().file_name().unwrap()).unwrap();
    let error = OpenRun::resume(&bench.runs(), &running, None, true).unwrap_err().to_string();
    assert_eq!(error, format!("the run {running} is still running"));
    assert_eq!(bench.runs().remove(&running).unwrap_err().to_string(), error);
    second.finish().unwrap();
    first.finish().unwrap();
    assert_eq!(bench.runs().list().len(), 2);
    assert!(bench.runs().list().iter().all(|run| run.state() == RunState::Ended));
}

#[tokio::test]
async fn a_run_that_is_not_kept_writes_nothing() {
    let bench = Bench::with_cases(&["A"]);
    let (outcome, _) = bench.run(Arc::new(Fake::new([]))).await;
    assert_eq!(outcome.kept.as_ref().map(OpenRun::folder), None);
    outcome.finish().unwrap();
    assert_eq!(files(bench.folder.path()), [""; 0]);
}

#[tokio::test]
async fn a_folder_that_cannot_be_created_is_an_error_before_any_case_is_asked() {
    let bench = Bench::with_cases(&["A"]).kept();
    fs::write(bench.results(), "a file where a folder should be").unwrap();
    let target = Fake::new([]);
    let (config, options) = (Arc::clone(&bench.config), bench.options.clone());
    let running = run(bench.plan(), Arc::new(Arc::clone(&target)), config, options, &bench.cancel, |_| ());
    let error = running.await.unwrap_err().to_string();
    assert!(error.starts_with("cannot create the folder ") && error.contains("/results"), "{error}");
    assert!(target.asked.lock().unwrap().is_empty());
}

#[tokio::test]
async fn an_answer_that_fails_does_not_replace_a_transcript_that_passes() {
    let mut bench = Bench::with_cases(&["A", "B", "C"]).kept();
    bench.options.record = true;
    bench.accept("A", "yes");
    bench.accept("B", "never");
    let no = Does::Answer("no");
    let (outcome, events) = bench.run(Arc::new(Fake::new([("A", no), ("B", no), ("C", no)]))).await;
    outcome.finish().unwrap();
    let kept = |id: &str| bench.store().read(id).unwrap().unwrap().response;
    assert_eq!((kept("A").as_str(), kept("B").as_str(), kept("C").as_str()), ("yes", "no", "no"));
    let warnings: Vec<_> = events
        .iter()
        .filter_map(|event| if let Event::Warning(warning) = event { Some(warning.message.as_str()) } else { None })
        .collect();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].starts_with("the transcript of `A` passes and stays"), "{warnings:?}");
    let run = latest(&bench);
    let answer = run.answer(&run.lines().unwrap()[0]).unwrap().unwrap();
    assert_eq!(answer.response, "no", "the new answer is in the run");
}
