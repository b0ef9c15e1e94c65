use std::path::PathBuf;

use clap::{Args, ValueEnum};
use clap_complete::ArgValueCompleter;

use crate::cli::completions;

use crate::compare::Change;

use super::Format;

/// Arguments of `compare`.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The earlier side: a run, see `eval-ls runs --help`, or a result file; several, separated by commas, count as one side (default: the
    /// run of the same target before the last one)
    #[arg(value_name = "A", add = ArgValueCompleter::new(completions::runs))]
    pub(crate) before: Option<String>,

    /// The later side, likewise
    #[arg(value_name = "B", default_value = "latest", add = ArgValueCompleter::new(completions::runs))]
    pub(crate) after: String,

    /// Changes that make the exit status 1, separated by commas
    #[arg(long, value_enum, value_name = "CHANGE,…", value_delimiter = ',', default_value = "regressed,vanished")]
    pub(crate) fail_on: Vec<FailOn>,

    /// Print the intervals of the rates, and the probability that chance explains the difference
    #[arg(long)]
    pub(crate) statistics: bool,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = Format::one_of(&[Format::Text, Format::Json, Format::Md]))]
    pub(crate) format: Format,

    /// A file or folder of the workspace (default: the current folder)
    #[arg(long, value_name = "PATH")]
    pub(crate) workspace: Option<PathBuf>,

    /// Folder of the results, as for `run` (default: that of the configuration)
    #[arg(long, value_name = "DIR")]
    pub(crate) results: Option<PathBuf>,
}

/// A change that can make a comparison fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// The status is worse
    Regressed,
    /// The later side does not have the case
    Vanished,
    /// The attempts disagree
    Flaky,
    /// The case, a hint or the program was edited
    Edited,
    /// An answer is stale
    Stale,
    /// The later side did not run the case
    NotRun,
    /// Nothing makes it fail
    Never,
}

impl FailOn {
    /// The changes that it means.
    pub(crate) fn changes(self) -> &'static [Change] {
        match self {
            FailOn::Regressed => &[Change::Regressed],
            FailOn::Vanished => &[Change::Vanished],
            FailOn::Flaky => &[Change::Flaky],
            FailOn::Edited => &[Change::CaseEdited, Change::ConfigurationEdited],
            FailOn::Stale => &[Change::Stale],
            FailOn::NotRun => &[Change::NotRun],
            FailOn::Never => &[],
        }
    }
}
