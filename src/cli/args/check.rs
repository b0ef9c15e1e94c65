use std::ffi::OsStr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// What `check` is asked.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Suites, and folders whose suites to check (without any, the current folder); `-` for standard input
    #[arg(value_name = "PATH")]
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
    /// Each finding with the line that it is on
    Text,
    /// A JSON array of findings
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands of GitHub Actions
    Github,
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
        if self.stdin_filename.is_some() && !self.reads_stdin() {
            return Err("`--stdin-filename` says what standard input stands for; name `-` among the paths to read it");
        }
        if self.prints_fixed_text() && self.format != CheckFormat::Text {
            return Err("`--fix` of standard input prints the fixed text; leave `--format` out");
        }
        Ok(())
    }

    /// Whether standard output takes the text of standard input, mended.
    pub fn prints_fixed_text(&self) -> bool {
        self.fix && self.reads_stdin()
    }

    fn reads_stdin(&self) -> bool {
        self.paths.iter().any(|path| path == OsStr::new("-"))
    }
}
