//! `man`: the manual page.
//!
//! `completions`: the completion scripts for shells. The scripts ask this program for what can be typed, so they also complete the ids of
//! cases, targets, runs and lints of the current folder.
//!
//! `licenses`: the texts that the program must be shipped with. A program that is installed alone has them too.
//!
//! `schema`: the bundled JSON Schemas.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory as _};
use clap_complete::CompletionCandidate;
use clap_complete::env::{CompleteEnv, Shells};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use serde_json::Value;

use crate::analysis::lint_names;
use crate::runner::SuiteInput;
use crate::schema::SchemaName;
use crate::verdict;
use crate::workspace::LoadedConfig;

use super::args::{Cli, CompletionsArgs, SchemaArgs, command};
use super::input::{Contents, Workspaces, find};
use super::selection::runs_of;
use super::{Console, ExitStatus, columns};

/// Prints the manual page with all commands, as roff.
pub(super) fn man(console: &mut Console) -> ExitStatus {
    let written = write(&mut console.out);
    // Writing to the output never fails, and nothing else can fail.
    debug_assert!(written.is_ok(), "{written:?}");
    ExitStatus::Passed
}

fn write(out: &mut dyn io::Write) -> io::Result<()> {
    let without_help = |command: Command| command.disable_help_flag(true);
    let mut command = Cli::command().disable_help_subcommand(true).mut_subcommands(without_help);
    command.build();
    let page = Man::new(command.clone()).title("EVAL-LS");
    page.render_title(out)?;
    page.render_name_section(out)?;
    page.render_synopsis_section(out)?;
    page.render_description_section(out)?;
    section("COMMANDS").to_writer(out)?;
    for subcommand in command.get_subcommands() {
        write_subcommand(subcommand, out)?;
    }
    for (name, rows) in SECTIONS {
        let mut section = section(name);
        for (term, text) in rows {
            section.control("TP", []).text([bold(*term)]).text([roman(*text)]);
        }
        section.to_writer(out)?;
    }
    page.render_version_section(out)
}

fn section(name: &str) -> Roff {
    let mut section = Roff::new();
    section.control("SH", [name]);
    section
}

/// A command's usage, description and options.
fn write_subcommand(command: &Command, out: &mut dyn io::Write) -> io::Result<()> {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let mut heading = Roff::new();
    heading.control("SS", [command.get_name()]).text([roman(about)]).control("PP", []);
    heading.to_writer(out)?;
    let page = Man::new(command.clone());
    write_body(|section| page.render_synopsis_section(section), out)?;
    if command.get_arguments().any(|argument| !argument.is_hide_set()) {
        write_body(|section| page.render_options_section(section), out)?;
    }
    Ok(())
}

/// The content of a section, below another heading.
fn write_body(render: impl FnOnce(&mut dyn io::Write) -> io::Result<()>, out: &mut dyn io::Write) -> io::Result<()> {
    let mut section = Vec::new();
    render(&mut section)?;
    let section = String::from_utf8_lossy(&section);
    for line in section.lines().filter(|line| !line.starts_with(".SH ")) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// The part that the arguments do not describe.
const SECTIONS: [(&str, &[(&str, &str)]); 3] = [
    (
        "EXIT STATUS",
        &[
            ("0", "All passed; for check, no error was found."),
            ("1", "A case failed; for check, an error was found."),
            ("2", "The command line or the configuration is wrong."),
            ("3", "A suite cannot be used: it was not found, is not readable, or has errors that prevent a run."),
            ("4", "No case was selected."),
            ("5", "A case ended in ERROR, and none failed."),
            ("130", "Interrupted."),
        ],
    ),
    (
        "ENVIRONMENT",
        &[
            ("NO_COLOR", "If it is set and not empty, there is no colour."),
            ("CLICOLOR_FORCE", "If it is set and not 0, there is colour even if the output is not a terminal."),
            ("TERM", "If it is dumb, there is no colour."),
        ],
    ),
    (
        "FILES",
        &[(
            "eval-ls.toml",
            "The files that are suites, the targets of runs, and the levels of lints. The nearest `eval-ls.toml` above a \
             suite applies to it; `eval-ls schema config` describes the file.",
        )],
    ),
];

/// The variable with which a script of a shell asks this program.
const VARIABLE: &str = "EVAL_LS_COMPLETE";

/// Answers the script of a shell, if one asks, and ends the process then.
pub(crate) fn answer_shell() {
    CompleteEnv::with_factory(command).var(VARIABLE).complete();
}

/// Prints the script for a shell.
pub(super) fn completions(args: &CompletionsArgs, console: &mut Console) -> ExitStatus {
    let name = args.shell.to_string();
    let shells = Shells::builtins();
    let Some(shell) = shells.completer(&name) else {
        console.complain(format_args!("there are no completions for {name}"));
        return ExitStatus::Misused;
    };
    let mut script = Vec::new();
    match shell.write_registration(VARIABLE, "eval-ls", "eval-ls", "eval-ls", &mut script) {
        Ok(()) => {
            console.out.write_text(&String::from_utf8_lossy(&script));
            ExitStatus::Passed
        }
        Err(fault) => {
            console.complain(fault);
            ExitStatus::Unusable
        }
    }
}

fn loaded() -> Option<LoadedConfig> {
    Workspaces::new().of_place(Path::new(".")).ok()
}

fn starting<T: Into<String>>(typed: &OsStr, names: impl IntoIterator<Item = T>) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    // A list has commas. What is typed before the last one stays.
    let (before, last) = typed.rsplit_once(',').map_or(("", &*typed), |(before, last)| (&typed[..=before.len()], last));
    let names = names
        .into_iter()
        .map(Into::into)
        .filter(|name: &String| name.starts_with(last) && !name.contains(char::is_control));
    names.map(|name| CompletionCandidate::new(format!("{before}{name}"))).collect()
}

/// The targets of the configuration.
pub(crate) fn targets(typed: &OsStr) -> Vec<CompletionCandidate> {
    starting(typed, loaded().iter().flat_map(|loaded| loaded.config.targets.keys().cloned()))
}

/// The names of the kept runs.
pub(crate) fn runs(typed: &OsStr) -> Vec<CompletionCandidate> {
    let Some(loaded) = loaded() else { return Vec::new() };
    let runs = runs_of(None, &loaded).list();
    let relative = ["latest", "latest~1"].map(str::to_owned).into_iter().take(runs.len());
    let ids = runs.iter().map(|run| run.id().to_string());
    starting(typed, relative.chain(ids))
}

/// The names of lints.
pub(crate) fn lints(typed: &OsStr) -> Vec<CompletionCandidate> {
    starting(typed, lint_names())
}

/// The ids of the cases of the suites in the current folder.
pub(crate) fn cases(typed: &OsStr) -> Vec<CompletionCandidate> {
    let found = find(&[PathBuf::from(".")], None, &mut Workspaces::new().without_results());
    let mut ids = Vec::new();
    for input in &found.inputs {
        let Ok(Contents::Text(text)) = input.read() else { continue };
        let suite = SuiteInput::parse(PathBuf::new(), text).suite;
        ids.extend(suite.cases.iter().filter_map(|placed| placed.case.id.as_ref().map(|id| id.value.clone())));
    }
    starting(typed, ids)
}

/// The texts with their titles. The notices have no title, because they have their own.
const TEXTS: [(&str, &str); 2] =
    [("# eval-ls", include_str!("../../LICENSE")), ("", include_str!("../../THIRD_PARTY_NOTICES.md"))];

/// Prints the license of eval-ls and those of the code that it contains.
pub(super) fn licenses(console: &mut Console) -> ExitStatus {
    let texts = TEXTS.map(|(title, text)| [title, text].map(str::trim).join("\n\n"));
    console.out.write_text(&format!("{}\n", texts.join("\n\n").trim_start()));
    ExitStatus::Passed
}

/// Prints a schema, or a table of all schemas.
pub(super) fn schema(args: &SchemaArgs, console: &mut Console) -> ExitStatus {
    match args.name {
        Some(name) => console.out.write_text(name.text()),
        None => console.out.write_text(&columns(SchemaName::ALL.map(|name| [name.as_str().to_owned(), title(name)]))),
    }
    ExitStatus::Passed
}

/// Returns the title in the schema.
fn title(name: SchemaName) -> String {
    let schema: Value = serde_json::from_str(name.text()).expect("the bundled schemas are JSON");
    schema["title"].as_str().unwrap_or_default().to_owned()
}

/// Scores the built-in transcripts and reports verdicts that differ from the known ones.
pub(super) fn self_test(console: &mut Console) -> ExitStatus {
    let differences = verdict::self_test();
    for difference in &differences {
        let verdict::Difference { name, what, expected, found } = difference;
        console.out.write_line(&format!("{name}: {what} should be {expected}, but is {found}"));
    }
    if differences.is_empty() {
        console
            .out
            .write_line(&format!("{} transcripts scored, all with the expected verdict", verdict::self_test_count()));
        ExitStatus::Passed
    } else {
        ExitStatus::Failed
    }
}
