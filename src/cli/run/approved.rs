use crate::cli::args::RunArgs;
use crate::config::{Config, TargetConfig};
use crate::diagnostic::quoted;
use crate::workspace::LoadedConfig;

use super::configuration::may_start_programs;

/// The hash of what a person approves of the target `name`; empty if only the command line defines the target. `config` is the
/// configuration with the changes of the command line, which are not a part of the hash.
///
/// # Errors
/// If the target may not start: the message is for people.
pub(super) fn hash(args: &RunArgs, loaded: &LoadedConfig, config: &Config, name: &str) -> Result<String, String> {
    if config.targets.get(name).is_some_and(TargetConfig::is_live) {
        may_start_programs(args, loaded)?;
    }
    let Some(table) = loaded.config.targets.get(name) else { return Ok(String::new()) };
    let hash = loaded.config.approvable(table).run_fingerprint();
    if !args.approved.is_empty() && !args.approved.contains(&hash) {
        return Err(format!("the target {} was changed after it was approved: run it again", quoted(name)));
    }
    Ok(hash)
}
