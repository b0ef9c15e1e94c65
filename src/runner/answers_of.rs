use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use crate::config::Config;
use crate::files::Access;
use crate::runs::{CaseLine, KeptRun, RunError};
use crate::targets::{Context, Request, Secrets, Session, Target, TargetError};
use crate::transcript::{Transcript, Wanted};
use crate::verdict::Repeats;

/// Answers with the answers of a kept run: to the n-th attempt at a case with that of the n-th attempt. It starts nothing.
#[derive(Debug)]
pub(crate) struct AnswersOf {
    run: KeptRun,
    config: Arc<Config>,
    /// How the cases ended, by the file of the suite and the id.
    lines: HashMap<(PathBuf, String), CaseLine>,
}

impl AnswersOf {
    /// The answers of `run`, in the workspace at `root`.
    ///
    /// # Errors
    /// If the cases of the run cannot be read.
    pub(crate) fn new(run: KeptRun, root: &Path, config: Arc<Config>) -> Result<AnswersOf, RunError> {
        let lines = run.lines()?.into_iter().filter(|line| !line.cancelled);
        let place = |line: CaseLine| {
            let suite = root.join(&run.record().suites.get(line.suite)?.path);
            Some(((suite, line.case.clone()), line))
        };
        let lines = lines.filter_map(place).collect();
        Ok(AnswersOf { run, config, lines })
    }

    /// The name of the target that gave the answers.
    pub(crate) fn target(&self) -> &str {
        &self.run.record().target.name
    }

    fn line(&self, suite: &Path, case: &str) -> Option<&CaseLine> {
        let suite = std::path::absolute(suite).unwrap_or_else(|_| suite.to_owned());
        self.lines.get(&(suite, case.to_owned()))
    }

    /// The attempts at a case of the suite at that path, if there were several.
    pub(crate) fn repeats(&self, suite: &Path, case: &str) -> Option<&Repeats> {
        self.line(suite, case)?.result.repeats.as_ref()
    }

    /// The answer of the attempt with that index. The second value is the number of attempts, if there were several.
    fn answer(&self, request: &Request, attempt: usize) -> (Result<Transcript, String>, usize) {
        let Some(line) = self.line(&request.suite, &request.case) else {
            return (Err(format!("the case has not ended in the run {}", self.run.id())), 0);
        };
        let (record, reason) = if line.attempts.is_empty() {
            (line.answer.as_ref(), line.result.reason.as_ref())
        } else {
            let judged = line.result.repeats.as_ref().and_then(|repeats| repeats.attempts.get(attempt));
            (line.attempts.get(attempt).and_then(Option::as_ref), judged.and_then(|attempt| attempt.reason.as_ref()))
        };
        let answer = match record {
            None => Err(reason.cloned().unwrap_or_else(|| "the run has no answer of the case".to_owned())),
            Some(record) => self.run.recorded_answer(&line.case, record).map_err(|fault| fault.to_string()),
        };
        let viewed = |answer: Transcript| answer.viewed(&Wanted::by(&self.config)).map_err(|fault| fault.to_string());
        (answer.and_then(viewed), line.attempts.len())
    }
}

impl Target for Arc<AnswersOf> {
    fn name(&self) -> &str {
        self.run.id().as_str()
    }

    fn is_live(&self) -> bool {
        false
    }

    /// They were removed when the run was written.
    fn secrets(&self) -> Secrets {
        Secrets::default()
    }

    fn is_private(&self) -> bool {
        Access::of(self.run.folder()) == Access::Private
    }

    fn session<'a>(&'a self, _: usize, _: &'a Context) -> BoxFuture<'a, Result<Box<dyn Session>, TargetError>> {
        let session: Box<dyn Session> = Box::new(Attempts { of: Arc::clone(self), last: None, is_last: false });
        async { Ok(session) }.boxed()
    }
}

/// The attempts at one case after the other.
struct Attempts {
    of: Arc<AnswersOf>,
    /// The last case that was asked, and the number of its attempts so far.
    last: Option<(PathBuf, String, usize)>,
    /// Whether that was the last attempt that the run has.
    is_last: bool,
}

impl Session for Attempts {
    fn ask<'a>(&'a mut self, request: &'a Request, _: &'a Context) -> BoxFuture<'a, Result<Transcript, TargetError>> {
        let attempt = match &self.last {
            Some((suite, case, count)) if *suite == request.suite && *case == request.case => *count,
            _ => 0,
        };
        self.last = Some((request.suite.clone(), request.case.clone(), attempt + 1));
        let (answer, count) = self.of.answer(request, attempt);
        self.is_last = attempt + 1 >= count;
        async { answer.map_err(TargetError::Kept) }.boxed()
    }

    fn can_be_asked_again(&self) -> bool {
        !self.is_last
    }
}
