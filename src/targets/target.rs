//! What a target is, when it stops, and the target of stored answers. Preconditions of cases, which programs check, decide
//! whether a case is asked.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use tokio::process::Command;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep_until};

use crate::config::{Config, HumanDuration, PreconditionCheck, TargetKind};
use crate::diagnostic::{nearest, quoted};
use crate::processes;
use crate::targets::{BrowserError, BrowserOptions, BrowserTarget, CommandTarget, ProgramError, fingerprint, plain};
use crate::transcript::{Origin, Store, Transcript, TranscriptError};

use super::Secrets;
use super::plain::{StandardError, plain};
use super::process::{Ending, exchange};

/// Something that answers the prompts of cases.
///
/// A run calls [`set_up`](Self::set_up) once, then opens one [`Session`] for each of its jobs, and asks each session one case
/// after the other. At the end it closes all sessions and calls [`tear_down`](Self::tear_down), also if the run was cancelled
/// or `set_up` failed.
///
/// Everything that takes a [`Context`] watches its deadline, returns soon after it, and leaves no process running. The same
/// applies to a future that is dropped before its end.
#[async_trait]
pub(crate) trait Target: Send + Sync {
    /// The name under which the configuration knows it.
    fn name(&self) -> &str;

    /// Whether asking costs time or money. Then answers are stored during the run, and can be recorded. Any other target
    /// answers in the thread that asks.
    fn is_live(&self) -> bool;

    /// The hash of the files of its program, with which it gives its answers; `None` if it is not known, or there is no program.
    fn program_hash(&self) -> Option<&str> {
        None
    }

    /// The origin of the answers, for the run's result.
    fn origin(&self) -> Origin {
        Origin::default()
    }

    /// The values that must not be kept or shown anywhere.
    fn secrets(&self) -> Secrets;

    /// Whether only the user may read what is kept of its answers: they may have secrets in a form that is not found.
    fn is_private(&self) -> bool {
        !self.secrets().is_empty()
    }

    /// The values that must not be shown in the reason why there is no answer. In answers, some of them may be ordinary words.
    fn secrets_of_reasons(&self) -> Secrets {
        self.secrets()
    }

    /// The file from which the answer of a case is read, if there is one.
    fn transcript(&self, _suite: &Path, _case: &str) -> Option<PathBuf> {
        None
    }

    /// How many cases it can be asked at a time, and the reason; `None` without a limit.
    fn most_jobs(&self) -> Option<(NonZeroUsize, &'static str)> {
        None
    }

    /// Runs once before the first case.
    ///
    /// # Errors
    /// If no case can be asked; all cases then have this reason.
    async fn set_up(&self, _context: &Context) -> Result<(), TargetError> {
        Ok(())
    }

    /// Opens the session of a job, counted from 0.
    ///
    /// # Errors
    /// If it cannot be opened. The first case of the job then has this reason, and the next case tries again.
    async fn session(&self, job: usize, context: &Context) -> Result<Box<dyn Session>, TargetError>;

    /// Runs once after the last case.
    async fn tear_down(&self) {}
}

/// Answers the cases of one job, one after the other.
#[async_trait]
pub(crate) trait Session: Send {
    /// Sends a case's prompts and waits for the answer. The transcript has no secrets and may be stored.
    ///
    /// # Errors
    /// If there is no answer. The session must be able to take the next case anyway.
    async fn ask(&mut self, request: &Request, context: &Context) -> Result<Transcript, TargetError>;

    /// Whether it can give another answer to the case that was asked last.
    fn can_be_asked_again(&self) -> bool {
        true
    }

    /// Takes the steps that the configuration has for the end of a case, whatever its verdict is.
    ///
    /// # Errors
    /// If they cannot be taken. It changes no verdict.
    async fn finish(&mut self, _context: &Context) -> Result<(), TargetError> {
        Ok(())
    }

    /// Whether pictures of cases that did not pass are wanted.
    fn takes_pictures(&self) -> bool {
        false
    }

    /// A picture (PNG) of the app at the end of the last case; `None` if there is nothing to see.
    async fn picture(&mut self) -> Option<Vec<u8>> {
        None
    }

    /// Ends the programs of the session.
    async fn close(self: Box<Self>) {}
}

/// A request to a target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Request {
    /// The suite's path.
    pub(crate) suite: PathBuf,
    /// The case's id.
    pub(crate) case: String,
    /// The preconditions, in the case's words.
    pub(crate) preconditions: Vec<String>,
    /// The prompts that are sent first, without empty ones.
    pub(crate) setup_prompts: Vec<String>,
    /// The prompt whose answer counts.
    pub(crate) prompt: String,
}

/// The limits and outputs of a request.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    /// When to stop.
    pub(crate) deadline: Deadline,
    /// Where to report the progress.
    pub(crate) progress: Progress,
}

/// Takes messages such as `setup 1 of 3` while a case is asked.
#[derive(Clone)]
pub(crate) struct Progress {
    tell: Arc<dyn Fn(String) + Send + Sync>,
    warn: Arc<dyn Fn(String) + Send + Sync>,
}

impl Progress {
    /// Passes every message to `take`.
    pub(crate) fn new(take: impl Fn(String) + Send + Sync + 'static) -> Self {
        Self { tell: Arc::new(take), warn: Arc::new(|_| ()) }
    }

    /// Passes faults without an effect on the verdict to `take`.
    pub(crate) fn warning(self, take: impl Fn(String) + Send + Sync + 'static) -> Self {
        Self { warn: Arc::new(take), ..self }
    }

    /// Ignores all messages.
    pub(crate) fn ignored() -> Self {
        Self::new(|_| ())
    }

    /// Reports the progress: a lower-case fragment.
    pub(crate) fn tell(&self, message: impl Into<String>) {
        (self.tell)(message.into());
    }

    /// Reports a fault without an effect on the verdict: a lower-case sentence.
    pub(crate) fn warn(&self, message: impl Into<String>) {
        (self.warn)(message.into());
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Progress")
    }
}

/// Does slow work, such as reading a disk, on a separate thread. A panic in it continues in the caller.
pub(crate) async fn off_reactor<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            // Only a runtime that shuts down drops work, and then nothing waits for it.
            Err(_) => std::future::pending().await,
        },
    }
}

/// The target `name` of `config`. Programs run in `root`, the folder of `eval-ls.toml`. `options` are the browser options of
/// the command line. Nothing starts yet.
///
/// # Errors
/// If the target does not exist, or its configuration cannot be used.
pub(crate) fn open(
    name: &str,
    config: &Arc<Config>,
    root: &Path,
    options: &BrowserOptions,
) -> Result<Arc<dyn Target>, String> {
    let Some(target) = config.targets.get(name) else {
        let names = || config.targets.keys().map(String::as_str);
        let help = match nearest(name, names()) {
            Some(near) => format!("did you mean {}?", quoted(near)),
            None => "`eval-ls init python` adds one".to_owned(),
        };
        let known = names().map(quoted).collect::<Vec<_>>().join(", ");
        return Err(format!("the target {} does not exist; the targets are {known}; {help}", quoted(name)));
    };
    match &target.kind {
        TargetKind::Replay => Ok(Arc::new(ReplayTarget::new(name, Arc::clone(config)))),
        TargetKind::Command(command) => {
            let hash = fingerprint(command, config, root);
            Ok(Arc::new(CommandTarget::new(name, command, root).with(&target.preconditions, hash)))
        }
        TargetKind::Browser(browser) => match BrowserTarget::new(name, browser, &target.preconditions, root, options) {
            Ok(target) => Ok(Arc::new(target)),
            Err(fault) => Err(format!("the target {} cannot be used: {fault}", quoted(name))),
        },
    }
}

/// What the reason begins with if a transcript is there and cannot be read.
pub(crate) const UNREADABLE: &str = "no transcript to replay";

/// Why a target gave no answer: the reason of a case that ends in `ERROR`. The message's first line stands alone.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TargetError {
    /// The case had to stop.
    #[error(transparent)]
    Stopped(#[from] Stop),
    /// The case has no transcript.
    #[error("no stored answer; `eval-ls record` asks your assistant and stores one")]
    NoTranscript,
    /// The transcript is not a file.
    #[error("{UNREADABLE}: `{}` is not a file", plain::path(.0))]
    NoFile(PathBuf),
    /// The transcript cannot be read.
    #[error("{UNREADABLE}: {0}")]
    Transcript(#[from] TranscriptError),
    /// The kept run has no answer.
    #[error("{0}")]
    Kept(String),
    /// A precondition of the case is not met.
    #[error(transparent)]
    Precondition(#[from] Box<PreconditionError>),
    /// A program failed.
    #[error(transparent)]
    Program(#[from] Box<ProgramError>),
    /// A live app gave no answer.
    #[error(transparent)]
    Browser(#[from] Box<BrowserError>),
}

impl TargetError {
    /// Whether the run was cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        match self {
            TargetError::Stopped(stop) => *stop == Stop::Cancelled,
            TargetError::Precondition(error) => error.is_cancelled,
            TargetError::Program(error) => error.is_cancelled(),
            TargetError::Browser(error) => error.is_cancelled(),
            TargetError::NoTranscript | TargetError::NoFile(_) | TargetError::Transcript(_) | TargetError::Kept(_) => {
                false
            }
        }
    }
}

/// Why a precondition is not met.
#[derive(Debug, thiserror::Error)]
#[error("the precondition {} is not met: {why}", quoted(.text))]
pub(crate) struct PreconditionError {
    /// The precondition, in the case's words.
    text: String,
    why: String,
    /// Whether the run was cancelled.
    pub(super) is_cancelled: bool,
}

/// The preconditions that a target can check.
#[derive(Clone, Debug, Default)]
pub(super) struct Preconditions {
    checks: BTreeMap<String, PreconditionCheck>,
    folder: PathBuf,
    environment: Vec<(OsString, OsString)>,
}

impl Preconditions {
    /// The preconditions of a target; `folder` is that of `eval-ls.toml`.
    pub(super) fn new(checks: &BTreeMap<String, PreconditionCheck>, folder: &Path) -> Self {
        let environment = processes::ALWAYS.iter().filter_map(|name| Some(((*name).into(), std::env::var_os(name)?)));
        Self { checks: checks.clone(), folder: folder.to_owned(), environment: environment.collect() }
    }

    /// Runs the programs that check the case's preconditions, one after the other.
    ///
    /// # Errors
    /// If one of them does not end with exit status 0.
    pub(super) async fn run(&self, request: &Request, context: &Context) -> Result<(), Box<PreconditionError>> {
        for text in &request.preconditions {
            if let Some(PreconditionCheck::Command(command)) = self.checks.get(text) {
                let met = self.run_one(command, context).await;
                met.map_err(|(why, is_cancelled)| {
                    Box::new(PreconditionError { text: text.clone(), why, is_cancelled })
                })?;
            }
        }
        Ok(())
    }

    /// Runs a program. An error is the reason, and whether the run was cancelled.
    async fn run_one(&self, command: &[String], context: &Context) -> Result<(), (String, bool)> {
        let (program, arguments) = command.split_first().expect("a command names a program");
        let path = Path::new(program);
        // A path counts from the folder that the program runs in, on every system.
        let path = if path.components().count() > 1 { self.folder.join(path) } else { path.to_owned() };
        let path = processes::file_of(path, &|name| std::env::var_os(name));
        let shown = plain(program);
        let mut process = Command::new(&path);
        process.args(arguments).current_dir(&self.folder);
        process.env_clear().envs(self.environment.iter().map(|(name, value)| (name, value)));
        let exchanged = exchange(None, process, b"", &context.deadline).await;
        let exchanged = exchanged.map_err(|error| (format!("`{shown}` cannot be started: {error}"), false))?;
        let why = match exchanged.ending {
            Ending::Exited(status) if status.success() => return Ok(()),
            Ending::Exited(status) => {
                let stderr = StandardError::of(&exchanged.stderr);
                let failure = stderr.failure(&shown, status);
                let is_all = stderr.is_empty() || stderr.is_error_only();
                if is_all { failure } else { format!("{failure}\n{stderr}") }
            }
            Ending::TooMuch => format!("`{shown}`: it printed more than 10 MiB to standard output"),
            Ending::Stopped(stop) => {
                return Err((format!("{stop} while `{shown}` was checking it"), stop == Stop::Cancelled));
            }
            Ending::Lost(error) => format!("`{shown}`: its exit status is unknown: {error}"),
        };
        Err((why, false))
    }
}

/// Answers with the stored transcripts. It starts nothing and writes nothing.
#[derive(Debug)]
pub(crate) struct ReplayTarget {
    name: String,
    config: Arc<Config>,
}

impl ReplayTarget {
    /// The target called `name`, with the transcripts in the folders that `config` names.
    pub(crate) fn new(name: &str, config: Arc<Config>) -> Self {
        Self { name: name.to_owned(), config }
    }
}

#[async_trait]
impl Target for ReplayTarget {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_live(&self) -> bool {
        false
    }

    fn secrets(&self) -> Secrets {
        Secrets::default()
    }

    fn transcript(&self, suite: &Path, case: &str) -> Option<PathBuf> {
        Some(Store::new(suite, &self.config).path(case))
    }

    async fn session(&self, _job: usize, _context: &Context) -> Result<Box<dyn Session>, TargetError> {
        Ok(Box::new(Replay { config: Arc::clone(&self.config) }))
    }
}

struct Replay {
    config: Arc<Config>,
}

#[async_trait]
impl Session for Replay {
    async fn ask(&mut self, request: &Request, _context: &Context) -> Result<Transcript, TargetError> {
        read(&Store::new(&request.suite, &self.config), &request.case)
    }
}

fn read(store: &Store, case: &str) -> Result<Transcript, TargetError> {
    let path = store.path(case);
    // Opening a pipe would wait for a writer.
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return Err(TargetError::NoFile(path));
    }
    store.read(case)?.ok_or(TargetError::NoTranscript)
}

/// A request to stop. All copies share it, and it cannot be withdrawn.
#[derive(Clone, Debug)]
pub(crate) struct Cancel {
    wished: watch::Sender<bool>,
}

/// How long a case may take, and who may stop it before.
#[derive(Clone, Debug)]
pub(crate) struct Deadline {
    limit: HumanDuration,
    at: Instant,
    cancel: Cancel,
}

/// Why a case had to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Stop {
    /// The run was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The time limit was reached.
    #[error("timed out after {0}")]
    TimedOut(HumanDuration),
}

impl Cancel {
    /// A request that has not been made yet.
    pub(crate) fn new() -> Self {
        Self { wished: watch::Sender::new(false) }
    }

    /// Requests that all who wait for it stop.
    pub(crate) fn cancel(&self) {
        self.wished.send_replace(true);
    }

    /// Whether a stop was requested.
    pub(crate) fn is_cancelled(&self) -> bool {
        *self.wished.borrow()
    }

    /// Completes when a stop is requested, or at once if it was.
    pub(crate) async fn cancelled(&self) {
        // This value holds a sender, so the channel never closes during the wait.
        let _ = self.wished.subscribe().wait_for(|wished| *wished).await;
    }
}

impl Deadline {
    /// Ends after `limit` from now, or with `cancel`.
    pub(crate) fn start(limit: HumanDuration, cancel: &Cancel) -> Self {
        Self { limit, at: Instant::now() + limit.get(), cancel: cancel.clone() }
    }

    /// Completes when it is time to stop.
    pub(crate) async fn reached(&self) -> Stop {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Stop::Cancelled,
            () = sleep_until(self.at) => Stop::TimedOut(self.limit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[tokio::test]
    async fn every_copy_receives_the_request() {
        let cancel = Cancel::new();
        let (early, copy) = (cancel.clone(), cancel.clone());
        let mut waiting = Box::pin(early.cancelled());
        assert!((&mut waiting).now_or_never().is_none());
        copy.cancel();
        waiting.await;
        cancel.cancelled().await;
        assert!(cancel.is_cancelled());
    }

    #[tokio::test]
    async fn a_deadline_is_reached_by_time_or_by_cancelling() {
        let (cancel, short) = (Cancel::new(), "1ms".parse().unwrap());
        assert_eq!(Deadline::start(short, &cancel).reached().await, Stop::TimedOut(short));
        let deadline = Deadline::start("1h".parse().unwrap(), &cancel);
        assert!(deadline.reached().now_or_never().is_none());
        cancel.cancel();
        assert_eq!(deadline.reached().await, Stop::Cancelled);
        assert_eq!(Stop::TimedOut(short).to_string(), "timed out after 1ms");
    }
}
