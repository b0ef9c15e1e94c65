//! What a run found, for those who read it: one file a format. Nothing here judges; all of it shows what the runner's
//! events and the verdicts in them say.
//!
//! Everything that a suite, a transcript or an answer brought in is escaped for the format it goes into: it can neither
//! steer a terminal nor add a cell, a link, an element or a workflow command.

pub mod challenge;
mod collect;
mod document;
mod files;
mod github;
mod junit;
mod markdown;
mod place;
mod terminal;
pub mod workflow_command;

pub use collect::Collected;
pub use document::RunDocument;
pub use files::{Written, write_results};
pub use github::{annotations, step_summary};
pub use junit::junit;
pub use markdown::markdown;
pub use terminal::{case_line, closing, failures};

#[cfg(test)]
mod tests;
