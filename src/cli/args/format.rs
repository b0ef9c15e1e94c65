use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

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
