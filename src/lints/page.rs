//! What a lint declares: its name, level and page.

use crate::diagnostic::{Finding, Severity, quoted};
use crate::lints::{CaseContext, LINTS, Report, SuiteContext};
use crate::schema::Violation;
use crate::syntax::{Mistake, Node};
use crate::text::Text;

/// The address of the project. A build can set it with the variable `EVAL_LS_REPOSITORY`.
const REPOSITORY: &str = match option_env!("EVAL_LS_REPOSITORY") {
    Some(address) => address,
    None => env!("CARGO_PKG_REPOSITORY"),
};

/// The longest text in front of a message, in bytes: half a line of a terminal.
const LONGEST_VALUE: usize = 40;

/// The message of a finding in `text` for readers who get nothing else. A message that quotes nothing has the text that it is about in
/// front. At its end is what to do: `(fix: …)` if `check --fix` does it, else `(help: …)` with the likeliest fix, or with the first
/// sentence under *Fix* on the lint's page.
pub(crate) fn message_with_help(finding: &Finding, text: &Text) -> String {
    let value = text.slice(text.within(finding.span)).trim_matches('"');
    let is_short = !value.is_empty() && value.len() <= LONGEST_VALUE && !value.contains('\n');
    let value = if is_short && !finding.message.contains('`') { format!("{}: ", quoted(value)) } else { String::new() };
    let fix = finding.fixes.first();
    let help = fix.map(|fix| fix.title.clone()).or_else(|| finding.help.first().cloned());
    // A message with `;` has separate advice.
    let of_page = || lint(finding.lint).filter(|_| !finding.message.contains("; ")).map(Lint::remedy);
    let help = help.or_else(of_page).filter(|help| !help.is_empty());
    let word = if fix.is_some_and(|fix| fix.safe) { "fix" } else { "help" };
    let help = help.map_or_else(String::new, |help| format!(" ({word}: {help})"));
    format!("{value}{}{help}", finding.message)
}

impl Lint {
    /// The first sentence under *Fix* on the page, as a part of a sentence: `choose an id without them`.
    fn remedy(&self) -> String {
        let lines = self.page.lines().map(str::trim).skip_while(|line| *line != "## Fix").skip(1);
        let lines = lines.skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty());
        let paragraph = lines.collect::<Vec<_>>().join(" ");
        let sentence = paragraph.split_once(". ").map_or(&*paragraph, |(first, _)| first);
        let sentence = sentence.trim_end_matches(['.', ':']);
        let mut characters = sentence.chars();
        characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
    }

    /// Returns the page's first line: the finding in one sentence.
    pub fn summary(&self) -> &'static str {
        self.page.lines().next().unwrap_or_default().trim()
    }

    /// Returns the text between the page's first line and its examples, as Markdown: the consequences.
    pub(crate) fn reasons(&self) -> String {
        let lines = self.page.lines().skip(1).take_while(|line| !line.trim_start().starts_with("## "));
        let lines: Vec<_> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
        lines.join("\n").trim().to_owned()
    }

    /// Returns the address of the page in the repository, at the tag of this version; `None` if the package names no repository.
    pub(crate) fn address(&self) -> Option<String> {
        address(REPOSITORY, env!("CARGO_PKG_VERSION"), self.name)
    }

    /// Returns the page as Markdown, with the lint's name as its heading.
    pub fn markdown(&self) -> String {
        let body = self.page.lines().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n");
        format!("# {}\n\n{}\n", self.name, body.trim_end())
    }
}

fn address(repository: &str, version: &str, lint: &str) -> Option<String> {
    let repository = repository.trim_end_matches('/').trim_end_matches(".git");
    (!repository.is_empty()).then(|| format!("{repository}/blob/v{version}/docs/lints/{lint}.md"))
}

/// A lint: what it checks, and its page.
#[derive(Debug)]
pub struct Lint {
    /// The name, which names the problem: `duplicate-case-id`.
    pub name: &'static str,
    /// The level if the configuration does not set one.
    pub level: Severity,
    /// The page in Markdown: a sentence, then the consequences, an example, and the fix.
    pub page: &'static str,
    /// The input and its function.
    pub(crate) check: Check,
}

/// The input of a lint. Spans in findings count like those of the input.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Check {
    /// Each syntax error.
    Syntax(fn(&Mistake, &mut Report)),
    /// Each object of the document.
    Object(fn(Node<'_>, &mut Report)),
    /// Each violation of the newest schema.
    Shape(fn(&Violation, Node<'_>, &mut Report)),
    /// Each case separately.
    Case(fn(&CaseContext<'_>, &mut Report)),
    /// The suite as a whole, with its cases.
    Suite(fn(&SuiteContext<'_>, &mut Report)),
}

/// Declares a lint. Its doc comment is its page, which `explain`, hover and the documentation show. Every example on it
/// runs as a test.
macro_rules! declare_lint {
    ($(#[doc = $line:literal])+ $vis:vis $constant:ident = $name:literal, $level:ident, $check:expr;) => {
        $(#[doc = $line])+
        // The words after `json` set up an example; rustdoc does not know them.
        #[allow(rustdoc::invalid_codeblock_attributes)]
        $vis static $constant: $crate::lints::Lint = $crate::lints::Lint {
            name: $name,
            level: $crate::diagnostic::Severity::$level,
            page: concat!($($line, "\n"),+),
            check: $check,
        };
    };
}

pub(super) use declare_lint;

/// Returns the lint with that name.
pub(crate) fn lint(name: &str) -> Option<&'static Lint> {
    LINTS.iter().copied().find(|lint| lint.name == name)
}

#[cfg(test)]
mod tests {
    use super::address;
    use super::*;
    use crate::schema::SchemaName;
    use serde_json::Value;

    #[test]
    fn a_page_has_an_address_where_the_repository_is_known() {
        let page = Some("https://example.com/me/eval-ls/blob/v0.1.0/docs/lints/x.md".to_owned());
        for (repository, page) in [
            ("", None),
            ("https://example.com/me/eval-ls", page.clone()),
            ("https://example.com/me/eval-ls.git", page.clone()),
            ("https://example.com/me/eval-ls/", page),
        ] {
            assert_eq!(address(repository, "0.1.0", "x"), page);
        }
    }

    #[test]
    fn the_configurations_schema_lists_the_same_lints_at_the_same_levels() {
        let schema: Value = serde_json::from_str(SchemaName::Config.text()).unwrap();
        let listed = schema["properties"]["lints"]["properties"].as_object().unwrap();
        let listed: Vec<_> = listed.iter().map(|(name, level)| (name.as_str(), level["default"].as_str())).collect();
        let registered: Vec<_> = LINTS.iter().map(|lint| (lint.name, Some(lint.level.as_str()))).collect();
        assert_eq!(registered, listed);
    }

    #[test]
    fn every_lint_is_found_by_its_name() {
        for known in LINTS {
            assert!(lint(known.name).is_some_and(|found| std::ptr::eq(found, *known)), "{}", known.name);
        }
        assert!(lint("unique-case-id").is_none());
    }
}
