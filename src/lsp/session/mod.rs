//! The state of the server: the open documents and their configurations, the answers of their cases, and the runs.

pub(crate) mod choices;
pub(crate) mod configurations;
pub(crate) mod open_document;
#[cfg(feature = "program")]
pub(crate) mod shared;
pub(crate) mod state;
pub(crate) mod suites;
pub(crate) mod transcripts;
