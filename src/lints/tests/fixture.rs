//! Shared code of the lints' tests: suites with markers for the expected findings, and examples from pages.

use std::path::PathBuf;
use std::sync::Arc;

use crate::analysis::Document;
use crate::diagnostic::Finding;
use crate::text::{Encoding, Span, Text};

use super::super::{Lint, Workspace};

/// The workspace and file name of a suite in a test.
#[derive(Default)]
pub(crate) struct Setup<'a> {
    pub(crate) file: Option<&'a str>,
    pub(crate) workspace: Workspace,
}

/// Checks the findings of `lint` in `fixture`: a suite with marker lines below its lines. A marker line has `^^^` under
/// the reported text (`|` under a place between two characters, which counts as before that column) and the start of
/// the message.
#[track_caller]
pub(crate) fn check(lint: &Lint, fixture: &str) {
    check_in(&Setup::default(), lint, fixture);
}

/// [`check`] with a file name or a workspace.
#[track_caller]
pub(crate) fn check_in(setup: &Setup<'_>, lint: &Lint, fixture: &str) {
    let (source, expected) = read_fixture(fixture);
    let text = Text::new(&source);
    let mut found: Vec<_> = findings(setup, lint, &source)
        .into_iter()
        .map(|finding| {
            let start = text.position(finding.span.start, Encoding::Utf32);
            let end = text.position(finding.span.end, Encoding::Utf32);
            (start.line, start.column, if end.line == start.line { end.column } else { usize::MAX }, finding.message)
        })
        .collect();
    found.sort();
    let mut expected = expected;
    expected.sort();
    let matches = found.len() == expected.len()
        && found.iter().zip(&expected).all(|(found, expected)| {
            (found.0, found.1, found.2) == (expected.0, expected.1, expected.2) && found.3.starts_with(&expected.3)
        });
    assert!(matches, "{} in\n{source}\nfound    {found:#?}\nexpected {expected:#?}", lint.name);
}

/// Checks each paragraph of `fixture`: a suite, a case, or a value of `expected`, with marker lines as in [`check`]. Lines
/// after `→` are what the first fix of the first finding makes of it; such a paragraph may be without marker lines. A
/// line `# …` above a paragraph is the title of it and of those after it.
#[track_caller]
pub(crate) fn check_each(lint: &Lint, fixture: &str) {
    for paragraph in fixture.split("\n\n") {
        let lines = paragraph.lines().filter(|line| !line.is_empty() && !line.starts_with("# "));
        let paragraph = lines.collect::<Vec<_>>().join("\n");
        let (marked, after) =
            paragraph.split_once("\n→ ").map_or((&*paragraph, None), |(marked, after)| (marked, Some(after)));
        let (before, markers) = read_fixture(marked);
        if after.is_none() || !markers.is_empty() {
            check(lint, &suite_around(marked));
        }
        if let Some(after) = after {
            let (start, end) = around(&before);
            check_fix(lint, &format!("{start}{before}{end}"), &format!("{start}{after}{end}"));
        }
    }
}

/// Checks that in each line, a value of `expected`, `lint` reports the texts in `«»`. A line behind `→` is what the first
/// fix of the first finding makes of the line above it.
#[track_caller]
pub(crate) fn check_lines(lint: &Lint, lines: &str) {
    let mut before = String::new();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(after) = line.strip_prefix("→ ") {
            check_fix_of(lint, &before, after);
            continue;
        }
        before = line.replace(['«', '»'], "");
        let marked = line.split('«').skip(1).map(|rest| rest.split('»').next().unwrap_or_default());
        assert_eq!(flagged(lint, &before), marked.collect::<Vec<_>>(), "{line}");
    }
}

/// The entries of a list: each is on a line, or behind two spaces.
pub(crate) fn listed(text: &str) -> impl Iterator<Item = &str> {
    text.split("  ").flat_map(str::lines).map(str::trim).filter(|entry| !entry.is_empty())
}

/// Checks that the spans of each entry of a list are those in `«»`.
#[track_caller]
pub(crate) fn check_marked(list: &str, spans: impl Fn(&str) -> Vec<Span>) {
    for entry in listed(list) {
        let source = entry.replace(['«', '»'], "");
        let mut marked = source.clone();
        for span in spans(&source).into_iter().rev() {
            marked.replace_range(span.range(), &format!("«{}»", &source[span.range()]));
        }
        assert_eq!(marked, entry);
    }
}

/// Checks that the first fix of the first finding turns `before` into `after`.
#[track_caller]
pub(crate) fn check_fix(lint: &Lint, before: &str, after: &str) {
    check_fix_in(&Setup::default(), lint, before, after);
}

/// [`check_fix`] with a file name or a workspace.
#[track_caller]
pub(crate) fn check_fix_in(setup: &Setup<'_>, lint: &Lint, before: &str, after: &str) {
    let mut found = findings(setup, lint, before);
    found.sort_by_key(|finding| finding.span);
    let finding = found.first().unwrap_or_else(|| panic!("{} finds nothing in {before}", lint.name));
    let fix = finding.fixes.first().unwrap_or_else(|| panic!("{} has no fix in {before}", lint.name));
    let fixed = apply(before, &fix.edits.iter().map(|edit| (edit.span, edit.text.as_str())).collect::<Vec<_>>());
    assert_eq!(fixed, after, "{} in {before}", lint.name);
}

/// Checks that the fix with that title turns `before` into `after`. Any finding may offer it.
#[track_caller]
pub(crate) fn check_fix_titled(lint: &Lint, title: &str, before: &str, after: &str) {
    let fixes = findings(&Setup::default(), lint, before).into_iter().flat_map(|finding| finding.fixes);
    let fix = fixes.into_iter().find(|fix| fix.title == title);
    let fix = fix.unwrap_or_else(|| panic!("{} has no fix {title:?}, but {:?}", lint.name, fix_titles(lint, before)));
    assert_eq!(apply(before, &fix.edits.iter().map(|edit| (edit.span, edit.text.as_str())).collect::<Vec<_>>()), after);
}

/// What the first fix of the first finding makes of a suite.
#[track_caller]
pub(crate) fn first_fix(lint: &Lint, source: &str) -> String {
    let found = findings(&Setup::default(), lint, source);
    let edits = &found[0].fixes.first().unwrap_or_else(|| panic!("{} has no fix in {source}", lint.name)).edits;
    apply(source, &edits.iter().map(|edit| (edit.span, edit.text.as_str())).collect::<Vec<_>>())
}

/// Returns the titles of all fixes that `lint` offers in a suite.
pub(crate) fn fix_titles(lint: &Lint, source: &str) -> Vec<String> {
    let findings = findings(&Setup::default(), lint, source);
    findings.into_iter().flat_map(|finding| finding.fixes).map(|fix| fix.title).collect()
}

/// The texts that `lint` reports in a case with that `expected`.
pub(crate) fn flagged(lint: &Lint, expected: &str) -> Vec<String> {
    flagged_in(&Setup::default(), lint, &suite_of(expected))
}

/// The texts that `lint` reports in a suite.
pub(crate) fn flagged_in(setup: &Setup<'_>, lint: &Lint, suite: &str) -> Vec<String> {
    findings(setup, lint, suite).into_iter().map(|finding| suite[finding.span.range()].to_owned()).collect()
}

/// Checks that the first fix of the first finding turns one `expected` into the other.
#[track_caller]
pub(crate) fn check_fix_of(lint: &Lint, before: &str, after: &str) {
    check_fix(lint, &suite_of(before), &suite_of(after));
}

/// Returns the findings of `lint` in a suite.
pub(crate) fn findings(setup: &Setup<'_>, lint: &Lint, source: &str) -> Vec<Finding> {
    let (text, workspace) = (Text::new(source), Arc::new(setup.workspace.clone()));
    let document = Document::new(text, setup.file.map(PathBuf::from));
    let mut found: Vec<_> =
        document.placed_findings(&workspace).iter().filter_map(|finding| document.whole(finding, &workspace)).collect();
    found.sort_by_key(|finding| (finding.span, finding.lint));
    found.retain(|finding| finding.lint == lint.name);
    found
}

fn apply(source: &str, edits: &[(Span, &str)]) -> String {
    let mut edits = edits.to_vec();
    edits.sort_by_key(|(span, _)| std::cmp::Reverse(*span));
    edits.into_iter().fold(source.to_owned(), |mut text, (span, with)| {
        text.replace_range(span.range(), with);
        text
    })
}

type Marker = (usize, usize, usize, String);

/// Splits a fixture into the suite and its expected findings: line, first column, column after the last, message.
fn read_fixture(fixture: &str) -> (String, Vec<Marker>) {
    let mut source: Vec<&str> = Vec::new();
    let mut markers = Vec::new();
    for line in fixture.lines().skip_while(|line| line.is_empty()) {
        let mark = line.trim_start();
        if !mark.starts_with(['^', '|']) {
            source.push(line);
            continue;
        }
        let column = line.chars().take_while(|c| *c == ' ').count();
        let carets = mark.chars().take_while(|c| *c == '^').count();
        let message = mark.trim_start_matches(['^', '|']).trim().to_owned();
        markers.push((source.len() - 1, column, column + carets, message));
    }
    (source.join("\n"), markers)
}

/// Returns the text before and after a case, or a value of `expected`, in a suite.
fn around(json: &str) -> (&'static str, &'static str) {
    let has = |key: &str| json.contains(&format!("\"{key}\""));
    if has("cases") {
        ("", "")
    } else if has("prompt") || has("expected") {
        ("{ \"cases\": [ ", " ] }")
    } else {
        ("{ \"cases\": [ { \"id\": \"EX1\", \"prompt\": \"Hello.\", \"expected\": ", " } ] }")
    }
}

/// Returns the suite of an example on a page.
fn suite_of(json: &str) -> String {
    let (before, after) = around(json);
    format!("{before}{json}{after}")
}

/// [`suite_of`] with line breaks, so that columns stay.
fn suite_around(json: &str) -> String {
    let (before, after) = around(json);
    format!("{before}\n{json}\n{after}")
}

mod pages {
    use super::*;
    use crate::lints::{LINTS, message_with_help};

    /// A block of JSON on a lint's page.
    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Example<'a> {
        /// The heading: `Example` shows the problem, `Fix` the suite without it.
        heading: &'a str,
        /// The words after `json` on the opening fence: `file=brief.v0.2.json`, `tools=book,find`.
        settings: Vec<(&'a str, &'a str)>,
        /// A suite, one of its cases, or a value of `expected`.
        json: String,
    }

    impl Lint {
        /// Returns the blocks of JSON on its page.
        fn examples(&self) -> Vec<Example<'static>> {
            let mut examples = Vec::new();
            let mut heading = "";
            let mut open: Option<Example<'static>> = None;
            for line in self.page.lines() {
                let line = line.strip_prefix(' ').unwrap_or(line);
                match (&mut open, line) {
                    (Some(_), "```") => examples.extend(open.take()),
                    (Some(example), line) => {
                        example.json.push_str(line);
                        example.json.push('\n');
                    }
                    (None, line) => {
                        if let Some(text) = line.strip_prefix("## ") {
                            heading = text;
                        } else if let Some(settings) = line.strip_prefix("```json") {
                            let settings =
                                settings.split_whitespace().filter_map(|word| word.split_once('=')).collect();
                            open = Some(Example { heading, settings, json: String::new() });
                        }
                    }
                }
            }
            examples
        }
    }

    #[test]
    fn examples_have_the_finding_and_fixes_do_not() {
        for lint in LINTS {
            let examples = lint.examples();
            assert!(examples.iter().any(|example| example.heading == "Example"), "{} has no example", lint.name);
            for example in examples {
                let mut setup = Setup::default();
                for (key, value) in &example.settings {
                    match *key {
                        "file" => setup.file = Some(value),
                        "tools" => setup.workspace.tools = value.split(',').map(|tool| (tool.to_owned(), 1)).collect(),
                        "named" => {
                            setup.workspace.named_tools = value.split(',').map(|tool| (tool.to_owned(), 6)).collect();
                        }
                        "hints" => {
                            setup.workspace.ui_hints = value.split(',').map(|hint| hint.replace('_', " ")).collect()
                        }
                        "preconditions" => {
                            setup.workspace.preconditions =
                                value.split(',').map(|text| text.replace('_', " ")).collect()
                        }
                        _ => panic!("{}: unknown setting {key:?} of an example", lint.name),
                    }
                }
                let found = findings(&setup, lint, &suite_of(&example.json));
                assert_eq!(
                    !found.is_empty(),
                    example.heading == "Example",
                    "{} on its page: {example:#?}\n{found:#?}",
                    lint.name
                );
                // A coding agent gets nothing but this line: the value, and what to do.
                for finding in found {
                    let line = message_with_help(&finding, &Text::new(&suite_of(&example.json)));
                    let advice = ["(fix: ", "(help: ", "; "];
                    assert!(advice.iter().any(|words| line.contains(words)), "{}: {line}", lint.name);
                    assert!(line.contains('`') || OF_WHAT_IS_ABSENT.contains(&lint.name), "{}: {line}", lint.name);
                }
            }
        }
    }

    /// The lints whose findings are about what is absent, so there is no value to name.
    const OF_WHAT_IS_ABSENT: [&str; 2] = ["empty-suite", "empty-prompt"];

    #[test]
    fn every_page_has_summary_consequence_and_fix() {
        for lint in LINTS {
            assert!(lint.summary().ends_with('.'), "{}: {}", lint.name, lint.summary());
            assert!(lint.page.contains("## Example") && lint.page.contains("## Fix"), "{}", lint.name);
            assert!(
                lint.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'),
                "{}",
                lint.name
            );
        }
    }
}
