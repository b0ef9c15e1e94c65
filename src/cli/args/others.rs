//! The arguments of the commands that have few, and of those that look at suites: `check` and `challenge`.

use std::ffi::OsStr;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::import::{KEYS, Role};
use crate::schema::SchemaName;

use super::{Format, SelectionArgs};

/// Arguments of `lsp`.
#[derive(Debug, Args)]
pub(crate) struct LspArgs {
    /// Accepted because some editors pass it; the server always uses standard input and output
    #[arg(long)]
    pub(crate) stdio: bool,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The lint, for instance duplicate-case-id
    #[arg(value_name = "LINT")]
    pub(crate) lint: Option<String>,
}

/// Arguments of `schema`.
#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// The schema: a version of suites, or another format
    #[arg(value_name = "NAME", value_parser = schema_name())]
    pub(crate) name: Option<SchemaName>,
}

/// Arguments of `init`.
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Also add your assistant as a target
    #[arg(value_enum, value_name = "KIND")]
    pub(crate) kind: Option<NewTarget>,

    /// Also write what coding agents need: a paragraph in AGENTS.md, and the server for Copilot CLI and OpenCode
    #[arg(long)]
    pub(crate) agents: bool,

    #[command(flatten)]
    pub(crate) target: TargetArgs,
}

/// What a new target is called and where it is.
#[derive(Clone, Debug, Args)]
pub(crate) struct TargetArgs {
    /// The name of the target and of its program
    #[arg(long, value_name = "NAME", value_parser = target_name)]
    pub(crate) name: Option<String>,

    /// The address of the app, for `browser`, or of the endpoint, for `http`
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,

    /// Make it the target of `eval-ls run`, in place of stored answers; a target that `init` has added before stays, and becomes it
    #[arg(long)]
    pub(crate) default: bool,
}

/// What a new target is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NewTarget {
    /// A program in Python; writes one to start from
    Python,
    /// A program for Node.js; writes one to start from
    Node,
    /// A live web app in a browser
    Browser,
    /// A model behind an HTTP endpoint of the form of OpenAI or Anthropic; writes a program in Python that asks it
    Http,
}

fn target_name(name: &str) -> Result<String, String> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if name.is_empty() || !name.bytes().all(fits) {
        return Err("expected letters, digits, `-` and `_` only".to_owned());
    }
    Ok(name.to_owned())
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: Shell,
}

fn schema_name() -> impl TypedValueParser<Value = SchemaName> {
    PossibleValuesParser::new(SchemaName::ALL.map(SchemaName::as_str))
        .map(|name| SchemaName::from_name(&name).expect("the parser knows only names of schemas"))
}

/// Arguments of `list`.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Suites, and folders whose suites to list (default: the current folder); `-` for standard input
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

/// Arguments of `report`.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The run to show, see `eval-ls runs --help`; with two, the later one, compared with the earlier one (default: the last run, compared
    /// with an earlier run of its target)
    #[arg(value_name = "RUN", num_args = 0..=2)]
    pub(crate) runs: Vec<String>,

    /// Write the page to FILE; `-` for standard output (default: `report.html` in the folder of the results)
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Show the page in the browser of the system
    #[arg(long)]
    pub(crate) open: bool,

    #[command(flatten)]
    pub(crate) place: Place,
}

/// Arguments of `runs`.
#[derive(Debug, Args)]
pub(crate) struct RunsArgs {
    /// What to do with the runs.
    #[command(subcommand)]
    pub(crate) command: Option<RunsCommand>,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = Format::one_of(Format::PLAIN))]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) place: Place,
}

/// What to do with the runs.
#[derive(Debug, Subcommand)]
pub(crate) enum RunsCommand {
    /// Remove runs
    Rm {
        /// The runs
        #[arg(value_name = "RUN", required = true)]
        runs: Vec<String>,
    },
}

/// Arguments of `show`.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// Id of the case
    #[arg(value_name = "CASE")]
    pub(crate) case: String,

    /// The run, see `eval-ls runs --help` (default: the last one in which the case ended)
    #[arg(value_name = "RUN")]
    pub(crate) run: Option<String>,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = Format::one_of(Format::PLAIN))]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) place: Place,
}

/// Where a command looks for kept runs.
#[derive(Debug, Args)]
pub(crate) struct Place {
    /// A file or folder of the workspace (default: the current folder)
    #[arg(long, value_name = "PATH", global = true)]
    pub(crate) workspace: Option<PathBuf>,

    /// Folder of the results, as for `run` (default: that of the configuration)
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) results: Option<PathBuf>,
}

/// What an answer shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SampleKind {
    /// The case must pass it
    Good,
    /// The case must fail it
    Bad,
}

impl SampleKind {
    /// How the name of its file begins, and the word of people.
    pub(crate) fn words(self) -> (&'static str, &'static str) {
        if self == SampleKind::Good { ("pass", "good") } else { ("fail", "bad") }
    }
}

/// Arguments of `accept`.
#[derive(Debug, Args)]
pub(crate) struct AcceptArgs {
    /// Ids of cases; `*` and `?` match any characters (default: all whose answer is not the transcript)
    #[arg(value_name = "CASE")]
    pub(crate) cases: Vec<String>,

    /// The run with the answers (default: the last one that asked a target)
    #[arg(long, value_name = "RUN")]
    pub(crate) run: Option<String>,

    /// Accept without review
    #[arg(short, long)]
    pub(crate) yes: bool,

    /// Without review, also accept answers that do not pass where the transcript passes
    #[arg(long)]
    pub(crate) failing: bool,

    /// Store the answers as samples, which the cases must pass or must fail, and leave the transcripts as they are
    #[arg(long, value_enum, value_name = "KIND", requires = "cases", conflicts_with = "yes")]
    pub(crate) sample: Option<SampleKind>,

    #[command(flatten)]
    pub(crate) place: Place,

    /// Configuration file (default: the nearest `eval-ls.toml`)
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

/// Arguments of `import`.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// Eval files of other programs, or logs of conversations: JSON, JSON Lines, CSV or YAML
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// What keys of the files mean, for instance `prompt=frage,must_say_any=antwort`
    #[arg(long, value_name = "KEY=NAME", value_delimiter = ',', value_parser = column)]
    pub(crate) columns: Vec<Column>,

    /// Add checks that each answer passes and wrong answers fail
    #[arg(long)]
    pub(crate) propose: bool,

    /// Import NUMBER cases at most: a spread over tools, outcomes and lengths
    #[arg(long, value_name = "NUMBER", value_parser = super::run::at_least_one)]
    pub(crate) limit: Option<NonZeroUsize>,

    /// The suite of all files (default: beside each file, with its name and `.evals.json`)
    #[arg(short, long, value_name = "SUITE")]
    pub(crate) output: Option<PathBuf>,

    /// Replace personal data such as e-mail addresses, phone numbers and tokens
    #[arg(long)]
    pub(crate) redact: bool,
}

/// What the key of a file means.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) role: Role,
    /// The key in the file.
    pub(crate) name: String,
}

fn column(text: &str) -> Result<Column, String> {
    let (key, name) = text.split_once('=').ok_or("expected `KEY=NAME`, for instance `prompt=question`")?;
    let known = KEYS.iter().find(|(known, _)| *known == key);
    let (_, role) = known.ok_or_else(|| {
        let keys = KEYS.map(|(key, _)| key).join(", ");
        format!("`{key}` is not a key of a case; the keys are {keys}")
    })?;
    if name.is_empty() {
        return Err(format!("expected the name of a key in the file after `{key}=`"));
    }
    Ok(Column { role: *role, name: name.to_owned() })
}

/// Arguments of `propose`.
#[derive(Debug, Args)]
pub(crate) struct ProposeArgs {
    /// Id of the case
    #[arg(value_name = "CASE")]
    pub(crate) case: String,

    /// Suites, and folders whose suites to look into (default: the current folder)
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// The answer of this run, see `eval-ls runs --help` (default: the transcript of the case)
    #[arg(long, value_name = "RUN", conflicts_with = "answer")]
    pub(crate) run: Option<String>,

    /// The answer in this file: a transcript if it ends with `.json`, else the text of a response; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) answer: Option<PathBuf>,

    /// Write the checks into the suite
    #[arg(long)]
    pub(crate) write: bool,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = Format::one_of(Format::PLAIN))]
    pub(crate) format: Format,
}

/// Arguments of `compare`.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The earlier run, see `eval-ls runs --help`, or its folder (default: an earlier run of the same target that ran all cases of the last
    /// one)
    #[arg(value_name = "A")]
    pub(crate) before: Option<String>,

    /// The later run, likewise
    #[arg(value_name = "B", default_value = "latest")]
    pub(crate) after: String,

    /// Changes that make the exit status 1, separated by commas
    #[arg(long, value_name = "CHANGE,…", value_delimiter = ',', default_value = "regressed,vanished", value_enum)]
    pub(crate) fail_on: Vec<FailOn>,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = Format::one_of(&[Format::Text, Format::Json, Format::Md]))]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) place: Place,
}

/// What makes a comparison fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// A status is worse, or all cases together are
    Regressed,
    /// The later side does not have the case
    Vanished,
    /// The later side did not run the case
    NotRun,
    /// Nothing makes it fail
    Never,
}

/// Arguments of `check`.
#[derive(Debug, Default, Args)]
pub(crate) struct CheckArgs {
    /// Suites, and folders whose suites to check (default: the current folder); `-` for standard input
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text",
          value_parser = Format::one_of(&[Format::Text, Format::Concise, Format::Json, Format::Github]))]
    pub(crate) format: Format,

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
          value_parser = Format::one_of(&[Format::Text, Format::Concise, Format::Json, Format::Github]))]
    pub(crate) format: Format,

    /// The configuration, instead of the nearest `eval-ls.toml`
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}
