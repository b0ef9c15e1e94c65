use std::path::PathBuf;

use clap::Args;
use clap_complete::ArgValueCompleter;

use crate::cli::completions;

/// Arguments of `report`.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The run to show, see `eval-ls runs --help`; if there are several, the last one is compared with the others (default: the last run,
    /// compared with the run of its target before it)
    #[arg(value_name = "RUN", add = ArgValueCompleter::new(completions::runs))]
    pub(crate) runs: Vec<String>,

    /// Write the page to FILE; `-` for standard output (default: `report.html` in the folder of the results)
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Show the page in the browser of the system
    #[arg(long)]
    pub(crate) open: bool,

    /// A file or folder of the workspace (default: the current folder)
    #[arg(long, value_name = "PATH")]
    pub(crate) workspace: Option<PathBuf>,

    /// Folder of the results, as for `run` (default: that of the configuration)
    #[arg(long, value_name = "DIR")]
    pub(crate) results: Option<PathBuf>,
}
