use crate::text::Span;

use super::group::{self, Modes};
use super::{Greed, Group, Token, TokenKind, class};

/// The words of `source` in order; together they cover all of it. The time is linear.
pub(crate) fn tokens(source: &str) -> impl Iterator<Item = Token> {
    Lexer::new(source)
}

/// Returns the number of capturing groups in `source`, as PCRE2 counts them.
#[cfg(test)]
pub(super) fn capture_count(source: &str) -> u32 {
    let mut lexer = Lexer::new(source);
    lexer.by_ref().for_each(drop);
    lexer.captures
}

struct Lexer<'s> {
    source: &'s str,
    at: usize,
    quoted: bool,
    modes: Modes,
    groups: Vec<OpenGroup>,
    captures: u32,
    repeat: Repeat,
}

/// The state to restore when a group closes.
struct OpenGroup {
    modes: Modes,
    /// In a branch reset: the number of captures before it, and the largest number in one of its branches.
    branches: Option<(u32, u32)>,
}

/// Whether a following `?` or `+` belongs to a repeat.
#[derive(Clone, Copy, PartialEq)]
enum Repeat {
    None,
    Open,
}

impl<'s> Lexer<'s> {
    fn new(source: &'s str) -> Self {
        let modes = Modes::default();
        Self { source, at: 0, quoted: false, modes, groups: Vec::new(), captures: 0, repeat: Repeat::None }
    }

    fn scan(&mut self, rest: &str, first: char) -> (usize, TokenKind) {
        if self.quoted {
            return self.quoted(rest, first);
        }
        if let Some(ignored) = self.ignored(rest, first) {
            return ignored;
        }
        let before = std::mem::replace(&mut self.repeat, Repeat::None);
        match first {
            '?' | '+' if before == Repeat::Open => {
                (1, TokenKind::Greed(if first == '?' { Greed::Lazy } else { Greed::Possessive }))
            }
            '*' => self.repeat(rest, 1, 0, None),
            '+' => self.repeat(rest, 1, 1, None),
            '?' => self.repeat(rest, 1, 0, Some(1)),
            '{' => match counts(rest) {
                Some((len, min, max)) => self.repeat(rest, len, min, max),
                None => (1, TokenKind::Literal('{')),
            },
            '\\' => class::scan_escape(rest, self.captures),
            '[' => class::scan(rest, self.modes.extended_more),
            '(' => self.open(rest),
            ')' => self.close(),
            '|' => self.alternation(),
            '^' | '$' => (1, TokenKind::Anchor),
            '.' => (1, TokenKind::Dot),
            _ => (first.len_utf8(), TokenKind::Literal(first)),
        }
    }

    fn quoted(&mut self, rest: &str, first: char) -> (usize, TokenKind) {
        self.repeat = Repeat::None;
        if rest.starts_with(r"\E") {
            self.quoted = false;
            return (2, TokenKind::Quote);
        }
        (first.len_utf8(), TokenKind::Literal(first))
    }

    /// Text between two items that does not separate them.
    fn ignored(&mut self, rest: &str, first: char) -> Option<(usize, TokenKind)> {
        if rest.starts_with(r"\Q") || rest.starts_with(r"\E") {
            self.quoted = rest.starts_with(r"\Q");
            return Some((2, TokenKind::Quote));
        }
        if self.modes.extended && is_pattern_white_space(first) {
            let len = rest.find(|c| !is_pattern_white_space(c)).unwrap_or(rest.len());
            return Some((len, TokenKind::Space));
        }
        if self.modes.extended && first == '#' {
            return Some((rest.find('\n').map_or(rest.len(), |end| end + 1), TokenKind::Comment));
        }
        if rest.starts_with("(?#") {
            return Some(match rest.find(')') {
                Some(end) => (end + 1, TokenKind::Comment),
                None => (rest.len(), TokenKind::Malformed),
            });
        }
        None
    }

    fn repeat(&mut self, rest: &str, len: usize, min: u32, max: Option<u32>) -> (usize, TokenKind) {
        let (len, greed) = match rest.as_bytes().get(len) {
            Some(b'?') => (len + 1, Greed::Lazy),
            Some(b'+') => (len + 1, Greed::Possessive),
            _ => {
                self.repeat = Repeat::Open;
                (len, Greed::Greedy)
            }
        };
        (len, TokenKind::Repeat { min, max, greed })
    }

    fn open(&mut self, rest: &str) -> (usize, TokenKind) {
        let (len, kind, modes) = group::scan(rest, self.modes);
        if let TokenKind::Open(group) = kind {
            let branches = (group == Group::BranchReset).then_some((self.captures, self.captures));
            self.groups.push(OpenGroup { modes: self.modes, branches });
            if matches!(group, Group::Capturing | Group::Named) {
                self.captures = self.captures.saturating_add(1);
            }
        }
        self.modes = modes;
        (len, kind)
    }

    fn alternation(&mut self) -> (usize, TokenKind) {
        if let Some(OpenGroup { branches: Some((before, most)), .. }) = self.groups.last_mut() {
            *most = self.captures.max(*most);
            self.captures = *before;
        }
        (1, TokenKind::Alternation)
    }

    /// Without an open group, this closes the wrapper around the pattern.
    fn close(&mut self) -> (usize, TokenKind) {
        let group = self.groups.pop();
        self.modes = group.as_ref().map_or_else(Modes::default, |group| group.modes);
        if let Some((_, most)) = group.and_then(|group| group.branches) {
            self.captures = self.captures.max(most);
        }
        (1, TokenKind::Close)
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let rest = &self.source[self.at..];
        let (len, kind) = self.scan(rest, rest.chars().next()?);
        let span = Span::new(self.at, self.at + len);
        self.at = span.end;
        Some(Token { span, kind })
    }
}

/// Returns the length, minimum and maximum of `{2}`, `{2,}`, `{,5}` or `{ 2 , 5 }` at the start of `rest`. Any other
/// `{` is a literal.
pub(super) fn counts(rest: &str) -> Option<(usize, u32, Option<u32>)> {
    let bytes = rest.as_bytes();
    let blanks = |from: usize| from + bytes[from..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    let number = |from: usize| {
        let end = from + bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        // Only too many digits do not fit.
        (end, (end > from).then(|| rest[from..end].parse().unwrap_or(u32::MAX)))
    };
    let (at, min) = number(blanks(1));
    let at = blanks(at);
    let (at, max) = match (bytes.get(at)?, min) {
        (b'}', Some(min)) => return Some((at + 1, min, Some(min))),
        (b',', _) => number(blanks(at + 1)),
        _ => return None,
    };
    let at = blanks(at);
    (*bytes.get(at)? == b'}' && (min.is_some() || max.is_some())).then(|| (at + 1, min.unwrap_or(0), max))
}

/// Returns whether this is Unicode's pattern white space, which the flag `x` ignores.
fn is_pattern_white_space(c: char) -> bool {
    matches!(c, '\t'..='\r' | ' ' | '\u{85}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}')
}
