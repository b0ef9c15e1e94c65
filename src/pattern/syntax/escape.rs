use super::TokenKind;
use super::lexer::counts;

/// Returns the escape at the start of `rest`, outside of a class, and its length. `captures` is the number of capturing
/// groups before it.
pub(super) fn scan(rest: &str, captures: u32) -> (usize, TokenKind) {
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
                let digits = digits(&rest[2 + sign..], 10, usize::MAX);
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
            let digits = digits(&rest[1..], 10, usize::MAX);
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
        'x' => match digits(&rest[2..], 16, 2) {
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
    let len = digits(&rest[1..], 8, 3);
    number(rest, 1, len, 8, 1 + len)
}

/// Scans digits between byte `from` and a `}`; blanks around them are allowed.
fn braced(rest: &str, from: usize, radix: u32) -> (usize, TokenKind) {
    let start = from + blanks(&rest[from..]);
    let len = digits(&rest[start..], radix, usize::MAX);
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

fn digits(text: &str, radix: u32, most: usize) -> usize {
    text.chars().take(most).take_while(|c| c.is_digit(radix)).count()
}

fn blanks(text: &str) -> usize {
    text.bytes().take_while(|b| matches!(b, b' ' | b'\t')).count()
}
