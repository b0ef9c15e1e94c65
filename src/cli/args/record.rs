use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use crate::config::HumanDuration;

use super::{RunArgs, RunFormat};

/// What `record` is asked.
#[derive(Debug, Args)]
pub struct RecordArgs {
    /// Suites, and folders whose suites to record
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,

    /// Record only the cases with these ids
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub cases: Option<Vec<String>>,

    /// The target to ask, instead of the one that the configuration names, or of the only one that answers
    #[arg(long, value_name = "NAME")]
    pub target: Option<String>,

    /// How many cases are asked at a time
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,

    /// How long one case may take, setup prompts included: 90s, 500ms, 2m
    #[arg(long, value_name = "DURATION")]
    pub timeout: Option<HumanDuration>,

    /// The configuration, instead of the nearest `eval-ls.toml`
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Record suites with lint errors all the same, where they are JSON
    #[arg(long)]
    pub no_check: bool,
}

impl RecordArgs {
    /// The run that does it.
    pub(crate) fn to_run(&self) -> RunArgs {
        RunArgs {
            paths: self.paths.clone(),
            cases: self.cases.clone(),
            target: self.target.clone(),
            jobs: self.jobs,
            timeout: self.timeout,
            config: self.config.clone(),
            no_check: self.no_check,
            record: true,
            no_results: true,
            format: RunFormat::Recorded,
            ..RunArgs::default()
        }
    }
}
