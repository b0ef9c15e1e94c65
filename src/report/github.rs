use crate::events::{CaseFinished, Grade, SuiteError};
use crate::report::Collected;
use crate::report::collect::{annotations_of, counts_line};
use crate::report::show::{Mark, marks};
use crate::text::{LineColumn, LineRange, visible, visible_start};
use crate::wording::SHOWN_ID;

/// The number of annotations that GitHub shows for one step.
const MOST: usize = 10;

/// A run as at most ten workflow commands, one on each line. Each annotates the expectation whose check failed. The first
/// annotation of every case comes before the second of any case. An error is what makes the run fail, and a warning what
/// does not. `has_summary` is whether the step's summary has the
/// others, and `from_root` turns the path of a suite into the path from the repository's root.
pub(crate) fn annotations(run: &Collected, from_root: impl Fn(&str) -> String, has_summary: bool) -> String {
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

/// A line that is not a workflow command if it is printed to the log of a workflow.
pub(crate) fn disarmed(line: &str) -> String {
    if line.trim_start().starts_with("::") { line.replacen("::", ": :", 1) } else { line.to_owned() }
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
    use proptest::prelude::*;

    use super::*;

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
