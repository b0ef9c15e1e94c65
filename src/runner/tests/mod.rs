mod events;
mod faults;
mod kept;
mod pictures;
mod plans;
mod programs;
mod runs;

use std::collections::HashMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use tempfile::TempDir;

use super::*;
use crate::config::Config;
use crate::events::*;
use crate::runs::Runs;
use crate::targets::{Cancel, Context, Request, Secrets, Session, Target, TargetError};
use crate::text::Text;
use crate::transcript::{Store, Transcript};
use crate::verdict::{CaseResult, Status};

/// A folder with a suite and everything that a run of it needs.
struct Bench {
    folder: TempDir,
    text: String,
    config: Arc<Config>,
    options: Options,
    cancel: Cancel,
}

impl Bench {
    fn new(suite: &str) -> Self {
        let config = Config::default();
        let (folder, cancel) = (TempDir::new().unwrap(), Cancel::new());
        let results = Some(folder.path().join(&config.run.results));
        let options = Options { results, ..Options::new(&config, "replay") };
        Self { folder, text: suite.to_owned(), config: Arc::new(config), options, cancel }
    }

    /// A suite with cases of these ids, each of which expects the answer `yes`.
    fn with_cases(ids: &[&str]) -> Self {
        let case =
            |id: &&str| format!(r#"{{"id": "{id}", "prompt": "ask {id}", "expected": {{"must_say_any": ["yes"]}}}}"#);
        let cases = ids.iter().map(case).collect::<Vec<_>>().join(",\n");
        Self::new(&format!("{{\"cases\": [\n{cases}]}}"))
    }

    fn jobs(mut self, jobs: usize) -> Self {
        self.options.jobs = NonZeroUsize::new(jobs).unwrap();
        self
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("evals.json")
    }

    fn results(&self) -> PathBuf {
        self.folder.path().join("results")
    }

    fn runs(&self) -> Runs {
        Runs::of_workspace(self.folder.path(), &self.config)
    }

    /// The bench with runs that are kept.
    fn kept(mut self) -> Self {
        let record = serde_json::json!({
            "format": crate::runs::FORMAT, "id": "", "started_at": "", "target": { "name": "fake" }
        });
        self.options.kept = Some(Keeping {
            runs: self.runs(),
            root: self.folder.path().to_owned(),
            record: serde_json::from_value(record).unwrap(),
            redact: None,
            resume: None,
            is_part: false,
        });
        self
    }

    fn store(&self) -> Store {
        Store::new(&self.path(), &self.config)
    }

    /// Stores a transcript as `--record` would, but without waiting for the disk.
    fn accept(&self, id: &str, response: &str) {
        let transcript = Transcript { case: id.to_owned(), response: response.to_owned(), ..Transcript::default() };
        fs::create_dir_all(self.store().folder()).unwrap();
        fs::write(self.store().path(id), transcript.to_json()).unwrap();
    }

    fn plan(&self) -> Plan {
        Plan::select(vec![SuiteInput::parse(self.path(), Text::new(&self.text))], |_, _| true).unwrap()
    }

    async fn run(&self, target: Arc<dyn Target>) -> (Outcome, Vec<Event>) {
        let events = Mutex::new(Vec::new());
        let outcome = self.run_with(target, |event| events.lock().unwrap().push(event.clone())).await;
        (outcome, events.into_inner().unwrap())
    }

    async fn run_with(&self, target: Arc<dyn Target>, emit: impl FnMut(&Event)) -> Outcome {
        let config = Arc::clone(&self.config);
        run(self.plan(), target, config, self.options.clone(), &self.cancel, emit).await.unwrap()
    }
}

/// The reaction of the fake target to a case.
#[derive(Clone, Copy)]
enum Does {
    Answer(&'static str),
    /// Answers after all these cases have been asked.
    AnswerAfter(&'static [&'static str]),
    /// Hangs until it is time to stop.
    Hang,
    /// Does not stop when it should.
    HangForever,
    Panic,
}

/// A live target with a given reaction to each case. It answers other cases with `yes`.
#[derive(Default)]
struct Fake {
    does: HashMap<&'static str, Does>,
    set_up_fails: bool,
    takes_pictures: bool,
    most_jobs: Option<NonZeroUsize>,
    /// The ids of the cases that were asked, in order.
    asked: Mutex<Vec<String>>,
    running: AtomicUsize,
    most_running: AtomicUsize,
    sessions: AtomicUsize,
    closed: AtomicUsize,
    torn_down: AtomicUsize,
}

impl Fake {
    fn new<const N: usize>(does: [(&'static str, Does); N]) -> Arc<Self> {
        Arc::new(Self { does: does.into(), ..Self::default() })
    }

    async fn answer(&self, request: &Request, context: &Context) -> Result<Transcript, TargetError> {
        let answer = |response: &str| {
            let (case, response) = (request.case.clone(), response.to_owned());
            Ok(Transcript { case, response, prompt: Some(request.prompt.clone()), ..Transcript::default() })
        };
        match self.does.get(request.case.as_str()).copied().unwrap_or(Does::Answer("yes")) {
            Does::Answer(response) => answer(response),
            Does::AnswerAfter(others) => {
                context.progress.tell(format!("waiting for {}", others.join(", ")));
                let is_asked = |other: &&str| self.asked.lock().unwrap().iter().any(|asked| asked == other);
                while !others.iter().all(is_asked) {
                    tokio::task::yield_now().await;
                }
                answer("yes")
            }
            Does::Hang => Err(context.deadline.reached().await.into()),
            Does::HangForever => std::future::pending().await,
            Does::Panic => panic!("the target fell over"),
        }
    }
}

struct FakeSession(Arc<Fake>);

#[async_trait]
impl Target for Arc<Fake> {
    fn name(&self) -> &str {
        "fake"
    }

    fn is_live(&self) -> bool {
        true
    }

    fn secrets(&self) -> Secrets {
        Secrets::default()
    }

    fn most_jobs(&self) -> Option<(NonZeroUsize, &'static str)> {
        self.most_jobs.map(|most| (most, "it has one window"))
    }

    async fn set_up(&self, _context: &Context) -> Result<(), TargetError> {
        let failed = || TargetError::NoFile(PathBuf::from("chromium"));
        if self.set_up_fails { Err(failed()) } else { Ok(()) }
    }

    async fn session(&self, _job: usize, _context: &Context) -> Result<Box<dyn Session>, TargetError> {
        self.sessions.fetch_add(1, Ordering::SeqCst);
        Ok(Box::new(FakeSession(Arc::clone(self))))
    }

    async fn tear_down(&self) {
        self.torn_down.fetch_add(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl Session for FakeSession {
    async fn ask(&mut self, request: &Request, context: &Context) -> Result<Transcript, TargetError> {
        self.0.asked.lock().unwrap().push(request.case.clone());
        let running = self.0.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.0.most_running.fetch_max(running, Ordering::SeqCst);
        let answer = self.0.answer(request, context).await;
        self.0.running.fetch_sub(1, Ordering::SeqCst);
        answer
    }

    fn takes_pictures(&self) -> bool {
        self.0.takes_pictures
    }

    async fn picture(&mut self) -> Option<Vec<u8>> {
        let last = self.0.asked.lock().unwrap().last().cloned();
        last.map(String::into_bytes)
    }

    async fn close(self: Box<Self>) {
        self.0.closed.fetch_add(1, Ordering::SeqCst);
    }
}

/// Each case's id and its status, or the reason of an `ERROR`.
fn ends(outcome: &Outcome) -> Vec<(String, String)> {
    let end = |case: &CaseResult| match case.status {
        Status::Error => case.reason.clone().expect("an error has a reason"),
        status => status.to_string(),
    };
    outcome.run.cases().into_iter().map(|case| &*case.result).map(|case| (case.id.clone(), end(case))).collect()
}

fn pairs(ends: &[(&str, &str)]) -> Vec<(String, String)> {
    ends.iter().map(|(id, end)| ((*id).to_owned(), (*end).to_owned())).collect()
}

/// The names of the files in a folder; empty if the folder does not exist.
fn files(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
