//! Reads the suites that a command judges: a suite with errors is not judged. Reports which folders of transcripts several suites share,
//! and which are outside of the workspace.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::analysis::Document;
use crate::cli::Console;
use crate::cli::draw::Painter;
use crate::config::CONFIG_FILE;
use crate::diagnostic::{Finding, Severity, quoted};
use crate::events::{SuiteError, SuiteNotRun};
use crate::lints::{Workspace, message_with_help, not_utf8};
use crate::runner::SuiteInput;
use crate::text::{Span, Text};
use crate::transcript::Store;
use crate::workspace::{LoadedConfig, absolute, without_dots};

use super::{Contents, Input};

/// A suite that can be judged, with its warnings.
pub(crate) struct ReadSuite {
    /// The suite.
    pub(crate) suite: SuiteInput,
    /// The lint and the place of each warning.
    pub(crate) warnings: Vec<Warning>,
}

/// A warning: its lint and its place.
pub(crate) type Warning = (&'static str, Span);

/// What is done with a suite that has errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum WithErrors {
    /// It is not run, and the message names `--no-check`.
    NotRun,
    /// It is run if it is JSON.
    Run,
    /// It is read if it is JSON: a case without checks is an error, and what `propose` is for.
    Read,
    /// It is not challenged.
    NotChallenged,
}

/// The suite, if it can be judged.
///
/// # Errors
/// Why it cannot. It is also printed, with what to do.
pub(crate) fn read_suite(
    input: &Input,
    lints: &Arc<Workspace>,
    with_errors: WithErrors,
    console: &mut Console,
) -> Result<ReadSuite, SuiteNotRun> {
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    let (text, read) = match input.read() {
        Ok(Contents::Text(text)) => {
            let read = Document::new(text.clone(), input.path().map(Path::to_owned));
            for finding in read.placed_findings(lints) {
                match finding.severity {
                    Severity::Error => errors.push(finding.to_finding()),
                    Severity::Warning => warnings.push((finding.lint(), finding.span())),
                    Severity::Hint => {}
                }
            }
            errors.sort_by_key(|finding| (finding.span, finding.lint));
            (text, Some(read))
        }
        Ok(Contents::NotUtf8 { bytes, offset }) => {
            errors.push(not_utf8(offset));
            (Text::new(&String::from_utf8_lossy(&bytes)), None)
        }
        Err(fault) => {
            console.complain(&fault);
            return Err(SuiteNotRun { suite: input.name(), reason: fault.to_string(), errors: Vec::new() });
        }
    };
    let is_json = read.as_ref().is_some_and(Document::is_well_formed);
    if let Some(document) =
        read.filter(|_| errors.is_empty() || (matches!(with_errors, WithErrors::Run | WithErrors::Read) && is_json))
    {
        let path = input.path().unwrap_or(Path::new("stdin.json")).to_owned();
        return Ok(ReadSuite { suite: SuiteInput { path, text, suite: document.into_suite() }, warnings });
    }
    show(&input.name(), &text, &errors, console);
    let (done, advice) = match with_errors {
        WithErrors::NotRun if is_json => ("run", "fix them, or run it anyway with `--no-check`"),
        WithErrors::NotRun | WithErrors::Run => ("run", "fix them"),
        WithErrors::Read => ("read", "fix them"),
        WithErrors::NotChallenged => ("challenged", "fix them"),
    };
    console.complain(format_args!("`{}` is not {done}, because it has errors: {advice}", input.name()));
    let reason = errors.first().map_or_else(String::new, |error| format!("{}: {}", error.lint, error.message));
    let errors = errors.iter().map(|error| SuiteError {
        lint: error.lint.to_owned(),
        message: message_with_help(error, &text),
        range: text.line_range(error.span),
    });
    Err(SuiteNotRun { suite: input.name(), reason, errors: errors.collect() })
}

/// Prints the first findings in a file.
pub(crate) fn show(name: &str, text: &Text, findings: &[Finding], console: &mut Console) {
    let painter = Painter::new(console.err.has_color());
    for finding in findings.iter().take(20) {
        console.err.write_line(&painter.paint(name, text, finding));
    }
    if findings.len() > 20 {
        console.tell(format_args!("{} more in `{name}`; `eval-ls check` shows them all", findings.len() - 20));
    }
}

/// The suite whose transcripts are in each folder.
#[derive(Default)]
pub(crate) struct SharedFolders {
    suites: HashMap<PathBuf, String>,
}

impl SharedFolders {
    /// Adds a suite. Returns a message if its transcripts are outside of the workspace, and one if an earlier suite has its
    /// transcripts in the same folder, because a case of one then has the answer of the case of the other with the same id.
    pub(crate) fn add(&mut self, input: &Input, loaded: &LoadedConfig) -> Vec<String> {
        let Input::File(path) = input else { return Vec::new() };
        let store = Store::new(&absolute(path), &loaded.config).within(&loaded.root, u64::MAX);
        let folder = without_dots(store.folder());
        let mut messages = Vec::new();
        if !store.is_inside() {
            let folder = quoted(&folder.display().to_string());
            messages.push(format!(
                "the transcripts of this suite are outside of the workspace, in {folder}, so editors neither read nor write them; set \
                 `[run] transcripts` to a folder below that of {CONFIG_FILE}"
            ));
        }
        match self.suites.get(&folder) {
            Some(other) => messages.push(format!(
                "the transcripts of this suite and of {} are in one folder; rename one of the suites, or change `[run] transcripts`",
                quoted(other)
            )),
            None => _ = self.suites.insert(folder, input.name()),
        }
        messages
    }
}
