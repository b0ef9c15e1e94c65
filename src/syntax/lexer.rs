use memchr::{memchr, memchr2};

use crate::text::Span;

use super::parser::MOST_ERRORS;
use super::string::code_unit;
use super::{SyntaxError, SyntaxErrorKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    OpenObject,
    CloseObject,
    OpenArray,
    CloseArray,
    Colon,
    Comma,
    String,
    Number,
    True,
    False,
    Null,
    /// A bare word that is not a literal of JSON.
    Word,
    /// `'…'`
    SingleQuoted,
    /// A character that starts no token.
    Stray(char),
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
    /// Whether the token itself has an error.
    pub(super) broken: bool,
    /// Whether it is a string that lacks its closing quote.
    pub(super) unclosed: bool,
    /// Whether a line break stands before it.
    pub(super) on_new_line: bool,
}

/// Cuts the text into tokens. What is wrong within a token, and between tokens, it reports itself.
pub(super) struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    pub(super) errors: Vec<SyntaxError>,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, bytes: text.as_bytes(), at: 0, errors: Vec::new() }
    }

    /// A lexer that starts at the byte `at`, between two tokens.
    pub(super) fn starting_at(text: &'a str, at: usize) -> Self {
        Self { at, ..Self::new(text) }
    }

    /// Goes on at the byte `at`, between two tokens.
    pub(super) fn jump(&mut self, at: usize) {
        self.at = at;
    }

    pub(super) fn next(&mut self) -> Token {
        let on_new_line = self.skip_trivia();
        let start = self.at;
        let mut broken = false;
        let mut unclosed = false;
        let kind = match self.byte(start) {
            None => TokenKind::End,
            Some(b'{') => self.single(TokenKind::OpenObject),
            Some(b'}') => self.single(TokenKind::CloseObject),
            Some(b'[') => self.single(TokenKind::OpenArray),
            Some(b']') => self.single(TokenKind::CloseArray),
            Some(b':') => self.single(TokenKind::Colon),
            Some(b',') => self.single(TokenKind::Comma),
            Some(b'"') => {
                let errors = self.errors.len();
                unclosed = !self.string();
                broken = self.errors.len() > errors;
                TokenKind::String
            }
            Some(b'\'') => self.single_quoted(),
            Some(b'-' | b'+' | b'.' | b'0'..=b'9') => {
                broken = !self.number();
                TokenKind::Number
            }
            Some(b) if b.is_ascii_alphabetic() || b == b'_' || b == b'$' => self.word(),
            Some(_) => {
                let c = self.char(start);
                self.at += c.len_utf8();
                TokenKind::Stray(c)
            }
        };
        Token { kind, span: Span::new(start, self.at), broken, unclosed, on_new_line }
    }

    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// The next byte at or after `offset` that is not white space, and its offset.
    pub(super) fn peek(&self, offset: usize) -> Option<(usize, u8)> {
        let ahead = self.bytes[offset..].iter().position(|b| !matches!(b, b' ' | b'\t' | b'\n' | b'\r'));
        ahead.map(|distance| (offset + distance, self.bytes[offset + distance]))
    }

    /// The bytes from `offset` up to the end of its line.
    fn line_from(&self, offset: usize) -> &'a [u8] {
        let rest = &self.bytes[offset..];
        let line_break = memchr2(b'\n', b'\r', rest);
        &rest[..line_break.unwrap_or(rest.len())]
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    fn char(&self, at: usize) -> char {
        self.text[at..].chars().next().expect("the lexer is at a character")
    }

    fn single(&mut self, kind: TokenKind) -> TokenKind {
        self.at += 1;
        kind
    }

    fn report(&mut self, start: usize, end: usize, kind: SyntaxErrorKind) {
        // The parser gives up on a document with more, or drops them with the text that it skips.
        if self.errors.len() <= MOST_ERRORS {
            self.errors.push(SyntaxError { span: Span::new(start, end), kind, opened: None });
        }
    }

    /// White space, and what people take for it. Answers whether there was a line break.
    fn skip_trivia(&mut self) -> bool {
        let mut line_break = false;
        loop {
            let start = self.at;
            match self.byte(start) {
                // Most of the white space is indentation.
                Some(b' ' | b'\t') => {
                    let rest = &self.bytes[start..];
                    self.at += rest.iter().position(|b| !matches!(b, b' ' | b'\t')).unwrap_or(rest.len());
                }
                Some(b'\n' | b'\r') => {
                    line_break = true;
                    self.at += 1;
                }
                Some(b'/' | b'#' | b'-' | b'<') => match self.comment_end() {
                    Some(end) => self.comment(end),
                    None => return line_break,
                },
                // A byte order mark at the start may be ignored (RFC 8259, section 8.1).
                Some(128..) if start == 0 && self.char(start) == '\u{feff}' => self.at += '\u{feff}'.len_utf8(),
                Some(128..) if self.char(start) == '\u{feff}' || self.char(start).is_whitespace() => {
                    let c = self.char(start);
                    self.at += c.len_utf8();
                    self.report(start, self.at, SyntaxErrorKind::UnexpectedCharacter(c));
                }
                _ => return line_break,
            }
        }
    }

    /// A comment of any language that people know, with its end; `None` if the text here is none. It ends with its line if it has no other end.
    fn comment_end(&self) -> Option<Option<&'static str>> {
        let rest = &self.text[self.at..];
        let comments = [("//", None), ("# ", None), ("-- ", None), ("/*", Some("*/")), ("<!--", Some("-->"))];
        comments.into_iter().find(|(start, _)| rest.starts_with(start)).map(|(_, end)| end)
    }

    fn comment(&mut self, end: Option<&str>) {
        let start = self.at;
        let rest = &self.text[start..];
        let length = match end {
            Some(end) => rest[2..].find(end).map_or(rest.len(), |at| 2 + at + end.len()),
            None => self.line_from(start).len(),
        };
        self.at += length;
        self.report(start, self.at, SyntaxErrorKind::Comment);
    }

    fn word(&mut self) -> TokenKind {
        let start = self.at;
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-' | '.');
        let rest = &self.text[start..];
        self.at += rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        match &self.text[start..self.at] {
            "true" => TokenKind::True,
            "false" => TokenKind::False,
            "null" => TokenKind::Null,
            _ => TokenKind::Word,
        }
    }

    fn single_quoted(&mut self) -> TokenKind {
        match memchr(b'\'', self.line_from(self.at + 1)) {
            Some(length) => {
                self.at += length + 2;
                TokenKind::SingleQuoted
            }
            None => self.single(TokenKind::Stray('\'')),
        }
    }

    /// A number and whatever is glued to it; answers whether it is one of JSON's.
    fn number(&mut self) -> bool {
        let start = self.at;
        let glued = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'+' | b'.' | b'_');
        let rest = &self.bytes[start..];
        self.at += rest.iter().position(|b| !glued(b)).unwrap_or(rest.len());
        let text = &self.text[start..self.at];
        let fault = match fault_of_number(text.as_bytes()) {
            Some(why) => Some(SyntaxErrorKind::InvalidNumber(why)),
            None if text.len() > 300 || text.contains(['e', 'E']) => {
                text.parse::<f64>().is_ok_and(f64::is_infinite).then_some(SyntaxErrorKind::NumberTooLarge)
            }
            None => None,
        };
        let valid = fault.is_none();
        if let Some(kind) = fault {
            self.report(start, self.at, kind);
        }
        valid
    }

    /// A string from its opening quote; answers whether it is closed.
    fn string(&mut self) -> bool {
        let start = self.at;
        self.at += 1;
        loop {
            let special = self.bytes[self.at..].iter().position(|&b| ENDS_PLAIN_TEXT[usize::from(b)]);
            let Some(distance) = special else {
                self.at = self.bytes.len();
                self.forget_escape_being_typed();
                self.report(start, self.at, SyntaxErrorKind::UnclosedString);
                return false;
            };
            self.at += distance;
            match self.bytes[self.at] {
                b'"' => {
                    self.at += 1;
                    return true;
                }
                b'\\' => self.escape(),
                b'\n' | b'\r' if !self.goes_on_after_line_break() => {
                    self.at = start + 1 + length_without_structure(&self.text[start + 1..self.at]);
                    // The errors of this string are the last ones. Looking at all would be quadratic.
                    let before = self.errors.iter().rposition(|error| error.span.start < start).map_or(0, |at| at + 1);
                    let mut own = self.errors.split_off(before);
                    own.retain(|error| error.span.end <= self.at);
                    self.errors.append(&mut own);
                    self.report(start, self.at, SyntaxErrorKind::UnclosedString);
                    return false;
                }
                b'\r' if self.bytes.get(self.at + 1) == Some(&b'\n') => {
                    self.at += 2;
                    self.report(self.at - 2, self.at, SyntaxErrorKind::ControlCharacter('\n'));
                }
                control => {
                    self.at += 1;
                    self.report(self.at - 1, self.at, SyntaxErrorKind::ControlCharacter(char::from(control)));
                }
            }
        }
    }

    /// A text that ends within a pair of escapes has one error: its string is not closed.
    fn forget_escape_being_typed(&mut self) {
        let longest_unfinished = r"\ud83d\ude0".len();
        let is_typed = |error: &SyntaxError| error.span.start + longest_unfinished >= self.at;
        if self.errors.last().is_some_and(|error| error.kind == SyntaxErrorKind::LoneSurrogate && is_typed(error)) {
            self.errors.pop();
        }
    }

    fn escape(&mut self) {
        let start = self.at;
        let rest = &self.text[start..];
        let Some(letter) = rest[1..].chars().next().filter(|c| !matches!(c, '\n' | '\r')) else {
            self.at += 1;
            return;
        };
        if letter != 'u' {
            self.at += 1 + letter.len_utf8();
            if !matches!(letter, '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't') {
                self.report(start, self.at, SyntaxErrorKind::InvalidEscape);
            }
            return;
        }
        let (length, fault) = match code_unit(rest) {
            None => {
                let digits = rest[2..].bytes().take(4).take_while(u8::is_ascii_hexdigit).count();
                // A text that ends within an escape is one that is being typed: its string is not closed either.
                (2 + digits, (2 + digits < rest.len()).then_some(SyntaxErrorKind::InvalidEscape))
            }
            Some(0xd800..=0xdbff) => match code_unit(&rest[6..]) {
                Some(0xdc00..=0xdfff) => (12, None),
                _ => (6, Some(SyntaxErrorKind::LoneSurrogate)),
            },
            Some(0xdc00..=0xdfff) => (6, Some(SyntaxErrorKind::LoneSurrogate)),
            Some(_) => (6, None),
        };
        self.at += length;
        if let Some(kind) = fault {
            self.report(start, self.at, kind);
        }
    }

    /// Whether the string that meets a line break here is text over several lines rather than one that was not closed:
    /// what follows cannot start a line of JSON, and its line closes the string.
    fn goes_on_after_line_break(&self) -> bool {
        let Some((next, first)) = self.peek(self.at) else { return false };
        if matches!(first, b'"' | b'{' | b'}' | b'[' | b']' | b',' | b':' | b'-' | b'0'..=b'9' | b'/') {
            return false;
        }
        let Some(quote) = memchr(b'"', self.line_from(next)) else { return false };
        matches!(self.peek(next + quote + 1), None | Some((_, b',' | b'}' | b']' | b':')))
    }
}

/// The bytes in a string that are not plain text: the quote, the backslash, and control characters.
static ENDS_PLAIN_TEXT: [bool; 256] = {
    let mut ends = [false; 256];
    let mut byte = 0;
    while byte < b' ' as usize {
        ends[byte] = true;
        byte += 1;
    }
    ends[b'"' as usize] = true;
    ends[b'\\' as usize] = true;
    ends
};

/// How much of an unclosed string's line is its text: commas and brackets at the line's end are structure, as in
/// `"tool_calls_any": ["add_component],`.
fn length_without_structure(line: &str) -> usize {
    let mut text = line.trim_end();
    let mut cut = line.len();
    while let Some(last) = text.chars().next_back() {
        let balanced = |open: char, close: char| text.matches(open).count() >= text.matches(close).count();
        let structure = match last {
            ',' => true,
            ']' => !balanced('[', ']'),
            '}' => !balanced('{', '}'),
            _ => false,
        };
        if !structure {
            break;
        }
        text = text[..text.len() - 1].trim_end();
        cut = text.len();
    }
    cut
}

/// The reason why the text is not a JSON number; `None` if it is one.
fn fault_of_number(text: &[u8]) -> Option<&'static str> {
    let digits = |text: &[u8]| text.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = text.strip_prefix(b"-").unwrap_or(text);
    let integer = digits(rest);
    match rest.first() {
        _ if integer > 1 && rest[0] == b'0' => return Some("it starts with a superfluous 0"),
        Some(b'+') => return Some("it starts with `+`"),
        Some(b'.') => return Some("a digit is missing before the `.`"),
        _ if integer == 0 => return Some("digits must follow the `-`"),
        _ => {}
    }
    let mut rest = &rest[integer..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        if digits(fraction) == 0 {
            return Some("digits must follow the `.`");
        }
        rest = &fraction[digits(fraction)..];
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let exponent = exponent.strip_prefix(b"+").or(exponent.strip_prefix(b"-")).unwrap_or(exponent);
        if digits(exponent) == 0 {
            return Some("digits must follow the exponent's `e`");
        }
        rest = &exponent[digits(exponent)..];
    }
    if rest.is_empty() { None } else { Some("a character after it is not a digit") }
}
