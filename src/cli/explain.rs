//! `explain`: the pages of the lints.

use anstyle::{AnsiColor, Style};

use crate::config::ConfigError;
use crate::diagnostic::{nearest, quoted};
use crate::lints::{LINTS, Lint, lint};

use super::args::ExplainArgs;
use super::{Console, ExitStatus, columns};

/// Prints a lint's page, or a table of all lints.
pub(super) fn explain(args: &ExplainArgs, console: &mut Console) -> ExitStatus {
    let Some(name) = &args.lint else {
        let rows = LINTS.iter().map(|lint| [lint.name, lint.level.as_str(), lint.summary()].map(str::to_owned));
        console.out.write_text(&columns(rows));
        return ExitStatus::Passed;
    };
    if name == ConfigError::LINT {
        console.out.write_text(CONFIGURATION);
        return ExitStatus::Passed;
    }
    let Some(lint) = lint(name) else {
        let meant = nearest(name, LINTS.iter().map(|lint| lint.name));
        let meant = meant.map(|meant| format!("; did you mean `{meant}`?"));
        let all = "; `eval-ls explain` lists them all".to_owned();
        console.complain(format_args!("no lint is called {}{}", quoted(name), meant.unwrap_or(all)));
        return ExitStatus::Misused;
    };
    let page = page(lint, console.out.has_color());
    console.out.write_text(&page);
    if let Some(address) = lint.address() {
        console.out.write_line(&format!("\n{address}"));
    }
    ExitStatus::Passed
}

/// The page of errors in the configuration, which are not a lint.
const CONFIGURATION: &str = "\
invalid-config (error)

`eval-ls.toml` has an error.

The message names the key or the value, and the fix. The rest of the file still applies to linting, but nothing runs
until the error is fixed. Its level cannot be changed. `eval-ls schema config` and the page *Configuration* describe all keys.
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
