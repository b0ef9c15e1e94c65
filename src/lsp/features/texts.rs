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

/// Why an answer cannot be accepted.
#[derive(Debug, thiserror::Error)]
pub(in crate::lsp) enum AcceptFault {
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
pub(in crate::lsp) fn transcript(suite: &Snapshot, case: &str, kept: bool) -> Option<TextResult> {
    let answer = if kept { suite.answers.kept(case) } else { suite.answers.of(case) }?;
    Some(match &answer.file {
        Some(file) => TextResult { text: file.text.as_str().to_owned(), uri: uris::from_path(&file.path) },
        None => TextResult { text: answer.transcript.as_ref().ok()?.to_json(), uri: None },
    })
}

/// The result of a case, or of all, as Markdown.
pub(in crate::lsp) fn result(suite: &Snapshot, case: Option<&str>, kept: bool) -> Option<TextResult> {
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
pub(in crate::lsp) fn challenges(suite: &Snapshot) -> TextResult {
    let name = suite.document.path().and_then(|path| path.file_name());
    let name = name.map_or_else(|| suite.uri.as_str().to_owned(), |name| name.to_string_lossy().into_owned());
    TextResult { text: suite_page(&suite.document, &suite.answers, &name), uri: None }
}

/// Accepts the answer in memory: stores it as the case's transcript.
///
/// # Errors
/// If there is none, or it cannot be written.
pub(in crate::lsp) fn accept(suite: &Snapshot, case: &str) -> Result<(), AcceptFault> {
    let transcript = suite.answers.live(case).and_then(|answer| answer.transcript.as_ref().ok());
    let transcript = transcript.ok_or_else(|| AcceptFault::NoAnswer(quoted(case)))?;
    let path = suite.document.path().ok_or(AcceptFault::NoFile)?;
    fence::store(path, suite.answers.config()).write(transcript)?;
    Ok(())
}

/// Accepts all answers that are not in files. Returns their number.
///
/// # Errors
/// If there is none, or one cannot be written.
pub(in crate::lsp) fn accept_all(suite: &Snapshot) -> Result<usize, AcceptFault> {
    let store = fence::store(suite.document.path().ok_or(AcceptFault::NoFile)?, suite.answers.config());
    let ids = suite.document.suite().cases.iter().filter_map(|placed| placed.case.id.as_ref());
    let has_answer = |id: &&str| {
        let answer = suite.answers.live(id).filter(|answer| answer.file.is_none());
        // The session may not have read a file yet that was just accepted.
        answer.and_then(|answer| answer.transcript.as_ref().ok()).is_some_and(|transcript| !store.holds(transcript))
    };
    let ids: Vec<&str> = ids.map(|id| id.value.as_str()).filter(has_answer).collect();
    if ids.is_empty() {
        return Err(AcceptFault::NoAnswers);
    }
    ids.iter().try_for_each(|id| accept(suite, id))?;
    Ok(ids.len())
}
