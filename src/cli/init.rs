//! `init`: a first configuration and a first suite.

use std::path::Path;

use crate::config::{CONFIG_FILE, TEMPLATE};
use crate::files::{self, FileError};
use crate::workspace::{Scope, absolute};

use super::input::{Workspaces, find};
use super::{Console, ExitStatus};

/// Where the first suite is written, as seen from the workspace's root.
const FIRST_SUITE: &str = "evals/first.evals.json";

const SUITE: &str = include_str!("first-suite.json");

const NEXT: &str = "
Next:
  eval-ls check          look for faults in the suites
  eval-ls explain LINT   read about one of them
  eval-ls list evals     list the cases
";

/// Writes the files that the current folder lacks, and reports what was written.
pub(super) fn init(console: &mut Console) -> ExitStatus {
    let here = Path::new(".");
    let mut status = ExitStatus::Passed;
    match Scope::of_folder(&absolute(here)).config_path() {
        Some(path) => console.out.write_line(&format!("kept   {}", super::input::near(&path))),
        None => status = status.max(create(Path::new(CONFIG_FILE), TEMPLATE, console)),
    }
    let found = find(&[here.to_owned()], None, &mut Workspaces::new());
    match found.inputs.first() {
        Some(suite) => console.out.write_line(&format!("kept   {}", suite.name())),
        None => status = status.max(create(Path::new(FIRST_SUITE), SUITE, console)),
    }
    if status == ExitStatus::Passed {
        console.out.write_text(NEXT);
    }
    status
}

fn create(path: &Path, text: &str, console: &mut Console) -> ExitStatus {
    match files::create(path, text.as_bytes()) {
        Ok(()) => {
            console.out.write_line(&format!("wrote  {}", path.display()));
            ExitStatus::Passed
        }
        Err(fault @ FileError::Exists { .. }) => {
            console.complain(format_args!("{fault}; `[files]` in {CONFIG_FILE} leaves it out"));
            ExitStatus::Unusable
        }
        Err(fault) => {
            console.complain(fault);
            ExitStatus::Unusable
        }
    }
}
