//! The arguments that several commands have: the format of the output, and which cases.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use clap_complete::ArgValueCompleter;

use crate::cli::texts;

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
