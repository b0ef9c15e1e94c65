use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::config::{HumanDuration, MOST_JOBS};
use crate::diagnostic::alternatives;
use crate::runs::RunMode;

use super::{Format, SelectionArgs};

/// A number of cases that run at a time.
pub(super) fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|number: &NonZeroUsize| number.get() <= MOST_JOBS);
    number.ok_or_else(|| format!("expected a whole number from 1 to {MOST_JOBS}"))
}

/// A number that is not 0.
pub(super) fn at_least_one(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "expected a whole number of at least 1".to_owned())
}

/// Arguments of `run`.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct RunArgs {
    /// Suites, and folders whose suites to run (default: the current folder); `-` for standard input
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Which cases to run.
    #[command(flatten)]
    pub(crate) select: SelectionArgs,

    /// Continue an interrupted run as it was started: the last run, or RUN
    #[arg(long, value_name = "RUN", num_args = 0..=1, require_equals = true, default_missing_value = "latest",
          conflicts_with_all = ["cases", "category", "failed", "no_results", "self_test", "target"])]
    pub(crate) resume: Option<String>,

    /// Judge the answers of a kept run again, all attempts of each case, and ask nobody
    #[arg(long, value_name = "RUN", conflicts_with_all = ["resume", "target", "record", "repeat", "self_test"])]
    pub(crate) answers_of: Option<String>,

    /// What the record of the run keeps.
    #[command(flatten)]
    pub(crate) options: RunOptions,

    /// Target to run against (default: the configured one)
    #[arg(long, value_name = "NAME")]
    pub(crate) target: Option<String>,

    /// Folder for the results (default: `results` in the workspace)
    #[arg(long, value_name = "DIR", conflicts_with = "no_results")]
    pub(crate) results: Option<PathBuf>,

    /// Do not write results, and do not keep the run
    #[arg(long)]
    pub(crate) no_results: bool,

    /// Keep the run if its folder can be written, and write no result files: runs of the editor
    #[arg(long, hide = true, conflicts_with = "no_results")]
    pub(crate) keep_only: bool,

    /// Configuration file (default: the nearest `eval-ls.toml`)
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = Format::one_of(Format::OF_RUNS))]
    pub(crate) format: Format,

    /// Write a report in addition to the output: json, jsonl, junit, github, md or html; without PATH, it is printed after the output
    #[arg(long, value_name = "FORMAT[=PATH]", value_parser = report)]
    pub(crate) report: Vec<ReportArg>,

    /// With `--format jsonl`, include the answer in each `case-finished` event
    #[arg(long)]
    pub(crate) answers: bool,

    /// The text on standard input has only some cases of its suite: runs of the editor
    #[arg(long, hide = true)]
    pub(crate) part: bool,

    /// Run only targets with one of these hashes, which a person has approved: runs of editors
    #[arg(long, value_name = "HASH", hide = true)]
    pub(crate) approved: Vec<String>,

    /// Stop when the process with this id ends, as after Ctrl-C
    #[arg(long, value_name = "PID", hide = true)]
    pub(crate) ends_with: Option<i64>,

    /// File name for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) stdin_filename: Option<PathBuf>,

    /// A suite, as for the shell runner
    #[arg(long, value_name = "PATH", hide = true)]
    pub(crate) eval_file: Option<PathBuf>,

    /// Score built-in transcripts with known verdicts
    #[arg(long, hide = true)]
    pub(crate) self_test: bool,

    /// The app's address, for a browser target
    #[arg(long, value_name = "URL", hide = true)]
    pub(crate) app_url: Option<String>,

    /// The address to open for each case, for a browser target
    #[arg(long, value_name = "URL", hide = true)]
    pub(crate) space_url: Option<String>,
}

/// The options that a run keeps in its record, and has again when it is resumed. The keys in the record are the flags.
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct RunOptions {
    /// Run each case of a live target N times; overrides `[[policy]]`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000), conflicts_with = "record")]
    pub(crate) repeat: Option<u16>,

    /// Number of cases that run at a time (default: the configured one; for a replay, the number of cores)
    #[arg(short, long, value_name = "N", value_parser = jobs)]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Time limit for one case, setup prompts included: 90s, 500ms, 2m
    #[arg(long, value_name = "DURATION")]
    pub(crate) timeout: Option<HumanDuration>,

    /// Start no further case of a live target after N that did not pass
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) max_failures: Option<NonZeroUsize>,

    /// Store the answers of a live run as transcripts: `eval-ls record`, and runs of the editor
    #[arg(long, hide = true)]
    pub(crate) record: bool,

    /// Count `PARTIAL` and stale transcripts as failed
    #[arg(long)]
    pub(crate) strict: bool,

    /// Ask cases despite their lint errors (suites must be valid JSON)
    #[arg(long)]
    pub(crate) no_check: bool,

    /// How long to wait for an answer, in milliseconds, for a browser target
    #[arg(long, value_name = "N", hide = true)]
    pub(crate) wait_ms: Option<u64>,

    /// The name of the browser's session, for a browser target
    #[arg(long, value_name = "NAME", hide = true)]
    pub(crate) session: Option<String>,

    /// Whether answers are judged.
    #[arg(skip)]
    pub(crate) mode: RunMode,
}

impl RunOptions {
    /// The options that differ from the defaults, by flag.
    pub(crate) fn given(&self) -> Map<String, Value> {
        let all = |options: &RunOptions| match serde_json::to_value(options) {
            Ok(Value::Object(all)) => all,
            _ => unreachable!("options are an object with texts, numbers and booleans"),
        };
        let defaults = all(&RunOptions::default());
        let mut given = all(self);
        given.retain(|flag, value| defaults.get(flag) != Some(value));
        given
    }
}

/// A report: its format and its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReportArg {
    /// The format.
    pub(crate) format: Format,
    /// The file; standard output without one.
    pub(crate) path: Option<PathBuf>,
}

/// Reads `FORMAT` or `FORMAT=PATH`.
pub(super) fn report(text: &str) -> Result<ReportArg, String> {
    let (format, path) = match text.split_once('=') {
        Some((format, path)) if !path.is_empty() && path != "-" => (format, Some(PathBuf::from(path))),
        Some((format, _)) => (format, None),
        None => (text, None),
    };
    let names: Vec<_> = Format::REPORTS.iter().filter_map(Format::to_possible_value).collect();
    let known = || alternatives(names.iter().map(PossibleValue::get_name));
    let format = Format::from_str(format, false).ok().filter(|format| Format::REPORTS.contains(format));
    let format = format.ok_or_else(|| format!("expected {}", known()))?;
    Ok(ReportArg { format, path })
}

/// Arguments of `record`.
#[derive(Debug, Args)]
pub(crate) struct RecordArgs {
    /// Suites, and folders whose suites to record (default: the current folder)
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Which cases to record.
    #[command(flatten)]
    pub(crate) select: SelectionArgs,

    /// Target to record from (default: the configured one, or the only live one)
    #[arg(long, value_name = "NAME")]
    pub(crate) target: Option<String>,

    /// Number of cases that run at a time
    #[arg(short, long, value_name = "N", value_parser = jobs)]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Time limit for one case, setup prompts included: 90s, 500ms, 2m
    #[arg(long, value_name = "DURATION")]
    pub(crate) timeout: Option<HumanDuration>,

    /// Configuration file (default: the nearest `eval-ls.toml`)
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Ask cases despite their lint errors (suites must be valid JSON)
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
