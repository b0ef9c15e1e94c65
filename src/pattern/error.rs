use super::ffi;
use crate::text::Span;

/// Why a pattern does not compile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PatternError {
    /// PCRE2's own words.
    pub message: String,
    /// What to underline: the bytes of the pattern that are at fault.
    pub span: Span,
}

impl PatternError {
    /// Of PCRE2's error `number`, met at byte `offset` of what it was given, in which the pattern `source` stands after
    /// `before` bytes.
    pub(super) fn new(source: &str, number: i32, offset: usize, before: usize) -> Self {
        let at = offset.saturating_sub(before).min(source.len());
        Self { message: ffi::error_message(number), span: blame(source, number, at) }
    }
}

fn blame(source: &str, _number: i32, at: usize) -> Span {
    let end = (at..source.len()).find(|at| source.is_char_boundary(*at)).unwrap_or(source.len());
    let start = source[..end].char_indices().next_back().map_or(0, |(start, _)| start);
    Span::new(start, end)
}
