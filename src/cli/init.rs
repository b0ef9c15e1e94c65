//! `init`: a first configuration and a first suite.

use std::path::Path;

use crate::config::{CONFIG_FILE, Config, TEMPLATE};
use crate::files::{self, FileError};
use crate::transcript::Store;
use crate::workspace::{Scope, absolute};

use super::args::InitArgs;
use super::input::{Workspaces, find};
use super::{Console, ExitStatus, Refusal};

/// Where the first suite is written, as seen from the workspace's root.
const FIRST_SUITE: &str = "evals/first.evals.json";

const SUITE: &str = include_str!("first-suite.json");

/// The transcripts of the first suite, by the ids of its cases: one passes and one fails, so that a run shows both.
const TRANSCRIPTS: [(&str, &str); 2] =
    [("BOOK1", include_str!("first-transcript-booking.json")), ("HOURS1", include_str!("first-transcript-hours.json"))];

/// What coding agents read, by its path.
const FOR_AGENTS: [(&str, &str); 3] = [
    ("AGENTS.md", include_str!("coding-agents/AGENTS.md")),
    (".github/lsp.json", include_str!("coding-agents/lsp.json")),
    ("opencode.json", include_str!("coding-agents/opencode.json")),
];

/// The most bytes that are read of such a file, to find out whether it names this program: far more than agents read.
const MOST_FOR_AGENTS: u64 = 1 << 20;

const NEXT: &str = "
Next:
  eval-ls check               find mistakes in the suites
  eval-ls run                 judge the stored answers
  eval-ls explain LINT        explain a finding
  eval-ls init python         add your own assistant; also: node, browser, http
";

/// Writes the files that the current folder lacks, and adds the target that is asked for. Reports what was written.
pub(super) fn init(args: &InitArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    let here = Path::new(".");
    let mut status = ExitStatus::Passed;
    match Scope::of_folder(&absolute(here)).config_path().filter(|path| path.exists()) {
        Some(path) => console.out.write_line(&format!("kept   {}", super::input::near(&path))),
        None => {
            let help = "it is not a file, or is a link to a file that does not exist; remove it";
            status = status.max(create(Path::new(CONFIG_FILE), TEMPLATE, help, console));
        }
    }
    let found = find(&[here.to_owned()], None, &mut Workspaces::new().without_results());
    match found.inputs.first() {
        Some(suite) => console.out.write_line(&format!("kept   {}", suite.name())),
        None => status = status.max(first_suite(console)),
    }
    if args.agents {
        status = status.max(for_agents(console));
    }
    match args.kind {
        _ if status != ExitStatus::Passed => Ok(status),
        Some(kind) => super::new_target::new_target(kind, &args.target, console),
        None => {
            console.out.write_text(NEXT);
            Ok(status)
        }
    }
}

/// Writes the first suite and its transcripts.
fn first_suite(console: &mut Console) -> ExitStatus {
    let suite = Path::new(FIRST_SUITE);
    let help = format!("`[files]` in {CONFIG_FILE} leaves it out");
    let mut status = create(suite, SUITE, &help, console);
    let store = Store::new(suite, &Config::default());
    for (case, transcript) in TRANSCRIPTS {
        let path = store.path(case);
        if status == ExitStatus::Passed && !path.exists() {
            status = status.max(create(&path, transcript, &help, console));
        }
    }
    status
}

/// Writes the files for coding agents. A file that is there already stays as it is, and what it lacks is printed.
fn for_agents(console: &mut Console) -> ExitStatus {
    let mut status = ExitStatus::Passed;
    let mut lacking = Vec::new();
    for (name, text) in FOR_AGENTS {
        let path = Path::new(name);
        if !files::exists(path) {
            let help = "it is a link to a file that does not exist; remove it";
            status = status.max(create(path, text, help, console));
            continue;
        }
        console.out.write_line(&format!("kept   {name}"));
        let present = files::read(path, MOST_FOR_AGENTS).unwrap_or_default();
        if !String::from_utf8_lossy(&present).contains("eval-ls") {
            lacking.push((name, text));
        }
    }
    for (name, text) in lacking {
        console.out.write_text(&format!("\nAdd this to {name}:\n\n{text}"));
    }
    status
}

/// Writes a new file, but not through a link, which may lead anywhere. `help` explains why the file may exist already.
fn create(path: &Path, text: &str, help: &str, console: &mut Console) -> ExitStatus {
    if let Some(link) = path.ancestors().skip(1).find(|folder| folder.is_symlink()) {
        console.complain(format_args!("cannot write {}: {} is a link; remove it", path.display(), link.display()));
        return ExitStatus::Unusable;
    }
    match files::create(path, text.as_bytes()) {
        Ok(()) => {
            console.out.write_line(&format!("wrote  {}", path.display()));
            ExitStatus::Passed
        }
        Err(fault @ FileError::Exists { .. }) => {
            console.complain(format_args!("{fault}; {help}"));
            ExitStatus::Unusable
        }
        Err(fault) => {
            console.complain(fault);
            ExitStatus::Unusable
        }
    }
}
