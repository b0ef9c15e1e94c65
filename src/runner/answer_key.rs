//! Whether a target may have read the answers that it is judged with: the files that were opened while it was asked, and answers
//! that are the stored ones to the letter.

use std::path::{Path, PathBuf};

use crate::config::AnswerKey;
use crate::diagnostic::quoted;
use crate::files::OpenedFiles;
use crate::text::counted;
use crate::transcript::{Store, Transcript};
use crate::verdict::{AnswerKeySigns, CaseResult, Status};

/// The most files that a result names.
const NAMED: usize = 3;

/// The answer key of a run: its files, and what an opened one means.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watched {
    /// What it means that one is opened.
    pub(crate) level: AnswerKey,
    /// The suites, transcripts, samples and earlier results.
    pub(crate) files: Vec<PathBuf>,
    /// What their names are relative to in messages.
    pub(crate) root: PathBuf,
}

/// The answer key of a run while it runs; nothing is watched if nobody wants to know it.
#[derive(Debug)]
pub(super) struct Watching {
    level: AnswerKey,
    root: PathBuf,
    opened: OpenedFiles,
}

impl Watching {
    /// Watches the files, if the target of the run is `live`.
    pub(super) fn start(watched: &Watched, live: bool) -> Watching {
        let is_on = live && watched.level != AnswerKey::Ignore;
        let files = if is_on { watched.files.clone() } else { Vec::new() };
        let level = if is_on { watched.level } else { AnswerKey::Ignore };
        Watching { level, root: watched.root.clone(), opened: OpenedFiles::watch(files) }
    }

    /// The moment in which a case begins.
    pub(super) fn now(&self) -> usize {
        if self.level == AnswerKey::Ignore { 0 } else { self.opened.now() }
    }

    /// The files that were opened since a case began, as results name them.
    pub(super) fn since(&self, moment: usize) -> Vec<String> {
        if self.level == AnswerKey::Ignore {
            return Vec::new();
        }
        let name = |file: &PathBuf| file.strip_prefix(&self.root).unwrap_or(file).display().to_string();
        self.opened.since(moment).iter().map(name).collect()
    }

    /// The transcript of a case, if it can be read and is needed: to `record` beside it, or to compare with it.
    pub(super) fn stored(&self, store: &Store, case: &str, record: bool, opened: &[String]) -> Option<Transcript> {
        // Another run of the same suites would mark its cases for each reading.
        let compares = self.level != AnswerKey::Ignore && (!opened.is_empty() || !self.opened.are_seen());
        if !record && !compares {
            return None;
        }
        let path = store.path(case);
        if path.exists() {
            self.opened.expect(&path);
        }
        let stored = store.read(case).ok().flatten();
        self.opened.now();
        stored
    }

    /// Notes that this run has stored a transcript. Editors read it, and it is not an answer of an earlier run.
    pub(super) fn stored_now(&self, path: &Path) {
        self.opened.forget(path);
    }

    /// Whether an answer may not be stored, because it has no verdict.
    pub(super) fn forbids(&self, opened: &[String]) -> bool {
        self.level == AnswerKey::Error && !opened.is_empty()
    }

    /// Marks the result of a case during which files were `opened`, or whose answer is the stored one.
    pub(super) fn mark(
        &self,
        result: &mut CaseResult,
        opened: Vec<String>,
        answer: Option<&Transcript>,
        stored: Option<&Transcript>,
    ) {
        let (Some(answer), false) = (answer, self.level == AnswerKey::Ignore) else { return };
        let same_answer = stored.is_some_and(|stored| is_same(stored, answer));
        if opened.is_empty() && !same_answer {
            return;
        }
        if self.forbids(&opened) {
            result.status = Status::Error;
            result.reason = Some(format!(
                "{} while the target was asked, by the target or by another program, so its answer has no verdict",
                named(&opened)
            ));
        }
        result.answer_key = Some(AnswerKeySigns { opened: opened.into_iter().take(NAMED).collect(), same_answer });
    }

    /// The warning at the end of a run.
    pub(super) fn warning<'c>(&self, cases: impl Iterator<Item = &'c CaseResult>) -> Option<String> {
        let signs: Vec<&AnswerKeySigns> = cases.filter_map(|case| case.answer_key.as_ref()).collect();
        let opened: Vec<&&AnswerKeySigns> = signs.iter().filter(|signs| !signs.opened.is_empty()).collect();
        if let Some(first) = opened.first() {
            let ran = counted(opened.len(), "case");
            return Some(format!(
                "{ran} ran while files with answers were opened: {}, by the target or by another program; keep the target out of \
                 them, or set `[run] answer_key`",
                quoted(&first.opened[0])
            ));
        }
        let same = signs.iter().filter(|signs| signs.same_answer).count();
        // Where opened files are seen, and none was, an equal answer only shows that the target always answers alike.
        (same > 0 && self.level != AnswerKey::Ignore && !self.opened.are_seen()).then(|| {
            format!(
                "{} the stored ones to the letter, with their telemetry: the target always answers alike, or has read them",
                if same == 1 { "1 answer is".to_owned() } else { format!("{same} answers are") }
            )
        })
    }
}

fn named(files: &[String]) -> String {
    let first = files.first().map_or_else(String::new, |file| quoted(file));
    match files.len() {
        0 | 1 => format!("{first} was opened"),
        count => format!("{first} and {} were opened", counted(count - 1, "other file")),
    }
}

fn is_same(stored: &Transcript, answer: &Transcript) -> bool {
    stored.response == answer.response && stored.telemetry == answer.telemetry
}
