use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::SelectionArgs;

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
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ChallengeFormat::Text)]
    pub(crate) format: ChallengeFormat,

    /// Print a table of all cases and challenges
    #[arg(long)]
    pub(crate) table: bool,

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

/// The output formats of `challenge`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ChallengeFormat {
    /// Each finding at its place, and a summary
    Text,
    /// One line for each finding, with its fix: for agents, `:make` and `grep`
    Concise,
    /// A JSON array of suites
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands of GitHub Actions
    Github,
    /// JUnit XML
    Junit,
}
