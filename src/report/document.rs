use std::path::Path;

use serde::Serialize;

use crate::events::RunSummary;
use crate::runner::{RunResult, SuiteResult};
use crate::verdict::CaseResult;

/// The result of a suite's run in JSON. The format is `schemas/result.schema.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct RunDocument<'a> {
    /// The start of the run: a date and time of RFC 3339, in UTC.
    pub(crate) generated_at: &'a str,
    /// The suite's path, as it was given.
    pub(crate) eval_file: String,
    /// The target's name.
    pub(crate) target: &'a str,
    /// The name of the browser's session; the target's name if there is no browser.
    pub(crate) session: &'a str,
    /// The log with the telemetry, if the target has one.
    pub(crate) telemetry_log_path: Option<&'a str>,
    /// The app's address, if the target has one.
    pub(crate) app_url: Option<&'a str>,
    /// The address that was opened for the cases, if the target has one.
    pub(crate) space_url: Option<&'a str>,
    /// Whether the run was cancelled.
    pub(crate) cancelled: bool,
    /// The number of cases that were not started.
    pub(crate) not_run: usize,
    /// The number of cases by status.
    pub(crate) summary: RunSummary,
    /// The cases, in the suite's order.
    pub(crate) cases: &'a [CaseResult],
    /// The folder of the result. Links in the result are relative to it.
    #[serde(skip)]
    pub(crate) folder: Option<&'a Path>,
}

impl<'a> RunDocument<'a> {
    /// The document of one suite of a run.
    pub(crate) fn new(run: &'a RunResult, suite: &'a SuiteResult) -> Self {
        let origin = &run.origin;
        Self {
            generated_at: &run.started_at,
            eval_file: suite.path.display().to_string(),
            target: &run.target,
            session: origin.session.as_deref().unwrap_or(&run.target),
            telemetry_log_path: origin.telemetry_log_path.as_deref(),
            app_url: origin.app_url.as_deref(),
            space_url: origin.space_url.as_deref(),
            cancelled: run.cancelled,
            not_run: suite.not_run,
            summary: RunSummary::of(&suite.cases),
            cases: &suite.cases,
            folder: suite.results.as_deref(),
        }
    }

    /// Indented JSON with a final line break.
    pub(crate) fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("results have only keys that are strings");
        text.push('\n');
        text
    }
}
