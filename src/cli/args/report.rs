use std::path::PathBuf;

use clap::Args;

/// Arguments of `report`.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The run to show: an id, a part of one, `latest` or `branch:NAME`; if there are several, the last one is compared with the others
    /// (default: the last run, compared with the run of its target before it)
    #[arg(value_name = "RUN")]
    pub(crate) runs: Vec<String>,

    /// Write the page to FILE; `-` for standard output
    #[arg(long, value_name = "FILE", required = true)]
    pub(crate) html: PathBuf,

    /// A file or folder of the workspace (default: the current folder)
    #[arg(long, value_name = "PATH")]
    pub(crate) workspace: Option<PathBuf>,

    /// Folder of the results, as for `run` (default: that of the configuration)
    #[arg(long, value_name = "DIR")]
    pub(crate) results: Option<PathBuf>,
}
