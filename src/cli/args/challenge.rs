use std::path::PathBuf;

use clap::Args;

use super::{Format, SelectionArgs};

/// The arguments of `challenge`.
#[derive(Debug, Args)]
pub(crate) struct ChallengeArgs {
    /// Suites, and folders whose suites to challenge (default: the current folder)
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Which cases to challenge.
    #[command(flatten)]
    pub(crate) select: SelectionArgs,

    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text",
          value_parser = Format::one_of(&[Format::Text, Format::Concise, Format::Json, Format::Junit, Format::Sarif, Format::Github]))]
    pub(crate) format: Format,

    /// Print a table of all cases and challenges
    #[arg(long)]
    pub(crate) table: bool,

    /// Report which lines of each transcript the checks depend on
    #[arg(long)]
    pub(crate) coverage: bool,

    /// Compare the answers with those of this run: of another model, an older version, or without tools
    #[arg(long, value_name = "RUN")]
    pub(crate) against: Option<String>,

    /// Compare the answers of this run, each attempt, and not the stored ones
    #[arg(long, value_name = "RUN")]
    pub(crate) of: Option<String>,

    /// The configuration, instead of the nearest `eval-ls.toml`
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}
