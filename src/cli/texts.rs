//! The commands that print what the program brings along: `completions`, `explain`, `licenses`, `schema` and `self-test`. The scripts of
//! `completions` ask this program for what can be typed: ids of cases, targets, runs and lints of the current folder.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use clap_complete::CompletionCandidate;
use clap_complete::env::{CompleteEnv, Shells};
use serde_json::Value;

use crate::analysis::lint_names;
use crate::challenge::{
    BRITTLE_CHECK, FAILED_SAMPLE, IDLE_CHECK, MET_BY_PROMPT, PASSED_CHALLENGE, PASSED_SAMPLE, SAME_AS_CONTROL,
};
use crate::config::ConfigError;
use crate::diagnostic::{nearest, quoted};
use crate::lints::{LINTS, Lint, lint};
use crate::report::{NOT_RUN, OLDER_ANSWER, STALE};
use crate::runner::SuiteInput;
use crate::schema::SchemaName;
use crate::verdict;
use crate::workspace::LoadedConfig;

use super::args::{CompletionsArgs, ExplainArgs, SchemaArgs, command};
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

/// Prints a lint's page, or a table of all lints.
pub(super) fn explain(args: &ExplainArgs, console: &mut Console) -> ExitStatus {
    let Some(name) = &args.lint else {
        let rows = LINTS.iter().map(|lint| [lint.name, lint.level.as_str(), lint.summary()].map(str::to_owned));
        console.out.write_text(&columns(rows));
        return ExitStatus::Passed;
    };
    if let Some((name, level, page)) = OTHERS.iter().find(|(other, ..)| other == name) {
        console.out.write_text(&format!("{name} ({level})\n\n{page}"));
        return ExitStatus::Passed;
    }
    let Some(lint) = lint(name) else {
        let known = LINTS.iter().map(|lint| lint.name).chain(OTHERS.iter().map(|(name, ..)| *name));
        let meant = nearest(name, known);
        let meant = meant.map(|meant| format!("; did you mean `{meant}`?"));
        let all = "; `eval-ls explain` lists them all".to_owned();
        console.complain(format_args!("no lint or finding is called {}{}", quoted(name), meant.unwrap_or(all)));
        return ExitStatus::Misused;
    };
    let page = page(lint, console.out.has_color());
    console.out.write_text(&page);
    if let Some(address) = lint.address() {
        console.out.write_line(&format!("\n{address}"));
    }
    ExitStatus::Passed
}

/// The names in findings and in `--format concise` that are not lints, each with its level and its page.
const OTHERS: [(&str, &str, &str); 14] = [
    (
        ConfigError::LINT,
        "error",
        "\
`eval-ls.toml` has an error.

The message names the key or the value, and the fix. The rest of the file still applies to linting, but nothing runs
until the error is fixed. Its level cannot be changed. `eval-ls schema config` and the page *Configuration* describe all keys.
",
    ),
    (
        PASSED_CHALLENGE,
        "its level is in `[challenge.levels]`",
        "\
The case passes an answer that ought to fail.

Add a check that this answer fails: a phrase that only a right answer has, a tool, a number, or `must_not_say`. `eval-ls
challenge --table` shows the answers. If the case means to pass it, add it to `[[challenge.exceptions]]` with a reason.
",
    ),
    (
        MET_BY_PROMPT,
        "hint",
        "\
The prompt alone meets the check.

An assistant that repeats the question passes it. Replace the phrase with one that only an answer has.
",
    ),
    (
        IDLE_CHECK,
        "hint",
        "\
The check passes all answers that ought to fail.

It proves nothing yet. Replace it with a check that fails at least one of them, or remove it.
",
    ),
    (
        BRITTLE_CHECK,
        "hint",
        "\
The check passes the answer, and fails the same answer in another form: with a number in bold, curly quotes, a table row.

It fails some day on a right answer. Set `reading = \"plain\"` under `[scoring]` in `eval-ls.toml`, or ask for less of the form.
`eval-ls challenge --format json` names the rewrites.
",
    ),
    (
        SAME_AS_CONTROL,
        "hint",
        "\
The check passes the answers of the control as often as those here.

It does not show what the assistant adds. Ask for something that only its answers have. `eval-ls challenge --against RUN` has the
control; its JSON has the counts and the exact test.
",
    ),
    (
        FAILED_SAMPLE,
        "error",
        "\
The case fails an answer that is stored as a good one.

Correct the check that the message names, or remove the sample. The samples of a case are the files of `samples/<suite>/<case>/`.
",
    ),
    (
        PASSED_SAMPLE,
        "error",
        "\
The case passes an answer that is stored as a bad one.

Add a check that this answer fails. The samples of a case are the files of `samples/<suite>/<case>/`.
",
    ),
    (
        NOT_RUN,
        "error",
        "\
The suite cannot be read, so it is not run.

The message has the reason. Fix the path or the permissions of the file, and run the suite again.
",
    ),
    (
        STALE,
        "error or warning",
        "\
The answer of the case was recorded with another prompt.

The verdict is not about the case as it is now. Record the answer again: `eval-ls record --cases ID`.
The key `stale` of `eval-ls.toml` and `--strict` decide whether a stale answer fails the run.
",
    ),
    (
        OLDER_ANSWER,
        "warning",
        "\
The stored answer of the case is not the last one of its target, or is older than its program.

The verdict may not be that on the target as it is. Ask again: `eval-ls run --target TARGET --cases ID`, and store the answer:
`eval-ls record --cases ID`.
",
    ),
    (
        "FAIL",
        "the status of a case",
        STATUSES,
    ),
    ("PARTIAL", "the status of a case", STATUSES),
    ("ERROR", "the status of a case", STATUSES),
];

const STATUSES: &str = "\
FAIL: the answer breaks an expectation, or the soft score is below the threshold. PARTIAL: a hint is unknown, or the soft
score makes up for a failed check. ERROR: the case could not be judged, for the reason that is shown.

`eval-ls show ID` prints the prompt, the answer and the checks of the case.
";

const HEADING: Style = Style::new().bold();
const CODE: Style = AnsiColor::Cyan.on_default();

/// Returns the page for a terminal: headings without `#`, and indented examples.
fn page(lint: &Lint, color: bool) -> String {
    let styled = |style: Style, text: &str| if color { format!("{style}{text}{style:#}") } else { text.to_owned() };
    let mut page = String::new();
    let mut in_example = false;
    for line in lint.markdown().lines() {
        if line.starts_with("```") {
            in_example = !in_example;
            continue;
        }
        let line = if in_example {
            styled(CODE, line)
        } else if let Some(name) = line.strip_prefix("# ") {
            format!("{} ({})", styled(HEADING, name), lint.level.as_str())
        } else if let Some(heading) = line.strip_prefix("## ") {
            styled(HEADING, heading)
        } else {
            line.to_owned()
        };
        let indent = if in_example && !line.is_empty() { "    " } else { "" };
        page.push_str(&format!("{indent}{line}\n"));
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_plain_text() {
        for lint in LINTS {
            let page = page(lint, false);
            assert!(
                page.starts_with(&format!("{} ({})\n\n{}", lint.name, lint.level.as_str(), lint.summary())),
                "{page}"
            );
            assert!(!page.lines().any(|line| line.starts_with("```") || line.starts_with('#')), "{page}");
            assert!(!page.contains('\u{1b}'));
        }
    }
}
