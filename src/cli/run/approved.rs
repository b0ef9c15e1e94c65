use crate::cli::args::RunArgs;
use crate::config::{Config, TargetConfig};
use crate::diagnostic::quoted;
use crate::workspace::LoadedConfig;

use super::configuration::may_start_programs;

/// Checks that the target `name` may start, and that nothing of it was changed after a person approved it. `config` is the
/// configuration with the changes of the command line, which are not a part of the approval.
///
/// # Errors
/// If the target may not start: the message is for people.
pub(super) fn check(args: &RunArgs, loaded: &LoadedConfig, config: &Config, name: &str) -> Result<(), String> {
    if config.targets.get(name).is_some_and(TargetConfig::is_live) {
        may_start_programs(args, loaded)?;
    }
    let Some(table) = loaded.config.targets.get(name) else { return Ok(()) };
    if !args.approved.is_empty() && !args.approved.contains(&loaded.config.approvable(table).run_fingerprint()) {
        return Err(format!("the target {} was changed after it was approved: run it again", quoted(name)));
    }
    Ok(())
}
