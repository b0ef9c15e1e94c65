//! What a target returned for one case: how it is read and written, and where it is kept.
//!
//! A [`Transcript`] is a response and the log events that go with it. `docs/scoring.md` says what they mean; the file's
//! format is `schemas/transcript.schema.json`.

mod event;
mod model;
mod read;
mod store;
#[cfg(test)]
mod tests;

pub use event::Event;
pub use model::{FORMAT, Transcript};
pub use read::{InvalidTranscript, json_object};
pub use store::{Store, TranscriptError, file_name, is_of_case};
