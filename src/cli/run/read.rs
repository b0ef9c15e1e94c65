//! Reads the suites of a run: a suite with errors is not run.

use std::path::Path;
use std::sync::Arc;

use crate::analysis::{ReadOnce, lint_once};
use crate::cli::Console;
use crate::cli::args::RunArgs;
use crate::cli::draw::Painter;
use crate::cli::input::{Contents, Input};
use crate::diagnostic::{Finding, Severity};
use crate::lints::{Workspace, not_utf8};
use crate::runner::SuiteInput;
use crate::text::Text;

use super::warnings::Warning;

/// A suite that can be run, with its warnings.
pub(super) struct ReadSuite {
    pub(super) suite: SuiteInput,
    pub(super) warnings: Vec<Warning>,
}

/// The suite, if it can be run. The error is the reason, which is also printed.
pub(super) fn read_suite(
    args: &RunArgs,
    input: &Input,
    lints: &Arc<Workspace>,
    console: &mut Console,
) -> Result<ReadSuite, String> {
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    let (text, read) = match input.read() {
        Ok(Contents::Text(text)) => {
            let read = lint_once(&text, input.path(), lints, |finding| match finding.severity {
                Severity::Error => errors.push(finding.to_finding()),
                Severity::Warning => warnings.push((finding.lint(), finding.span())),
                Severity::Hint => {}
            });
            errors.sort_by_key(|finding| (finding.span, finding.lint));
            (text, Some(read))
        }
        Ok(Contents::NotUtf8 { bytes, offset }) => {
            errors.push(not_utf8(offset));
            (Text::new(&String::from_utf8_lossy(&bytes)), None)
        }
        Err(fault) => {
            console.complain(&fault);
            return Err(fault.to_string());
        }
    };
    let is_json = read.as_ref().is_some_and(|read| read.is_well_formed);
    if let Some(ReadOnce { suite, .. }) = read.filter(|_| errors.is_empty() || (args.no_check && is_json)) {
        let path = input.path().unwrap_or(Path::new("stdin.json")).to_owned();
        return Ok(ReadSuite { suite: SuiteInput { path, text, suite }, warnings });
    }
    show(&input.name(), &text, &errors, console);
    let advice = if is_json { "fix them, or run it anyway with `--no-check`" } else { "fix them" };
    console.complain(format_args!("`{}` is not run, because it has errors: {advice}", input.name()));
    Err(errors.first().map_or_else(String::new, |error| format!("{}: {}", error.lint, error.message)))
}

/// Prints the first findings in a file.
pub(super) fn show(name: &str, text: &Text, findings: &[Finding], console: &mut Console) {
    let painter = Painter::new(console.err.has_color());
    for finding in findings.iter().take(20) {
        console.err.write_line(&painter.paint(name, text, finding));
    }
    if findings.len() > 20 {
        console.tell(format_args!("{} more in `{name}`; `eval-ls check` shows them all", findings.len() - 20));
    }
}
