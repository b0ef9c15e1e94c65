//! The findings in files: JSON, a line for each, and annotations of GitHub. `check` and `challenge` share them; `cli` draws findings for a
//! terminal.

use std::fmt::Write as _;

use serde::{Serialize, Serializer};
use serde_json::{Value, json as value};

use crate::diagnostic::{Finding, Fix, Severity};
use crate::events::{CaseFinished, Grade, SuiteError};
use crate::lints::message_with_help;
use crate::report::markdown::{annotations_of, counts_line};
use crate::report::show::{ConciseLine, Mark, marks};
use crate::runner::Run;
use crate::text::{LineColumn, LineRange, Text, visible, visible_start};
use crate::wording::SHOWN_ID;

/// A file and its findings.
#[derive(Debug)]
pub(crate) struct Checked {
    /// The file, as reports name it.
    pub(crate) name: String,
    /// The text.
    pub(crate) text: Text,
    /// The findings; their spans are places in the text.
    pub(crate) findings: Vec<Finding>,
    /// Whether fixes were applied.
    pub(crate) fixed: bool,
}

/// All findings, each with its file.
fn each(all: &[Checked]) -> impl Iterator<Item = (&Checked, &Finding)> {
    all.iter().flat_map(|checked| checked.findings.iter().map(move |finding| (checked, finding)))
}

/// Returns the findings of all files as one JSON array.
pub(crate) fn json(all: &[Checked]) -> impl Serialize {
    Findings(all)
}

/// Serialized one by one, because there may be a hundred thousand.
struct Findings<'a>(&'a [Checked]);

impl Serialize for Findings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(each(self.0).map(|(checked, finding)| json_of(checked, finding)))
    }
}

fn json_of(checked: &Checked, finding: &Finding) -> Value {
    let range = |span| checked.text.line_range(span);
    let related = finding.related.iter();
    let related = related.map(|place| value!({ "message": place.message, "range": range(place.span) }));
    let edits = |fix: &Fix| -> Value {
        let edits = fix.edits.iter();
        edits.map(|edit| value!({ "range": range(edit.span), "newText": edit.text })).collect()
    };
    let fixes = finding.fixes.iter();
    let fixes = fixes.map(|fix| value!({ "title": fix.title, "safe": fix.safe, "edits": edits(fix) }));
    let mut object = value!({
        "file": checked.name,
        "lint": finding.lint,
        "severity": finding.severity.as_str(),
        "message": finding.message,
        "range": range(finding.span),
        "related": related.collect::<Value>(),
        "fixes": fixes.collect::<Value>(),
    });
    if !finding.help.is_empty() {
        object["help"] = value!(finding.help);
    }
    object
}

/// Returns a line for each finding, with what to do.
pub(crate) fn concise(all: &[Checked]) -> impl Iterator<Item = String> {
    each(all).map(|(checked, finding)| line(checked, finding))
}

fn line(checked: &Checked, finding: &Finding) -> String {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "hint",
    };
    let message = message_with_help(finding, &checked.text);
    let at = checked.text.line_range(finding.span).start;
    ConciseLine { path: &checked.name, at, level, name: finding.lint, message: &message }.text()
}

/// Returns a line for each finding.
pub(crate) fn github(all: &[Checked]) -> impl Iterator<Item = String> {
    each(all).map(|(checked, finding)| command(checked, finding))
}

fn command(checked: &Checked, finding: &Finding) -> String {
    let kind = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "notice",
    };
    let LineRange { start, end } = checked.text.line_range(finding.span);
    let mut place = format!("file={},line={},endLine={}", property(&checked.name), start.line, end.line);
    // GitHub rejects columns if a finding spans lines.
    if start.line == end.line {
        write!(place, ",col={},endColumn={}", start.column, end.column).expect("writing to a String never fails");
    }
    let mut message = finding.message.clone();
    let help = finding.help.first().or_else(|| finding.fixes.first().map(|fix| &fix.title));
    message.extend(help.map(|title| format!("\nhelp: {title}")));
    format!("::{kind} {place},title={}::{}\n", property(finding.lint), super::findings::message_text(&message))
}

/// The number of annotations that GitHub shows for one step.
const MOST: usize = 10;

/// A run as at most ten workflow commands, one on each line. Each annotates the expectation whose check failed. The first
/// annotation of every case comes before the second of any case. An error is what makes the run fail, and a warning what
/// does not. `has_summary` is whether the step's summary has the
/// others, and `from_root` turns the path of a suite into the path from the repository's root.
pub(crate) fn annotations(run: &Run, from_root: impl Fn(&str) -> String, has_summary: bool) -> String {
    let policy = run.policy();
    let mut ranked = Vec::new();
    for suite in run.not_run() {
        let first = suite.errors.first().map(|SuiteError { range: LineRange { start, end }, .. }| {
            format!(",line={},endLine={},col={},endColumn={}", start.line, end.line, start.column, end.column)
        });
        let command = format!(
            "::error file={}{},title=not run::{}",
            property(&from_root(&suite.suite)),
            first.unwrap_or_default(),
            message_text(&suite.reason)
        );
        ranked.push(((0, 0, 0), command));
    }
    if run.finished().is_some_and(|finished| finished.cancelled) {
        ranked.push(((0, 0, 0), "::error title=interrupted::the run was interrupted".to_owned()));
    }
    let command =
        |severity: &str, case: &CaseFinished, (start, end): (LineColumn, LineColumn), title: &str, message: &str| {
            format!(
                "::{severity} file={},line={},endLine={},col={},endColumn={},title={}::{}",
                property(&from_root(&case.case.suite)),
                start.line,
                end.line,
                start.column,
                end.column,
                property(&format!("{title} {}", visible_start(&case.case.case, SHOWN_ID))),
                message_text(message)
            )
        };
    for (order, case) in run.open().enumerate() {
        let (severity, rank) = match policy.grade(&case.result) {
            Grade::Passed => ("warning", 1),
            Grade::Failed | Grade::NotJudged => ("error", 0),
        };
        let mut of_case = annotations_of(case);
        of_case.truncate(MOST);
        ranked.extend(of_case.into_iter().enumerate().map(|(nth, (start, end, message))| {
            ((nth, rank, order), command(severity, case, (start, end), &case.status.to_string(), &message))
        }));
    }
    for (order, case) in run.cases().into_iter().enumerate() {
        let place = (case.case.range.start, case.case.range.end);
        ranked.extend(marks(case, policy).map(|Mark { fails, name, message }| {
            let severity = if fails { "error" } else { "warning" };
            ((0, usize::from(!fails), order), command(severity, case, place, name, &message))
        }));
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    let total = ranked.len();
    let mut lines: Vec<String> = ranked.into_iter().take(MOST).map(|(_, command)| command).collect();
    if total > MOST {
        let place = if has_summary { "in the step summary" } else { "that GitHub would not show" };
        lines.push(format!("{} more {place}", total - MOST));
    }
    lines.push(counts_line(run));
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The message of a workflow command. It cannot end the command.
pub(crate) fn message_text(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            // GitHub obeys `##[` anywhere in a line.
            '[' if escaped.ends_with("##") => escaped.push_str(" ["),
            '%' => escaped.push_str("%25"),
            '\r' => escaped.push_str("%0D"),
            '\n' => escaped.push_str("%0A"),
            _ => escaped.push(visible(c)),
        }
    }
    escaped
}

/// The value of a property of a workflow command. It can end neither the property nor the command.
pub(crate) fn property(text: &str) -> String {
    message_text(text).replace(':', "%3A").replace(',', "%2C")
}

/// Keeps text in an output from being read as a workflow command. GitHub obeys `::` at the start of a line, also after white
/// space, and `##[` anywhere in a line.
#[derive(Debug)]
pub(crate) struct CommandGuard {
    place: Place,
    /// The number of `#` just before.
    hashes: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// At the start of a line, or after white space there.
    Start,
    /// After a colon there.
    Colon,
    /// After other text.
    Within,
}

impl Default for CommandGuard {
    fn default() -> CommandGuard {
        CommandGuard { place: Place::Start, hashes: 0 }
    }
}

impl CommandGuard {
    /// Passes the bytes to `write`, with a space in each start of a command.
    ///
    /// # Errors
    /// The first error of `write`.
    pub(crate) fn disarm<E>(&mut self, bytes: &[u8], mut write: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let (mut written, mut at) = (0, 0);
        while let Some(&byte) = bytes.get(at) {
            if self.place == Place::Within && self.hashes == 0 && byte != b'\n' && byte != b'#' {
                at += memchr::memchr2(b'\n', b'#', &bytes[at..]).unwrap_or(bytes.len() - at);
                continue;
            }
            if (byte == b'[' && self.hashes >= 2) || (byte == b':' && self.place == Place::Colon) {
                write(&bytes[written..at])?;
                write(b" ")?;
                written = at;
            }
            self.hashes = if byte == b'#' { self.hashes + 1 } else { 0 };
            self.place = match (byte, self.place) {
                (b'\n', _) => Place::Start,
                (b':', Place::Start) => Place::Colon,
                (_, Place::Start) if may_be_blank(byte) => Place::Start,
                _ => Place::Within,
            };
            at += 1;
        }
        write(&bytes[written..])
    }
}

/// Whether a byte is white space, or one of the bytes of white space beyond ASCII.
fn may_be_blank(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0xc2 | 0xe1 | 0xe2 | 0xe3 | 0x80
            ..=0x8a | 0x9a | 0x9f | 0xa0 | 0xa8 | 0xa9 | 0xaf
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Fix;
    use crate::text::{Span, Text};
    use proptest::prelude::*;

    #[test]
    fn a_finding_is_one_line() {
        let mut finding = Finding::new("some-lint", Severity::Hint, Span::new(3, 4), "a\r\nb\nc\u{1b}\u{202e}");
        let checked = |finding: &Finding| Checked {
            name: "a\nb.json".to_owned(),
            text: Text::new("é\nx"),
            findings: vec![finding.clone()],
            fixed: false,
        };
        let line = |finding: &Finding| concise(&[checked(finding)]).collect::<String>();
        assert_eq!(line(&finding), "a␊b.json:2:1: hint[some-lint] `x`: a; b; c␛�\n");
        finding.help.push("read it".to_owned());
        assert_eq!(line(&finding), "a␊b.json:2:1: hint[some-lint] `x`: a; b; c␛� (help: read it)\n");
        finding.fixes.push(Fix::choice("choose it", Vec::new()));
        assert_eq!(line(&finding), "a␊b.json:2:1: hint[some-lint] `x`: a; b; c␛� (help: choose it)\n");
        finding.fixes.insert(0, Fix::safe("fix it", Vec::new()));
        assert_eq!(line(&finding), "a␊b.json:2:1: hint[some-lint] `x`: a; b; c␛� (fix: fix it)\n");
    }

    #[test]
    fn hostile_text_does_not_end_the_command() {
        let checked = |span| {
            let mut finding = Finding::new("some-lint", Severity::Hint, span, "a::b\r\n::error::c, 100%\u{1b}");
            finding.fix(Fix::new("fix it", Vec::new()));
            Checked {
                name: "a:b,c\n%.json".to_owned(), text: Text::new("é\nx"), findings: vec![finding], fixed: false
            }
        };
        let line = |span| command(&checked(span), &checked(span).findings[0]);
        assert_eq!(
            line(Span::new(0, 2)),
            "::notice file=a%3Ab%2Cc%0A%25.json,line=1,endLine=1,col=1,endColumn=2,title=some-lint\
             ::a::b%0D%0A::error::c, 100%25␛%0Ahelp: fix it\n"
        );
        assert!(line(Span::new(0, 4)).contains("line=1,endLine=2,title="));
    }

    fn guarded(parts: &[&str]) -> String {
        let (mut guard, mut out) = (CommandGuard::default(), Vec::new());
        for part in parts {
            let written: Result<(), ()> = guard.disarm(part.as_bytes(), |bytes| {
                out.extend_from_slice(bytes);
                Ok(())
            });
            written.unwrap();
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn no_line_of_an_output_is_a_workflow_command() {
        for (text, expected) in [
            ("  ::add-mask::x", "  : :add-mask::x"),
            ("a\n\t ::stop::\n", "a\n\t : :stop::\n"),
            ("\u{a0}::x::", "\u{a0}: :x::"),
            ("\u{3000}\u{2003}::x::", "\u{3000}\u{2003}: :x::"),
            ("::error file=a::b ##[c]", ": :error file=a::b ## [c]"),
            ("a\n::x\r\n:::y\n:z", "a\n: :x\r\n: ::y\n:z"),
            ("a ##[add-mask]x", "a ## [add-mask]x"),
            ("###[x] # #[y] ##", "### [x] # #[y] ##"),
            ("a  ::b :c :: d", "a  ::b :c :: d"),
        ] {
            assert_eq!(guarded(&[text]), expected);
        }
    }

    proptest! {
        #[test]
        fn an_output_in_parts_is_guarded_like_a_whole_one(text in "[ :#\\[\na\u{a0}]{0,30}", cut in 0..30_usize) {
            let cut = text.char_indices().map(|(at, _)| at).nth(cut).unwrap_or(text.len());
            let whole = guarded(&[&text]);
            prop_assert_eq!(&guarded(&[&text[..cut], &text[cut..]]), &whole);
            prop_assert!(!whole.contains("##["), "{}", whole);
            let is_command = |line: &str| line.trim_start().starts_with("::");
            prop_assert!(!whole.split('\n').any(is_command), "{}", whole);
        }
    }
}
