//! Patterns with one level of backslashes too many.

use crate::pattern::syntax::{Group, Token, TokenKind, class_tokens, tokens};
use crate::pattern::{Case, compile_cached};
use crate::text::Span;

/// Where a pattern has one level of backslashes too many; bytes of the pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OverEscaped {
    /// The first escaped backslash and the letter after it. With one level less, the two are an escape.
    pub(crate) first: Span,
    /// The backslashes to remove in the whole pattern; empty if the pattern does not compile without them.
    pub(crate) excess: Vec<Span>,
}

/// How many backslashes a fix removes at most. A pattern with more was not written by hand.
const MOST: usize = 64;

/// Returns where `source` most likely has one level too many. A backslash before a letter can be intended, for example
/// in `C:\\data` or `\\sum`. So the letter must not be the start of a longer name.
pub(crate) fn over_escaped(source: &str, case: Case) -> Option<OverEscaped> {
    if !source.contains(r"\\") {
        return None;
    }
    let words = Words::new(source);
    let all = 0..words.list.len();
    all.clone().find(|index| words.is_over_escaped(*index))?;
    let is_excess = |index: &usize| {
        words.is_over_escaped(*index) || words.opens_a_word(*index) || words.escapes_punctuation(*index)
    };
    let first = all.clone().find(|index| words.is_over_escaped(*index) || words.opens_a_word(*index))?;
    let first = words.list[first].span.join(words.list[first + 1].span);
    let starts = all.filter(is_excess).map(|index| words.list[index].span.start).take(MOST + 1);
    let mut excess: Vec<_> = starts.map(|start| Span::new(start, start + 1)).collect();
    if excess.len() > MOST || compile_cached(&without(source, &excess), case).is_err() {
        excess.clear();
    }
    Some(OverEscaped { first, excess })
}

fn without(source: &str, spans: &[Span]) -> String {
    let mut kept = String::with_capacity(source.len());
    let mut at = 0;
    for span in spans {
        kept.push_str(&source[at..span.start]);
        at = span.end;
    }
    kept + &source[at..]
}

/// The words of a pattern. A class is replaced by the words in it.
struct Words<'s> {
    source: &'s str,
    list: Vec<Token>,
    has_drive: bool,
}

impl<'s> Words<'s> {
    fn new(source: &'s str) -> Self {
        let mut list = Vec::new();
        for token in tokens(source) {
            match token.kind {
                TokenKind::Class { .. } => list.extend(class_tokens(source, token.span)),
                _ => list.push(token),
            }
        }
        let mut words = Self { source, list, has_drive: false };
        words.has_drive = (0..words.list.len()).any(|index| words.is_drive(index));
        words
    }

    fn kind(&self, index: usize) -> Option<TokenKind> {
        self.list.get(index).map(|token| token.kind)
    }

    /// Returns whether the word is an escaped backslash that does not follow another one.
    fn is_backslash(&self, index: usize) -> bool {
        let is = |index: usize| self.list.get(index).is_some_and(|token| &self.source[token.span.range()] == r"\\");
        is(index) && !index.checked_sub(1).is_some_and(is)
    }

    /// Returns the letter after an escaped backslash if the two would be an escape with one level less.
    fn letter(&self, index: usize) -> Option<char> {
        match self.kind(index + 1)? {
            TokenKind::Literal(c) if self.is_backslash(index) && "sdwbSDWB".contains(c) => Some(c),
            _ => None,
        }
    }

    fn is_over_escaped(&self, index: usize) -> bool {
        self.letter(index).is_some()
            && match self.kind(index + 2) {
                Some(TokenKind::Repeat { .. }) => true,
                Some(TokenKind::Literal(c)) => !c.is_alphanumeric() && c != '_' && !self.has_drive,
                _ => !self.has_drive,
            }
    }

    /// Returns whether this is the first `\\b` of `\\bbike\\b`.
    fn opens_a_word(&self, index: usize) -> bool {
        let before = index.checked_sub(1).and_then(|before| self.kind(before));
        self.letter(index) == Some('b')
            && matches!(
                before,
                None | Some(
                    TokenKind::Open(Group::Capturing | Group::NonCapturing)
                        | TokenKind::Alternation
                        | TokenKind::Literal(' ')
                )
            )
            && !self.has_drive
    }

    /// Returns whether the pattern escapes a character that has a special meaning without a backslash.
    fn escapes_punctuation(&self, index: usize) -> bool {
        let next = self.list.get(index + 1).map(|token| &self.source[token.span.range()]);
        self.is_backslash(index) && next.is_some_and(|next| next.starts_with(|c: char| ".()[]{}+*?|^$/-".contains(c)))
    }

    /// Returns whether this is the colon of `C:\\`.
    fn is_drive(&self, index: usize) -> bool {
        let is_letter = |kind| matches!(kind, Some(TokenKind::Literal(c)) if c.is_ascii_alphabetic());
        self.kind(index) == Some(TokenKind::Literal(':'))
            && self.is_backslash(index + 1)
            && index.checked_sub(1).is_some_and(|before| is_letter(self.kind(before)))
            && !index.checked_sub(2).is_some_and(|before| is_letter(self.kind(before)) || self.is_backslash(before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_single_letters_are_reported() {
        let table: &[(&str, Option<&str>)] = &[
            (r"Total:\\s*\\d+ bikes", Some(r"Total:\s*\d+ bikes")),
            (r"\\d{2}", Some(r"\d{2}")),
            (r"bike\\b", Some(r"bike\b")),
            (r"\\bbike\\b", Some(r"\bbike\b")),
            (r"(\\bbike|\\bframe)\\b", Some(r"(\bbike|\bframe)\b")),
            (r"\\S+@\\w+\\.de", Some(r"\S+@\w+\.de")),
            (r"[\\s\\S]*", Some(r"[\s\S]*")),
            (r"[^\\W]", Some(r"[^\W]")),
            (r"\\D\s\\B", Some(r"\D\s\B")),
            (r"\\d:\\d", Some(r"\d:\d")),
            (r"(\\d|\\w)", Some(r"(\d|\w)")),
            (r"\\(\\d\\)", Some(r"\(\d\)")),
            // These can be intended.
            (r"\s*\d+", None),
            (r"C:\\data", None),
            (r"C:\\data\\b", None),
            (r"C:\\d$", None),
            (r"\\\\server\\share", None),
            (r"\\\\s*", None),
            (r"App\\Services", None),
            (r"\\sum|\\begin\{bike\}", None),
            (r"\\bike", None),
            (r"\\n|\\t|\\.", None),
            (r"\\", None),
            (r"\\ d", None),
            (r"[\\/]", None),
            (r"a\\|b", None),
            (r"\Q\\s\E", None),
        ];
        for (source, expected) in table {
            let mended = over_escaped(source, Case::Ignored).map(|over| without(source, &over.excess));
            assert_eq!(mended.as_deref(), *expected, "`{source}`");
        }
    }

    #[test]
    fn fixes_that_do_not_compile_are_not_offered() {
        let is_mended = |source| !over_escaped(source, Case::Ignored).unwrap().excess.is_empty();
        assert!(is_mended(r"[\\w-]"));
        assert!(!is_mended(r"[\\w-z]"));
        assert!(!is_mended(&r"\\d".repeat(MOST + 1)));
    }
}
