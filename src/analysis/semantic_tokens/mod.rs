//! Semantic highlighting beyond the syntax of JSON: groups, outcomes, tools, sources, telemetry shorthands, and the syntax
//! of patterns.

use crate::cancellation::checkpoint;
use crate::pattern::syntax::{TokenKind, tokens};
use crate::suite::{Case, Group, List, Outcome, Spanned, TelemetryEntry, Texts, built_in_source};
use crate::syntax::RawOffsets;
use crate::text::Span;

use super::Document;

/// A word with a meaning. Tokens do not overlap, and each is on one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemanticToken {
    /// Bytes of the document.
    pub(crate) span: Span,
    /// The kind of word.
    pub(crate) kind: SemanticKind,
}

/// The kind of a word in a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SemanticKind {
    /// A scoring group that exists.
    Group,
    /// An outcome that exists.
    Outcome,
    /// A tool.
    Tool,
    /// A source.
    Source,
    /// A source that is built in.
    BuiltInSource,
    /// A word of a telemetry shorthand.
    TelemetryWord,
    /// A value in a telemetry shorthand: `true`, or the name of a field.
    TelemetryValue,
    /// A set of characters in a pattern: a class, `\d`, `.`
    PatternSet,
    /// An escaped character in a pattern.
    PatternEscape,
    /// A position in a pattern: `^`, `\b`
    PatternAnchor,
    /// An operator in a pattern: brackets, `|`, repeats.
    PatternOperator,
    /// Flags, references and verbs of a pattern.
    PatternKeyword,
    /// A comment in a pattern.
    PatternComment,
}

/// The tokens of the cases that touch `within`, in the order of the text.
pub fn semantic_tokens(document: &Document, within: Span) -> Vec<SemanticToken> {
    let text = document.text().as_str();
    let mut tokens = Vec::new();
    let suite = document.suite();
    for placed in &suite.cases[suite.cases_in(within)] {
        checkpoint();
        let first = tokens.len();
        let mut words = Words { text, start: placed.start, tokens: &mut tokens };
        words.case(&placed.case);
        tokens[first..].sort_by_key(|token| token.span);
    }
    tokens.retain(|token| !token.span.is_empty() && !text[token.span.range()].contains(['\n', '\r']));
    tokens
}

struct Words<'a> {
    text: &'a str,
    /// The start of the case.
    start: usize,
    tokens: &'a mut Vec<SemanticToken>,
}

impl Words<'_> {
    fn case(&mut self, case: &Case) {
        let expected = &case.expected;
        if let Some(outcome) = expected.outcome.as_ref().filter(|field| Outcome::from_name(&field.value).is_some()) {
            self.whole(outcome.span, &outcome.value, SemanticKind::Outcome);
        }
        for (_, texts, _, list) in expected.lists() {
            for entry in list.entries() {
                match texts {
                    Texts::Tools => self.whole(entry.span, &entry.value, SemanticKind::Tool),
                    Texts::Telemetry => self.parts(entry.span, words_of_shorthand(&entry.value)),
                    Texts::Sources => self.source(entry),
                    _ => {}
                }
            }
        }
        for given in expected.source_patterns.iter().flat_map(|field| &field.value) {
            self.source(&given.source);
        }
        let groups = expected.hard_fail().into_iter().flat_map(List::entries);
        let weights = expected.weights().into_iter().flat_map(|field| &field.value).map(|weight| &weight.group);
        for group in groups.chain(weights).filter(|group| Group::from_name(&group.value).is_some()) {
            self.whole(group.span, &group.value, SemanticKind::Group);
        }
        for pattern in expected.patterns() {
            self.parts(pattern.span, words_of_pattern(pattern.text));
        }
    }

    fn source(&mut self, source: &Spanned<String>) {
        let is_built_in = built_in_source(&source.value).is_some();
        let kind = if is_built_in { SemanticKind::BuiltInSource } else { SemanticKind::Source };
        self.whole(source.span, &source.value, kind);
    }

    /// Adds a string that is one word.
    fn whole(&mut self, literal: Span, value: &str, kind: SemanticKind) {
        self.parts(literal, [(Span::new(0, value.len()), kind)]);
    }

    /// Adds words of the string at `literal`: bytes of its value, in ascending order.
    fn parts(&mut self, literal: Span, words: impl IntoIterator<Item = (Span, SemanticKind)>) {
        let literal = literal.shifted_by(self.start);
        let offsets = RawOffsets::of(self.text.get(literal.range()).unwrap_or_default());
        for (word, kind) in words {
            let span = offsets.span(word).shifted_by(literal.start);
            self.tokens.push(SemanticToken { span, kind });
        }
    }
}

/// The syntax of a pattern, in bytes of `source`. Literal characters get no token. Adjacent tokens of one kind become one.
fn words_of_pattern(source: &str) -> Vec<(Span, SemanticKind)> {
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

/// The words of an entry of `telemetry`, in bytes of `entry`; empty if it is not a shorthand.
fn words_of_shorthand(entry: &str) -> Vec<(Span, SemanticKind)> {
    if matches!(TelemetryEntry::parse(entry), TelemetryEntry::Literal(_)) {
        return Vec::new();
    }
    let mut words = Vec::new();
    let mut at = 0;
    for word in entry.split_whitespace() {
        // Search each word after the end of the previous one.
        let start = at + entry[at..].find(word).unwrap_or(0);
        at = start + word.len();
        let part = |from: usize, to: usize| Span::new(start + from, start + to);
        if let Some(tool) = word.strip_prefix("tool.") {
            words.push((part(0, 4), SemanticKind::TelemetryWord));
            words.push((part(5, 5 + tool.len()), SemanticKind::Tool));
        } else if let Some((name, _)) = word.split_once(':') {
            words.push((part(0, name.len()), SemanticKind::TelemetryWord));
            words.push((part(name.len() + 1, word.len()), SemanticKind::TelemetryValue));
        } else {
            words.push((part(0, word.len()), SemanticKind::TelemetryWord));
        }
    }
    if let (TelemetryEntry::MissingField { .. }, Some(last)) = (TelemetryEntry::parse(entry), words.last_mut()) {
        last.1 = SemanticKind::TelemetryValue;
    }
    words
}

#[cfg(test)]
mod tests;
