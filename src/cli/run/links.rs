//! Folders that a run would write through a link out of the workspace. A repository may bring such a link.

use std::path::Path;

use crate::cli::args::RunArgs;
use crate::cli::input::near;
use crate::config::{Config, TargetConfig};
use crate::diagnostic::quoted;
use crate::runner::Plan;
use crate::runs::{RunMode, Runs};
use crate::transcript::Store;
use crate::workspace::{LoadedConfig, is_linked_out};

/// Refuses a run of `plan` with the target `name` that would write its results or transcripts through such a link.
///
/// # Errors
/// If it would: a lower-case fragment.
pub(super) fn refuse(
    args: &RunArgs,
    loaded: &LoadedConfig,
    config: &Config,
    name: &str,
    plan: &Plan,
) -> Result<(), String> {
    let suites = || plan.suites().iter().map(|suite| suite.path.as_path());
    if args.options.mode == RunMode::Record || !(args.no_results || args.keep_only) {
        refuse_results(args.results.as_deref(), loaded)?;
    }
    let takes_pictures = config.targets.get(name).is_some_and(TargetConfig::takes_pictures);
    if args.options.record || (takes_pictures && !args.no_results) {
        for suite in suites() {
            let fix = "set `[run] transcripts` to the folder itself, or remove the link";
            refuse_folder(Store::new(suite, config).folder(), folder_of(suite), loaded, fix)?;
        }
    }
    Ok(())
}

/// Refuses results through such a link, unless `--results` names their folder.
///
/// # Errors
/// If they would be written so: a lower-case fragment.
pub(super) fn refuse_results(results: Option<&Path>, loaded: &LoadedConfig) -> Result<(), String> {
    if results.is_some() {
        return Ok(());
    }
    let fix = "name a folder with `--results`, or remove the link";
    refuse_folder(Runs::of_workspace(&loaded.root, &loaded.config).path(), &loaded.root, loaded, fix)
}

fn refuse_folder(folder: &Path, base: &Path, loaded: &LoadedConfig, fix: &str) -> Result<(), String> {
    if !is_linked_out(folder, base, &loaded.root) {
        return Ok(());
    }
    let folder = quoted(&near(folder));
    Err(format!("nothing is written to {folder}, because a link leads out of the workspace there; {fix}"))
}

fn folder_of(suite: &Path) -> &Path {
    suite.parent().unwrap_or(Path::new(""))
}
