use std::path::Path;

use crate::config::{Config, TargetConfig};
use crate::diagnostic::quoted;
use crate::targets::CommandTarget;

/// The configuration in which the program of the target `name` waits for a debugger at `port`. `root` is the folder of
/// `eval-ls.toml`.
///
/// # Errors
/// If there is no such debugger: the message is for people.
pub(super) fn debugged(config: &Config, name: &str, port: u16, root: &Path) -> Result<Config, String> {
    let waiting = config.debugged(name, port);
    let waiting =
        waiting.ok_or_else(|| format!("the target {} starts no program that can be debugged", quoted(name)))?;
    let Some(command) = config.targets.get(name).and_then(TargetConfig::command) else { return Ok(waiting) };
    match command.debugger_check() {
        Some(check) if !CommandTarget::new(name, &check, root).succeeds() => Err(missing(name, &check.command)),
        _ => Ok(waiting),
    }
}

/// `check` is the command that has found no debugger.
fn missing(name: &str, check: &[String]) -> String {
    let python = check.iter().take_while(|word| *word != "-c").cloned().collect::<Vec<_>>().join(" ");
    let (name, install) = (quoted(name), quoted(&format!("{python} -m pip install debugpy")));
    format!(
        "the Python of the target {name} has no package `debugpy`, which the debugger needs; for example, install it with {install}"
    )
}
