//! Semantic highlighting beyond the syntax of JSON: groups, outcomes, tools, sources, telemetry shorthands, and the syntax
//! of patterns.

mod pattern;
mod telemetry;

use super::Document;
use crate::cancellation::checkpoint;
use crate::suite::{Case, Group, List, Outcome, Spanned, Texts, built_in_source};
use crate::syntax::RawOffsets;
use crate::text::Span;

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
                    Texts::Telemetry => self.parts(entry.span, telemetry::words(&entry.value)),
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
            self.parts(pattern.span, pattern::words(pattern.text));
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

#[cfg(test)]
mod tests;
