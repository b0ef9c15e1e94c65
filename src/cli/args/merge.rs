use std::path::PathBuf;

use clap::Args;

use super::run::report;
use super::{Format, ReportArg};

/// Arguments of `merge`.
#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// Folders with the runs of the shards, at any depth
    #[arg(value_name = "DIR", required = true)]
    pub(crate) folders: Vec<PathBuf>,

    /// Folder for the results, as for `run` (default: `results` in the workspace)
    #[arg(long, value_name = "DIR", conflicts_with = "no_results")]
    pub(crate) results: Option<PathBuf>,

    /// Do not write results, and do not keep the run
    #[arg(long)]
    pub(crate) no_results: bool,

    /// A file or folder of the workspace (default: the current folder)
    #[arg(long, value_name = "PATH")]
    pub(crate) workspace: Option<PathBuf>,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = Format::one_of(Format::OF_RUNS))]
    pub(crate) format: Format,

    /// Write a report beside the output, as for `run`
    #[arg(long, value_name = "FORMAT[=PATH]", value_parser = report)]
    pub(crate) report: Vec<ReportArg>,
}
