use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// What `list` is asked.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Suites, and folders whose suites to list; `-` for standard input
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,

    /// How to print the cases
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ListFormat::Text)]
    pub format: ListFormat,

    /// The file that standard input stands for
    #[arg(long, value_name = "FILE")]
    pub stdin_filename: Option<PathBuf>,
}

/// How cases are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// A line for each: id, category and prompt, parted by tabs
    Text,
    /// A JSON array, with file, line and column
    Json,
}
