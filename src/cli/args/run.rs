use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::config::HumanDuration;

/// What `run` is asked.
#[derive(Debug, Default, Args)]
pub struct RunArgs {
    /// Suites, and folders whose suites to run; `-` for standard input
    #[arg(value_name = "PATH", required_unless_present_any = ["eval_file", "self_test"])]
    pub paths: Vec<PathBuf>,

    /// Run only the cases with these ids
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub cases: Option<Vec<String>>,

    /// The target to ask, instead of the one that the configuration names
    #[arg(long, value_name = "NAME")]
    pub target: Option<String>,

    /// How many cases run at a time
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,

    /// How long one case may take, setup prompts included: 90s, 500ms, 2m
    #[arg(long, value_name = "DURATION")]
    pub timeout: Option<HumanDuration>,

    /// Keep the transcripts of a live run, for `replay` and the editor
    #[arg(long)]
    pub record: bool,

    /// The folder for the results, instead of `results` beside each suite
    #[arg(long, value_name = "DIR", conflicts_with = "no_results")]
    pub results: Option<PathBuf>,

    /// Write no results
    #[arg(long)]
    pub no_results: bool,

    /// The configuration, instead of the nearest `eval-ls.toml`
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// How to print what happens
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = RunFormat::Text)]
    pub format: RunFormat,

    /// Count `PARTIAL` as failed
    #[arg(long)]
    pub strict: bool,

    /// Run suites with lint errors all the same, where they are JSON
    #[arg(long)]
    pub no_check: bool,

    /// With `--format jsonl`: tell each answer with its case's end
    #[arg(long)]
    pub answers: bool,

    /// Run only if the target's table in the configuration is that of this hash: for programs that have asked a person
    #[arg(long, value_name = "HASH", hide = true)]
    pub approved: Option<String>,

    /// The file that standard input stands for
    #[arg(long, value_name = "FILE")]
    pub stdin_filename: Option<PathBuf>,

    /// A suite, as the shell runner was given it
    #[arg(long, value_name = "PATH", help_heading = "As for the shell runner")]
    pub eval_file: Option<PathBuf>,

    /// List the cases and run none
    #[arg(long, help_heading = "As for the shell runner")]
    pub list: bool,

    /// Score built-in transcripts with known verdicts
    #[arg(long, help_heading = "As for the shell runner")]
    pub self_test: bool,

    /// The app's address, for a browser target
    #[arg(long, value_name = "URL", help_heading = "As for the shell runner")]
    pub app_url: Option<String>,

    /// The address to open for each case, for a browser target
    #[arg(long, value_name = "URL", help_heading = "As for the shell runner")]
    pub space_url: Option<String>,

    /// How long to wait for an answer, in milliseconds, for a browser target
    #[arg(long, value_name = "N", help_heading = "As for the shell runner")]
    pub wait_ms: Option<u64>,

    /// The name of the browser's session, for a browser target
    #[arg(long, value_name = "NAME", help_heading = "As for the shell runner")]
    pub session: Option<String>,
}

/// How a run is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum RunFormat {
    /// For people: what did not pass, with its places, and a summary
    #[default]
    Text,
    /// The result document; an array of them where there are several suites
    Json,
    /// One event a line, while it runs
    Jsonl,
    /// JUnit XML
    Junit,
    /// GitHub annotations, and the table in the step summary
    Github,
    /// For people: what was recorded, without a verdict; what `record` prints
    #[value(skip)]
    Recorded,
}
