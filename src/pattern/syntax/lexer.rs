//! The tokens of a pattern, and the part between `(` and the content of a group.

use crate::text::Span;

use super::{Group, Token, TokenKind, class};

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
    /// Whether a following `?` or `+` belongs to a repeat.
    may_be_followed: bool,
}

/// The state to restore when a group closes.
struct OpenGroup {
    modes: Modes,
    /// In a branch reset: the number of captures before it, and the largest number in one of its branches.
    branches: Option<(u32, u32)>,
}

impl<'s> Lexer<'s> {
    fn new(source: &'s str) -> Self {
        let modes = Modes::default();
        Self { source, at: 0, quoted: false, modes, groups: Vec::new(), captures: 0, may_be_followed: false }
    }

    fn scan(&mut self, rest: &str, first: char) -> (usize, TokenKind) {
        if self.quoted {
            return self.quoted(rest, first);
        }
        if let Some(ignored) = self.ignored(rest, first) {
            return ignored;
        }
        let is_repeated = std::mem::take(&mut self.may_be_followed);
        match first {
            '?' | '+' if is_repeated => (1, TokenKind::Greed { is_possessive: first == '+' }),
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
        self.may_be_followed = false;
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
        let greed = rest.as_bytes().get(len).filter(|byte| matches!(byte, b'?' | b'+'));
        self.may_be_followed = greed.is_none();
        (len + greed.iter().len(), TokenKind::Repeat { min, max, is_possessive: greed == Some(&b'+') })
    }

    fn open(&mut self, rest: &str) -> (usize, TokenKind) {
        let (len, kind, modes) = scan(rest, self.modes);
        if let TokenKind::Open(group) = kind {
            let branches = (group == Group::BranchReset).then_some((self.captures, self.captures));
            self.groups.push(OpenGroup { modes: self.modes, branches });
            if group == Group::Capturing {
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

/// The flags that change how a pattern's text is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Modes {
    /// `x`: white space and `#` comments are ignored.
    pub(super) extended: bool,
    /// `xx`: blanks in classes too.
    pub(super) extended_more: bool,
    /// `n`: a plain `(` does not capture.
    pub(super) no_auto_capture: bool,
}

/// Returns what the `(` at the start of `rest` begins, the length of that word, and the modes after it.
pub(super) fn scan(rest: &str, modes: Modes) -> (usize, TokenKind, Modes) {
    let (len, kind) = match rest.as_bytes().get(1) {
        Some(b'?') => return question(rest, modes),
        Some(b'*') => star(rest),
        _ if modes.no_auto_capture => (1, TokenKind::Open(Group::NonCapturing)),
        _ => (1, TokenKind::Open(Group::Capturing)),
    };
    (len, kind, modes)
}

fn question(rest: &str, modes: Modes) -> (usize, TokenKind, Modes) {
    use Group::{Atomic, BranchReset, Capturing, Conditional, LookAhead, LookBehind};
    use TokenKind::{Call, Open, Reference};
    let after = |opening: &str| rest.strip_prefix(opening);
    let (len, kind) = if after("(?>").is_some() {
        (3, Open(Atomic))
    } else if after("(?|").is_some() {
        (3, Open(BranchReset))
    } else if after("(?=").or(after("(?*")).is_some() {
        (3, Open(LookAhead { negated: false }))
    } else if after("(?!").is_some() {
        (3, Open(LookAhead { negated: true }))
    } else if after("(?<=").or(after("(?<*")).is_some() {
        (4, Open(LookBehind { negated: false }))
    } else if after("(?<!").is_some() {
        (4, Open(LookBehind { negated: true }))
    } else if after("(?[").is_some() {
        super::class::scan_extended(rest)
    } else if after("(?(?").or(after("(?(*")).is_some() {
        (2, Open(Conditional))
    } else if after("(?(").is_some() {
        up_to(rest, 3, ')', Open(Conditional))
    } else if after("(?C").is_some() {
        callout(rest)
    } else if after("(?<").is_some() {
        up_to(rest, 3, '>', Open(Capturing))
    } else if after("(?P<").is_some() {
        up_to(rest, 4, '>', Open(Capturing))
    } else if after("(?'").is_some() {
        up_to(rest, 3, '\'', Open(Capturing))
    } else if after("(?P=").is_some() {
        up_to(rest, 4, ')', Reference)
    } else if after("(?P>").is_some() {
        up_to(rest, 4, ')', Call)
    } else if after("(?&").is_some() {
        up_to(rest, 3, ')', Call)
    } else if is_numbered_call(&rest.as_bytes()[2..]) {
        up_to(rest, 2, ')', Call)
    } else {
        return flags(rest, modes);
    };
    (len, kind, modes)
}

/// Returns whether `rest` is `R` or a number with an optional sign.
fn is_numbered_call(rest: &[u8]) -> bool {
    match rest {
        [b'R', ..] => true,
        [b'+' | b'-', digit, ..] | [digit, ..] => digit.is_ascii_digit(),
        [] => false,
    }
}

/// Returns a name, number or condition that starts at byte `from` and ends with `end`.
fn up_to(rest: &str, from: usize, end: char, kind: TokenKind) -> (usize, TokenKind) {
    let within = |c: char| c.is_alphanumeric() || "_+-<>'&=.".contains(c);
    match rest[from..].find(|c| c == end || !within(c)) {
        Some(at) if rest[from + at..].starts_with(end) => (from + at + end.len_utf8(), kind),
        _ => (from, TokenKind::Malformed),
    }
}

/// Scans `(?C)`, `(?C1)`, `(?C'text')`; a doubled delimiter is one literal.
fn callout(rest: &str) -> (usize, TokenKind) {
    let malformed = (3, TokenKind::Malformed);
    let argument = &rest[3..];
    let delimiter = match argument.bytes().next() {
        Some(b'{') => '}',
        Some(quote @ (b'`' | b'\'' | b'"' | b'^' | b'%' | b'#' | b'$')) => char::from(quote),
        _ => {
            let digits = argument.bytes().take_while(u8::is_ascii_digit).count();
            let closed = argument[digits..].starts_with(')');
            return if closed { (3 + digits + 1, TokenKind::Callout) } else { malformed };
        }
    };
    let mut at = 1;
    while let Some(found) = argument[at..].find(delimiter) {
        at += found + 1;
        match argument[at..].chars().next() {
            Some(next) if next == delimiter => at += 1,
            Some(')') => return (3 + at + 1, TokenKind::Callout),
            _ => return malformed,
        }
    }
    (rest.len(), TokenKind::Malformed)
}

/// Scans `(?i)`, `(?-x:`, `(?^:`, and the plain `(?:`.
fn flags(rest: &str, before: Modes) -> (usize, TokenKind, Modes) {
    let text = &rest[2..];
    let letters = text.find(|c: char| !"imnrsxJUaDPSTW-^".contains(c)).unwrap_or(text.len());
    let (letters, closing) = text.split_at(letters);
    let (mut modes, mut on) = (before, true);
    for (at, letter) in letters.char_indices() {
        match letter {
            '^' if at == 0 => modes = Modes::default(),
            '-' => on = false,
            'n' => modes.no_auto_capture = on,
            'x' => {
                modes.extended = on;
                modes.extended_more = on && (letters[at + 1..].starts_with('x') || letters[..at].ends_with('x'));
            }
            _ => {}
        }
    }
    let only_ignore_case = letters == "i";
    let len = 2 + letters.len() + 1;
    match closing.bytes().next() {
        Some(b')') => (len, TokenKind::Flags { only_ignore_case }, modes),
        Some(b':') if letters.is_empty() => (len, TokenKind::Open(Group::NonCapturing), modes),
        Some(b':') => (len, TokenKind::Open(Group::Flagged { only_ignore_case }), modes),
        _ => (2, TokenKind::Malformed, before),
    }
}

/// Scans `(*VERB)`, `(*VERB:name)`, and the groups with a lower-case name: `(*atomic:…)`.
fn star(rest: &str) -> (usize, TokenKind) {
    let name_len = rest[2..].find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len() - 2);
    let (name, closing) = rest[2..].split_at(name_len);
    let len = 2 + name.len() + 1;
    let kind = match name {
        "pla" | "positive_lookahead" | "napla" | "non_atomic_positive_lookahead" => Group::LookAhead { negated: false },
        "nla" | "negative_lookahead" => Group::LookAhead { negated: true },
        "plb" | "positive_lookbehind" | "naplb" | "non_atomic_positive_lookbehind" => {
            Group::LookBehind { negated: false }
        }
        "nlb" | "negative_lookbehind" => Group::LookBehind { negated: true },
        "atomic" => Group::Atomic,
        "sr" | "script_run" | "asr" | "atomic_script_run" => Group::Special,
        "scs" | "scan_substring" if closing.starts_with(":(") => {
            let list = closing.find(|c: char| !(c.is_alphanumeric() || ":(,_+-<>'".contains(c)));
            return match list {
                Some(end) if closing[end..].starts_with(')') => {
                    (2 + name.len() + end + 1, TokenKind::Open(Group::Special))
                }
                _ => (2, TokenKind::Malformed),
            };
        }
        _ => {
            let starts_a_verb = !name.starts_with(|c: char| c.is_ascii_lowercase());
            return match closing.bytes().next() {
                Some(b')') if !name.is_empty() && starts_a_verb => (len, TokenKind::Verb),
                Some(b':') if starts_a_verb => match closing.find(')') {
                    Some(end) => (2 + name.len() + end + 1, TokenKind::Verb),
                    None => (rest.len(), TokenKind::Malformed),
                },
                _ => (2, TokenKind::Malformed),
            };
        }
    };
    if closing.starts_with(':') { (len, TokenKind::Open(kind)) } else { (2, TokenKind::Malformed) }
}
