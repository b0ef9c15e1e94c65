//! Digits beside which more digits are possible.

use crate::pattern::syntax::{PartKind, PatternTree, TokenKind};
use crate::text::Span;

/// Digits of a limited count beside which more digits are possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OpenNumber {
    /// The first such digits, in bytes of the pattern.
    pub(crate) digits: Span,
    /// Where boundaries are missing.
    pub(crate) boundaries: Vec<usize>,
}

/// The first digits of a limited count at the end or the start of an alternative of the pattern, without a boundary.
pub(crate) fn open_number(source: &str, tree: &PatternTree) -> Option<OpenNumber> {
    let is_limited = |part: usize| match tree.parts[part].kind {
        PartKind::Repeat { of, min, max: Some(max) } => min > 0 && max > 1 && is_digit(source, tree, of),
        _ => false,
    };
    let mut open: Option<OpenNumber> = None;
    for branch in tree.branches() {
        let (first, last) = (branch.parts.first(), branch.parts.last());
        for (part, at) in [(first, false), (last, true)] {
            let Some(span) = part.filter(|part| is_limited(**part)).map(|part| tree.parts[*part].span) else {
                continue;
            };
            let open = open.get_or_insert_with(|| OpenNumber { digits: span, boundaries: Vec::new() });
            // The span of a repeat ends before a `?` or `+` that defines how it repeats.
            let greed = usize::from(source[span.end..].starts_with(['?', '+']));
            open.boundaries.push(if at { span.end + greed } else { span.start });
        }
    }
    open
}

fn is_digit(source: &str, tree: &PatternTree, part: usize) -> bool {
    let part = &tree.parts[part];
    matches!(part.kind, PartKind::Word(TokenKind::Set | TokenKind::Class { negated: false }))
        && matches!(&source[part.span.range()], "[0-9]" | r"\d" | r"[\d]" | "[[:digit:]]" | "[1-9]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limited_digits_at_an_end() {
        for (source, found) in [
            ("Score: [0-9]{1,3}", Some("[0-9]{1,3}")),
            (r"#\d{2,6}", Some(r"\d{2,6}")),
            ("[0-9]{4} bikes", Some("[0-9]{4}")),
            ("a|b [0-9]{1,2}?", Some("[0-9]{1,2}?")),
            (r"Score: [0-9]{1,3}\b", None),
            ("Score: [0-9]{1,3}%", None),
            ("Score: [0-9]+", None),
            ("Score: [0-9]", None),
            ("^[0-9]{4}$", None),
            ("[A-Z]{3}", None),
        ] {
            let open = open_number(source, &PatternTree::new(source));
            assert_eq!(open.map(|open| &source[open.digits.range()]), found, "{source}");
        }
    }
}
