use std::io::Write as _;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::Console;
use crate::cli::args::{RunFormat, RunMode};
use crate::events::Event;
use crate::report::{Collected, RunDocument, Written, annotations, case_line, closing, failures, junit, step_summary};
use crate::runner::RunResult;
use crate::text::visible;
use crate::verdict::Status;

/// How many cases that passed are listed one by one.
const LISTED: usize = 50;

/// Shows a run in the format that was asked for.
pub(super) struct Presenter<'a> {
    mode: RunMode,
    format: RunFormat,
    console: &'a mut Console,
    run: Collected,
    documents: Vec<String>,
    bar: ProgressBar,
}

impl<'a> Presenter<'a> {
    pub(super) fn new(mode: RunMode, format: RunFormat, console: &'a mut Console) -> Self {
        // Hidden by itself where standard error is no terminal.
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{bar:24} {pos}/{len} {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { mode, format, console, run: Collected::default(), documents: Vec::new(), bar }
    }

    /// Takes the next event.
    pub(super) fn take(&mut self, event: &Event) {
        self.run.take(event);
        if self.format == RunFormat::Jsonl
            && let Ok(line) = serde_json::to_string(event)
        {
            self.console.out.write_line(&line);
            // A stream that nobody reads any more is no error.
            let _ = self.console.out.flush();
        }
        match event {
            Event::RunStarted(run) => self.bar.inc_length(run.total as u64),
            Event::CaseStarted(case) => self.bar.set_message(plain(&case.case.case)),
            Event::CaseProgress(case) => {
                self.bar.set_message(plain(&format!("{}: {}", case.case.case, case.message)));
            }
            Event::CaseFinished(_) => self.bar.inc(1),
            Event::InterruptedRun(run) => self.say(&format!(
                "an earlier run of `{}` was cut short; the results of its {} finished cases are in {}",
                run.suite, run.finished, run.results
            )),
            Event::Warning(warning) => self.say(&format!("warning: {}", warning.message)),
            Event::RunFinished(_) => {}
        }
    }

    /// Keeps what the formats need that show a run's result document.
    pub(super) fn keep(&mut self, outcome: &RunResult) {
        if self.format == RunFormat::Json {
            let suites = outcome.suites.iter().filter(|suite| suite.not_run + suite.cases.len() > 0);
            self.documents.extend(suites.map(|suite| RunDocument::new(outcome, suite).to_json()));
        }
    }

    /// Says where results were written.
    pub(super) fn written(&mut self, written: &[Written]) {
        for files in written {
            self.say(&format!("results: {} and {}", files.json.display(), files.markdown.display()));
        }
    }

    /// Says that something went wrong.
    pub(super) fn complain(&mut self, fault: &str) {
        self.say(&format!("error: {fault}"));
    }

    /// Shows what is shown of a run as a whole.
    pub(super) fn close(mut self) {
        self.bar.finish_and_clear();
        let text = match self.format {
            RunFormat::Text if self.mode == RunMode::Record => recorded(&self.run),
            RunFormat::Text => self.text(),
            RunFormat::Json => self.json(),
            RunFormat::Jsonl => String::new(),
            RunFormat::Junit => junit(&self.run),
            RunFormat::Github => {
                self.summarize_step();
                annotations(&self.run)
            }
        };
        self.console.out.write_text(&text);
    }

    fn text(&self) -> String {
        let passed: Vec<_> = self.run.cases().into_iter().filter(|case| case.status == Status::Pass).collect();
        let mut text = failures(&self.run);
        if passed.len() <= LISTED {
            text.extend(passed.iter().map(|case| case_line(case) + "\n"));
        }
        text += &closing(&self.run);
        if self.console.out.has_color() { text } else { anstream::adapter::strip_str(&text).to_string() }
    }

    fn json(&self) -> String {
        match &self.documents[..] {
            [one] => one.clone(),
            several => {
                let documents: Vec<_> = several.iter().map(|document| document.trim_end()).collect();
                format!("[\n{}\n]\n", documents.join(",\n"))
            }
        }
    }

    /// Adds the table to the step's summary, where the run is a step of a workflow.
    fn summarize_step(&mut self) {
        let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else { return };
        let file = std::fs::OpenOptions::new().create(true).append(true).open(&path);
        let written = file.and_then(|mut file| file.write_all(step_summary(&self.run).as_bytes()));
        if let Err(fault) = written {
            self.complain(&format!("cannot write the step summary {}: {fault}", path.display()));
        }
    }

    fn say(&mut self, line: &str) {
        let bar = self.bar.clone();
        bar.suspend(|| self.console.tell(line));
    }
}

/// A line for each case, and how many were recorded.
fn recorded(run: &Collected) -> String {
    let mut text = String::new();
    let mut kept = 0;
    for case in run.cases() {
        let id = plain(&case.case.case);
        match (&case.transcript, &case.result.reason) {
            (Some(path), _) => {
                kept += 1;
                text += &format!("recorded {id}  {}\n", plain(path));
            }
            (None, Some(reason)) => {
                text += &format!("ERROR    {id}  {}\n", plain(reason.lines().next().unwrap_or_default()))
            }
            (None, None) => text += &format!("ERROR    {id}  the transcript is not kept\n"),
        }
    }
    text + &format!("{kept} of {} cases recorded\n", run.cases().len())
}

fn plain(text: &str) -> String {
    text.chars().map(visible).collect()
}
