use std::ffi::OsStr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// What `check` is asked.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Suites, and folders whose suites to check; `-` for standard input
    #[arg(value_name = "PATH", default_value = ".", hide_default_value = false)]
    pub paths: Vec<PathBuf>,

    /// How to print what is found
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = CheckFormat::Text)]
    pub format: CheckFormat,

    /// Apply the fixes that keep a suite's meaning; of standard input, print the fixed text
    #[arg(long)]
    pub fix: bool,

    /// Treat findings of this level as errors
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub deny: Option<Deny>,

    /// The file that standard input stands for
    #[arg(long, value_name = "FILE")]
    pub stdin_filename: Option<PathBuf>,
}

/// How findings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// For people: each finding with the line it is on
    Text,
    /// A JSON array of findings
    Json,
}

/// What counts as an error, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Deny {
    /// Warnings count as errors
    Warnings,
}

impl CheckArgs {
    /// Whether the arguments go together.
    ///
    /// # Errors
    /// Where they do not: what to do instead, as a lower-case fragment.
    pub fn validate(&self) -> Result<(), &'static str> {
        let reads_stdin = self.paths.iter().any(|path| path == OsStr::new("-"));
        if self.stdin_filename.is_some() && !reads_stdin {
            return Err("`--stdin-filename` says what standard input stands for; name `-` among the paths to read it");
        }
        if self.fix && reads_stdin && self.format != CheckFormat::Text {
            return Err("`--fix` of standard input prints the fixed text; leave `--format` out");
        }
        Ok(())
    }
}
