//! The transcript and the result of a case as text (`eval-ls/transcript`, `eval-ls/result`). Answers that are accepted become transcripts.

use std::sync::Arc;

use crate::analysis::JudgedCase;
use crate::analysis::challenges::suite_page;
use crate::analysis::verdicts::{case_result, suite_result};
use crate::diagnostic::quoted;
use crate::lsp::convert::uris;
use crate::lsp::protocol::{ResultParams, TextParams, TextResult};
use crate::lsp::session::open_document::Snapshot;
use crate::lsp::session::suites::{self, Replaced};
use crate::text::counted;
use crate::transcript::{Store, Transcript, TranscriptError};
use crate::verdict::Status;

/// Why an answer cannot be accepted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AnswerFault {
    #[error("no unsaved answer for case {0}")]
    NoAnswer(String),
    #[error("all answers of this suite are transcripts already")]
    NoAnswers,
    #[error("save the suite first: its location determines where its transcripts are")]
    NoFile,
    #[error("nothing is restored: the transcript has changed since, or another answer was accepted")]
    NotRestored,
    #[error(transparent)]
    Write(#[from] TranscriptError),
}

/// The transcript of a case as JSON: the newest, or the one on disk.
pub(crate) fn transcript(suite: &Snapshot, params: &TextParams) -> Option<TextResult> {
    let TextParams { case, kept, .. } = params;
    let answer = if *kept == Some(true) { suite.answers.kept(case) } else { suite.answers.of(case) }?;
    Some(match &answer.file {
        Some(file) => TextResult { text: file.text.as_str().to_owned(), uri: uris::from_path(&file.path) },
        None => TextResult { text: answer.transcript.as_ref().ok()?.to_json(), uri: None },
    })
}

/// The result of a case, or of all, as Markdown.
pub(crate) fn result(suite: &Snapshot, params: &ResultParams) -> Option<TextResult> {
    let text = match &params.case {
        Some(case) => case_result(&suite.document, &suite.answers, case)?,
        None => suite_result(&suite.document, &suite.answers, &name(suite)),
    };
    Some(TextResult { text, uri: None })
}

/// The challenges of a suite, as Markdown.
pub(crate) fn challenges(suite: &Snapshot) -> TextResult {
    TextResult { text: suite_page(&suite.document, &suite.answers, &name(suite)), uri: None }
}

fn name(suite: &Snapshot) -> String {
    let name = suite.document.path().and_then(|path| path.file_name());
    name.map_or_else(|| suite.uri.as_str().to_owned(), |name| name.to_string_lossy().into_owned())
}

/// The choices of [`ToAccept::question`], and the refusal.
pub(crate) const COMPARE: &str = "Compare";
pub(crate) const CANCEL: &str = "Cancel";

/// The answers of a suite, or of one case, that are not transcripts yet.
pub(crate) struct ToAccept {
    /// The case, if they are those of one.
    case: Option<String>,
    store: Store,
    answers: Vec<NewAnswer>,
}

struct NewAnswer {
    transcript: Transcript,
    /// Whether only the user may read it.
    is_private: bool,
    verdict: Arc<JudgedCase>,
    /// Whether there is a transcript.
    replaces: bool,
    /// Whether that passes, and the answer does not.
    is_worse: bool,
}

impl ToAccept {
    /// Looks for the answers of a suite, or of one case.
    ///
    /// # Errors
    /// If no answer remains to be accepted.
    pub(crate) fn of(suite: &Snapshot, case: Option<String>) -> Result<ToAccept, AnswerFault> {
        let config = suite.answers.config();
        let store = suites::store(suite.document.path().ok_or(AnswerFault::NoFile)?, config);
        let (mut answers, kept) = (Vec::new(), suite.answers.only_kept());
        for (index, placed) in suite.document.suite().cases.iter().enumerate() {
            let Some(id) = placed.case.id.as_ref().map(|id| &id.value) else { continue };
            let is_meant = case.as_ref().is_none_or(|case| case == id);
            let answer = suite.answers.live(id).filter(|answer| is_meant && answer.file.is_none());
            let Some(Ok(transcript)) = answer.map(|answer| &answer.transcript) else { continue };
            let Some(verdict) = suite.document.verdict(index, &suite.answers) else { continue };
            // The session may not have read a file yet that was just accepted.
            if store.holds(transcript) {
                continue;
            }
            let before = suite.document.verdict(index, &kept);
            answers.push(NewAnswer {
                is_private: transcript.target.as_deref().is_some_and(|target| config.passes_variables(target)),
                replaces: store.path(id).is_file(),
                is_worse: before.is_some_and(|before| before.status().stays(verdict.status())),
                transcript: transcript.clone(),
                verdict,
            });
        }
        if answers.is_empty() {
            return Err(case.map_or(AnswerFault::NoAnswers, |case| AnswerFault::NoAnswer(quoted(&case))));
        }
        Ok(ToAccept { case, store, answers })
    }

    /// What a person must answer first, and the choices.
    pub(crate) fn question(&self) -> Option<(String, &'static [&'static str])> {
        let count = |counts: fn(&NewAnswer) -> bool| self.answers.iter().filter(|answer| counts(answer)).count();
        let worse = count(|answer| answer.is_worse);
        if let Some(case) = &self.case {
            let (case, new) = (quoted(case), self.answers[0].verdict.label());
            let question = format!("Replace the transcript of {case}?\nIt passes. The new answer does not: {new}");
            return (worse > 0).then_some((question, &["Replace", COMPARE]));
        }
        let (replaced, failed) = (count(|it| it.replaces), count(|it| it.verdict.status() != Status::Pass));
        let question = format!(
            "Accept {} as transcripts?\nReplace a transcript: {replaced}\nDo not pass: {failed}\nDo not pass, and replace a \
             transcript that does: {worse}",
            counted(self.answers.len(), "answer")
        );
        (replaced + failed > 0).then_some((question, &["Accept"]))
    }

    /// Accepts them. Returns what they replace, and what happened.
    ///
    /// # Errors
    /// If one cannot be written.
    pub(crate) fn accept(&self) -> Result<(Vec<Replaced>, String), AnswerFault> {
        let mut replaced = Vec::new();
        for NewAnswer { transcript, is_private, .. } in &self.answers {
            let store = self.store.clone().private(*is_private);
            let earlier = store.text(&store.path(&transcript.case)).ok();
            let path = store.write(transcript)?;
            replaced.extend(earlier.map(|earlier| Replaced { store, path, earlier, accepted: transcript.to_json() }));
        }
        let (answers, transcripts) = (counted(self.answers.len(), "answer"), counted(replaced.len(), "transcript"));
        Ok((replaced, format!("{answers} accepted, {transcripts} replaced")))
    }
}

/// Restores transcripts that were replaced.
///
/// # Errors
/// If there are none, one has changed since, or one cannot be written.
pub(crate) fn restore(replaced: &[Replaced]) -> Result<(), AnswerFault> {
    let is_unchanged = |it: &Replaced| it.store.text(&it.path).is_ok_and(|text| text == it.accepted);
    if replaced.is_empty() || !replaced.iter().all(is_unchanged) {
        return Err(AnswerFault::NotRestored);
    }
    Ok(replaced.iter().rev().try_for_each(|it| it.store.replace(&it.path, &it.earlier))?)
}
