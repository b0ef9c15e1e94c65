//! Whose configuration a run obeys.

use std::path::Path;

use crate::cli::Console;
use crate::cli::args::RunArgs;
use crate::cli::input::near;
use crate::files;
use crate::workspace::{LoadedConfig, absolute};

/// Shows the configuration if it was found above the current folder, where nobody looks for it.
pub(super) fn announce(args: &RunArgs, loaded: &LoadedConfig, console: &mut Console) {
    let Some(path) = loaded.config_path.as_deref().filter(|_| args.config.is_none()) else { return };
    if !path.starts_with(absolute(Path::new("."))) {
        console.tell(format_args!("the configuration is `{}`", near(path)));
    }
}

/// Checks that the configuration may start programs: nobody else can have written it, or the user has named or approved it.
///
/// # Errors
/// If somebody else can have written it: the reason, and what to do.
pub(super) fn may_start_programs(args: &RunArgs, loaded: &LoadedConfig) -> Result<(), String> {
    let is_chosen = args.config.is_some() || !args.approved.is_empty();
    let Some(path) = loaded.config_path.as_deref().filter(|_| !is_chosen) else { return Ok(()) };
    match files::foreign(path) {
        None => Ok(()),
        Some(foreign) => Err(format!(
            "the configuration `{0}` {foreign}, so no target of it is started; read it, and name it with `--config={0}`",
            near(path)
        )),
    }
}
