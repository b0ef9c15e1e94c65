use std::path::PathBuf;

use clap::{Args, Subcommand};

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
    /// The runs: ids, parts of ids, `branch:NAME`, or `latest`
    #[arg(value_name = "RUN", default_value = "latest")]
    pub(crate) runs: Vec<String>,

    /// A file or folder of the workspace (default: the current folder)
    #[arg(long, value_name = "PATH")]
    pub(crate) workspace: Option<PathBuf>,

    /// Folder of the results, as for `run` (default: that of the configuration)
    #[arg(long, value_name = "DIR")]
    pub(crate) results: Option<PathBuf>,
}
