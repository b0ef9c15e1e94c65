use std::path::PathBuf;

use clap::Args;
use clap_complete::ArgValueCompleter;

use crate::cli::completions;

use super::Format;

/// Arguments of `show`.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// Id of the case
    #[arg(value_name = "CASE", add = ArgValueCompleter::new(completions::cases))]
    pub(crate) case: String,

    /// The run, see `eval-ls runs --help` (default: the last one in which the case ended)
    #[arg(value_name = "RUN", add = ArgValueCompleter::new(completions::runs))]
    pub(crate) run: Option<String>,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = Format::one_of(Format::PLAIN))]
    pub(crate) format: Format,

    /// A file or folder of the workspace (default: the current folder)
    #[arg(long, value_name = "PATH")]
    pub(crate) workspace: Option<PathBuf>,

    /// Folder of the results, as for `run` (default: that of the configuration)
    #[arg(long, value_name = "DIR")]
    pub(crate) results: Option<PathBuf>,
}
