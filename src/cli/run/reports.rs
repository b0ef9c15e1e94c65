//! The reports of `--report`, and the formats that several options share.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::cli::args::{ReportArg, ReportFormat};
use crate::cli::json::readable;
use crate::events::Event;
use crate::files;
use crate::git;
use crate::report::{Collected, RunDocument, UnrunDocument, annotations, junit, summary};
use crate::runner::RunResult;
use crate::workspace::absolute;

/// The reports that were asked for. Each is written when the run has ended, except for events, which are written at once.
pub(super) struct Reports {
    wanted: Vec<ReportArg>,
    /// The files with events, with the faults of writing them.
    streams: Vec<Result<(PathBuf, BufWriter<File>), String>>,
    /// The events, if they go to standard output.
    events: Option<String>,
}

impl Reports {
    pub(super) fn new(wanted: &[ReportArg]) -> Reports {
        let streams = wanted.iter().filter(|report| report.format == ReportFormat::Jsonl);
        let streams = streams.filter_map(|report| report.path.as_deref()).map(create).collect();
        let to_output = |report: &ReportArg| report.format == ReportFormat::Jsonl && report.path.is_none();
        Reports { wanted: wanted.to_vec(), streams, events: wanted.iter().any(to_output).then(String::new) }
    }

    /// Whether one of them is `json`.
    pub(super) fn have_json(&self) -> bool {
        self.wanted.iter().any(|report| report.format == ReportFormat::Json)
    }

    /// Whether one of them is `github`.
    pub(super) fn have_github(&self) -> bool {
        self.wanted.iter().any(|report| report.format == ReportFormat::Github)
    }

    /// Writes an event to the files with events. After an error, nothing more is written to that file.
    pub(super) fn take(&mut self, event: &Event) -> Result<(), String> {
        if self.streams.is_empty() && self.events.is_none() {
            return Ok(());
        }
        let Ok(mut line) = serde_json::to_string(event) else { return Ok(()) };
        line.push('\n');
        if let Some(events) = &mut self.events {
            events.push_str(&line);
        }
        for stream in &mut self.streams {
            if let Ok((path, file)) = stream
                && let Err(fault) = file.write_all(line.as_bytes()).and_then(|()| file.flush())
            {
                *stream = Err(format!("cannot write the report {}: {fault}", path.display()));
            }
        }
        Ok(())
    }

    /// Writes the other reports. Those without a path go to `out`. Returns what went wrong.
    pub(super) fn close(&mut self, run: &Collected, documents: &Documents, out: &mut impl Write) -> Vec<String> {
        let mut faults: Vec<String> = self.streams.drain(..).filter_map(Result::err).collect();
        for report in &self.wanted {
            let readable = |text: String| if report.path.is_none() { readable(&text).into_owned() } else { text };
            let text = match report.format {
                ReportFormat::Json => readable(documents.text(run)),
                ReportFormat::Junit => junit(run),
                ReportFormat::Github => github(run),
                ReportFormat::Md => summary(run),
                ReportFormat::Jsonl if report.path.is_some() => continue,
                ReportFormat::Jsonl => readable(self.events.take().unwrap_or_default()),
            };
            match &report.path {
                // The console reports what could not be written.
                None => drop(out.write_all(text.as_bytes())),
                Some(path) => {
                    let written = files::replace(path, text.as_bytes());
                    faults.extend(written.err().map(|fault| fault.to_string()));
                }
            }
        }
        faults
    }
}

fn create(path: &Path) -> Result<(PathBuf, BufWriter<File>), String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let created = folder.map_or(Ok(()), std::fs::create_dir_all).and_then(|()| File::create(path));
    match created {
        Ok(file) => Ok((path.to_owned(), BufWriter::new(file))),
        Err(fault) => Err(format!("cannot write the report {}: {fault}", path.display())),
    }
}

/// The result documents of a run, one for each suite.
#[derive(Default)]
pub(super) struct Documents(Vec<String>);

impl Documents {
    pub(super) fn add(&mut self, outcome: &RunResult) {
        let suites = outcome.suites.iter().filter(|suite| suite.not_run + suite.cases.len() > 0);
        self.0.extend(suites.map(|suite| RunDocument::new(outcome, suite).to_json()));
    }

    /// One document, or an array of several. A suite that cannot be run has a document, too.
    pub(super) fn text(&self, run: &Collected) -> String {
        let unrun = run.not_run().iter().map(|suite| UnrunDocument::new(suite, run.policy()).to_json());
        let all: Vec<String> = self.0.iter().cloned().chain(unrun).collect();
        match &all[..] {
            [one] => one.clone(),
            several => {
                let documents: Vec<_> = several.iter().map(|document| document.trim_end()).collect();
                format!("[\n{}\n]\n", documents.join(",\n"))
            }
        }
    }
}

/// The annotations, with paths from the root of the repository.
pub(super) fn github(run: &Collected) -> String {
    let root = repository_root();
    annotations(run, |path| from_root(Path::new(path), root.as_deref()), step_summary().is_some())
}

/// The file of the step's summary, if the run is a step of a workflow.
fn step_summary() -> Option<std::ffi::OsString> {
    std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty())
}

/// Adds the summary to the step's summary, if the run is a step of a workflow.
///
/// # Errors
/// If the file cannot be written: a lower-case fragment.
pub(super) fn summarize_step(run: &Collected) -> Result<(), String> {
    let Some(path) = step_summary() else { return Ok(()) };
    let file = std::fs::OpenOptions::new().create(true).append(true).open(&path);
    let written: io::Result<()> = file.and_then(|mut file| file.write_all(summary(run).as_bytes()));
    written.map_err(|fault| format!("cannot write the step summary {}: {fault}", path.display()))
}

/// The root of the repository: `GITHUB_WORKSPACE`, else that of git.
fn repository_root() -> Option<PathBuf> {
    let given = std::env::var_os("GITHUB_WORKSPACE").filter(|path| !path.is_empty()).map(PathBuf::from);
    given.or_else(|| git::root(&absolute(Path::new("."))))
}

/// The path from the root, with `/`; as it is if it is not below.
fn from_root(path: &Path, root: Option<&Path>) -> String {
    let absolute = absolute(path);
    let below = root.and_then(|root| {
        let below = absolute.strip_prefix(root).map(Path::to_owned);
        // One of the two may go through a link.
        below
            .ok()
            .or_else(|| Some(absolute.canonicalize().ok()?.strip_prefix(root.canonicalize().ok()?).ok()?.to_owned()))
    });
    match below {
        Some(below) => below.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/"),
        None => path.display().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_count_from_the_root() {
        let folder = tempfile::tempdir().unwrap();
        let suite = folder.path().join("apps/chat/a.evals.json");
        std::fs::create_dir_all(suite.parent().unwrap()).unwrap();
        std::fs::write(&suite, "{}").unwrap();
        assert_eq!(from_root(&suite, Some(folder.path())), "apps/chat/a.evals.json");
        assert_eq!(from_root(Path::new("a.json"), Some(folder.path())), "a.json");
        assert_eq!(from_root(Path::new("a.json"), None), "a.json");
        #[cfg(unix)]
        {
            let link = folder.path().join("link");
            std::os::unix::fs::symlink(folder.path().join("apps"), &link).unwrap();
            assert_eq!(
                from_root(&link.join("chat/a.evals.json"), Some(&folder.path().join("apps"))),
                "chat/a.evals.json"
            );
        }
    }
}
