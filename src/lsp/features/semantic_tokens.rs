//! What the words of a suite are (`textDocument/semanticTokens`), in whole and in part.

use ls_types::{Range, SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensLegend};

use crate::analysis::semantic_tokens::{self, SemanticKind};
use crate::lsp::convert::from_lsp;
use crate::lsp::convert::to_lsp;
use crate::lsp::session::snapshot::Snapshot;
use crate::text::{Encoding, Span, Text};

/// The types, all of them standard ones, so that every theme has colours for them.
static TYPES: [SemanticTokenType; 8] = [
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::NAMESPACE,
    SemanticTokenType::KEYWORD,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::REGEXP,
    SemanticTokenType::OPERATOR,
    SemanticTokenType::COMMENT,
];

/// The modifiers: what a theme may tell apart beyond that.
static MODIFIERS: [SemanticTokenModifier; 6] = [
    SemanticTokenModifier::new("group"),
    SemanticTokenModifier::new("outcome"),
    SemanticTokenModifier::new("source"),
    SemanticTokenModifier::new("telemetry"),
    SemanticTokenModifier::new("pattern"),
    SemanticTokenModifier::DEFAULT_LIBRARY,
];

/// The types and modifiers that tokens have.
pub(in crate::lsp) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend { token_types: TYPES.to_vec(), token_modifiers: MODIFIERS.to_vec() }
}

/// The words of the whole suite.
pub(in crate::lsp) fn full(snapshot: &Snapshot) -> SemanticTokens {
    tokens(snapshot, Span::new(0, snapshot.document.text().len()))
}

/// The words of the cases in a range.
pub(in crate::lsp) fn range(snapshot: &Snapshot, range: Range) -> Option<SemanticTokens> {
    let span = from_lsp::span(snapshot.document.text(), range, snapshot.support.encoding).ok()?;
    Some(tokens(snapshot, span))
}

fn tokens(snapshot: &Snapshot, within: Span) -> SemanticTokens {
    let found = semantic_tokens::semantic_tokens(&snapshot.document, within);
    let data = encoded(&found, snapshot.document.text(), snapshot.support.encoding);
    SemanticTokens { result_id: None, data }
}

/// Tokens as the protocol counts them: each from where the one before it starts, and the first from the start of the text.
/// The text between them is looked at once.
fn encoded(tokens: &[semantic_tokens::SemanticToken], text: &Text, encoding: Encoding) -> Vec<SemanticToken> {
    let mut before = tokens.first().map_or(0, |first| first.span.start);
    let first = to_lsp::position(text, before, encoding);
    let encode = |token: &semantic_tokens::SemanticToken| {
        let between = &text.as_str()[before..token.span.start];
        let (lines, line_start) = line_breaks(between);
        before = token.span.start;
        let (token_type, token_modifiers_bitset) = meaning(token.kind);
        SemanticToken {
            delta_line: lines,
            delta_start: width(&between[line_start..], encoding),
            length: width(text.slice(token.span), encoding),
            token_type,
            token_modifiers_bitset,
        }
    };
    let mut encoded: Vec<_> = tokens.iter().map(encode).collect();
    if let Some(token) = encoded.first_mut() {
        (token.delta_line, token.delta_start) = (first.line, first.character);
    }
    encoded
}

/// How many lines end in a text, and where the last one starts.
fn line_breaks(text: &str) -> (u32, usize) {
    let bytes = text.as_bytes();
    let (mut lines, mut start) = (0, 0);
    for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
        // The line feed behind it ends the line.
        if bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n') {
            continue;
        }
        lines += 1;
        start = at + 1;
    }
    (lines, start)
}

fn width(text: &str, encoding: Encoding) -> u32 {
    to_lsp::saturated(match encoding {
        Encoding::Utf8 => text.len(),
        _ if text.is_ascii() => text.len(),
        Encoding::Utf16 => text.chars().map(char::len_utf16).sum(),
        Encoding::Utf32 => text.chars().count(),
    })
}

/// A kind's type, by its place in [`TYPES`], and its modifiers, a bit for each place in [`MODIFIERS`].
fn meaning(kind: SemanticKind) -> (u32, u32) {
    let (kind, modifiers): (_, &[&str]) = match kind {
        SemanticKind::Group => (SemanticTokenType::ENUM_MEMBER, &["group"]),
        SemanticKind::Outcome => (SemanticTokenType::ENUM_MEMBER, &["outcome"]),
        SemanticKind::Tool => (SemanticTokenType::FUNCTION, &[]),
        SemanticKind::Source => (SemanticTokenType::NAMESPACE, &["source"]),
        SemanticKind::BuiltInSource => (SemanticTokenType::NAMESPACE, &["source", "defaultLibrary"]),
        SemanticKind::TelemetryWord => (SemanticTokenType::KEYWORD, &["telemetry"]),
        SemanticKind::TelemetryValue => (SemanticTokenType::PARAMETER, &["telemetry"]),
        SemanticKind::PatternSet | SemanticKind::PatternEscape => (SemanticTokenType::REGEXP, &["pattern"]),
        SemanticKind::PatternAnchor | SemanticKind::PatternKeyword => (SemanticTokenType::KEYWORD, &["pattern"]),
        SemanticKind::PatternOperator => (SemanticTokenType::OPERATOR, &["pattern"]),
        SemanticKind::PatternComment => (SemanticTokenType::COMMENT, &["pattern"]),
    };
    let place = TYPES.iter().position(|known| *known == kind).unwrap_or_default();
    let bits = MODIFIERS.iter().enumerate().filter(|(_, known)| modifiers.contains(&known.as_str()));
    (to_lsp::saturated(place), bits.fold(0, |bits, (place, _)| bits | 1 << place))
}
