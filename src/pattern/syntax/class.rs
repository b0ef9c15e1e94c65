use super::{Token, TokenKind, escape};
use crate::text::Span;

/// Returns the class at the start of `rest` and its length. With the flag `xx`, `blanks` are ignored.
pub(super) fn scan(rest: &str, ignore_blanks: bool) -> (usize, TokenKind) {
    if rest.starts_with("[[:<:]]") || rest.starts_with("[[:>:]]") {
        return (7, TokenKind::Anchor);
    }
    let mut inside = Inside::new(rest, ignore_blanks);
    if inside.by_ref().last().is_some_and(|(_, kind)| kind == TokenKind::Bracket) && inside.closed {
        (inside.at, TokenKind::Class { negated: inside.negated })
    } else {
        (rest.len(), TokenKind::Malformed)
    }
}

/// Returns the words of the class that covers `class` in `source`, with brackets. A set expression (`(?[…])`) is one
/// word. The flag `xx` is not supported.
pub(crate) fn class_tokens(source: &str, class: Span) -> Vec<Token> {
    let text = source.get(class.range()).unwrap_or_default();
    if !text.starts_with('[') {
        let whole = Token { span: class, kind: TokenKind::Class { negated: false } };
        return if text.is_empty() { Vec::new() } else { vec![whole] };
    }
    Inside::new(text, false).map(|(span, kind)| Token { span: span.shifted_by(class.start), kind }).collect()
}

/// Returns a Perl set expression, `(?[ [a-z] - [aeiou] ])`, at the start of `rest`.
pub(super) fn scan_extended(rest: &str) -> (usize, TokenKind) {
    let (mut at, mut parens) = (3, 0_usize);
    while let Some(c) = rest[at..].chars().next() {
        let len = match c {
            '[' => match scan(&rest[at..], true) {
                (_, TokenKind::Malformed) => break,
                (len, _) => len,
            },
            '\\' => escape::scan_in_class(&rest[at..]).0,
            ']' if parens == 0 && rest[at..].starts_with("])") => {
                return (at + 2, TokenKind::Class { negated: false });
            }
            _ => c.len_utf8(),
        };
        match c {
            '(' => parens += 1,
            ')' => parens = parens.saturating_sub(1),
            _ => {}
        }
        at += len;
    }
    (rest.len(), TokenKind::Malformed)
}

/// Scans a class that starts with `[`.
struct Inside<'s> {
    text: &'s str,
    at: usize,
    ignore_blanks: bool,
    quoted: bool,
    negated: bool,
    closed: bool,
    /// There is no content yet, so `]` is a literal.
    first: bool,
    range: RangeState,
}

#[derive(Clone, Copy, PartialEq)]
enum RangeState {
    /// The next `-` is a literal.
    No,
    /// After a character: the next `-` makes a range.
    CanStart,
    /// After the `-`: the next character ends the range.
    Started,
}

impl<'s> Inside<'s> {
    fn new(text: &'s str, ignore_blanks: bool) -> Self {
        let range = RangeState::No;
        Self { text, at: 0, ignore_blanks, quoted: false, negated: false, closed: false, first: true, range }
    }

    fn scan(&mut self, rest: &str, c: char) -> (usize, TokenKind) {
        if self.at == 0 {
            return (1, TokenKind::Bracket);
        }
        if self.quoted {
            if rest.starts_with(r"\E") {
                self.quoted = false;
                return (2, TokenKind::Quote);
            }
            return self.character(c.len_utf8(), TokenKind::Literal(c));
        }
        match c {
            ' ' | '\t' if self.ignore_blanks => (1, TokenKind::Space),
            '^' if self.first && !self.negated => {
                self.negated = true;
                (1, TokenKind::Bracket)
            }
            ']' if !self.first => {
                self.closed = true;
                (1, TokenKind::Bracket)
            }
            '-' if self.range == RangeState::CanStart && !rest.starts_with("-]") => {
                self.range = RangeState::Started;
                (1, TokenKind::Range)
            }
            '[' => match posix(rest) {
                Some(len) => self.set(len),
                None => self.character(1, TokenKind::Literal(c)),
            },
            '\\' if rest.starts_with(r"\Q") || rest.starts_with(r"\E") => {
                // A quote is not content: `[\Q\E]]` contains a `]`.
                self.quoted = rest.starts_with(r"\Q");
                (2, TokenKind::Quote)
            }
            '\\' => match escape::scan_in_class(rest) {
                (len, TokenKind::Set) => self.set(len),
                (len, kind) => self.character(len, kind),
            },
            _ => self.character(c.len_utf8(), TokenKind::Literal(c)),
        }
    }

    fn character(&mut self, len: usize, kind: TokenKind) -> (usize, TokenKind) {
        self.first = false;
        self.range = if self.range == RangeState::Started { RangeState::No } else { RangeState::CanStart };
        (len, kind)
    }

    fn set(&mut self, len: usize) -> (usize, TokenKind) {
        self.first = false;
        self.range = RangeState::No;
        (len, TokenKind::Set)
    }
}

impl Iterator for Inside<'_> {
    type Item = (Span, TokenKind);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.text[self.at..];
        let c = rest.chars().next().filter(|_| !self.closed)?;
        let (len, kind) = self.scan(rest, c);
        let span = Span::new(self.at, self.at + len);
        self.at = span.end;
        Some((span, kind))
    }
}

/// Returns the length of `[:alpha:]` at the start of `rest`, or of `[.x.]` and `[=x=]`, which PCRE2 always rejects.
fn posix(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let mark = *bytes.get(1).filter(|mark| b":.=".contains(mark))?;
    let mut at = 2;
    while let [byte, next, ..] = bytes[at..] {
        match byte {
            b'\\' if matches!(next, b']' | b'\\') => at += 2,
            b']' => return None,
            b'[' if next == mark => return None,
            _ if byte == mark && next == b']' => return Some(at + 2),
            _ => at += 1,
        }
    }
    None
}
