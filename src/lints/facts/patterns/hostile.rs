//! Whether PCRE2 takes too many steps for a pattern on an ordinary line. Short lines of few characters are tried, and long ones of
//! words and of the pattern's own texts.

use crate::diagnostic::quoted;
use crate::pattern::syntax::{PartKind, PatternTree, TokenKind};
use crate::pattern::{Budget, Limits, OverBudget, Pattern};

/// A line on which a pattern reaches the match limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HostileLine {
    before: String,
    repeated: String,
    after: String,
    /// The length in bytes; about that of a page of JSON in one line if it is long.
    length: usize,
}

/// What a short line repeats. Repeats of letters, digits, words and spaces can divide it in many ways.
const UNITS: [&str; 7] = ["a", "1", " ", "a ", "a1", "a-", "1, "];
/// The length of a short line: a pattern that tries all ways to divide it takes more steps than a verdict allows.
const SHORT: usize = 48;
/// The length of a long line. A JSON answer on one line is about as long.
const LONG: usize = 64 << 10;
/// The length of a long line that is tried. The steps for each byte never become fewer on a longer one.
const TRIED: usize = 8 << 10;
/// The steps that a verdict allows for each byte of a long line.
const STEPS_PER_BYTE: u64 = Limits::VERDICT.steps / LONG as u64 + Limits::VERDICT.steps_per_byte;
/// How many texts of the pattern are in the long lines. The lint tries a dozen lines for a pattern, at each keystroke.
const MOST_TEXTS: usize = 3;
/// The longest of them in bytes.
const LONGEST_TEXT: usize = 40;
/// Longer patterns, in bytes, are not analysed. They were not written by hand.
const LONGEST: usize = 2_000;

const WORDS: &str = "some ordinary words, 12 of 300; ";

/// Returns a line on which a verdict with `pattern` is an error, if one is found. Only a pattern that nothing but PCRE2 can match has
/// one. The result does not depend on time.
pub(crate) fn hostile_line(pattern: &Pattern, tree: &PatternTree) -> Option<HostileLine> {
    if pattern.source().len() > LONGEST || !pattern.needs_backtracking() {
        return None;
    }
    lines(tree).into_iter().find(|line| {
        let limits = match line.length {
            LONG => Limits { steps: 0, steps_per_byte: STEPS_PER_BYTE, case_steps: u64::MAX },
            _ => Limits::VERDICT,
        };
        let found = pattern.find(&line.with(line.length.min(TRIED)), 0, &Budget::new(limits));
        matches!(found, Err(OverBudget::Steps | OverBudget::Heap))
    })
}

/// The lines to try. A long one has a text of the pattern once, at the start or at the end, and the others again and again.
fn lines(tree: &PatternTree) -> Vec<HostileLine> {
    let texts = texts(tree);
    let repeated = |without: usize| -> String {
        let others = texts.iter().enumerate().filter(|(nth, _)| *nth != without);
        others.map(|(_, text)| format!("{text} ")).collect::<String>() + WORDS
    };
    let long = |before: String, repeated: String, after: String| HostileLine { before, repeated, after, length: LONG };
    let short = |unit: &&str| HostileLine {
        before: String::new(),
        repeated: (*unit).to_owned(),
        after: "!".to_owned(),
        length: SHORT,
    };
    let mut lines: Vec<HostileLine> = UNITS.iter().map(short).collect();
    lines.push(long(String::new(), repeated(texts.len()), String::new()));
    for (nth, text) in texts.iter().enumerate() {
        lines.push(long(format!("{text} "), repeated(nth), String::new()));
        lines.push(long(String::new(), repeated(nth), text.clone()));
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

impl HostileLine {
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
        if self.length == SHORT {
            return format!("a line such as {}", quoted(&self.with(SHORT)));
        }
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

    fn found(source: &str) -> Option<HostileLine> {
        let pattern = Pattern::compile(source, Case::Ignored).unwrap();
        let line = hostile_line(&pattern, &PatternTree::new(source))?;
        let found = pattern.find(&line.with(line.length), 0, &Budget::default());
        assert!(matches!(found, Err(OverBudget::Steps | OverBudget::Heap)), "`{source}` on {line:?}: {found:?}");
        Some(line)
    }

    #[test]
    fn patterns_that_are_errors_on_some_line_are_found() {
        let sources = r"
            ^(?=\S)(a+)+$ ^(\w|\d)+(?<!!)$ alpha(?=.*omega) (?=.*omega)(?=.*alpha)beta (\w+).*\1!
        ";
        let spaced =
            [r"(?<!x)(\w+\s?)+: booked", r"^(\d+,? ?)*(?!x)$", r"(?<!not )booked.*(?=Thursday)", r"(\w+ ).*=\1"];
        for source in sources.split_whitespace().chain(spaced) {
            assert!(found(source).is_some(), "`{source}`");
        }
    }

    #[test]
    fn other_patterns_are_not() {
        // Another engine decides the first ones.
        let sources = r#"
            (a+)+$ ^(?=.*alpha)(?=.*omega) ^(?!.*alpha).*omega ^(?!.*(?:alpha|omega)) booked alpha.*omega (?<!\d)12(?!\d)
            (?>a+)b (["'])booked\1 ^\s*+(?:[-*]|\d+\.)\s ^(?:a++)+$ (?R)?a
        "#;
        let spaced =
            [r"^(\w+\s?)+: booked$", r"(\w+) \1", r"(?<=total: )\d+", "booked(?! not)", r"\b(?!not\b)\w+ booked", ""];
        for source in sources.split_whitespace().chain(spaced) {
            assert_eq!(found(source), None, "`{source}`");
        }
    }
}
