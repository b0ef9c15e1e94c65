//! The commands that print what the program brings along: `completions`, `explain`, `licenses`, `schema` and `self-test`.

use anstyle::{AnsiColor, Style};
use serde_json::Value;

use crate::diagnostic::{nearest, quoted};
use crate::lints::{LINTS, Lint, lint};
use crate::schema::SchemaName;
use crate::verdict;

use super::args::{CompletionsArgs, ExplainArgs, SchemaArgs, command};
use super::{Console, ExitStatus, columns};

/// Prints the script for a shell.
pub(super) fn completions(args: &CompletionsArgs, console: &mut Console) -> ExitStatus {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command(), "eval-ls", &mut script);
    // The library writes the dash of the program's name in two ways into the script for Bash.
    console.out.write_text(&String::from_utf8_lossy(&script).replace("eval__subcmd__ls", "eval__ls"));
    ExitStatus::Passed
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
    if let Some((_, rest)) = others().find(|(names, _)| names.clone().any(|other| other == name)) {
        console.out.write_line(&format!("{name} ({rest}"));
        return ExitStatus::Passed;
    }
    let Some(lint) = lint(name) else {
        let known = LINTS.iter().map(|lint| lint.name).chain(others().flat_map(|(names, _)| names));
        let meant = nearest(name, known).map(|meant| format!("; did you mean `{meant}`?"));
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

/// The pages of the names in findings and in `--format concise` that are not lints. A heading has one or several names, and their level.
const OTHERS: &str = include_str!("findings.md");

/// The pages, each with its names, and with what follows these.
fn others() -> impl Iterator<Item = (std::str::Split<'static, char>, &'static str)> {
    let pages = OTHERS.split("# ").filter_map(|page| page.split_once(" ("));
    pages.map(|(names, rest)| (names.split(' '), rest.trim_end()))
}

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
