//! The reports of a run, one file for each format. They show the runner's events and the verdicts in them; nothing here
//! judges.
//!
//! Text from suites, transcripts and answers is escaped for each format. It cannot control a terminal, and it cannot add a
//! cell, a link, an element or a workflow command.

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
