//! The reports of `--report`, and the line about the warnings of the cases that are run.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cli::args::{Format, ReportArg};
use crate::cli::input::Warning;
use crate::cli::output::{Output, Repository, readable};
use crate::config::Config;
use crate::events::Event;
use crate::files::{self, Access};
use crate::report::html::page_of;
use crate::report::{RunDocument, annotations, junit, summary, unrun_document, write_json};
use crate::runner::{Outcome, Run};
use crate::runs::{KeptRun, OpenRun, Runs};
use crate::suite::Suite;
use crate::text::counted;

/// The reports that were asked for. Each is written when the run has ended, except for events, which are written at once.
pub(super) struct Reports {
    wanted: Vec<ReportArg>,
    /// The access to the files.
    access: Access,
    /// The files with events, with the faults of writing them.
    streams: Vec<Result<(PathBuf, BufWriter<File>), String>>,
    /// The events, if they go to standard output.
    events: Option<String>,
    /// The kept runs, with their configurations.
    kept: Vec<(OpenRun, Arc<Config>)>,
}

impl Reports {
    pub(super) fn new(wanted: &[ReportArg], access: Access) -> Reports {
        let streams = wanted.iter().filter(|report| report.format == Format::Jsonl);
        let streams = streams.filter_map(|report| report.path.as_deref());
        let streams = streams.map(|path| create(path, access)).collect();
        let to_output = |report: &ReportArg| report.format == Format::Jsonl && report.path.is_none();
        Reports {
            wanted: wanted.to_vec(),
            access,
            streams,
            events: wanted.iter().any(to_output).then(String::new),
            kept: Vec::new(),
        }
    }

    /// Whether one of them has this format.
    pub(super) fn have(&self, format: Format) -> bool {
        self.wanted.iter().any(|report| report.format == format)
    }

    /// Adds a run that is kept and has ended, for pages.
    pub(super) fn keep(&mut self, run: OpenRun, config: Arc<Config>) {
        self.kept.push((run, config));
    }

    /// The page of the run.
    ///
    /// # Errors
    /// If there is not exactly one kept run, or it cannot be read: a lower-case fragment.
    fn page(&self) -> Result<String, String> {
        let [(written, config)] = &self.kept[..] else {
            return Err(match self.kept.len() {
                0 => "the run was not kept".to_owned(),
                count => format!(
                    "the suites belong to {count} workspaces, and a page shows one run; run each one separately"
                ),
            });
        };
        let folder = written.folder();
        let run = KeptRun::read(folder).map_err(|fault| fault.to_string())?;
        let runs = Runs::new(folder.parent().unwrap_or(folder).to_owned());
        page_of(&runs, &run, None, config).map_err(|fault| fault.to_string())
    }

    /// Writes an event to the files with events. After an error, nothing more is written to that file.
    pub(super) fn take(&mut self, event: &Event) -> Result<(), String> {
        if self.streams.is_empty() && self.events.is_none() {
            return Ok(());
        }
        let Ok(line) = serde_json::to_string(event) else { return Ok(()) };
        let line = format!("{}\n", readable(&line));
        if let Some(events) = &mut self.events {
            events.push_str(&line);
        }
        for stream in &mut self.streams {
            if let Ok((path, file)) = stream
                && let Err(fault) = file.write_all(line.as_bytes()).and_then(|()| file.flush())
            {
                *stream = Err(format!("cannot write {}: {fault}", path.display()));
            }
        }
        Ok(())
    }

    /// Writes the other reports. Those without a path go to `out`. Returns what went wrong.
    pub(super) fn close(&mut self, run: &Run, documents: &Documents, out: &mut Output<Stdout>) -> Vec<String> {
        let mut faults: Vec<String> = self.streams.drain(..).filter_map(Result::err).collect();
        for ReportArg { format, path } in std::mem::take(&mut self.wanted) {
            let written = match path {
                Some(_) if format == Format::Jsonl => Ok(()),
                // The console reports what could not be written.
                None => self.print(format, run, documents, out),
                Some(path) => self.write(format, &path, run, documents),
            };
            faults.extend(written.err());
        }
        faults
    }

    fn write(&mut self, format: Format, path: &Path, run: &Run, documents: &Documents) -> Result<(), String> {
        if files::is_stream(path) {
            let file = files::stream(path, self.access).map_err(|fault| fault.to_string())?;
            let mut out = Output::new(file, false);
            self.print(format, run, documents, &mut out)?;
            return out.end().map_or(Ok(()), |fault| Err(format!("cannot write {}: {fault}", path.display())));
        }
        let report = self.report(format, &path.display(), run, documents)?;
        let written = files::replace_with(path, self.access, |file| file.write_all(&report));
        written.map_err(|fault| fault.to_string())
    }

    /// Writes a report to `out`, which keeps the faults of writing.
    pub(super) fn print<W: Write>(
        &mut self,
        format: Format,
        run: &Run,
        documents: &Documents,
        out: &mut Output<W>,
    ) -> Result<(), String> {
        let report = self.report(format, &"`html`", run, documents)?;
        match format {
            Format::Json => out.write_text(&readable(&String::from_utf8_lossy(&report))),
            Format::Github => out.write_exact(&report),
            _ => out.write_text(&String::from_utf8_lossy(&report)),
        }
        Ok(())
    }

    /// A report, which a fault calls `name`.
    fn report(
        &mut self,
        format: Format,
        name: &dyn Display,
        run: &Run,
        documents: &Documents,
    ) -> Result<Vec<u8>, String> {
        let mut report = Vec::new();
        match format {
            Format::Json => documents.write(run, &mut report).expect("writing to a Vec does not fail"),
            Format::Jsonl => report = self.events.take().unwrap_or_default().into_bytes(),
            Format::Junit => junit(run, &mut report).expect("writing to a Vec does not fail"),
            Format::Github => report = github(run).into_bytes(),
            Format::Md => report = summary(run).into_bytes(),
            Format::Html => {
                let page = self.page().map_err(|fault| format!("cannot write the report {name}: {fault}"))?;
                report = page.into_bytes();
            }
            // The others are written elsewhere.
            _ => {}
        }
        Ok(report)
    }
}

fn create(path: &Path, access: Access) -> Result<(PathBuf, BufWriter<File>), String> {
    let file = files::stream(path, access).map_err(|fault| fault.to_string())?;
    Ok((path.to_owned(), BufWriter::new(file)))
}

/// The result documents of a run, one for each suite.
#[derive(Default)]
pub(super) struct Documents(Vec<RunDocument>);

impl Documents {
    pub(super) fn add(&mut self, outcome: &Outcome) {
        let suites = outcome.run.suites().iter().filter(|suite| suite.total > 0);
        self.0.extend(suites.map(|suite| RunDocument::new(outcome, suite)));
    }

    /// Writes one document, or an array of several. A suite that cannot be run has a document, too.
    ///
    /// # Errors
    /// If `out` cannot be written.
    fn write(&self, run: &Run, out: &mut impl Write) -> io::Result<()> {
        let is_array = self.0.len() + run.not_run().len() != 1;
        out.write_all(if is_array { b"[\n" } else { b"" })?;
        for (nth, document) in self.0.iter().enumerate() {
            out.write_all(if nth > 0 { b",\n" } else { b"" })?;
            write_json(document, &mut *out)?;
        }
        for (nth, suite) in run.not_run().iter().enumerate() {
            out.write_all(if nth + self.0.len() > 0 { b",\n" } else { b"" })?;
            write_json(&unrun_document(suite, run.policy()), &mut *out)?;
        }
        out.write_all(if is_array { b"\n]\n" } else { b"\n" })
    }
}

/// The annotations, with paths from the root of the repository.
fn github(run: &Run) -> String {
    let repository = Repository::current();
    annotations(run, |path| repository.path_of(path), step_summary().is_some())
}

/// The file of the step's summary, if the run is a step of a workflow.
fn step_summary() -> Option<std::ffi::OsString> {
    std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty())
}

/// Adds the summary to the step's summary, if the run is a step of a workflow.
///
/// # Errors
/// If the file cannot be written: a lower-case fragment.
pub(super) fn summarize_step(run: &Run) -> Result<(), String> {
    let Some(path) = step_summary() else { return Ok(()) };
    let file = std::fs::OpenOptions::new().create(true).append(true).open(&path);
    let written: io::Result<()> = file.and_then(|mut file| file.write_all(summary(run).as_bytes()));
    written.map_err(|fault| format!("cannot write the step summary {}: {fault}", path.display()))
}

/// The line names so many lints at most. `eval-ls check` has all.
const MOST: usize = 5;

/// The warnings in the cases with these indexes, and around the cases. `None` if there are none.
pub(super) fn warnings_line(suite: &Suite, warnings: &[Warning], selected: &[usize]) -> Option<String> {
    let selected: HashSet<usize> = selected.iter().copied().collect();
    let is_run = |(_, span): &&Warning| suite.case_at(span.start).is_none_or(|(index, _)| selected.contains(&index));
    let mut by_lint: BTreeMap<&str, usize> = BTreeMap::new();
    for (lint, _) in warnings.iter().filter(is_run) {
        *by_lint.entry(lint).or_default() += 1;
    }
    let total: usize = by_lint.values().sum();
    if total == 0 {
        return None;
    }
    let mut lints: Vec<_> = by_lint.into_iter().collect();
    lints.sort_by_key(|(lint, count)| (std::cmp::Reverse(*count), *lint));
    let mut named: Vec<_> = lints.iter().take(MOST).map(|(lint, count)| format!("{lint} {count}")).collect();
    if lints.len() > MOST {
        named.push("…".to_owned());
    }
    Some(format!("{} ({}); `eval-ls check` shows them", counted(total, "warning"), named.join(", ")))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::analysis::Document;
    use crate::diagnostic::Severity;
    use crate::text::Text;

    use super::*;

    #[test]
    fn the_warnings_of_the_cases_that_are_run() {
        let suite = r#"{ "cases": [
            { "id": "A", "prompt": "", "expected": {} },
            { "id": "B", "prompt": "p", "expected": { "notes": 1, "ui": [" "] } },
            { "id": "C", "prompt": "q", "expected": { "must_say_any": ["x"] } }
        ] }"#;
        let document = Document::new(Text::new(suite), None);
        let findings = document.findings(&Arc::default());
        let warnings = findings.iter().filter(|finding| finding.severity == Severity::Warning);
        let warnings = warnings.filter(|finding| finding.lint != "undefined-ui-hint");
        let warnings: Vec<_> = warnings.map(|finding| (finding.lint, finding.span)).collect();
        let line = |selected: &[usize]| warnings_line(document.suite(), &warnings, selected);
        let all =
            "4 warnings (blank-entry 1, empty-prompt 1, unknown-key 1, vacuous-case 1); `eval-ls check` shows them";
        assert_eq!(line(&[0, 1, 2]).as_deref(), Some(all));
        let of_b = "2 warnings (blank-entry 1, unknown-key 1); `eval-ls check` shows them";
        assert_eq!(line(&[1, 2]).as_deref(), Some(of_b));
        assert_eq!(line(&[2]), None);
    }
}
