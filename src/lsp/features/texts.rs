//! Transcripts and results as text (`eval-ls/transcript`, `eval-ls/result`).

use std::sync::Arc;

use crate::analysis::challenges::suite_page;
use crate::analysis::verdicts::{case_result, suite_result};
use crate::diagnostic::quoted;
use crate::lsp::convert::uris;
use crate::lsp::protocol::TextResult;
use crate::lsp::session::fence;
use crate::lsp::session::snapshot::Snapshot;
use crate::transcript::TranscriptError;
use crate::verdict::Status;

/// Why an answer cannot be accepted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AcceptFault {
    #[error("no unsaved answer for case {0}")]
    NoAnswer(String),
    #[error("all answers of this suite are transcripts already")]
    NoAnswers,
    #[error("save the suite first: its location determines where its transcripts go")]
    NoFile,
    #[error(transparent)]
    Write(#[from] TranscriptError),
}

/// The transcript of a case as JSON: the newest, or the one on disk.
pub(crate) fn transcript(suite: &Snapshot, case: &str, kept: bool) -> Option<TextResult> {
    let answer = if kept { suite.answers.kept(case) } else { suite.answers.of(case) }?;
    Some(match &answer.file {
        Some(file) => TextResult { text: file.text.as_str().to_owned(), uri: uris::from_path(&file.path) },
        None => TextResult { text: answer.transcript.as_ref().ok()?.to_json(), uri: None },
    })
}

/// The result of a case, or of all, as Markdown.
pub(crate) fn result(suite: &Snapshot, case: Option<&str>, kept: bool) -> Option<TextResult> {
    let answers = if kept { Arc::new(suite.answers.only_kept()) } else { Arc::clone(&suite.answers) };
    let text = match case {
        Some(case) => case_result(&suite.document, &answers, case)?,
        None => {
            let name = suite.document.path().and_then(|path| path.file_name());
            let name = name.map(|name| name.to_string_lossy().into_owned());
            suite_result(&suite.document, &answers, &name.unwrap_or_else(|| suite.uri.as_str().to_owned()))
        }
    };
    Some(TextResult { text, uri: None })
}

/// The challenges of a suite, as Markdown.
pub(crate) fn challenges(suite: &Snapshot) -> TextResult {
    let name = suite.document.path().and_then(|path| path.file_name());
    let name = name.map_or_else(|| suite.uri.as_str().to_owned(), |name| name.to_string_lossy().into_owned());
    TextResult { text: suite_page(&suite.document, &suite.answers, &name), uri: None }
}

/// Accepts the answer in memory: stores it as the case's transcript.
///
/// # Errors
/// If there is none, or it cannot be written.
pub(crate) fn accept(suite: &Snapshot, case: &str) -> Result<(), AcceptFault> {
    let transcript = suite.answers.live(case).and_then(|answer| answer.transcript.as_ref().ok());
    let transcript = transcript.ok_or_else(|| AcceptFault::NoAnswer(quoted(case)))?;
    let path = suite.document.path().ok_or(AcceptFault::NoFile)?;
    let config = suite.answers.config();
    let is_private = transcript.target.as_deref().is_some_and(|target| config.passes_variables(target));
    fence::store(path, config).private(is_private).write(transcript)?;
    Ok(())
}

/// The answers of a suite that are not transcripts yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ToAccept {
    /// The ids of their cases.
    ids: Vec<String>,
    /// How many of them replace a transcript.
    pub(crate) replaced: usize,
    /// How many of them do not pass.
    pub(crate) not_passed: usize,
}

impl ToAccept {
    /// Looks for the answers of a suite.
    ///
    /// # Errors
    /// If no answer remains to be accepted.
    pub(crate) fn of(suite: &Snapshot) -> Result<ToAccept, AcceptFault> {
        let store = fence::store(suite.document.path().ok_or(AcceptFault::NoFile)?, suite.answers.config());
        let mut found = ToAccept::default();
        for (index, placed) in suite.document.suite().cases.iter().enumerate() {
            let Some(id) = placed.case.id.as_ref().map(|id| &id.value) else { continue };
            let answer = suite.answers.live(id).filter(|answer| answer.file.is_none());
            let Some(Ok(transcript)) = answer.map(|answer| &answer.transcript) else { continue };
            // The session may not have read a file yet that was just accepted.
            if store.holds(transcript) {
                continue;
            }
            let verdict = suite.document.verdict(index, &suite.answers);
            found.ids.push(id.clone());
            found.replaced += usize::from(store.path(id).is_file());
            found.not_passed += usize::from(verdict.is_none_or(|verdict| verdict.status() != Status::Pass));
        }
        if found.ids.is_empty() { Err(AcceptFault::NoAnswers) } else { Ok(found) }
    }

    /// Their number.
    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Accepts them.
    ///
    /// # Errors
    /// If one cannot be written.
    pub(crate) fn accept(&self, suite: &Snapshot) -> Result<(), AcceptFault> {
        self.ids.iter().try_for_each(|id| accept(suite, id))
    }
}
