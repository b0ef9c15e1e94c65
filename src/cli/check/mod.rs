//! `check`: lints suites.

mod json;
mod tally;
mod text;

use std::path::Path;
use std::sync::Arc;

use crate::analysis::Document;
use crate::config::LoadError;
use crate::diagnostic::{Finding, Severity};
use crate::lints::not_utf8;
use crate::text::Text;

use super::args::{CheckArgs, CheckFormat, Deny};
use super::input::{Contents, Input, Surroundings, Workspaces, find};
use super::{Console, Status};

use tally::Tally;

/// A file and what was found in it.
struct Checked {
    name: String,
    text: Text,
    findings: Vec<Finding>,
}

/// Lints what `args` name and prints what is found.
pub(super) fn check(args: &CheckArgs, console: &mut Console) -> Status {
    if let Err(fault) = args.validate() {
        console.complain(fault);
        return Status::Misused;
    }
    let workspaces = Arc::new(Workspaces::default());
    let found = find(&args.paths, args.stdin_filename.as_deref(), &workspaces);
    let mut status = Status::Passed;
    for fault in &found.faults {
        console.complain(fault);
        status = status.max(Status::Unusable);
    }
    for folder in &found.empty {
        console.complain(format_args!("there is no suite in `{}`; `[files]` says which files are", folder.display()));
        status = status.max(Status::Unusable);
    }

    let (mut all, misconfigured) = check_configurations(&workspaces, console);
    if misconfigured {
        status = Status::Misused;
    }
    for input in &found.inputs {
        let path = input.path().unwrap_or(Path::new("-"));
        let loaded = workspaces.of_file(path);
        let Ok(surroundings) = &*loaded else { continue };
        match check_suite(input, surroundings) {
            Ok(checked) => all.push(checked),
            Err(fault) => {
                console.complain(fault);
                status = status.max(Status::Unusable);
            }
        }
    }

    if args.deny == Some(Deny::Warnings) {
        let findings = all.iter_mut().flat_map(|checked| &mut checked.findings);
        findings.filter(|finding| finding.severity == Severity::Warning).for_each(|finding| {
            finding.severity = Severity::Error;
        });
    }
    let tally = Tally::new(&all);
    match args.format {
        CheckFormat::Text => text::print(&all, &tally, console),
        CheckFormat::Json => json::print(&all, console),
    }
    if tally.errors > 0 { status.max(Status::Failed) } else { status }
}

/// The faults of the configuration files; and whether there is any.
fn check_configurations(workspaces: &Workspaces, console: &mut Console) -> (Vec<Checked>, bool) {
    let mut faulty = Vec::new();
    let mut unreadable = false;
    for loaded in workspaces.files() {
        match &*loaded {
            Ok(surroundings) if surroundings.workspace.errors.is_empty() => {}
            Ok(surroundings) => {
                let workspace = &surroundings.workspace;
                faulty.push(Checked {
                    name: workspace.config_path.as_deref().map(near).unwrap_or_default(),
                    text: Text::new(&workspace.text),
                    findings: workspace.errors.iter().map(Finding::from).collect(),
                });
            }
            Err(fault @ (LoadError::Read { .. } | LoadError::NotUtf8 { .. })) => {
                console.complain(fault);
                unreadable = true;
            }
        }
    }
    let misconfigured = unreadable || !faulty.is_empty();
    (faulty, misconfigured)
}

/// The path as seen from the current folder, where it is below.
fn near(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    let below = here.as_deref().and_then(|here| path.strip_prefix(here).ok());
    below.unwrap_or(path).display().to_string()
}

fn check_suite(input: &Input, surroundings: &Surroundings) -> Result<Checked, super::input::ReadError> {
    let (text, findings) = match input.read()? {
        Contents::Text(text) => {
            let document = Document::new(text.clone(), input.path().map(Path::to_owned));
            (text, document.findings(&surroundings.lints))
        }
        Contents::NotUtf8 { lossy, offset } => (lossy, vec![not_utf8(offset)]),
    };
    Ok(Checked { name: input.name(), text, findings })
}
