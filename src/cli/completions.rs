//! `completions`: the completion scripts for shells.

use clap::CommandFactory as _;

use super::args::{Cli, CompletionsArgs};
use super::{Console, ExitStatus};

/// Prints the script for a shell.
pub(super) fn completions(args: &CompletionsArgs, console: &mut Console) -> ExitStatus {
    let mut command = Cli::command();
    let name = command.get_name().to_owned();
    clap_complete::generate(args.shell, &mut command, name, &mut console.out);
    ExitStatus::Passed
}
