use std::path::PathBuf;

use clap::{Args, Subcommand};
use clap_complete::ArgValueCompleter;

use crate::cli::completions;

/// Arguments of `baseline`.
#[derive(Debug, Args)]
pub(crate) struct BaselineArgs {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: BaselineCommand,
}

/// What to do with baselines.
#[derive(Debug, Subcommand)]
pub(crate) enum BaselineCommand {
    /// Make runs the baseline of their suites and their target
    Accept(BaselineAcceptArgs),
}

/// Arguments of `baseline accept`.
#[derive(Debug, Args)]
pub(crate) struct BaselineAcceptArgs {
    /// The runs, see `eval-ls runs --help`
    #[arg(value_name = "RUN", default_value = "latest", add = ArgValueCompleter::new(completions::runs))]
    pub(crate) runs: Vec<String>,

    /// A file or folder of the workspace (default: the current folder)
    #[arg(long, value_name = "PATH")]
    pub(crate) workspace: Option<PathBuf>,

    /// Folder of the results, as for `run` (default: that of the configuration)
    #[arg(long, value_name = "DIR")]
    pub(crate) results: Option<PathBuf>,
}
