//! The arguments of the command line. `--help` and the manual page show the doc comments here.

mod baseline;
mod challenge;
mod check;
mod compare;
mod history;
mod kept;
mod list;
mod merge;
mod others;
mod record;
mod report;
mod run;
mod runs;
mod selection;
mod shard;

pub(crate) use baseline::{BaselineAcceptArgs, BaselineArgs, BaselineCommand};
pub(crate) use challenge::{ChallengeArgs, ChallengeFormat};
pub(crate) use check::{CheckArgs, CheckFormat, Deny};
pub(crate) use compare::{CompareArgs, CompareFormat};
pub(crate) use history::{HistoryArgs, HistoryFormat};
pub(crate) use kept::{AcceptArgs, Place, RescoreArgs, RescoreFormat};
pub(crate) use list::{ListArgs, ListFormat};
pub(crate) use merge::MergeArgs;
pub(crate) use others::{AddTargetArgs, CompletionsArgs, ExplainArgs, LspArgs, NewTarget, SchemaArgs};
pub(crate) use record::RecordArgs;
pub(crate) use report::ReportArgs;
pub(crate) use run::{ReportArg, ReportFormat, RunArgs, RunFormat, RunMode, StatusLevel};
pub(crate) use runs::{RunsArgs, RunsCommand, RunsFormat};
pub(crate) use selection::SelectionArgs;
pub(crate) use shard::ShardArg;

use std::sync::LazyLock;

use clap::builder::Styles;
use clap::builder::styling::AnsiColor;
use clap::error::ErrorKind;
use clap::{Parser, Subcommand, arg};

use crate::text::visible;

/// Language server, linter and runner for eval suites
#[derive(Debug, Parser)]
#[command(name = "eval-ls", version, long_version = long_version(), styles = STYLES, arg_required_else_help = true, subcommand_value_name = "COMMAND")]
#[command(arg(arg!(--licenses "With --version: also print the licenses").hide(true)), override_usage = "eval-ls <COMMAND>", args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// Returns the command line of this process. Ends the process for `--help`, `--version` and invalid arguments.
    pub(crate) fn of_process() -> Cli {
        Cli::try_parse().unwrap_or_else(|error| {
            // `--version` ends the parser, so it has not seen `--licenses` behind it.
            let has_licenses = std::env::args_os().any(|argument| argument == "--licenses");
            if error.kind() != ErrorKind::DisplayVersion || !has_licenses || error.print().is_err() {
                // The message quotes an argument, which may be the name of a file.
                let arguments = std::env::args_os().map(|argument| harmless(&argument.to_string_lossy()));
                Cli::try_parse_from(arguments).err().unwrap_or(error).exit();
            }
            Cli { command: Command::Task(Task::Licenses) }
        })
    }
}

/// The text on one line, without terminal escapes and starts of workflow commands.
fn harmless(text: &str) -> String {
    text.chars().map(visible).collect::<String>().replace("##[", "## [")
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
    Check(CheckArgs),
    /// Run suites and report failed cases with their places
    Run(Box<RunArgs>),
    /// Run a live target and store its answers as transcripts, without reporting verdicts
    Record(Box<RecordArgs>),
    /// List the kept runs, or remove some
    Runs(RunsArgs),
    /// Judge the answers of a kept run with the suites as they are now
    Rescore(RescoreArgs),
    /// Take answers of a kept run as transcripts
    Accept(AcceptArgs),
    /// Compare two runs: which cases regressed, which are fixed, and whether chance can explain it
    Compare(CompareArgs),
    /// Put the shards of a run together
    Merge(MergeArgs),
    /// Write a kept run as one HTML page
    Report(ReportArgs),
    /// Show how each case ended in the kept runs: since when, how often, how stable
    History(HistoryArgs),
    /// Make runs the baseline that `run --baseline` compares with
    Baseline(BaselineArgs),
    /// Judge answers that ought to fail, and report the cases that pass them
    Challenge(ChallengeArgs),
    /// List the cases of suites
    List(ListArgs),
    /// Score built-in transcripts with known verdicts, and report differences
    SelfTest,
    /// Print a lint's page, or a table of all lints
    Explain(ExplainArgs),
    /// Print a JSON Schema, or a table of them
    Schema(SchemaArgs),
    /// Write an eval-ls.toml and a first suite if there are none
    Init,
    /// Add a target to eval-ls.toml, with a program to start from
    AddTarget(AddTargetArgs),
    /// Print the completions for a shell
    Completions(CompletionsArgs),
    /// Print the manual page
    Man,
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

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_valid() {
        super::Cli::command().debug_assert();
    }
}
