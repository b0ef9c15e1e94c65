use pcre2_sys as sys;

use super::ffi::{self, Refusal};
use super::syntax::{Token, TokenKind, class_tokens, tokens};
use crate::text::Span;

/// Why a pattern does not compile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct PatternError {
    /// PCRE2's own message, in English: a fragment that starts with a lower-case letter or an escape.
    pub(crate) message: String,
    /// The bytes of the pattern to underline, as whole characters. Empty only if the pattern is empty.
    pub(crate) span: Span,
}

impl PatternError {
    /// Creates the error for the pattern `source`, which PCRE2 rejects.
    pub(super) fn new(source: &str, refusal: &Refusal) -> Self {
        Self { message: ffi::error_message(refusal.number), span: Blame::new(source, refusal.offset).span(refusal) }
    }

    /// Creates the error for the pattern `source`, which PCRE2 accepts alone but rejects within `(?:…)`. The offset of
    /// `refusal` includes the wrapper.
    pub(super) fn in_wrapper(source: &str, refusal: &Refusal) -> Self {
        let words: Vec<_> = tokens(source).collect();
        let swallows = match words.iter().rfind(|word| !matches!(word.kind, TokenKind::Literal(_))) {
            Some(word) if word.kind == TokenKind::Quote => Some((word.span, r"`\Q` without `\E` after it")),
            Some(word) if word.kind == TokenKind::Comment => Some((word.span, "comment without a line break after it")),
            _ => None,
        };
        match swallows.filter(|_| number(refusal) == sys::PCRE2_ERROR_MISSING_CLOSING_PARENTHESIS) {
            Some((span, message)) => Self { message: message.to_owned(), span },
            None => Self::new(source, refusal),
        }
    }
}

fn number(refusal: &Refusal) -> u32 {
    u32::try_from(refusal.number).unwrap_or(0)
}

/// Finds the faulty text from the place where PCRE2 stopped. The place can be before it, after it, or at the end of the
/// pattern.
struct Blame<'s> {
    source: &'s str,
    at: usize,
    words: Vec<Token>,
}

impl<'s> Blame<'s> {
    fn new(source: &'s str, at: usize) -> Self {
        Self { source, at: at.min(source.len()), words: tokens(source).collect() }
    }

    fn span(&self, refusal: &Refusal) -> Span {
        let found = match number(refusal) {
            sys::PCRE2_ERROR_PATTERN_TOO_LARGE
            | sys::PCRE2_ERROR_PATTERN_STRING_TOO_LONG
            | sys::PCRE2_ERROR_HEAP_FAILED
            | sys::PCRE2_ERROR_PATTERN_TOO_COMPLICATED => Some(Span::new(0, self.source.len())),
            sys::PCRE2_ERROR_MISSING_CLOSING_PARENTHESIS
            | sys::PCRE2_ERROR_MISSING_SQUARE_BRACKET
            | sys::PCRE2_ERROR_MISSING_COMMENT_CLOSING => self.unclosed(),
            sys::PCRE2_ERROR_CLASS_RANGE_ORDER => self.range(self.at),
            sys::PCRE2_ERROR_CLASS_INVALID_RANGE => self.range(self.at.saturating_sub(1)),
            sys::PCRE2_ERROR_BACKSLASH_K_IN_LOOKAROUND => {
                self.words.iter().find(|word| word.kind == TokenKind::Keep).map(|word| word.span)
            }
            sys::PCRE2_ERROR_INVALID_AFTER_PARENS_QUERY | sys::PCRE2_ERROR_INVALID_HYPHEN_IN_OPTIONS => {
                self.character()
            }
            sys::PCRE2_ERROR_QUANTIFIER_INVALID
            | sys::PCRE2_ERROR_ESCAPE_INVALID_IN_CLASS
            | sys::PCRE2_ERROR_POSIX_CLASS_NOT_IN_CLASS
            | sys::PCRE2_ERROR_UNMATCHED_CLOSING_PARENTHESIS
            | sys::PCRE2_ERROR_LOOKBEHIND_NOT_FIXED_LENGTH
            | sys::PCRE2_ERROR_LOOKBEHIND_TOO_COMPLICATED
            | sys::PCRE2_ERROR_LOOKBEHIND_INVALID_BACKSLASH_C
            | sys::PCRE2_ERROR_LOOKBEHIND_TOO_LONG
            | sys::PCRE2_ERROR_MAX_VAR_LOOKBEHIND_EXCEEDED
            | sys::PCRE2_ERROR_TOO_MANY_CONDITION_BRANCHES
            | sys::PCRE2_ERROR_CONDITION_ASSERTION_EXPECTED => self.word_at(self.at),
            _ => None,
        };
        found.or_else(|| self.malformed()).or_else(|| self.word_at(self.at.saturating_sub(1))).unwrap_or_default()
    }

    /// Returns the word over the byte at `at`; within a class, the word of the class; at the end of the pattern, the
    /// last word.
    fn word_at(&self, at: usize) -> Option<Span> {
        let word =
            self.words[self.words.partition_point(|word| word.span.end <= at).min(self.words.len().checked_sub(1)?)];
        let inside = self.class_words(word).into_iter().find(|part| part.span.range().contains(&at));
        // The brackets stand for the class as a whole.
        Some(inside.filter(|part| part.kind != TokenKind::Bracket).unwrap_or(word).span)
    }

    /// Returns the words of a class, which may be unclosed.
    fn class_words(&self, word: Token) -> Vec<Token> {
        let is_class = matches!(word.kind, TokenKind::Class { .. } | TokenKind::Malformed);
        if is_class && self.text(word).starts_with('[') { class_tokens(self.source, word.span) } else { Vec::new() }
    }

    /// Returns the range in a class whose `-` or last word is over the byte at `at`.
    fn range(&self, at: usize) -> Option<Span> {
        let class = self.words.iter().find(|word| word.span.range().contains(&at))?;
        let parts = self.class_words(*class);
        let over = parts.iter().position(|part| part.span.range().contains(&at))?;
        let hyphen = if self.text(parts[over]) == "-" { over } else { over.checked_sub(1)? };
        let first = parts.get(hyphen.checked_sub(1)?)?;
        let last = parts.get(hyphen + 1).unwrap_or(&parts[hyphen]);
        Some(first.span.join(last.span))
    }

    /// Returns the innermost bracket, or start of a comment, that is not closed.
    fn unclosed(&self) -> Option<Span> {
        let mut open = Vec::new();
        for word in &self.words {
            match word.kind {
                TokenKind::Open(_) => open.push(Span::new(word.span.start, word.span.start + 1)),
                TokenKind::Malformed if self.text(*word).starts_with(['(', '[']) => {
                    let len = if self.text(*word).starts_with("(?#") { 3 } else { 1 };
                    open.push(Span::new(word.span.start, word.span.start + len));
                }
                TokenKind::Close => drop(open.pop()),
                _ => {}
            }
        }
        open.pop()
    }

    /// Returns the first meaningless text in the part that PCRE2 read.
    fn malformed(&self) -> Option<Span> {
        let first = self.words.iter().find(|word| word.kind == TokenKind::Malformed)?;
        let read = self.source.floor_char_boundary(self.at).max(first.span.start);
        let is_class = self.text(*first).starts_with('[');
        (first.span.start <= self.at && !is_class).then(|| Span::new(first.span.start, read.max(first.span.end)))
    }

    /// Returns the character where PCRE2 stopped, unless it stopped at the end of the pattern.
    fn character(&self) -> Option<Span> {
        let start = self.source.floor_char_boundary(self.at);
        self.source[start..].chars().next().map(|c| Span::new(start, start + c.len_utf8()))
    }

    fn text(&self, word: Token) -> &'s str {
        &self.source[word.span.range()]
    }
}
