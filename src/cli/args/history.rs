use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use clap_complete::ArgValueCompleter;

use crate::cli::completions;

use super::Format;

/// Arguments of `history`.
#[derive(Debug, Args)]
pub(crate) struct HistoryArgs {
    /// Ids of cases, which are shown run by run; `*` and `?` match any characters (default: a line for each case)
    #[arg(value_name = "CASE", add = ArgValueCompleter::new(completions::cases))]
    pub(crate) cases: Vec<String>,

    /// Target whose runs count (default: that of the last run)
    #[arg(long, value_name = "NAME", add = ArgValueCompleter::new(completions::targets))]
    pub(crate) target: Option<String>,

    /// Number of runs that count, the last ones
    #[arg(long, value_name = "N", default_value = "50")]
    pub(crate) last: NonZeroUsize,

    /// Print the interval of each rate
    #[arg(long)]
    pub(crate) statistics: bool,

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
