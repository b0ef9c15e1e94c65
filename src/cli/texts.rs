//! The commands that print what the program brings along: `completions`, `licenses`, `schema` and `self-test`. The scripts of
//! `completions` ask this program for what can be typed: ids of cases, targets, runs and lints of the current folder.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap_complete::CompletionCandidate;
use clap_complete::env::{CompleteEnv, Shells};
use serde_json::Value;

use crate::analysis::lint_names;
use crate::runner::SuiteInput;
use crate::schema::SchemaName;
use crate::verdict;
use crate::workspace::LoadedConfig;

use super::args::{CompletionsArgs, SchemaArgs, command};
use super::input::{Contents, Workspaces, find};
use super::selection::runs_of;
use super::{Console, ExitStatus, columns};

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
    differences.iter().for_each(|line| console.out.write_line(line));
    if differences.is_empty() {
        console
            .out
            .write_line(&format!("{} transcripts scored, all with the expected verdict", verdict::self_test_count()));
        ExitStatus::Passed
    } else {
        ExitStatus::Failed
    }
}
