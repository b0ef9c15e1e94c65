//! The arguments of the command line. `--help` shows the doc comments here.

mod others;
pub(crate) mod run;

use std::sync::LazyLock;

use clap::builder::styling::AnsiColor;
use clap::builder::{PossibleValuesParser, Styles, TypedValueParser};
use clap::error::{ContextKind, ErrorKind};
use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};

use crate::text::visible_text;

pub(crate) use crate::cli::args::others::{
    AcceptArgs, ChallengeArgs, CheckArgs, CompareArgs, CompletionsArgs, Deny, ExplainArgs, FailOn, ImportArgs,
    InitArgs, ListArgs, LspArgs, NewTarget, Place, ProposeArgs, ReportArgs, RunsArgs, RunsCommand, SampleKind,
    SchemaArgs, ShowArgs, TargetArgs,
};
pub(crate) use crate::cli::args::run::{RecordArgs, ReportArg, RunArgs};

/// Language server, linter and runner for eval suites
#[derive(Debug, Parser)]
#[command(name = "eval-ls", version, long_version = long_version(), styles = STYLES, arg_required_else_help = true, subcommand_value_name = "COMMAND")]
#[command(override_usage = "eval-ls <COMMAND>")]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// Returns the command line of this process. Ends the process for `--help`, `--version` and invalid arguments.
    pub(crate) fn of_process() -> Cli {
        parsed(std::env::args_os()).unwrap_or_else(|error| {
            // The message quotes an argument, which may be the name of a file.
            let arguments = std::env::args_os().map(|argument| harmless(&argument.to_string_lossy()));
            parsed(arguments.map(Into::into)).err().unwrap_or(error).exit()
        })
    }
}

/// The commands as `--help` lists them. Those that are missing here are listed by name only.
const GROUPS: [(&str, &[&str]); 3] = [
    ("Start", &["init", "import", "check", "run", "record"]),
    ("Look", &["show", "report", "compare", "runs"]),
    ("Guard", &["accept", "challenge", "propose"]),
];

/// What the numbers of [`ExitStatus`](crate::cli::ExitStatus) mean.
const EXIT_STATUSES: [(&str, &str); 7] = [
    ("0", "All passed; for check, no error was found."),
    ("1", "A case failed; for check, an error was found."),
    ("2", "The command line or the configuration is wrong."),
    ("3", "A suite cannot be used: it was not found, is not readable, or has errors that prevent a run."),
    ("4", "No case was selected."),
    ("5", "A case ended in ERROR, and none failed."),
    ("130", "Interrupted."),
];

/// The parser, with its commands in groups.
pub(crate) fn command() -> clap::Command {
    let command = Cli::command();
    let mut help = "{about}\n\n{usage-heading} {usage}\n".to_owned();
    let about = |name: &str| {
        let of = command.get_subcommands().find(|known| known.get_name() == name).and_then(clap::Command::get_about);
        of.map(ToString::to_string).unwrap_or_default()
    };
    for (group, names) in GROUPS {
        help += &format!("\n{group}\n");
        names.iter().for_each(|name| help += &format!("  {name:<10}  {}\n", about(name)));
    }
    let is_listed = |name: &str| GROUPS.iter().any(|(_, names)| names.contains(&name));
    let others =
        command.get_subcommands().map(clap::Command::get_name).filter(|name| !is_listed(name) && *name != "help");
    let others: Vec<&str> = others.collect();
    let (first, last) = others.split_at(others.len().div_ceil(2));
    help += &format!("\nOther\n  {},\n  {}\n", first.join(", "), last.join(", "));
    help += "\nExit status\n";
    EXIT_STATUSES.iter().for_each(|(status, meaning)| help += &format!("  {status:<3}  {meaning}\n"));
    help += "\n`eval-ls COMMAND --help` has the options and two examples.\n\n{options}";
    command.help_template(help)
}

fn parsed(arguments: impl Iterator<Item = std::ffi::OsString>) -> Result<Cli, clap::Error> {
    let matches = command().try_get_matches_from(arguments).map_err(|mut error| {
        // `to pass '--bogus' as a value, use '-- --bogus'` is what nobody means.
        if matches!(error.kind(), ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand) {
            error.remove(ContextKind::Suggested);
        }
        error
    })?;
    Cli::from_arg_matches(&matches)
}

/// The text on one line, without terminal escapes and starts of workflow commands.
fn harmless(text: &str) -> String {
    visible_text(text).replace("##[", "## [")
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the language server on standard input and output
    Lsp(LspArgs),
    /// All other commands.
    #[command(flatten)]
    Task(Task),
}

/// The commands that need no language server.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Check suites for errors
    #[command(after_help = "Examples:\n  eval-ls check\n  eval-ls check --fix evals/desk.evals.json")]
    Check(CheckArgs),
    /// Run suites and report failed cases with their places
    #[command(after_help = "Examples:\n  eval-ls run --target agent\n  eval-ls run --failed")]
    Run(Box<RunArgs>),
    /// Run a live target and store its answers as transcripts, without reporting verdicts
    #[command(after_help = "Examples:\n  eval-ls record\n  eval-ls record --cases RENEW1 --target agent")]
    Record(Box<RecordArgs>),
    /// List the kept runs, or remove some
    #[command(
        after_help = "Names of runs:\n  an id, or a part of one\n  latest              the last run\n  target:NAME         the last run of a target\n  branch:NAME         the last run on a git branch\n  latest~1            the run before it, also target:NAME~2 and so on\n\nExamples:\n  eval-ls runs\n  eval-ls runs rm latest~1"
    )]
    Runs(RunsArgs),
    /// Take answers of a kept run as transcripts
    #[command(after_help = "Examples:\n  eval-ls accept RENEW1\n  eval-ls accept --yes --run target:agent")]
    Accept(AcceptArgs),
    /// Compare two runs: which cases regressed, which are fixed, and whether chance can explain it
    #[command(after_help = "Examples:\n  eval-ls compare\n  eval-ls compare branch:main latest")]
    Compare(CompareArgs),
    /// Show a case of a kept run: its prompt, answer and checks
    #[command(after_help = "Examples:\n  eval-ls show RENEW1\n  eval-ls show RENEW1 target:agent~1")]
    Show(ShowArgs),
    /// Write a kept run as one HTML page
    #[command(after_help = "Examples:\n  eval-ls report --open\n  eval-ls report --html page.html latest~1")]
    Report(ReportArgs),
    /// Judge answers that ought to fail, and report the cases that pass them
    #[command(after_help = "Examples:\n  eval-ls challenge\n  eval-ls challenge --cases RENEW1")]
    Challenge(ChallengeArgs),
    /// Propose checks with which a case passes an answer, and fails the answers that ought to fail
    #[command(after_help = "Examples:\n  eval-ls propose RENEW1\n  eval-ls propose RENEW1 --answer pasted.txt --write")]
    Propose(ProposeArgs),
    /// Print the cases of suites as JSON
    List(ListArgs),
    /// Score built-in transcripts with known verdicts, and report differences
    SelfTest,
    /// Print a lint's page, or a table of all lints
    Explain(ExplainArgs),
    /// Print a JSON Schema, or a table of them
    Schema(SchemaArgs),
    /// Write an eval-ls.toml and a first suite if there are none, and add your assistant as a target
    #[command(after_help = "Examples:\n  eval-ls init\n  eval-ls init python")]
    Init(InitArgs),
    /// Make a suite of an eval file of another program, and check and challenge it
    #[command(
        after_help = "Examples:\n  eval-ls import cases.jsonl\n  eval-ls import faq.csv --columns prompt=frage,must_say_any=antwort"
    )]
    Import(ImportArgs),
    /// Print the completions for a shell
    Completions(CompletionsArgs),
    /// Print the license of eval-ls, and the notices of the code that it contains
    Licenses,
}

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Returns the version with the commit, if `scripts/release` built the program. The bundled PCRE2 decides the dialect, so
/// bug reports must name its version, too.
fn long_version() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let commit = option_env!("EVAL_LS_COMMIT").map(|commit| format!(" ({commit})")).unwrap_or_default();
        format!("{}{commit}\nPCRE2 {}", env!("CARGO_PKG_VERSION"), crate::pattern::pcre2_version())
    });
    &TEXT
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
    /// Annotations of GitHub Actions; of a run, also the cases that did not pass in the step summary
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
    #[arg(long, value_name = "A,B*", value_delimiter = ',')]
    pub(crate) cases: Option<Vec<String>>,

    /// Select the cases of these categories; `*` and `?` match any characters
    #[arg(long, value_name = "A,B*", value_delimiter = ',')]
    pub(crate) category: Option<Vec<String>>,

    /// Select the cases whose last verdict is not PASS, with `--target` or the target of the last run, which `run` asks again; `=RUN`: those
    /// of that run
    #[arg(long, value_name = "RUN", num_args = 0..=1, require_equals = true, default_missing_value = "latest")]
    pub(crate) failed: Option<String>,
}

impl SelectionArgs {
    /// Whether all cases are selected.
    pub(crate) fn is_empty(&self) -> bool {
        self.cases.is_none() && self.category.is_none() && self.failed.is_none()
    }
}

#[cfg(test)]
mod tests {

    #[test]
    fn the_command_line_is_valid() {
        super::command().debug_assert();
    }

    #[test]
    fn help_lists_each_command_once_and_each_group_has_examples() {
        let mut command = super::command();
        let help = command.render_help().to_string();
        let names: Vec<String> = command.get_subcommands().map(|known| known.get_name().to_owned()).collect();
        for name in names.iter().filter(|name| *name != "help") {
            let is_named = |line: &str| line.split([' ', ',']).any(|word| word == *name) && line.starts_with("  ");
            let is_listed = help
                .lines()
                .filter(|line| is_named(line))
                .any(|line| line.trim_start().starts_with(name.as_str()) || line.contains(&format!(", {name}")));
            assert!(is_listed, "{name} is not in:\n{help}");
        }
        for name in super::GROUPS.iter().flat_map(|(_, names)| *names) {
            let of = command.find_subcommand(name).unwrap_or_else(|| panic!("there is no command {name}"));
            let examples = of.get_after_help().map(ToString::to_string).unwrap_or_default();
            let examples: Vec<&str> = examples.lines().filter(|line| line.starts_with("  eval-ls ")).collect();
            assert_eq!(examples.len(), 2, "{name}");
            for example in examples {
                let words = example.split_whitespace().map(Into::into);
                assert!(super::parsed(words).is_ok(), "{example}");
            }
        }
    }
}
