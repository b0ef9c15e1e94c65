//! A kept run as a target, and what has happened to the targets of stored answers since.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use async_trait::async_trait;

use crate::clock::moment;
use crate::config::Config;
use crate::files::Access;
use crate::runs::{CaseLine, KeptRun, RunError};
use crate::targets::{Context, Request, Secrets, Session, Target, TargetError};
use crate::transcript::{LastRecord, Transcript, Wanted};
use crate::verdict::{Newer, Repeats, Status};

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
        let place = |line: CaseLine| {
            let suite = root.join(&run.record().suites.get(line.suite)?.path);
            Some(((suite, line.case.clone()), line))
        };
        let lines = run.lines()?.into_iter().filter_map(place).collect();
        Ok(AnswersOf { run, config, lines })
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

#[async_trait]
impl Target for Arc<AnswersOf> {
    fn name(&self) -> &str {
        self.run.id().as_str()
    }

    fn is_live(&self) -> bool {
        false
    }

    /// The secrets were removed when the run was written.
    fn secrets(&self) -> Secrets {
        Secrets::default()
    }

    fn is_private(&self) -> bool {
        Access::of(self.run.folder()) == Access::Private
    }

    async fn session(&self, _: usize, _: &Context) -> Result<Box<dyn Session>, TargetError> {
        Ok(Box::new(Attempts { of: Arc::clone(self), last: None, is_last: false }))
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

#[async_trait]
impl Session for Attempts {
    async fn ask(&mut self, request: &Request, _: &Context) -> Result<Transcript, TargetError> {
        let attempt = match &self.last {
            Some((suite, case, count)) if *suite == request.suite && *case == request.case => *count,
            _ => 0,
        };
        self.last = Some((request.suite.clone(), request.case.clone(), attempt + 1));
        let (answer, count) = self.of.answer(request, attempt);
        self.is_last = attempt + 1 >= count;
        answer.map_err(TargetError::Kept)
    }

    fn can_be_asked_again(&self) -> bool {
        !self.is_last
    }
}

/// What has happened to the targets of stored answers since. A replay compares the answers with it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Since {
    /// The last answers of targets that did not pass, by the index of the case in the plan.
    pub(crate) answers: HashMap<usize, Vec<LastAnswer>>,
    /// When a target was last asked, by the index of the case in the plan.
    pub(crate) asked: HashMap<usize, SystemTime>,
    /// By target: the hash of the files of its program.
    pub(crate) programs: HashMap<String, String>,
}

/// The last answer of a target to a case, if it did not pass.
#[derive(Clone, Debug)]
pub(crate) struct LastAnswer {
    /// The target.
    pub(crate) target: String,
    /// The status by the present case; `ERROR` without an answer.
    pub(crate) status: Status,
    /// How many of its attempts passed, and how many were judged, if there were several.
    pub(crate) attempts: Option<(usize, usize)>,
    /// The answer; `None` if the target gave none.
    pub(crate) answer: Option<Transcript>,
    /// When it was asked.
    pub(crate) at: SystemTime,
}

impl Since {
    /// What is newer than the stored answer of the case with that index in the plan.
    pub(super) fn newer(&self, index: usize, stored: &Transcript) -> Option<Newer> {
        // An answer that a person wrote is of no target, so that of any target is newer.
        let is_of = |target: &str| stored.target.as_deref().is_none_or(|of| of == target);
        let of_target = |last: &&LastAnswer| is_of(&last.target) && last.is_after(stored);
        let last = self.answers.get(&index).into_iter().flatten().find(of_target);
        let (answer, target) = (last.map(|last| last.status), last.map(|last| last.target.clone()));
        let attempts = last.and_then(|last| last.attempts);
        let now = stored.target.as_ref().and_then(|target| self.programs.get(target));
        let program = now.zip(stored.program.as_ref()).is_some_and(|(now, then)| now != then);
        let newer = Newer { answer, target, attempts, program, recorded_at: None };
        // A run that is kept knows the answer itself, and judges it by the present case.
        let is_known = |last: &&LastRecord| {
            self.asked.get(&index).is_some_and(|asked| moment(&last.at).is_some_and(|at| *asked >= at))
        };
        match stored.last_record.as_deref().filter(|last| newer.answer.is_none() && !is_known(last)) {
            Some(last) => Some(Newer { program, ..Newer::of(last) }),
            None => (newer.answer.is_some() || program).then_some(newer),
        }
    }
}

impl LastAnswer {
    /// Whether it was given after `stored`. Times have whole seconds, so of the same second it is another answer that counts.
    fn is_after(&self, stored: &Transcript) -> bool {
        let is_earlier = stored.recorded().is_none_or(|recorded| recorded <= self.at);
        is_earlier && self.answer.as_ref().is_none_or(|answer| !answer.is_same_answer(stored))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(at: &str, response: &str) -> Transcript {
        let (target, recorded_at) = (Some("agent".to_owned()), Some(at.to_owned()));
        Transcript { target, recorded_at, response: response.to_owned(), ..Transcript::default() }
    }

    #[test]
    fn a_later_answer_and_a_later_program_are_newer() {
        let at = |time: &str| stored(time, "").recorded().unwrap();
        let last = |target: &str, status, response: Option<&str>| LastAnswer {
            target: target.to_owned(),
            status,
            attempts: None,
            answer: response.map(|response| stored("2026-03-01T10:00:05Z", response)),
            at: at("2026-03-01T10:00:05Z"),
        };
        let answers = HashMap::from([
            (0, vec![last("other", Status::Error, None), last("agent", Status::Fail, Some("no"))]),
            (1, vec![last("agent", Status::Error, None)]),
        ]);
        let since = Since { answers, ..Since::default() };
        let newer = |index, recorded: &str, response: &str| {
            since.newer(index, &stored(recorded, response)).and_then(|newer| newer.answer)
        };
        assert_eq!(newer(0, "2026-03-01T10:00:00Z", "yes"), Some(Status::Fail));
        assert_eq!(newer(0, "2026-03-01T10:00:05Z", "yes"), Some(Status::Fail), "another answer of the same second");
        assert_eq!(newer(0, "2026-03-01T10:00:05Z", "no"), None, "the same answer");
        assert_eq!(newer(0, "2026-03-01T10:00:06Z", "yes"), None, "a later one");
        assert_eq!(newer(1, "2026-03-01T10:00:00Z", "yes"), Some(Status::Error));
        assert_eq!(newer(2, "2026-03-01T10:00:00Z", "yes"), None);

        let programs = HashMap::from([("agent".to_owned(), "2".to_owned())]);
        let since = Since { programs, ..Since::default() };
        let has_changed = |program: Option<&str>| {
            let stored = Transcript { program: program.map(str::to_owned), ..stored("2026-03-01T10:00:00Z", "yes") };
            since.newer(0, &stored).is_some_and(|newer| newer.program)
        };
        assert!(has_changed(Some("1")));
        assert!(!has_changed(Some("2")));
        assert!(!has_changed(None), "it may be the same");
    }
}
