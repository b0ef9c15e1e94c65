//! The arguments of the commands that look at suites: `check` and `challenge`.

use std::ffi::OsStr;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Format, SelectionArgs};

/// Arguments of `check`.
#[derive(Debug, Default, Args)]
pub(crate) struct CheckArgs {
    /// Suites, and folders whose suites to check (default: the current folder); `-` for standard input
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text",
          value_parser = Format::one_of(&[Format::Text, Format::Concise, Format::Json, Format::Sarif, Format::Github]))]
    pub(crate) format: Format,

    /// Number of suites that are checked at a time (default: the number of cores)
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Apply safe fixes; for standard input, print the result
    #[arg(long)]
    pub(crate) fix: bool,

    /// Print how often each lint was found, instead of the findings
    #[arg(long)]
    pub(crate) statistics: bool,

    /// Treat findings of this level as errors
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub(crate) deny: Option<Deny>,

    /// Skip named files that `[files]` does not select, as in searches
    #[arg(long)]
    pub(crate) force_exclude: bool,

    /// File name for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) stdin_filename: Option<PathBuf>,
}

/// A level that also counts as an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Deny {
    /// Warnings count as errors
    Warnings,
}

impl CheckArgs {
    /// Returns whether the arguments are compatible.
    ///
    /// # Errors
    /// If they do not: the problem and its fix, as a lower-case fragment.
    pub(crate) fn validate(&self) -> Result<(), &'static str> {
        if self.stdin_filename.is_some() && !self.reads_stdin() {
            return Err("`--stdin-filename` is for standard input; add `-` to the paths");
        }
        if self.statistics && self.format != Format::Text {
            return Err("`--statistics` prints a table; remove `--format`");
        }
        if self.prints_fixed_text() && self.format != Format::Text {
            return Err("`--fix` prints the fixed text of standard input; remove `--format`");
        }
        Ok(())
    }

    /// Returns whether standard output receives the fixed text of standard input.
    pub(crate) fn prints_fixed_text(&self) -> bool {
        self.fix && self.reads_stdin()
    }

    fn reads_stdin(&self) -> bool {
        self.paths.iter().any(|path| path == OsStr::new("-"))
    }
}

/// The arguments of `challenge`.
#[derive(Debug, Default, Args)]
pub(crate) struct ChallengeArgs {
    /// Suites, and folders whose suites to challenge (default: the current folder)
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Which cases to challenge.
    #[command(flatten)]
    pub(crate) select: SelectionArgs,

    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text",
          value_parser = Format::one_of(&[Format::Text, Format::Concise, Format::Json, Format::Sarif, Format::Github]))]
    pub(crate) format: Format,

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
