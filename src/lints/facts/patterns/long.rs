//! Whether a pattern is too expensive on an ordinary long line. The module makes lines of words and of the pattern's own texts,
//! and counts the steps.

use crate::diagnostic::quoted;
use crate::pattern::syntax::{PartKind, PatternTree, TokenKind};
use crate::pattern::{Budget, Limits, OverBudget, Pattern};

/// A long line on which a pattern reaches the match limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LongLine {
    before: String,
    repeated: String,
    after: String,
}

/// The length of a long line, in bytes: that of a page of JSON in one line.
const LONG: usize = 64 << 10;
/// The steps that a verdict allows for each byte of a long line.
const STEPS_PER_BYTE: u64 = Limits::VERDICT.steps / LONG as u64 + Limits::VERDICT.steps_per_byte;
/// The lengths of the lines that are tried first.
const FIRST: [usize; 2] = [512, 1024];
/// The length of the line that decides.
const DECISIVE: usize = 8 << 10;
/// How many texts of the pattern are in the lines, and the longest text in bytes.
const MOST_TEXTS: usize = 3;
const LONGEST_TEXT: usize = 40;
/// Longer patterns, in bytes, are not analysed.
const LONGEST: usize = 2_000;

const WORDS: &str = "some ordinary words, 12 of 300; ";

/// Returns an ordinary line of 64 KiB on which a verdict with `pattern` is an error, if one is found. Only a pattern with a part
/// that nothing but backtracking can match has one. The search is too expensive on a part of the line already, so it is on the
/// whole line: the steps for each byte never become fewer. The cost is up to half a million steps, and some ten thousand for an
/// ordinary pattern. The result does not depend on time.
pub(crate) fn long_line(pattern: &Pattern, tree: &PatternTree) -> Option<LongLine> {
    if pattern.source().len() > LONGEST || !pattern.has_no_linear_form() {
        return None;
    }
    let suspect = lines(tree).into_iter().find(|line| is_suspect(pattern, line))?;
    let limits = Limits { steps: 0, steps_per_byte: STEPS_PER_BYTE, case_steps: u64::MAX };
    let found = pattern.find(&suspect.with(DECISIVE), 0, &Budget::new(limits));
    matches!(found, Err(OverBudget::Steps | OverBudget::Heap)).then_some(suspect)
}

/// Whether the steps on short lines grow so that those on the long line exceed the limit.
fn is_suspect(pattern: &Pattern, line: &LongLine) -> bool {
    match FIRST.map(|length| pattern.steps(&line.with(length), STEPS_PER_BYTE * length as u64)) {
        [Ok(fewer), Ok(more)] => {
            let power = (more as f64 / fewer.max(1) as f64).log2().max(1.0);
            more as f64 * ((DECISIVE / FIRST[1]) as f64).powf(power) > (STEPS_PER_BYTE * DECISIVE as u64) as f64
        }
        outcomes => outcomes.iter().any(|outcome| matches!(outcome, Err(OverBudget::Steps | OverBudget::Heap))),
    }
}

/// The lines to try: each text of the pattern once, at the start or at the end, and the others again and again.
fn lines(tree: &PatternTree) -> Vec<LongLine> {
    let texts = texts(tree);
    let repeated = |without: usize| -> String {
        let others = texts.iter().enumerate().filter(|(nth, _)| *nth != without);
        others.map(|(_, text)| format!("{text} ")).collect::<String>() + WORDS
    };
    let line = |before: String, repeated: String, after: String| LongLine { before, repeated, after };
    let mut lines = vec![line(String::new(), repeated(texts.len()), String::new())];
    for (nth, text) in texts.iter().enumerate() {
        lines.push(line(format!("{text} "), repeated(nth), String::new()));
        lines.push(line(String::new(), repeated(nth), text.clone()));
    }
    lines
}

/// The longest texts that the pattern has word by word, those of look-arounds among them.
fn texts(tree: &PatternTree) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for part in &tree.parts {
        let PartKind::Group { branches, .. } = &part.kind else { continue };
        for branch in branches {
            let characters = branch.parts.iter().map(|part| match tree.parts[*part].kind {
                PartKind::Word(TokenKind::Literal(c) | TokenKind::Escape(c)) if c != '\n' => Some(c),
                _ => None,
            });
            let characters: Vec<_> = characters.collect();
            for run in characters.split(Option::is_none).filter(|run| !run.is_empty()) {
                let mut text: String = run.iter().flatten().collect();
                text.truncate(text.floor_char_boundary(LONGEST_TEXT));
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
        }
    }
    texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    texts.truncate(MOST_TEXTS);
    texts
}

impl LongLine {
    /// The line with about that many bytes.
    fn with(&self, length: usize) -> String {
        let rest = length.saturating_sub(self.before.len() + self.after.len());
        [self.before.as_str(), &self.repeated.repeat(rest / self.repeated.len()), &self.after].concat()
    }

    /// The memory for its texts, in bytes.
    pub(super) fn weight(&self) -> usize {
        self.before.len() + self.repeated.len() + self.after.len()
    }

    /// What the line is, after "on".
    pub(crate) fn description(&self) -> String {
        let around = match (self.before.trim_end(), &*self.after) {
            ("", "") => String::new(),
            ("", after) => format!(" and then {}", quoted(after)),
            (before, _) => format!(" after {}", quoted(before)),
        };
        format!("a line of {} KiB that repeats {}{around}", LONG >> 10, quoted(self.repeated.trim_end()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::Case;

    fn found(source: &str) -> Option<LongLine> {
        let pattern = Pattern::compile(source, Case::Ignored).unwrap();
        let line = long_line(&pattern, &PatternTree::new(source))?;
        let found = pattern.find(&line.with(LONG), 0, &Budget::default());
        assert!(matches!(found, Err(OverBudget::Steps | OverBudget::Heap)), "`{source}` on {line:?}: {found:?}");
        Some(line)
    }

    #[test]
    fn patterns_that_are_errors_on_long_lines_are_found() {
        for source in [
            "alpha(?=.*omega)",
            "(?=.*omega)(?=.*alpha)beta",
            r"(\w+).*\1!",
            r"(?<!not )booked.*(?=Thursday)",
            r"(\w+ ).*=\1",
        ] {
            assert!(found(source).is_some(), "`{source}`");
        }
    }

    #[test]
    fn patterns_that_end_on_long_lines_are_not() {
        for source in [
            "",
            "booked",
            "alpha.*omega",
            "^(?=.*alpha)(?=.*omega)",
            "^(?!.*alpha).*omega",
            "^(?!.*(?:alpha|omega))",
            r"(\w+) \1",
            r"(?<!\d)12(?!\d)",
            r"(?<=total: )\d+",
            r"booked(?! not)",
            r"(?>a+)b",
            r"\b(?!not\b)\w+ booked",
            r#"(["'])booked\1"#,
            r"^\s*+(?:[-*]|\d+\.)\s",
        ] {
            assert_eq!(found(source), None, "`{source}`");
        }
    }
}
