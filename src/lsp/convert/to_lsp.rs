//! Converts the types of this crate to the protocol's, and places in a text in both directions.

use ls_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    MarkupContent, MarkupKind, NumberOrString, Position, Range, Uri,
};

use crate::analysis::{lint, message_with_help};
use crate::diagnostic::{Finding, Severity, Tag};
use crate::lsp::client::support::Support;
use crate::text::{self, EditError, Encoding, Span, Text};
use crate::wording::Markup;

/// The source of these diagnostics.
pub(crate) const SOURCE: &str = env!("CARGO_PKG_NAME");

/// A document with the URI that its client uses.
pub(crate) struct Origin<'a> {
    pub(crate) uri: &'a Uri,
    pub(crate) text: &'a Text,
    pub(crate) support: &'a Support,
}

impl Origin<'_> {
    /// The range of a span.
    pub(crate) fn range(&self, span: Span) -> Range {
        range(self.text, span, self.support.encoding)
    }

    /// The location of a span.
    pub(crate) fn location(&self, span: Span) -> Location {
        Location { uri: self.uri.clone(), range: self.range(span) }
    }

    /// The range of a squiggle: a span of several lines is marked on its first line only.
    pub(crate) fn marked(&self, span: Span) -> Range {
        let first = self.text.slice(span).split(['\n', '\r']).next().unwrap_or_default().trim_end();
        let end = if first.is_empty() { span.end } else { span.start + first.len() };
        self.range(Span::new(span.start, end))
    }

    /// The bytes of a range; `None` if it is reversed.
    pub(crate) fn span(&self, range: Range) -> Option<Span> {
        span(self.text, range, self.support.encoding).ok()
    }

    /// The byte at a position.
    pub(crate) fn offset(&self, at: Position) -> usize {
        self.text.offset(given(at), self.support.encoding)
    }
}

/// The bytes of a range.
///
/// # Errors
/// If the range is reversed.
pub(crate) fn span(text: &Text, range: Range, encoding: Encoding) -> Result<Span, EditError> {
    text.span_between(given(range.start), given(range.end), encoding)
}

fn given(position: Position) -> text::Position {
    text::Position { line: position.line as usize, column: position.character as usize }
}

pub(crate) fn range(text: &Text, span: Span, encoding: Encoding) -> Range {
    let (start, end) = text.positions(span, encoding);
    Range { start: place(start), end: place(end) }
}

pub(crate) fn position(text: &Text, offset: usize, encoding: Encoding) -> Position {
    place(text.position(offset, encoding))
}

fn place(position: text::Position) -> Position {
    Position { line: saturated(position.line), character: saturated(position.column) }
}

pub(crate) fn diagnostic(finding: &Finding, origin: &Origin<'_>) -> Diagnostic {
    let Origin { text, support, .. } = *origin;
    let related = || {
        finding.related.iter().map(|related| DiagnosticRelatedInformation {
            location: origin.location(related.span),
            message: related.message.clone(),
        })
    };
    let tags = || {
        finding.tags.iter().map(|tag| match tag {
            Tag::Unnecessary => DiagnosticTag::UNNECESSARY,
        })
    };
    Diagnostic {
        range: origin.marked(finding.span),
        severity: Some(severity(finding.severity)),
        code: Some(NumberOrString::String(finding.lint.to_owned())),
        code_description: support.code_descriptions.then(|| code_description(finding.lint)).flatten(),
        source: Some(SOURCE.to_owned()),
        // A client without code actions, such as a coding agent, shows the text alone.
        message: if support.code_actions { finding.message.clone() } else { message_with_help(finding, text) },
        related_information: (support.related_information && !finding.related.is_empty()).then(|| related().collect()),
        tags: (support.unnecessary && !finding.tags.is_empty()).then(|| tags().collect()),
        data: None,
    }
}

pub(crate) fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Hint => DiagnosticSeverity::HINT,
    }
}

/// Returns the address of the lint's page, if the package names a repository.
fn code_description(name: &str) -> Option<CodeDescription> {
    Some(CodeDescription { href: lint(name)?.address()?.parse().ok()? })
}

/// Returns a page in the format of the client.
pub(crate) fn markup(page: &Markup, as_markdown: bool) -> MarkupContent {
    match as_markdown {
        true => MarkupContent { kind: MarkupKind::Markdown, value: page.to_markdown() },
        false => MarkupContent { kind: MarkupKind::PlainText, value: page.to_plain() },
    }
}

/// Returns a title for people.
pub(crate) fn capitalised(title: &str) -> String {
    let mut characters = title.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

/// Returns a count in the protocol's type.
pub(crate) fn saturated(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Returns a message that is safe to show. Editors turn `[…](…)` in messages into links and commands, so a backslash is
/// added.
pub(crate) fn without_links(message: &str) -> String {
    message.replace("](", "]\\(")
}
