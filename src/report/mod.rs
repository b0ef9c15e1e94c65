//! The reports of runs, challenges and findings, one file for each format. Reports of runs show the runner's events and the
//! verdicts in them; nothing here judges.
//!
//! Text from suites, transcripts and answers is escaped for each format. It cannot control a terminal, and it cannot add a
//! cell, a link, an element or a workflow command.

pub(crate) mod challenge;
pub(crate) mod comparison;
mod document;
pub(crate) mod findings;
pub(crate) mod html;
mod junit;
mod markdown;
mod show;
mod terminal;
#[cfg(test)]
mod tests;

use crate::events::RunStarted;
use crate::runs::RunRecord;
use crate::wording::Asked;

pub(crate) use document::{RunDocument, Written, unrun_document, write_json, write_results};
pub(crate) use findings::{CommandGuard, annotations};
pub(crate) use junit::junit;
pub(crate) use markdown::summary;
pub(crate) use markdown::{differences, markdown};
pub(crate) use show::{ShownCase, concise, show};
pub(crate) use terminal::{case_line, closing, failures, short_case_line};

/// What gave the answers of a kept run.
fn asked(record: &RunRecord) -> Asked<'_> {
    Asked {
        target: &record.target.name,
        live: record.target.is_live(),
        program: record.target.program(),
        started_at: &record.started_at,
    }
}

/// What gives the answers of a run.
pub(crate) fn asked_by(run: &RunStarted) -> Asked<'_> {
    Asked { target: &run.target, live: run.live, program: run.program.clone(), started_at: &run.started_at }
}
