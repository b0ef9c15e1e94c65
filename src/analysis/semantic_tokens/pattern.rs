use super::SemanticKind;
use crate::pattern::syntax::{TokenKind, tokens};
use crate::text::Span;

/// The syntax of a pattern, in bytes of `source`. Literal characters get no token. Adjacent tokens of one kind become one.
pub(super) fn words(source: &str) -> Vec<(Span, SemanticKind)> {
    let mut words: Vec<(Span, SemanticKind)> = Vec::new();
    for token in tokens(source) {
        let Some(kind) = kind(token.kind) else { continue };
        match words.last_mut() {
            Some((span, last)) if *last == kind && span.end == token.span.start => *span = span.join(token.span),
            _ => words.push((token.span, kind)),
        }
    }
    words
}

fn kind(token: TokenKind) -> Option<SemanticKind> {
    Some(match token {
        TokenKind::Literal(_) | TokenKind::Space | TokenKind::Malformed => return None,
        TokenKind::Escape(_) => SemanticKind::PatternEscape,
        TokenKind::Set | TokenKind::Dot | TokenKind::LineBreak | TokenKind::Class { .. } => SemanticKind::PatternSet,
        TokenKind::Anchor | TokenKind::Keep => SemanticKind::PatternAnchor,
        TokenKind::Open(_)
        | TokenKind::Close
        | TokenKind::Alternation
        | TokenKind::Repeat { .. }
        | TokenKind::Greed(_)
        | TokenKind::Bracket
        | TokenKind::Range => SemanticKind::PatternOperator,
        TokenKind::Flags(_)
        | TokenKind::Reference
        | TokenKind::Call
        | TokenKind::Verb
        | TokenKind::Callout
        | TokenKind::Quote => SemanticKind::PatternKeyword,
        TokenKind::Comment => SemanticKind::PatternComment,
    })
}
