//! What a target returned for one case: how it is read and written, and where it is kept.
//!
//! A [`Transcript`] is a response and the log events that go with it, and of a browser target also what the page showed
//! before and after ([`Pages`]), so that another form of the response can be judged without asking again. `docs/scoring.md`
//! defines their meaning; the file's format is `schemas/transcript.schema.json`.

mod event;
mod limits;
mod model;
mod pages;
mod read;
mod read_pages;
mod same_lines;
mod size;
mod store;
#[cfg(test)]
mod tests;
mod write;

pub(crate) use crate::filed::file_name;
pub use event::Event;
pub(crate) use limits::{Excess, within_limits};
pub(crate) use model::FORMAT;
pub(crate) use model::LastRecord;
pub use model::Transcript;
pub(crate) use pages::{Forms, NotKept, Pages, Part, Wanted};
pub(crate) use read::InvalidTranscript;
pub(crate) use size::memory_of;
pub use store::Store;
pub(crate) use store::TranscriptError;
