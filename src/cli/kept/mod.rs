//! `accept`: takes answers of a kept run. It reads, judges, and starts nothing.

mod accept;
mod sample;

pub(super) use accept::accept;

use std::path::{Path, PathBuf};

use crate::analysis::lint_names;
use crate::runner::SuiteInput;
use crate::runs::{CaseLine, KeptRun, LATEST};
use crate::suite::PlacedCase;
use crate::workspace::{LoadedConfig, absolute};

use super::args::Place;
use super::input::{Contents, Input, Workspaces, near};
use super::selection::{runs_of, suite_file};
use super::{Console, ExitStatus, OrRefuse as _, Refusal};

/// A kept run, and the suites and the configuration as they are now.
struct Opened {
    run: KeptRun,
    lines: Vec<CaseLine>,
    loaded: LoadedConfig,
    /// The suites of the record; `None` for one that cannot be read.
    suites: Vec<Option<SuiteInput>>,
    status: ExitStatus,
}

/// Opens the run `name`; without a name, the last one that asked a target, and not the stored answers, if there is one. Prints what is
/// missing.
///
/// # Errors
/// If the configuration or the run cannot be read.
fn open(name: Option<&str>, place: &Place, console: &mut Console) -> Result<Opened, Refusal> {
    let loaded = match place.config.as_deref() {
        Some(path) => LoadedConfig::read(path, &lint_names()).map_err(|fault| fault.to_string()),
        None => Workspaces::new().of_place(place.workspace.as_deref().unwrap_or(Path::new("."))),
    };
    let loaded = loaded.or_misused()?;
    if !loaded.errors.is_empty() {
        let path = loaded.config_path.as_deref().unwrap_or(Path::new("eval-ls.toml")).display();
        return Err(Refusal::new(ExitStatus::Misused, format_args!("`{path}` has errors; `eval-ls check` shows them")));
    }
    let runs = runs_of(place.results.as_deref(), &loaded);
    let asked = || runs.list().into_iter().find(|run| run.record().target.is_live());
    let run = match name {
        Some(name) => runs.find_kept(name),
        None => asked().map_or_else(|| runs.find_kept(LATEST), Ok),
    };
    let run = run.or_nothing_selected()?;
    let lines = run.lines().or_unusable()?;
    let mut status = ExitStatus::Passed;
    let mut suites = Vec::new();
    for suite in &run.record().suites {
        let file = suite_file(&run, suite, &loaded.root, place.config.is_some());
        match file.and_then(|path| read_suite(&path)) {
            Ok(suite) => suites.push(Some(suite)),
            Err(fault) => {
                console.complain(fault);
                status = ExitStatus::Unusable;
                suites.push(None);
            }
        }
    }
    let lines = lines.into_iter().filter(|line| !line.cancelled).collect();
    Ok(Opened { run, lines, loaded, suites, status })
}

fn read_suite(path: &Path) -> Result<SuiteInput, String> {
    let shown = PathBuf::from(near(&absolute(path)));
    match Input::File(shown.clone()).read() {
        Ok(Contents::Text(text)) => Ok(SuiteInput::parse(shown, text)),
        Ok(Contents::NotUtf8 { offset, .. }) => Err(format!("`{}`: invalid UTF-8 at byte {offset}", shown.display())),
        Err(fault) => Err(fault.to_string()),
    }
}

impl Opened {
    /// The case of a line as it is now: the one at its place if it has its id, else the first one with its id.
    fn case_now(&self, line: &CaseLine) -> Option<(&SuiteInput, &PlacedCase)> {
        let suite = self.suites.get(line.suite)?.as_ref()?;
        let has_id = |case: &&PlacedCase| case.case.id.as_ref().map_or("", |id| &id.value) == line.case;
        let cases = &suite.suite.cases;
        let case = cases.get(line.index).filter(has_id).or_else(|| cases.iter().find(has_id));
        Some((suite, case?))
    }
}
