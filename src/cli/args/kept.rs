use std::path::PathBuf;

use clap::{Args, ValueEnum};
use clap_complete::ArgValueCompleter;

use crate::cli::completions;

/// Where a command looks for a kept run.
#[derive(Debug, Args)]
pub(crate) struct Place {
    /// A file or folder of the workspace (default: the current folder)
    #[arg(long, value_name = "PATH")]
    pub(crate) workspace: Option<PathBuf>,

    /// Folder of the results, as for `run` (default: that of the configuration)
    #[arg(long, value_name = "DIR")]
    pub(crate) results: Option<PathBuf>,

    /// Configuration file (default: the nearest `eval-ls.toml`)
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

/// What an answer shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SampleKind {
    /// The case must pass it
    Good,
    /// The case must fail it
    Bad,
}

impl SampleKind {
    /// How the name of its file begins.
    pub(crate) fn word(self) -> &'static str {
        match self {
            SampleKind::Good => "pass",
            SampleKind::Bad => "fail",
        }
    }

    /// The word of people.
    pub(crate) fn adjective(self) -> &'static str {
        match self {
            SampleKind::Good => "good",
            SampleKind::Bad => "bad",
        }
    }
}

/// Arguments of `accept`.
#[derive(Debug, Args)]
pub(crate) struct AcceptArgs {
    /// Ids of cases; `*` and `?` match any characters (default: all whose answer is not the transcript)
    #[arg(value_name = "CASE", add = ArgValueCompleter::new(completions::cases))]
    pub(crate) cases: Vec<String>,

    /// The run with the answers (default: the last one that asked a target)
    #[arg(long, value_name = "RUN", add = ArgValueCompleter::new(completions::runs))]
    pub(crate) run: Option<String>,

    /// Accept without review
    #[arg(short, long)]
    pub(crate) yes: bool,

    /// Without review, also accept answers that do not pass where the transcript passes
    #[arg(long)]
    pub(crate) failing: bool,

    /// Store the answers as samples, which the cases must pass or must fail, and leave the transcripts as they are
    #[arg(long, value_enum, value_name = "KIND", requires = "cases", conflicts_with = "yes")]
    pub(crate) sample: Option<SampleKind>,

    #[command(flatten)]
    pub(crate) place: Place,
}
