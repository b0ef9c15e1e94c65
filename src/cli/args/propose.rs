use std::path::PathBuf;

use clap::Args;
use clap_complete::ArgValueCompleter;

use crate::cli::completions;

use super::Format;

/// Arguments of `propose`.
#[derive(Debug, Args)]
pub(crate) struct ProposeArgs {
    /// Id of the case
    #[arg(value_name = "CASE", add = ArgValueCompleter::new(completions::cases))]
    pub(crate) case: String,

    /// Suites, and folders whose suites to look into (default: the current folder)
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// The answer of this run, see `eval-ls runs --help` (default: the transcript of the case)
    #[arg(long, value_name = "RUN", conflicts_with = "answer", add = ArgValueCompleter::new(completions::runs))]
    pub(crate) run: Option<String>,

    /// The answer in this file: a transcript if it ends with `.json`, else the text of a response; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) answer: Option<PathBuf>,

    /// Write the checks into the suite
    #[arg(long)]
    pub(crate) write: bool,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = Format::one_of(Format::PLAIN))]
    pub(crate) format: Format,
}
