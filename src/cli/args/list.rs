use std::path::PathBuf;

use clap::Args;

use super::{Format, SelectionArgs};

/// Arguments of `list`.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Suites, and folders whose suites to list (default: the current folder); `-` for standard input
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Which cases to list.
    #[command(flatten)]
    pub(crate) select: SelectionArgs,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = Format::one_of(Format::PLAIN))]
    pub(crate) format: Format,

    /// File name for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) stdin_filename: Option<PathBuf>,
}
