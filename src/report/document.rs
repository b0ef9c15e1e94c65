use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{Formatter, PrettyFormatter};

use crate::clock;
use crate::events::{Policy, RunSummary, SuiteNotRun};
use crate::runner::{RunResult, SuiteResult};
use crate::verdict::{CaseResult, Versions};
use crate::wording::{Asked, whose};

/// The name and version of the format of a result. A later version may change the meaning of a key, not only add keys.
const RESULT_FORMAT: &str = "eval-ls/result@1";

/// The result of a suite's run in JSON. The format is `schemas/result.schema.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct RunDocument {
    /// [`RESULT_FORMAT`].
    pub(crate) format: &'static str,
    /// The versions of the programs that judged.
    pub(crate) versions: Versions,
    /// The start of the run: a date and time of RFC 3339, in UTC.
    pub(crate) generated_at: String,
    /// The suite's path, as it was given.
    pub(crate) eval_file: String,
    /// The target's name.
    pub(crate) target: String,
    /// The name of the browser's session; the target's name if there is no browser.
    pub(crate) session: String,
    /// The log with the telemetry, if the target has one.
    pub(crate) telemetry_log_path: Option<String>,
    /// The app's address, if the target has one.
    pub(crate) app_url: Option<String>,
    /// The address that was opened for the cases, if the target has one.
    pub(crate) space_url: Option<String>,
    /// Whether the run was cancelled.
    pub(crate) cancelled: bool,
    /// The number of cases that were not started.
    pub(crate) not_run: usize,
    /// Whether `PARTIAL` and stale transcripts count as failed.
    pub(crate) strict: bool,
    /// The number of cases that count as failed.
    pub(crate) failures: usize,
    /// The number of cases that could not be judged, and one more if the run was cancelled.
    pub(crate) errors: usize,
    /// The number of cases by status.
    pub(crate) summary: RunSummary,
    /// The cases, in the suite's order.
    pub(crate) cases: Vec<Arc<CaseResult>>,
    /// Whose answers were judged, and how old they were.
    #[serde(skip)]
    pub(crate) answers: String,
    /// The folder of the result. Links in the result are relative to it.
    #[serde(skip)]
    pub(crate) folder: Option<PathBuf>,
}

impl RunDocument {
    /// The document of one suite of a run.
    pub(crate) fn new(run: &RunResult, suite: &SuiteResult) -> Self {
        let origin = &run.origin;
        let (failures, errors) = run.policy.count(suite.cases.iter().map(|case| &**case));
        Self {
            format: RESULT_FORMAT,
            versions: Versions::current(),
            generated_at: run.started_at.clone(),
            eval_file: suite.path.display().to_string(),
            target: run.target.clone(),
            session: origin.session.clone().unwrap_or_else(|| run.target.clone()),
            telemetry_log_path: origin.telemetry_log_path.clone(),
            app_url: origin.app_url.clone(),
            space_url: origin.space_url.clone(),
            cancelled: run.cancelled,
            not_run: suite.not_run,
            strict: run.policy.strict,
            failures,
            errors: errors + usize::from(run.cancelled),
            summary: RunSummary::of(suite.cases.iter().map(|case| &**case)),
            cases: suite.cases.clone(),
            answers: answers(run, suite),
            folder: run.results.clone(),
        }
    }
}

/// Whose answers of a suite were judged, and how old they are now.
fn answers(run: &RunResult, suite: &SuiteResult) -> String {
    let (target, program, started_at) = (&run.target, run.program.clone(), &run.started_at);
    let asked = Asked { target, live: run.live, program, started_at };
    whose(asked, suite.cases.iter().map(|case| &**case), clock::now().into())
}

/// How many cases a thread writes at once.
const CASES_TOGETHER: usize = 64;

/// Writes the document of a suite as indented JSON, without a final line break. Several threads write the cases.
///
/// # Errors
/// If `out` cannot be written.
pub(crate) fn write_document(document: &RunDocument, out: &mut (impl Write + Send)) -> io::Result<()> {
    let frame = serde_json::to_string_pretty(&RunDocument { cases: Vec::new(), ..document.clone() })?;
    let (head, tail) = frame.rsplit_once("[]").expect("the cases are a list");
    out.write_all(head.as_bytes())?;
    out.write_all(b"[")?;
    let mut parts = document.cases.chunks(CASES_TOGETHER * rayon::current_num_threads());
    let mut next = || parts.next().map(|part| part.par_chunks(CASES_TOGETHER).map(written_cases).collect::<Vec<_>>());
    let (mut is_first, mut written) = (true, next());
    while let Some(cases) = written {
        // Other threads make the next part while this one waits for the disk.
        let write = || {
            cases.iter().try_for_each(|cases| {
                let start = usize::from(std::mem::take(&mut is_first));
                out.write_all(&cases[start..])
            })
        };
        let (result, following) = rayon::join(write, &mut next);
        result?;
        written = following;
    }
    out.write_all(if is_first { b"]" } else { b"\n  ]" })?;
    out.write_all(tail.as_bytes())
}

/// Cases as indented elements of the list, each with a comma before it.
fn written_cases(cases: &[Arc<CaseResult>]) -> Vec<u8> {
    let mut text = Vec::new();
    for case in cases {
        text.extend_from_slice(b",\n    ");
        // Two levels deep.
        let mut formatter = PrettyFormatter::new();
        for _ in 0..2 {
            formatter.begin_array(&mut io::sink()).expect("a sink takes all");
        }
        let mut writer = Serializer::with_formatter(&mut text, formatter);
        case.serialize(&mut writer).expect("results have only keys that are strings");
    }
    text
}

/// Writes a document as indented JSON, without a final line break.
///
/// # Errors
/// If `out` cannot be written.
pub(crate) fn write_json(document: &impl Serialize, out: impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(out, document).map_err(io::Error::from)
}

/// The document of a suite that cannot be run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct UnrunDocument<'a> {
    /// [`RESULT_FORMAT`].
    pub(crate) format: &'static str,
    /// The versions of the programs that would have judged.
    pub(crate) versions: Versions,
    /// The suite's path, as it was given.
    pub(crate) eval_file: &'a str,
    /// Why it cannot be run.
    pub(crate) reason: &'a str,
    /// Whether `PARTIAL` and stale transcripts count as failed.
    pub(crate) strict: bool,
    /// Always 0.
    pub(crate) failures: usize,
    /// Always 1: the suite.
    pub(crate) errors: usize,
    /// The counts of no case.
    pub(crate) summary: RunSummary,
    /// Always empty.
    pub(crate) cases: [(); 0],
}

impl<'a> UnrunDocument<'a> {
    /// The document of one suite.
    pub(crate) fn new(suite: &'a SuiteNotRun, policy: Policy) -> Self {
        Self {
            format: RESULT_FORMAT,
            versions: Versions::current(),
            eval_file: &suite.suite,
            reason: &suite.reason,
            strict: policy.strict,
            failures: 0,
            errors: 1,
            summary: RunSummary::default(),
            cases: [],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::Case;

    #[test]
    fn threads_write_what_one_writer_writes() {
        for count in [0, 1, 2, CASES_TOGETHER, 5 * CASES_TOGETHER + 1] {
            let case = |number: usize| {
                let mut case = CaseResult::not_run(&Case::default(), format!("reason [] {number}"));
                case.checks.failed = vec!["a".to_owned(), "[]".to_owned()];
                Arc::new(case)
            };
            let eval_file = "[]".to_owned();
            let document = RunDocument { eval_file, cases: (0..count).map(case).collect(), ..RunDocument::default() };
            let mut written = Vec::new();
            write_document(&document, &mut written).unwrap();
            assert_eq!(String::from_utf8(written).unwrap(), serde_json::to_string_pretty(&document).unwrap());
        }
    }
}
