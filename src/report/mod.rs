//! The reports of runs, challenges and findings, one file for each format. Reports of runs show the runner's events and the
//! verdicts in them; nothing here judges.
//!
//! Text from suites, transcripts and answers is escaped for each format. It cannot control a terminal, and it cannot add a
//! cell, a link, an element or a workflow command.

mod annotated;
mod asked;
pub(crate) mod challenge;
mod collect;
pub(crate) mod comparison;
mod concise;
mod difference;
mod document;
mod files;
pub(crate) mod findings;
mod github;
pub(crate) mod html;
mod junit;
mod markdown;
mod place;
mod repeats;
mod show;
mod summary;
mod terminal;
mod workflow_command;

pub(crate) use collect::Collected;
pub(crate) use concise::{NOT_RUN, OLDER_ANSWER, STALE, concise};
pub(crate) use difference::differences;
pub(crate) use document::{RunDocument, UnrunDocument, write_document, write_json};
pub(crate) use files::{Written, write_results};
pub(crate) use github::annotations;
pub(crate) use junit::junit;
pub(crate) use markdown::markdown;
pub(crate) use show::{ShownCase, show};
pub(crate) use summary::summary;
pub(crate) use terminal::{case_line, closing, failures, short_case_line};
pub(crate) use workflow_command::CommandGuard;

#[cfg(test)]
mod tests;
