//! Classes and escapes of a pattern.

use crate::text::Span;

use super::lexer::counts;
use super::{Token, TokenKind};

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
            '\\' => scan_in_class(&rest[at..]).0,
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
            '\\' => match scan_in_class(rest) {
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

/// Returns the escape at the start of `rest`, outside of a class, and its length. `captures` is the number of capturing
/// groups before it.
pub(super) fn scan_escape(rest: &str, captures: u32) -> (usize, TokenKind) {
    let Some(c) = rest[1..].chars().next() else { return (1, TokenKind::Malformed) };
    match c {
        'A' | 'B' | 'G' | 'Z' | 'b' | 'z' => (2, TokenKind::Anchor),
        'K' => (2, TokenKind::Keep),
        'R' => (2, TokenKind::LineBreak),
        'C' | 'X' => (2, TokenKind::Set),
        'N' if !rest[2..].starts_with('{') || counts(&rest[2..]).is_some() => (2, TokenKind::Set),
        'g' => match rest.as_bytes().get(2) {
            Some(b'<') => delimited(rest, '>', TokenKind::Call),
            Some(b'\'') => delimited(rest, '\'', TokenKind::Call),
            Some(b'{') => delimited(rest, '}', TokenKind::Reference),
            _ => {
                let sign = usize::from(rest[2..].starts_with(['+', '-']));
                let digits = count_digits(&rest[2 + sign..], 10, usize::MAX);
                if digits == 0 { malformed(c) } else { (2 + sign + digits, TokenKind::Reference) }
            }
        },
        'k' => match rest.as_bytes().get(2) {
            Some(b'<') => delimited(rest, '>', TokenKind::Reference),
            Some(b'\'') => delimited(rest, '\'', TokenKind::Reference),
            Some(b'{') => delimited(rest, '}', TokenKind::Reference),
            _ => malformed(c),
        },
        '1'..='9' => {
            let digits = count_digits(&rest[1..], 10, usize::MAX);
            let number: u32 = rest[1..=digits].parse().unwrap_or(u32::MAX);
            if number < 10 || c >= '8' || number <= captures { (1 + digits, TokenKind::Reference) } else { octal(rest) }
        }
        _ => scan_common(rest, c),
    }
}

/// Returns the same for an escape within a class, where fewer escapes are special.
pub(super) fn scan_in_class(rest: &str) -> (usize, TokenKind) {
    let Some(c) = rest[1..].chars().next() else { return (1, TokenKind::Malformed) };
    match c {
        'b' => (2, TokenKind::Escape('\u{8}')),
        'g' | 'k' | '8' | '9' => (2, TokenKind::Escape(c)),
        '1'..='7' => octal(rest),
        _ => scan_common(rest, c),
    }
}

fn scan_common(rest: &str, c: char) -> (usize, TokenKind) {
    let simple = |c| (2, TokenKind::Escape(c));
    match c {
        'a' => simple('\u{7}'),
        'e' => simple('\u{1b}'),
        'f' => simple('\u{c}'),
        'n' => simple('\n'),
        'r' => simple('\r'),
        't' => simple('\t'),
        'd' | 'D' | 'h' | 'H' | 's' | 'S' | 'v' | 'V' | 'w' | 'W' => (2, TokenKind::Set),
        'p' | 'P' => property(rest),
        'c' => match rest.as_bytes().get(2) {
            Some(control @ 0x20..=0x7e) => (3, TokenKind::Escape(char::from(control.to_ascii_uppercase() ^ 0x40))),
            _ => malformed(c),
        },
        '0' => octal(rest),
        'o' if rest[2..].starts_with('{') => braced(rest, 3, 8),
        'x' if rest[2..].starts_with('{') => braced(rest, 3, 16),
        'x' => match count_digits(&rest[2..], 16, 2) {
            0 => malformed(c),
            len => number(rest, 2, len, 16, 2 + len),
        },
        'N' if rest[2..].starts_with('{') => {
            let blanks = blanks(&rest[3..]);
            if rest[3 + blanks..].starts_with("U+") { braced(rest, 5 + blanks, 16) } else { malformed(c) }
        }
        _ if c.is_ascii_alphanumeric() => malformed(c),
        _ => (1 + c.len_utf8(), TokenKind::Escape(c)),
    }
}

fn malformed(c: char) -> (usize, TokenKind) {
    (1 + c.len_utf8(), TokenKind::Malformed)
}

/// Returns a name or a number between the delimiter at byte 2 and `end`.
fn delimited(rest: &str, end: char, kind: TokenKind) -> (usize, TokenKind) {
    let within = |c: char| c.is_alphanumeric() || "_+- \t".contains(c);
    match rest[3..].find(|c| !within(c)) {
        Some(len) if len > 0 && rest[3 + len..].starts_with(end) => (3 + len + 1, kind),
        _ => (2, TokenKind::Malformed),
    }
}

/// Scans `\pL`, `\p{Greek}`, `\P{^sc=Grek}`.
fn property(rest: &str) -> (usize, TokenKind) {
    match rest.as_bytes().get(2) {
        Some(b'{') => {
            let within = |c: char| c.is_ascii_alphanumeric() || "_-^&=: \t\n\u{b}\u{c}\r".contains(c);
            match rest[3..].find(|c| !within(c)) {
                Some(len) if rest[3 + len..].starts_with('}') => (3 + len + 1, TokenKind::Set),
                _ => (3, TokenKind::Malformed),
            }
        }
        Some(letter) if letter.is_ascii_alphabetic() => (3, TokenKind::Set),
        _ => (2, TokenKind::Malformed),
    }
}

/// Scans up to three octal digits after the backslash.
fn octal(rest: &str) -> (usize, TokenKind) {
    let len = count_digits(&rest[1..], 8, 3);
    number(rest, 1, len, 8, 1 + len)
}

/// Scans digits between byte `from` and a `}`; blanks around them are allowed.
fn braced(rest: &str, from: usize, radix: u32) -> (usize, TokenKind) {
    let start = from + blanks(&rest[from..]);
    let len = count_digits(&rest[start..], radix, usize::MAX);
    let end = start + len + blanks(&rest[start + len..]);
    if len == 0 || !rest[end..].starts_with('}') {
        return (end, TokenKind::Malformed);
    }
    number(rest, start, len, radix, end + 1)
}

/// Returns the character with the number in the `digits` digits at byte `from`, in an escape of `len` bytes.
fn number(rest: &str, from: usize, digits: usize, radix: u32, len: usize) -> (usize, TokenKind) {
    let number = u32::from_str_radix(&rest[from..from + digits], radix).ok();
    (len, number.and_then(char::from_u32).map_or(TokenKind::Malformed, TokenKind::Escape))
}

fn count_digits(text: &str, radix: u32, most: usize) -> usize {
    text.chars().take(most).take_while(|c| c.is_digit(radix)).count()
}

fn blanks(text: &str) -> usize {
    text.bytes().take_while(|b| matches!(b, b' ' | b'\t')).count()
}
