use std::ffi::OsStr;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use clap_complete::ArgValueCompleter;

use crate::cli::texts;
use crate::compare::Change;

/// Arguments of `check`.
#[derive(Debug, Args)]
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

/// An output format. Each command has some of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people; of a run, a line for each case, the failed ones with places and answers
    #[default]
    Text,
    /// One line for each finding or failed check: for agents, `:make` and `grep`
    Concise,
    /// JSON
    Json,
    /// One event on each line, during the run
    Jsonl,
    /// JUnit XML
    Junit,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations of GitHub Actions; for a run, also the table in the step summary
    Github,
    /// Markdown: the summary of a step, or the comment of a pull request
    Md,
    /// One HTML page, made from the kept run
    Html,
}

impl Format {
    /// The formats of commands that print for people or for programs.
    pub(super) const PLAIN: &[Format] = &[Format::Text, Format::Json];
    /// The formats of runs.
    pub(super) const OF_RUNS: &[Format] =
        &[Format::Text, Format::Concise, Format::Json, Format::Jsonl, Format::Junit, Format::Github];
    /// The formats of `run --report`.
    pub(super) const REPORTS: &[Format] =
        &[Format::Json, Format::Jsonl, Format::Junit, Format::Github, Format::Md, Format::Html];

    /// The parser of an option for one of these formats. Its errors and the help list them.
    pub(super) fn one_of(formats: &[Format]) -> impl TypedValueParser<Value = Format> + use<> {
        PossibleValuesParser::new(formats.iter().filter_map(Format::to_possible_value))
            .map(|name| Format::from_str(&name, false).expect("the parser knows only names of formats"))
    }
}

/// The cases that a command selects. Several options select the cases that all of them select.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct SelectionArgs {
    /// Select the cases with these ids; `*` and `?` match any characters
    #[arg(long, value_name = "A,B*", value_delimiter = ',', add = ArgValueCompleter::new(texts::cases))]
    pub(crate) cases: Option<Vec<String>>,

    /// Select the cases of these categories; `*` and `?` match any characters
    #[arg(long, value_name = "A,B*", value_delimiter = ',')]
    pub(crate) category: Option<Vec<String>>,

    /// Select the cases whose last verdict is not PASS, with `--target` or the target of the last run, which `run` asks again; `=RUN`: those
    /// of that run or result file
    #[arg(long, value_name = "RUN", num_args = 0..=1, require_equals = true, default_missing_value = "latest", add = ArgValueCompleter::new(texts::runs))]
    pub(crate) failed: Option<String>,
}

impl SelectionArgs {
    /// Whether all cases are selected.
    pub(crate) fn is_empty(&self) -> bool {
        self.cases.is_none() && self.category.is_none() && self.failed.is_none()
    }
}

/// Arguments of `compare`.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The earlier side: a run, see `eval-ls runs --help`, or a result file; several, separated by commas, count as one side (default: the
    /// run of the same target before the last one)
    #[arg(value_name = "A", add = ArgValueCompleter::new(texts::runs))]
    pub(crate) before: Option<String>,

    /// The later side, likewise
    #[arg(value_name = "B", default_value = "latest", add = ArgValueCompleter::new(texts::runs))]
    pub(crate) after: String,

    /// Changes that make the exit status 1, separated by commas
    #[arg(long, value_enum, value_name = "CHANGE,…", value_delimiter = ',', default_value = "regressed,vanished")]
    pub(crate) fail_on: Vec<FailOn>,

    /// Print the intervals of the rates, and the probability that chance explains the difference
    #[arg(long)]
    pub(crate) statistics: bool,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = Format::one_of(&[Format::Text, Format::Json, Format::Md]))]
    pub(crate) format: Format,

    /// A file or folder of the workspace (default: the current folder)
    #[arg(long, value_name = "PATH")]
    pub(crate) workspace: Option<PathBuf>,

    /// Folder of the results, as for `run` (default: that of the configuration)
    #[arg(long, value_name = "DIR")]
    pub(crate) results: Option<PathBuf>,
}

/// A change that can make a comparison fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// The status is worse
    Regressed,
    /// The later side does not have the case
    Vanished,
    /// The attempts disagree
    Flaky,
    /// The case, a hint or the program was edited
    Edited,
    /// An answer is stale
    Stale,
    /// The later side did not run the case
    NotRun,
    /// Nothing makes it fail
    Never,
}

impl FailOn {
    /// The changes that it means.
    pub(crate) fn changes(self) -> &'static [Change] {
        match self {
            FailOn::Regressed => &[Change::Regressed],
            FailOn::Vanished => &[Change::Vanished],
            FailOn::Flaky => &[Change::Flaky],
            FailOn::Edited => &[Change::CaseEdited, Change::ConfigurationEdited],
            FailOn::Stale => &[Change::Stale],
            FailOn::NotRun => &[Change::NotRun],
            FailOn::Never => &[],
        }
    }
}
