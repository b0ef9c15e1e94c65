use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::SelectionArgs;

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
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ListFormat::Text)]
    pub(crate) format: ListFormat,

    /// File name for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) stdin_filename: Option<PathBuf>,
}

/// How cases are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    /// A line for each: id, category and prompt, separated by tabs
    Text,
    /// A JSON array, with file, line and column
    Json,
}
