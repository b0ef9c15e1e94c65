//! The result files of a run, `minimum-eval-results-<timestamp>.json` and `.md`, and the document in the first.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use serde_json::json;
use time::format_description::well_known::Rfc3339;
use time::{OffsetDateTime, format_description};

use crate::events::{Policy, RunSummary, SuiteNotRun, SuiteStarted};
use crate::files::{self, Access, Draft, FileError};
use crate::runner::Outcome;
use crate::verdict::{CaseResult, Versions};
use crate::wording::whose_then;

use super::{asked_by, markdown};

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
    /// The number of cases that have no result.
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
    /// The document of one suite of a run that has ended.
    pub(crate) fn new(outcome: &Outcome, suite: &SuiteStarted) -> Self {
        let (run, origin) = (&outcome.run, outcome.origin.clone());
        let cases: Vec<_> = run.cases_of(&suite.suite).into_iter().map(|case| Arc::clone(&case.result)).collect();
        let results = || cases.iter().map(|case| &**case);
        let (failures, errors) = run.policy().count(results());
        let (cancelled, started) = (run.finished().is_some_and(|last| last.cancelled), run.started());
        let target = started.map(|started| started.target.clone()).unwrap_or_default();
        Self {
            format: RESULT_FORMAT,
            versions: Versions::current(),
            generated_at: started.map(|started| started.started_at.clone()).unwrap_or_default(),
            eval_file: suite.suite.clone(),
            session: origin.session.unwrap_or_else(|| target.clone()),
            target,
            telemetry_log_path: origin.telemetry_log_path,
            app_url: origin.app_url,
            space_url: origin.space_url,
            cancelled,
            not_run: run.unfinished(suite),
            strict: run.policy().strict,
            failures,
            errors: errors + usize::from(cancelled),
            summary: RunSummary::of(results()),
            answers: started.map_or_else(String::new, |run| whose_then(asked_by(run), results())),
            cases,
            folder: outcome.results.clone(),
        }
    }
}

/// Writes a document as indented JSON, without a final line break.
///
/// # Errors
/// If `out` cannot be written.
pub(crate) fn write_json(document: &impl Serialize, out: impl Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    serde_json::to_writer_pretty(&mut out, document).map_err(io::Error::from)?;
    out.flush()
}

/// The document of a suite that cannot be run. It has one error: the suite.
pub(crate) fn unrun_document(suite: &SuiteNotRun, policy: Policy) -> impl Serialize {
    json!({
        "format": RESULT_FORMAT,
        "versions": Versions::current(),
        "eval_file": suite.suite,
        "reason": suite.reason,
        "strict": policy.strict,
        "failures": 0,
        "errors": 1,
        "summary": RunSummary::default(),
        "cases": [],
    })
}

/// The files that hold a suite's results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    /// The JSON.
    pub(crate) json: PathBuf,
    /// The Markdown.
    pub(crate) markdown: PathBuf,
}

impl Written {
    /// The names of the files.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        let names = [&self.json, &self.markdown].into_iter().filter_map(|path| path.file_name());
        names.map(|name| name.to_string_lossy().into_owned())
    }
}

/// Writes each suite's JSON and Markdown result into the folder of results, as
/// `minimum-eval-results-<YYYYMMDD-HHMMSS>.json` and `.md`, with the time in UTC. If the run has several suites, the suite's
/// name is appended. If the name is taken, a number is appended; nothing is overwritten. Suites without a started case are ignored.
///
/// # Errors
/// If a file cannot be written. Files that were written before stay.
pub(crate) fn write_results(outcome: &Outcome) -> Result<Vec<Written>, FileError> {
    let mut written = Vec::new();
    let (run, Some(folder)) = (&outcome.run, &outcome.results) else { return Ok(written) };
    let with_cases = || run.suites().iter().filter(|suite| run.unfinished(suite) < suite.total);
    let several = with_cases().nth(1).is_some();
    for suite in with_cases() {
        let document = RunDocument::new(outcome, suite);
        let mut stem = stem(&document.generated_at);
        if several {
            stem.push('-');
            stem.push_str(&suite_name(Path::new(&suite.suite)));
        }
        written.push(write_pair(folder, &stem, &document, Access::private_if(outcome.has_secrets))?);
    }
    Ok(written)
}

/// The longest name of a suite in the name of a file, in bytes. A file name has at most 255.
const LONGEST_NAME: usize = 150;

/// The file name of a suite without `.json`, encoded as ASCII without path separators.
fn suite_name(suite: &Path) -> String {
    let file = suite.file_name().unwrap_or_default().to_string_lossy();
    let mut name = crate::transcript::file_name(file.strip_suffix(".json").unwrap_or(&file));
    name.truncate(name.len().saturating_sub(".json".len()).min(LONGEST_NAME));
    name
}

/// Writes both files under the first name that is free for the JSON file, which is named first.
fn write_pair(folder: &Path, stem: &str, document: &RunDocument, access: Access) -> Result<Written, FileError> {
    for number in 1.. {
        let name = if number == 1 { stem.to_owned() } else { format!("{stem}-{number}") };
        let paths = Written { json: folder.join(format!("{name}.json")), markdown: folder.join(format!("{name}.md")) };
        if files::exists(&paths.json) || files::exists(&paths.markdown) {
            continue;
        }
        let json = |file: &mut Draft| {
            write_json(document, &mut *file)?;
            file.write_all(b"\n")
        };
        match files::create_with(&paths.json, access, json) {
            Err(FileError::Exists { .. }) => {}
            written => {
                written?;
                files::create_with(&paths.markdown, access, |file| markdown(document, file))?;
                return Ok(paths);
            }
        }
    }
    unreachable!("there is always a further number")
}

fn stem(started_at: &str) -> String {
    let form = "[year][month][day]-[hour][minute][second]";
    let seconds = format_description::parse_borrowed::<2>(form).expect("the form is right");
    let time = OffsetDateTime::parse(started_at, &Rfc3339).ok().and_then(|time| time.format(&seconds).ok());
    format!("minimum-eval-results-{}", time.as_deref().unwrap_or("unknown-time"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_time_and_never_collide() {
        let folder = tempfile::tempdir().unwrap();
        let stem = stem("2026-11-21T09:08:07.5Z");
        assert_eq!(stem, "minimum-eval-results-20261121-090807");
        let document = |target: &str| RunDocument { target: target.to_owned(), ..RunDocument::default() };
        let write = |target: &str| write_pair(folder.path(), &stem, &document(target), Access::Shared).unwrap();
        let (first, second) = (write("one"), write("two"));
        assert_eq!(first.json.file_name().unwrap(), "minimum-eval-results-20261121-090807.json");
        assert_eq!(second.markdown.file_name().unwrap(), "minimum-eval-results-20261121-090807-2.md");
        for (written, target) in [(&first, "one"), (&second, "two")] {
            let json = std::fs::read_to_string(&written.json).unwrap();
            assert!(json.contains(&format!("\n  \"target\": \"{target}\",\n")) && json.ends_with("\n}\n"), "{json}");
            let markdown = std::fs::read_to_string(&written.markdown).unwrap();
            assert!(markdown.contains(&format!("\n- Target: {target}\n")), "{markdown}");
        }
    }
}
