use std::fmt;

use crate::text::{Span, is_invisible};

/// One syntax error and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The smallest text at fault, in bytes; empty where something is missing.
    pub(crate) span: Span,
    /// What is wrong.
    pub(crate) kind: SyntaxErrorKind,
    /// The bracket that was opened, where that explains the error.
    pub(crate) opened: Option<Span>,
}

impl SyntaxError {
    /// The error with spans that count from `origin` bytes further up.
    #[must_use]
    pub(crate) fn shifted_by(self, origin: usize) -> SyntaxError {
        SyntaxError {
            span: self.span.shifted_by(origin),
            opened: self.opened.map(|opened| opened.shifted_by(origin)),
            kind: self.kind,
        }
    }

    /// The error with spans that count from `origin`, which must not lie behind them.
    #[must_use]
    pub(crate) fn relative_to(self, origin: usize) -> SyntaxError {
        SyntaxError {
            span: self.span.relative_to(origin),
            opened: self.opened.map(|opened| opened.relative_to(origin)),
            kind: self.kind,
        }
    }
}

impl SyntaxErrorKind {
    /// Whether the text is JSON by RFC 8259, and only its value is none that a program can hold: half a surrogate pair, as logs cut strings,
    /// or a number beyond a double.
    pub(crate) fn is_of_value(&self) -> bool {
        matches!(self, SyntaxErrorKind::LoneSurrogate | SyntaxErrorKind::NumberTooLarge)
    }

    /// Whether such an error leaves no doubt about the brackets and quotes around it.
    pub(crate) fn is_local(&self) -> bool {
        use SyntaxErrorKind::*;
        match self {
            UnexpectedCharacter(c) => c.is_whitespace() || is_invisible(*c),
            _ => matches!(
                self,
                Comment
                    | ControlCharacter(_)
                    | InvalidEscape
                    | LoneSurrogate
                    | NumberTooLarge
                    | TooDeep
                    | MissingComma(_)
                    | TrailingComma(_)
                    | ExtraComma
            ),
        }
    }
}

/// An object or an array, where a message differs by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    /// `{…}`
    Object,
    /// `[…]`
    Array,
}

impl Container {
    /// The bracket that starts it.
    pub(crate) fn opener(self) -> char {
        match self {
            Container::Object => '{',
            Container::Array => '[',
        }
    }

    /// The bracket that ends it.
    pub(crate) fn closer(self) -> char {
        match self {
            Container::Object => '}',
            Container::Array => ']',
        }
    }
}

/// What can be wrong with JSON. The `Display` form is the message a person reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SyntaxErrorKind {
    /// Nothing but white space.
    Empty,
    /// A character that starts no token.
    UnexpectedCharacter(char),
    /// `// …` or `/* … */`.
    Comment,
    /// A control character inside a string. A carriage return and a line feed after it are one line break.
    ControlCharacter(char),
    /// A string without its closing quote.
    UnclosedString,
    /// A `\` with something behind it that JSON does not know.
    InvalidEscape,
    /// `\ud83d` without its other half.
    LoneSurrogate,
    /// `'…'`
    SingleQuotes,
    /// An invalid number and the reason.
    InvalidNumber(&'static str),
    /// A number outside of what a double can hold.
    NumberTooLarge,
    /// A word where a value should be, and the value that was most likely meant.
    InvalidLiteral(Option<&'static str>),
    /// A key without quotes.
    UnquotedKey,
    /// Something else where a key should be.
    ExpectedKey,
    /// A key without `:`.
    ExpectedColon,
    /// Nothing where a value should be.
    ExpectedValue,
    /// Two members or elements with nothing between them.
    MissingComma(Container),
    /// A comma before the closing bracket.
    TrailingComma(Container),
    /// Two commas in a row, or one at the start.
    ExtraComma,
    /// Something that is invalid after a member or an element.
    ExpectedCommaOrEnd(Container),
    /// A bracket that nothing closes, noticed where its end should have been.
    Unclosed(Container),
    /// The key of a list without its `[`, or the first key of an object without its `{`.
    NeverOpened,
    /// A closing bracket that nothing opened.
    UnexpectedCloser(char),
    /// A bracket nested deeper than [`MAX_DEPTH`](super::MAX_DEPTH).
    TooDeep,
    /// Text before the document.
    TextBeforeStart,
    /// Text behind the document.
    TextAfterEnd,
    /// More of these than are read. No value of the document is kept.
    TooMany(&'static str),
}

impl fmt::Display for SyntaxErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use SyntaxErrorKind::*;
        match self {
            Empty => f.write_str("expected a JSON document, but there is nothing here"),
            UnexpectedCharacter(c) if c.is_control() || c.is_whitespace() || is_invisible(*c) => {
                write!(f, "the character U+{:04X} is not allowed outside a string", *c as u32)
            }
            UnexpectedCharacter(c) => write!(f, "unexpected `{c}`"),
            Comment => f.write_str("JSON has no comments"),
            ControlCharacter('\n') => f.write_str("a line break in a string is written `\\n`"),
            ControlCharacter('\r') => f.write_str("a carriage return in a string is written `\\r`"),
            ControlCharacter('\t') => f.write_str("a tab in a string is written `\\t`"),
            ControlCharacter(c) => write!(f, "this control character in a string is written `\\u{:04x}`", *c as u32),
            UnclosedString => f.write_str("expected `\"` at the end of this string"),
            InvalidEscape => f.write_str(
                "not an escape of JSON, which has `\\\"` `\\\\` `\\/` `\\b` `\\f` `\\n` `\\r` `\\t` and `\\u` with four hexadecimal digits",
            ),
            LoneSurrogate => f.write_str("half of a surrogate pair, which is not a character"),
            SingleQuotes => f.write_str("expected double quotes around this string"),
            InvalidNumber(why) => write!(f, "not a JSON number: {why}"),
            NumberTooLarge => f.write_str("this number is too large"),
            InvalidLiteral(Some(meant)) => write!(f, "expected a value; did you mean `{meant}`?"),
            InvalidLiteral(None) => f.write_str("expected a value; put text in double quotes"),
            UnquotedKey => f.write_str("expected double quotes around this key"),
            ExpectedKey => f.write_str("expected a key in double quotes"),
            ExpectedColon => f.write_str("expected `:` and a value after this key"),
            ExpectedValue => f.write_str("expected a value"),
            MissingComma(container) => write!(f, "expected `,` or `{}` after this value", container.closer()),
            TrailingComma(container) => write!(f, "trailing comma before `{}`", container.closer()),
            ExtraComma => f.write_str("a comma with nothing before it"),
            ExpectedCommaOrEnd(container) => write!(f, "expected `,` or `{}`", container.closer()),
            Unclosed(container) => {
                write!(f, "expected `{}`: the `{}` is never closed", container.closer(), container.opener())
            }
            NeverOpened => f.write_str("expected `{` before this key: its object is never opened"),
            UnexpectedCloser(c) => write!(f, "unexpected `{c}`: nothing is open that it could close"),
            TooDeep => write!(f, "nested deeper than {} levels", super::MAX_DEPTH),
            TooMany(what) => write!(f, "this has more than {what}, so it is not read; split it"),
            TextBeforeStart => f.write_str("unexpected text before the start of the document"),
            TextAfterEnd => f.write_str("unexpected text after the end of the document"),
        }
    }
}
