//! A sign, a quote or a bracket near an error that is lost, surplus, or of another kind.

use crate::syntax::lexer::{Lexer, Token, TokenKind};
use crate::syntax::{Container, SyntaxError, SyntaxErrorKind};
use crate::text::Span;

use super::Mistake;

/// How many bytes around an error are looked at on its line, at most.
const REACH: usize = 600;
/// How many tokens before an error a bracket may be lost, and how many after it.
const TOKENS: (usize, usize) = (8, 3);
/// How many places are tried for the start of a string, and for its end.
const PLACES: (usize, usize) = (4, 12);

/// The marks around a text.
const QUOTES: [char; 15] = ['"', '“', '”', '„', '‟', '«', '»', '‘', '’', '‚', '`', '´', '\'', '″', '＂'];

/// The surroundings of an error.
pub(super) struct Scene<'a> {
    text: &'a str,
    error: &'a SyntaxError,
    /// All tokens, and the end of the text.
    tokens: Vec<Token>,
    /// The index of the first token that ends after the error's start.
    index: usize,
}

impl<'a> Scene<'a> {
    pub(super) fn new(text: &'a str, error: &'a SyntaxError) -> Self {
        let (mut lexer, mut tokens, at) = (Lexer::new(text), Vec::new(), error.span.start);
        while tokens.last().is_none_or(|token: &Token| token.kind != TokenKind::End) {
            tokens.push(lexer.next());
        }
        let index = tokens.partition_point(|token| token.span.end <= at && token.span.start < at);
        Self { text, error, tokens, index }
    }

    /// What may undo the error, the most likely first. `plain` is the repair that it suggests by itself.
    pub(super) fn candidates(&self, plain: Mistake) -> Vec<Mistake> {
        let mut found: Vec<Mistake> = self.closed_by_layout().into_iter().chain(self.lost_list()).collect();
        found.extend([plain, self.completed()]);
        self.signs(&mut found);
        self.brackets(&mut found);
        self.strings(&mut found);
        found
    }

    fn around(&self, before: usize, after: usize) -> &[Token] {
        &self.tokens[self.index.saturating_sub(before)..(self.index + after).min(self.tokens.len())]
    }

    /// The container that should have ended at the end of a line, because the next line goes back to its indentation.
    fn closed_by_layout(&self) -> Option<Mistake> {
        let mut open: Vec<(Container, Span, usize)> = Vec::new();
        let (mut indent, mut end) = (0, 0);
        for token in self.tokens.iter().take(self.index + 1) {
            let closes = matches!(token.kind, TokenKind::CloseObject | TokenKind::CloseArray);
            if token.on_new_line {
                let before = &self.text[..token.span.start];
                indent = before.len() - before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
                let last = open.last().filter(|(_, _, own)| indent < *own || (indent == *own && !closes));
                if let Some((container, opener, _)) = last {
                    return Some(self.unclosed(*container, end, Some(*opener)));
                }
            }
            match token.kind {
                TokenKind::OpenObject => open.push((Container::Object, token.span, indent)),
                TokenKind::OpenArray => open.push((Container::Array, token.span, indent)),
                _ if closes => drop(open.pop()),
                _ => {}
            }
            end = if token.kind == TokenKind::Comma { token.span.start } else { token.span.end };
        }
        None
    }

    /// A list without its `[`: its first element reads as the value of a key, and the error is after that.
    fn lost_list(&self) -> Option<Mistake> {
        let before = &self.tokens[..self.index];
        let before = &before[..before.len() - usize::from(before.last()?.kind == TokenKind::Comma)];
        let mut depth = 0_usize;
        let start = before.iter().rposition(|token| {
            match token.kind {
                TokenKind::CloseObject | TokenKind::CloseArray => depth += 1,
                TokenKind::OpenObject | TokenKind::OpenArray => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        })?;
        let is_value = before[start].kind != TokenKind::OpenArray && before[..start].last()?.kind == TokenKind::Colon;
        is_value.then(|| unopened(Container::Array, before[start].span))
    }

    /// The error with the colon, the quotes or the bracket that it names.
    fn completed(&self) -> Mistake {
        use SyntaxErrorKind::*;
        let (span, of) = (self.error.span, Mistake::new(self.error.span, self.error.kind.to_string()));
        match self.error.kind {
            ExpectedColon => of.titled("insert the missing colon").insert(span.end, ":"),
            UnclosedString => of.titled("insert the closing quote").insert(span.end, "\""),
            Unclosed(container) => self.unclosed(container, span.start, self.error.opened),
            _ => of,
        }
    }

    /// A container without its closing bracket at `at`, before a comma there, and without the comma that the next member or element needs.
    fn unclosed(&self, container: Container, at: usize, opened: Option<Span>) -> Mistake {
        let closer = container.closer();
        let place = self.text[..at].trim_end().strip_suffix(',').map_or(at, str::len);
        let next = self.text[place..].trim_start();
        let comma = if next.starts_with(['"', '{', '[']) { "," } else { "" };
        let mistake = Mistake::new(Span::empty(at), SyntaxErrorKind::Unclosed(container).to_string());
        let mistake = mistake.titled(&format!("insert `{closer}`")).insert(place, format!("{closer}{comma}"));
        let surplus = next.strip_prefix(',').filter(|rest| rest.trim_start().starts_with([']', '}']));
        let at_comma = |rest: &str| Span::new(self.text.len() - rest.len() - 1, self.text.len() - rest.len());
        let mistake = surplus.into_iter().fold(mistake, |mistake, rest| mistake.replace(at_comma(rest), ""));
        Mistake { opened, ..mistake }
    }

    /// Signs in the place of a comma or a colon, and surplus ones.
    fn signs(&self, found: &mut Vec<Mistake>) {
        let is_sign = |c: char| matches!(c, ',' | ';' | ':' | '.' | '=' | '>' | '-' | '，' | '、' | '：' | '；');
        for token in self.around(2, 3).iter().filter(|token| token.kind != TokenKind::String) {
            let start = token.span.start + self.text[token.span.range()].trim_end_matches(is_sign).len();
            let shown = &self.text[start..][..self.text[start..].find(|c| !is_sign(c)).unwrap_or(0)];
            let span = Span::new(start, start + shown.len());
            for sign in [",", ":", ""].into_iter().filter(|sign| *sign != shown) {
                found.push(instead(shown, sign, span));
            }
        }
    }

    /// Brackets that are lost, surplus, or of another kind.
    fn brackets(&self, found: &mut Vec<Mistake>) {
        use TokenKind::*;
        let near = self.around(TOKENS.0, TOKENS.1);
        for token in near.iter().filter(|token| !matches!(token.kind, Comma | Colon)) {
            for container in [Container::Array, Container::Object] {
                found.push(unopened(container, token.span));
                found.push(self.unclosed(container, token.span.end, None));
            }
        }
        let opener = self.tokens.iter().filter(|token| Some(token.span) == self.error.opened);
        for token in near.iter().chain(opener) {
            let shown = &self.text[token.span.range()];
            let meant = match token.kind {
                CloseArray | CloseObject | Stray(')' | '>') => ["]", "}", ""],
                OpenArray | OpenObject | Stray('(' | '<') => ["[", "{", ""],
                _ => continue,
            };
            let other = meant.into_iter().filter(|bracket| *bracket != shown);
            found.extend(other.map(|bracket| instead(shown, bracket, token.span)));
        }
    }

    /// Text that was meant as one string: a quote is lost on one side or on both, of another kind, or not escaped.
    fn strings(&self, found: &mut Vec<Mistake>) {
        let (text, Span { start: at, end }) = (self.text, self.error.span);
        let near = Span::new(text.ceil_char_boundary(at.saturating_sub(REACH)), text.floor_char_boundary(at + REACH));
        let first = text[near.start..at].rfind(['\n', '\r']).map_or(near.start, |found| near.start + found + 1);
        let last = text[at..near.end].find(['\n', '\r']).map_or(near.end, |found| at + found);
        let places: Vec<usize> = (first..=last).filter(|at| text.is_char_boundary(*at)).collect();
        let starts = places.iter().rev().filter(|at| **at <= end && may_start(text, **at)).take(PLACES.0);
        for start in starts {
            let ends = places.iter().filter(|end| *end > start && may_end(text, **end)).take(PLACES.1);
            found.extend(ends.filter_map(|end| string(text, Span::new(*start, *end))));
        }
    }
}

/// A container without its opening bracket, before the token at `span`.
fn unopened(container: Container, span: Span) -> Mistake {
    let opener = container.opener();
    let mistake = Mistake::new(span, format!("expected `{opener}` before this"));
    mistake.titled(&format!("insert `{opener}`")).insert(span.start, opener)
}

/// A sign or bracket in the place of another one, or of none.
fn instead(shown: &str, meant: &str, span: Span) -> Mistake {
    let (message, title) = match meant {
        "" => (format!("unexpected `{shown}`"), format!("remove `{shown}`")),
        _ => (format!("expected `{meant}`, found `{shown}`"), format!("replace with `{meant}`")),
    };
    Mistake::new(span, message).titled(&title).replace(span, meant)
}

/// Whether a string may start at a place: what is before it is not a value.
fn may_start(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end();
    !text[at..].starts_with([' ', '\t', ',', ':', '[', ']', '{', '}'])
        && (before.is_empty() || before.ends_with([',', ':', '[', '{']))
}

/// Whether a string may end at a place: what follows ends a key or a value.
fn may_end(text: &str, at: usize) -> bool {
    let after = text[at..].trim_start_matches([' ', '\t']);
    !text[..at].ends_with([' ', '\t', ',', ':', '[', '{'])
        && (after.is_empty() || after.starts_with([',', ':', ']', '}', '\n', '\r']))
}

/// The text at `span` as one string; `None` if it is one, is not text, or has quotes that belong to several strings.
fn string(text: &str, span: Span) -> Option<Mistake> {
    let given = &text[span.range()];
    let doubled = given.strip_prefix("\"\"").and_then(|rest| rest.strip_suffix("\"\""));
    let start = given.strip_prefix(QUOTES).unwrap_or(given);
    let inner = doubled.unwrap_or(start.strip_suffix(QUOTES).unwrap_or(start));
    let first = span.start + given.find(inner)?;
    let is_of_several =
        |at: usize| !inner[..at].ends_with('\\') && (may_start(text, first + at) || may_end(text, first + at + 1));
    let is_number = inner == given && inner.starts_with(|c: char| c.is_numeric());
    if is_number || !inner.contains(char::is_alphanumeric) || inner.match_indices('"').any(|(at, _)| is_of_several(at))
    {
        return None;
    }
    let meant = format!("\"{}\"", inner.replace("\\\"", "\"").replace("\\'", "'").replace('"', "\\\""));
    let quotes = (given.strip_suffix(inner), given.strip_prefix(inner));
    let (message, title) = match quotes {
        (Some("\""), _) => (SyntaxErrorKind::UnclosedString.to_string(), "insert the closing quote"),
        (_, Some("\"")) => ("expected `\"` at the start of this string".to_owned(), "insert the opening quote"),
        (Some(""), _) if text[span.end..].trim_start().starts_with(':') => {
            (SyntaxErrorKind::UnquotedKey.to_string(), "quote the key")
        }
        (Some(""), _) => (SyntaxErrorKind::InvalidLiteral(None).to_string(), "quote the text"),
        _ if given.starts_with('"') && given.ends_with('"') => {
            ("a quote within a string is written `\\\"`".to_owned(), "escape the quotes")
        }
        _ => (SyntaxErrorKind::SingleQuotes.to_string(), "use double quotes"),
    };
    (meant != given).then(|| Mistake::new(span, message).titled(title).replace(span, meant))
}
