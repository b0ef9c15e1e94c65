//! The answers of kept runs, for `challenge --against`.

use std::collections::HashMap;
use std::path::Path;

use crate::cli::selection::runs_of;
use crate::cli::{Console, OrRefuse as _, Refusal};
use crate::diagnostic::quoted;
use crate::runs::{CaseLine, KeptRun};

use crate::transcript::{Transcript, Wanted};
use crate::workspace::{LoadedConfig, absolute};

/// The answers of a run to the cases of the suite at `path`, by case: one for each attempt. Prints a line if there is none.
///
/// # Errors
/// If there is no such run, or an answer cannot be read.
pub(in crate::cli) fn answers_of(
    name: &str,
    path: &Path,
    loaded: &LoadedConfig,
    console: &mut Console,
) -> Result<HashMap<String, Vec<Transcript>>, Refusal> {
    let run = runs_of(None, loaded).find_kept(name).or_nothing_selected()?;
    let path = absolute(path);
    let wanted = Wanted::by(&loaded.config);
    let mut answers: HashMap<String, Vec<Transcript>> = HashMap::new();
    for line in run.lines().or_unusable()? {
        let suite = run.record().suites.get(line.suite);
        if suite.is_none_or(|suite| loaded.root.join(&suite.path) != path) {
            continue;
        }
        for answer in attempts(&run, &line)? {
            answers.entry(line.case.clone()).or_default().push(answer.viewed(&wanted).or_unusable()?);
        }
    }
    if answers.is_empty() {
        let suite = quoted(&path.display().to_string());
        console.tell(format_args!("the run {} has no answer to the cases of {suite}; they are not compared", run.id()));
    }
    Ok(answers)
}

fn attempts(run: &KeptRun, line: &CaseLine) -> Result<Vec<Transcript>, Refusal> {
    if line.attempts.is_empty() {
        return Ok(run.answer(line).or_unusable()?.into_iter().collect());
    }
    let answered = line.attempts.iter().flatten();
    answered.map(|record| run.recorded_answer(&line.case, record).or_unusable()).collect()
}
