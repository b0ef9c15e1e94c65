use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use clap_complete::ArgValueCompleter;

use crate::cli::completions;

use crate::config::HumanDuration;

use super::{RunArgs, RunMode, RunOptions, SelectionArgs};

/// Arguments of `record`.
#[derive(Debug, Args)]
pub(crate) struct RecordArgs {
    /// Suites, and folders whose suites to record (default: the current folder)
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Which cases to record.
    #[command(flatten)]
    pub(crate) select: SelectionArgs,

    /// Add a label to the run
    #[arg(long, value_name = "NAME=VALUE", value_parser = super::run::label)]
    pub(crate) label: Vec<(String, String)>,

    /// Target to record from (default: the configured one, or the only live one)
    #[arg(long, value_name = "NAME", add = ArgValueCompleter::new(completions::targets))]
    pub(crate) target: Option<String>,

    /// Number of cases that run at a time
    #[arg(short, long, value_name = "N", value_parser = super::run::jobs)]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Time limit for one case, setup prompts included: 90s, 500ms, 2m
    #[arg(long, value_name = "DURATION")]
    pub(crate) timeout: Option<HumanDuration>,

    /// Configuration file (default: the nearest `eval-ls.toml`)
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Record suites despite lint errors (they must be valid JSON)
    #[arg(long)]
    pub(crate) no_check: bool,
}

impl RecordArgs {
    /// Returns the arguments of the run that records.
    pub(crate) fn to_run(&self) -> RunArgs {
        RunArgs {
            paths: self.paths.clone(),
            select: self.select.clone(),
            target: self.target.clone(),
            config: self.config.clone(),
            options: RunOptions {
                label: self.label.clone(),
                jobs: self.jobs,
                timeout: self.timeout,
                no_check: self.no_check,
                record: true,
                mode: RunMode::Record,
                ..RunOptions::default()
            },
            ..RunArgs::default()
        }
    }
}
