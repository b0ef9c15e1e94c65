use std::path::PathBuf;

use clap::{Args, Subcommand};
use clap_complete::ArgValueCompleter;

use crate::cli::completions;

use super::Format;

/// Arguments of `runs`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct RunsArgs {
    /// What to do with the runs.
    #[command(subcommand)]
    pub(crate) command: Option<RunsCommand>,

    /// A file or folder of the workspace (default: the current folder)
    #[arg(value_name = "PATH")]
    pub(crate) path: Option<PathBuf>,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = Format::one_of(Format::PLAIN))]
    pub(crate) format: Format,

    /// Folder of the results, as for `run` (default: that of the configuration)
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) results: Option<PathBuf>,
}

/// What to do with the runs.
#[derive(Debug, Subcommand)]
pub(crate) enum RunsCommand {
    /// Remove runs
    Rm {
        /// The runs
        #[arg(value_name = "RUN", required = true, add = ArgValueCompleter::new(completions::runs))]
        runs: Vec<String>,
    },
    /// Remove the runs that `[run] keep` does not keep
    Gc,
}
