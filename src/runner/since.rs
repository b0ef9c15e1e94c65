use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::clock::moment;
use crate::transcript::Transcript;
use crate::verdict::{Newer, Status};

/// How much newer than a stored answer a file must be. A checkout of a repository writes all its files within seconds, in any order.
const CHECKOUT: Duration = Duration::from_secs(10);

/// What has happened to the targets of stored answers since. A replay compares the answers with it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Since {
    /// The last answers of targets that did not pass, by the index of the case in the plan.
    pub(crate) answers: HashMap<usize, Vec<LastAnswer>>,
    /// When a target was last asked, by the index of the case in the plan.
    pub(crate) asked: HashMap<usize, SystemTime>,
    /// By target: the file of its command that changed last, as the command names it, and when it changed.
    pub(crate) files: HashMap<String, (String, SystemTime)>,
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
    /// What is newer than the stored answer `stored`, in the file at `path`, of the case with that index in the plan.
    pub(super) fn newer(&self, index: usize, stored: &Transcript, path: Option<&Path>) -> Option<Newer> {
        // An answer that a person wrote is of no target, so that of any target is newer.
        let is_of = |target: &str| stored.target.as_deref().is_none_or(|of| of == target);
        let of_target = |last: &&LastAnswer| is_of(&last.target) && last.is_after(stored);
        let last = self.answers.get(&index).into_iter().flatten().find(of_target);
        let (answer, target) = (last.map(|last| last.status), last.map(|last| last.target.clone()));
        let attempts = last.and_then(|last| last.attempts);
        let file = stored.target.as_ref().and_then(|target| self.files.get(target)).filter(|(_, changed)| {
            let written = path.and_then(|path| path.metadata().ok()?.modified().ok());
            is_later(*changed, stored.recorded(), written)
        });
        let file = file.map(|(name, _)| name.clone());
        let newer = Newer { answer, target, attempts, file, recorded_at: None };
        let is_newer = newer.answer.is_some() || newer.file.is_some();
        is_newer.then_some(newer).or_else(|| {
            // A run that is kept knows the answer itself, and judges it by the present case.
            let last = stored.last_record.as_ref()?;
            let is_known = self.asked.get(&index).is_some_and(|asked| moment(&last.at).is_some_and(|at| *asked >= at));
            (!is_known).then(|| Newer::of(last))
        })
    }
}

/// Whether a file changed after an answer was stored. `recorded` is when it was given, and `written` when its file was.
fn is_later(changed: SystemTime, recorded: Option<SystemTime>, written: Option<SystemTime>) -> bool {
    let with_slack = |since: SystemTime| since.checked_add(CHECKOUT).is_some_and(|since| changed > since);
    match (recorded, written) {
        // The file is as `record` wrote it, so its time shows what came first.
        (Some(recorded), Some(written)) if recorded.checked_add(CHECKOUT).is_some_and(|end| written <= end) => {
            changed > written.max(recorded)
        }
        _ => recorded.into_iter().chain(written).max().is_some_and(with_slack),
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
    fn a_later_answer_and_a_later_file_are_newer() {
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
            since.newer(index, &stored(recorded, response), None).and_then(|newer| newer.answer)
        };
        assert_eq!(newer(0, "2026-03-01T10:00:00Z", "yes"), Some(Status::Fail));
        assert_eq!(newer(0, "2026-03-01T10:00:05Z", "yes"), Some(Status::Fail), "another answer of the same second");
        assert_eq!(newer(0, "2026-03-01T10:00:05Z", "no"), None, "the same answer");
        assert_eq!(newer(0, "2026-03-01T10:00:06Z", "yes"), None, "a later one");
        assert_eq!(newer(1, "2026-03-01T10:00:00Z", "yes"), Some(Status::Error));
        assert_eq!(newer(2, "2026-03-01T10:00:00Z", "yes"), None);

        let files = HashMap::from([("agent".to_owned(), ("agent.py".to_owned(), at("2026-03-01T10:01:00Z")))]);
        let since = Since { files, ..Since::default() };
        let file = |recorded: &str| since.newer(0, &stored(recorded, "yes"), None).and_then(|newer| newer.file);
        assert_eq!(file("2026-03-01T10:00:00Z").as_deref(), Some("agent.py"));
        assert_eq!(file("2026-03-01T10:00:55Z"), None, "it may be of the same checkout");
    }

    #[test]
    fn a_file_is_later_if_it_changed_after_the_answer_was_stored_or_checked_out() {
        let at = |seconds: u64| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        for (changed, recorded, written, later) in [
            // As `record` wrote it: each second counts.
            (102, Some(100), Some(101), true),
            (101, Some(100), Some(101), false),
            (100, Some(100), Some(101), false),
            // A checkout wrote it days later, with the file of the command beside it.
            (90_005, Some(100), Some(90_000), false),
            (90_011, Some(100), Some(90_000), true),
            // A person wrote it, or it is on standard input.
            (105, None, Some(100), false),
            (111, Some(100), None, true),
            (100, None, None, false),
        ] {
            let row = (changed, recorded, written);
            assert_eq!(is_later(at(changed), recorded.map(at), written.map(at)), later, "{row:?}");
        }
    }
}
