//! The answers of kept runs, for `challenge --against`.

use std::collections::HashMap;
use std::path::Path;

use crate::cli::selection::runs_of;
use crate::cli::{Console, OrRefuse as _, Refusal};
use crate::diagnostic::quoted;
use crate::transcript::{Transcript, Wanted};
use crate::workspace::{LoadedConfig, absolute};

/// The answers of a run to the cases of the suite at `path`, by case: one for each attempt. Prints a line if the run has no answers.
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
    for answer in run.answers_to(&loaded.root, &path).or_unusable()? {
        let (case, answer) = answer.or_unusable()?;
        answers.entry(case).or_default().push(answer.viewed(&wanted).or_unusable()?);
    }
    if answers.is_empty() {
        let suite = quoted(&path.display().to_string());
        console.tell(format_args!("the run {} has no answer to the cases of {suite}; they are not compared", run.id()));
    }
    Ok(answers)
}
