//! Explains a pattern in words, part by part.

use crate::pattern::syntax::{Branch, Flags, Group, Part, PartKind, PatternTree, TokenKind, class_tokens, tokens};
use crate::pattern::{Case, compile_cached};
use crate::text::Span;
use crate::wording::{Line, Markup};

/// The maximum number of explained parts. More would push the rest of the hover out of sight.
const MAX_LINES: usize = 24;
/// The maximum depth of explained parts.
const MAX_DEPTH: usize = 4;
/// The maximum length of an explained pattern, in bytes. A longer one was not written by hand.
const MAX_BYTES: usize = 2_000;

/// Adds an explanation of the pattern to a page. `case` applies unless the pattern has its flag. For a pattern that does not
/// compile, the page has the error.
pub(super) fn explain(source: &str, case: Case, page: &mut Markup) {
    if let Err(error) = compile_cached(source, case) {
        return page.paragraph(Line::new("This pattern does not compile: ").text(&error.to_string()).say("."));
    }
    let flags = tokens(source).filter_map(|token| match token.kind {
        TokenKind::Flags(flags) | TokenKind::Open(Group::Flagged(flags)) => flags.ignore_case,
        _ => None,
    });
    let ignore_flags: Vec<bool> = flags.collect();
    let case = match (ignore_flags.as_slice(), case) {
        ([], Case::Ignored) => "case is ignored",
        ([], Case::Matters) => "case matters",
        (flags, _) if flags.iter().all(|ignored| *ignored) && source.starts_with("(?i") => "case is ignored",
        (flags, _) if flags.iter().all(|ignored| !ignored) && source.starts_with("(?-i") => "case matters",
        _ => "its flags control case",
    };
    page.paragraph(Line::new(format!("In words, matched on each line; {case}:")));
    if source.len() > MAX_BYTES {
        return page.item(0, Line::new("too long to describe"));
    }
    Words { source, tree: &PatternTree::new(source), page, lines: 0 }.all();
}

struct Words<'a> {
    source: &'a str,
    tree: &'a PatternTree,
    page: &'a mut Markup,
    lines: usize,
}

/// What is still to be explained.
enum Task<'t> {
    /// The parts of an alternative, one after the other.
    Branch(&'t Branch, usize),
    /// One of several alternatives.
    Alternative(&'t Branch, usize),
    /// Literal text.
    Literal(Span, String, usize),
    Part(usize, usize),
}

impl<'a> Words<'a> {
    fn all(&mut self) {
        let branches = self.tree.branches();
        let mut tasks = Vec::new();
        if branches.len() == 1 {
            tasks.push(Task::Branch(&branches[0], 0));
        } else if let Some(texts) = self.literals(branches) {
            let texts = texts.iter().map(String::as_str);
            return self.say(0, Line::default().list(texts, "or", 12));
        } else {
            self.say(0, Line::new("one of these:"));
            tasks.extend(branches.iter().rev().map(|branch| Task::Alternative(branch, 1)));
        }
        while let Some(task) = tasks.pop() {
            if self.lines >= MAX_LINES {
                return self.page.item(0, Line::new("…"));
            }
            match task {
                Task::Branch(branch, depth) => tasks.extend(self.parts(branch, depth)),
                Task::Alternative(branch, depth) => match self.parts(branch, depth) {
                    parts if parts.len() == 1 => tasks.extend(parts),
                    parts if parts.is_empty() => self.say(depth, Line::new("nothing")),
                    parts => {
                        self.say(depth, Line::default().code(self.text(branch.span)).say(":"));
                        if depth < MAX_DEPTH {
                            tasks.extend(parts.into_iter().map(Task::deeper));
                        }
                    }
                },
                Task::Literal(span, text, depth) => {
                    let source = self.text(span);
                    let line = Line::default().code(source);
                    let line = if source == text { line } else { line.say(": the text ").code(&text) };
                    self.say(depth, line);
                }
                Task::Part(index, depth) => {
                    if let Some(branches) = self.part(index, depth) {
                        if depth >= MAX_DEPTH {
                            continue;
                        }
                        match branches {
                            [only] => tasks.push(Task::Branch(only, depth + 1)),
                            several => {
                                tasks.extend(several.iter().rev().map(|branch| Task::Alternative(branch, depth + 1)));
                            }
                        }
                    }
                }
            }
        }
    }

    /// The parts of an alternative, the last one first. Adjacent literal characters become one part.
    fn parts(&self, branch: &Branch, depth: usize) -> Vec<Task<'a>> {
        let mut tasks: Vec<Task<'a>> = Vec::new();
        for &index in &branch.parts {
            let part = &self.tree.parts[index];
            let Some(c) = literal(part) else {
                tasks.push(Task::Part(index, depth));
                continue;
            };
            match tasks.last_mut() {
                Some(Task::Literal(span, text, _)) if span.end == part.span.start => {
                    *span = span.join(part.span);
                    text.push(c);
                }
                _ => tasks.push(Task::Literal(part.span, c.to_string(), depth)),
            }
        }
        tasks.reverse();
        tasks
    }

    /// Explains a part. Returns its alternatives if they still need explaining.
    fn part(&mut self, index: usize, depth: usize) -> Option<&'a [Branch]> {
        let (mut part, mut times) = (&self.tree.parts[index], String::new());
        let span = part.span;
        while let PartKind::Repeat { of, min, max } = part.kind {
            times = format!(", {}{times}", repeated(min, max));
            part = &self.tree.parts[of];
        }
        let line = Line::default().code(self.text(span));
        match &part.kind {
            PartKind::Word(kind) => {
                let words = self.word(*kind, part.span);
                self.say(depth, line.say(": ").then(words).say(times));
                None
            }
            PartKind::Group { group, branches } => {
                let what = group_words(*group);
                let line = line.say(format!(": {what}{times}"));
                if let Some(texts) = self.literals(branches) {
                    self.say(depth, line.say(": ").list(texts.iter().map(String::as_str), "or", 12));
                    return None;
                }
                self.say(depth, line.say(if branches.len() == 1 { ":" } else { ": one of these:" }));
                Some(branches)
            }
            PartKind::Repeat { .. } => None,
        }
    }

    fn word(&self, kind: TokenKind, span: Span) -> Line {
        let source = self.text(span);
        match kind {
            TokenKind::Literal(c) | TokenKind::Escape(c) => {
                Line::new("the character ").code(c.encode_utf8(&mut [0; 4]))
            }
            TokenKind::Set => set(source),
            TokenKind::Dot => Line::new("any character"),
            TokenKind::LineBreak => Line::new("a line break (a line is matched without its own)"),
            TokenKind::Class { negated } => self.class(span, negated),
            TokenKind::Anchor => Line::new(anchor(source)),
            TokenKind::Keep => Line::new("resets the start of the match"),
            TokenKind::Reference => Line::new("the text that the group matched"),
            TokenKind::Call => Line::new("the pattern of that group, again"),
            TokenKind::Verb => Line::new("controls the search"),
            _ => Line::new("unsupported syntax"),
        }
    }

    fn class(&self, span: Span, negated: bool) -> Line {
        let mut items: Vec<Line> = Vec::new();
        let mut is_range = false;
        for token in class_tokens(self.source, span) {
            match token.kind {
                TokenKind::Range => is_range = true,
                TokenKind::Literal(c) | TokenKind::Escape(c) => {
                    let item = Line::default().code(c.encode_utf8(&mut [0; 4]));
                    match items.last_mut().filter(|_| is_range) {
                        Some(first) => *first = std::mem::take(first).say(" to ").then(item),
                        None => items.push(item),
                    }
                    is_range = false;
                }
                TokenKind::Set => items.push(set(self.text(token.span))),
                _ => {}
            }
        }
        let start = if negated { "any character except " } else { "one of " };
        let start = if items.len() == 1 && !negated { "" } else { start };
        items
            .into_iter()
            .enumerate()
            .fold(Line::new(start), |line, (index, item)| line.say(if index == 0 { "" } else { ", " }).then(item))
    }

    /// The texts that the alternatives match, if all of them are literal.
    fn literals(&self, branches: &[Branch]) -> Option<Vec<String>> {
        let text = |branch: &Branch| -> Option<String> {
            branch.parts.iter().map(|part| literal(&self.tree.parts[*part])).collect()
        };
        branches.iter().map(text).collect()
    }

    fn say(&mut self, depth: usize, line: Line) {
        self.lines += 1;
        self.page.item(depth, line);
    }

    fn text(&self, span: Span) -> &'a str {
        self.source.get(span.range()).unwrap_or_default()
    }
}

impl Task<'_> {
    fn deeper(self) -> Self {
        match self {
            Task::Branch(branch, depth) => Task::Branch(branch, depth + 1),
            Task::Alternative(branch, depth) => Task::Alternative(branch, depth + 1),
            Task::Literal(span, text, depth) => Task::Literal(span, text, depth + 1),
            Task::Part(index, depth) => Task::Part(index, depth + 1),
        }
    }
}

fn literal(part: &Part) -> Option<char> {
    match part.kind {
        PartKind::Word(TokenKind::Literal(c) | TokenKind::Escape(c)) => Some(c),
        _ => None,
    }
}

fn repeated(min: u32, max: Option<u32>) -> String {
    match (min, max) {
        (0, None) => "any number of times".to_owned(),
        (0, Some(1)) => "optional".to_owned(),
        (1, None) => "one or more times".to_owned(),
        (min, None) => format!("{min} or more times"),
        (1, Some(1)) => "once".to_owned(),
        (min, Some(max)) if min == max => format!("{min} times"),
        (0, Some(max)) => format!("up to {max} times"),
        (min, Some(max)) => format!("{min} to {max} times"),
    }
}

fn set(source: &str) -> Line {
    let words = match source {
        r"\d" => "a digit",
        r"\D" => "anything except a digit",
        r"\s" => "white space",
        r"\S" => "anything except white space",
        r"\w" => "a letter, a digit or `_`",
        r"\W" => "anything except letters, digits and `_`",
        r"\h" => "a space or tab",
        r"\H" => "anything except spaces and tabs",
        r"\v" => "a vertical break",
        r"\V" => "anything except vertical breaks",
        r"\N" => "any character",
        r"\X" => "a character with all its marks",
        r"\C" => "one byte",
        _ if source.starts_with(r"\P") => return Line::new("anything without the Unicode property ").code(source),
        _ if source.starts_with(r"\p") => return Line::new("a character with the Unicode property ").code(source),
        _ => return Line::new("a character in ").code(source),
    };
    Line::new(words)
}

fn anchor(source: &str) -> &'static str {
    match source {
        "^" | r"\A" => "the start of the line",
        "$" | r"\z" | r"\Z" => "the end of the line",
        r"\b" => "a word boundary",
        r"\B" => "not a word boundary",
        r"\G" => "the start of the search",
        "[[:<:]]" => "the start of a word",
        "[[:>:]]" => "the end of a word",
        _ => "a position",
    }
}

fn group_words(group: Group) -> &'static str {
    match group {
        Group::Capturing | Group::NonCapturing | Group::BranchReset => "a group",
        Group::Named => "a named group",
        Group::Flagged(Flags { ignore_case: Some(true), .. }) => "a group that ignores case",
        Group::Flagged(Flags { ignore_case: Some(false), .. }) => "a case-sensitive group",
        Group::Flagged(_) => "a group with its own flags",
        Group::Atomic => "a group without backtracking",
        Group::LookAhead { negated: false } => "followed by",
        Group::LookAhead { negated: true } => "not followed by",
        Group::LookBehind { negated: false } => "preceded by",
        Group::LookBehind { negated: true } => "not preceded by",
        Group::Conditional => "a conditional group",
        Group::Special => "a special group",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(source: &str) -> String {
        let mut page = Markup::default();
        explain(source, Case::Ignored, &mut page);
        page.to_markdown()
    }

    #[track_caller]
    fn check(source: &str, expected: &str) {
        let words = words(source);
        let (_, items) = words.split_once("\n\n").unwrap_or(("", &words));
        assert_eq!(items, expected.trim_matches('\n'), "{source}");
    }

    #[test]
    fn parts_are_explained() {
        check("GitHub", "- `GitHub`");
        check(
            r"total:\s*[0-9]+ EUR",
            "- `total:`\n- `\\s*`: white space, any number of times\n- `[0-9]+`: `0` to `9`, one or more times\n- ` EUR`",
        );
        check(r"^a\.b$", "- `^`: the start of the line\n- `a\\.b`: the text `a.b`\n- `$`: the end of the line");
        check("(conflict|tension)", "- `(conflict|tension)`: a group: `conflict` or `tension`");
        check("yes|no", "- `yes` or `no`");
        check("[^,;]{2,5}?", "- `[^,;]{2,5}?`: any character except `,`, `;`, 2 to 5 times");
        check(
            r"(?:\d{2}:?)+",
            "- `(?:\\d{2}:?)+`: a group, one or more times:\n  - `\\d{2}`: a digit, 2 times\n  - `:?`: the character `:`, optional",
        );
        check(r"a|b\d", "- one of these:\n  - `a`\n  - `b\\d`:\n    - `b`\n    - `\\d`: a digit");
        check("(?!x)y", "- `(?!x)`: not followed by: `x`\n- `y`");
    }

    #[test]
    fn case_sensitivity_is_explained() {
        for (source, case, expected) in [
            ("a", Case::Ignored, "case is ignored"),
            ("a", Case::Matters, "case matters"),
            ("(?i)a", Case::Matters, "case is ignored"),
            ("(?-i)a", Case::Ignored, "case matters"),
            ("a(?i)b", Case::Matters, "its flags control case"),
        ] {
            let mut page = Markup::default();
            explain(source, case, &mut page);
            assert!(page.to_markdown().contains(expected), "{source}: {}", page.to_markdown());
        }
    }

    #[test]
    fn a_broken_pattern_has_its_error() {
        assert!(words("[a").starts_with("This pattern does not compile: "), "{}", words("[a"));
    }

    #[test]
    fn hostile_patterns_stay_short() {
        for source in ["(".repeat(200) + &")".repeat(200), "(a|b\\d)".repeat(200), "\\d".repeat(5_000)] {
            let words = words(&source);
            assert!(words.lines().count() < 40 && words.len() < 12_000, "{words}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_pattern_is_explained(source in r"[\[\](){}?*+|\\^$:x#QEa-c0-9é `]{1,16}") {
            let words = words(&source);
            prop_assert!(!words.is_empty());
        }
    }
}
