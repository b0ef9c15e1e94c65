use std::path::PathBuf;

use super::{BrowserError, PreconditionError, ProgramError, StepError, Stop, plain};
use crate::transcript::TranscriptError;

/// What the reason begins with if a transcript is there and cannot be read.
pub(crate) const UNREADABLE: &str = "no transcript to replay";

/// Why a target gave no answer: the reason of a case that ends in `ERROR`. The message's first line stands alone.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TargetError {
    /// It was time to stop.
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
            TargetError::Precondition(error) => error.is_cancelled(),
            TargetError::Program(error) => error.is_cancelled(),
            TargetError::Browser(error) => error.is_cancelled(),
            TargetError::NoTranscript | TargetError::NoFile(_) | TargetError::Transcript(_) | TargetError::Kept(_) => {
                false
            }
        }
    }
}

/// Why a target cannot be used at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum OpenError {
    /// No target has that name.
    #[error(
        "the target {name} does not exist; the targets are {known}; {}",
        near.as_ref().map_or_else(|| "`eval-ls init python` adds one".to_owned(), |near| format!("did you mean {near}?"))
    )]
    Unknown {
        /// The requested name, quoted.
        name: String,
        /// The most similar name, quoted.
        near: Option<String>,
        /// The existing names, each quoted.
        known: String,
    },
    /// A browser target has a step that cannot be taken.
    #[error("the target {name} cannot be used: {fault}")]
    Step {
        /// Its name, quoted.
        name: String,
        /// What is wrong with the step.
        fault: StepError,
    },
}
