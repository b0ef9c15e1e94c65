//! What a target returned for one case: how it is read and written, and where it is kept.
//!
//! A [`Transcript`] is a response and the log events that go with it, and of a browser target also what the page showed
//! before and after ([`Pages`]), so that another form of the response can be judged without asking again. `docs/scoring.md`
//! defines their meaning; the file's format is `schemas/transcript.schema.json`.

mod model;
mod read;
mod store;
#[cfg(test)]
mod tests;

pub(crate) use crate::filed::file_name;
pub use model::{Event, Transcript};
pub(crate) use model::{FORMAT, LastRecord, Origin, Usage};
pub(crate) use model::{Forms, NotKept, Pages, Part, Wanted};
pub(crate) use read::{Excess, InvalidTranscript, memory_of, usage, within_limits};
pub use store::Store;
pub(crate) use store::TranscriptError;
