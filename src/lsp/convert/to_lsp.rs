//! Converts the types of this crate to the protocol's.

use std::collections::HashMap;

use ls_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, DocumentChanges,
    Location, MarkupContent, MarkupKind, NumberOrString, OneOf, OptionalVersionedTextDocumentIdentifier, Position,
    Range, TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};

use crate::analysis::{lint, message_with_help};
use crate::diagnostic::{Edit, Finding, Severity, Tag};
use crate::lsp::client::support::Support;
use crate::text::{self, Encoding, Span, Text};
use crate::wording::Markup;

/// The source of these diagnostics.
pub(crate) const SOURCE: &str = env!("CARGO_PKG_NAME");

/// A document with the URI that its client uses.
pub(crate) struct Origin<'a> {
    pub(crate) uri: &'a Uri,
    pub(crate) text: &'a Text,
    pub(crate) support: &'a Support,
}

pub(crate) fn range(text: &Text, span: Span, encoding: Encoding) -> Range {
    let (start, end) = text.positions(span, encoding);
    Range { start: place(start), end: place(end) }
}

/// The range of a squiggle: a span of several lines is marked on its first line only.
pub(crate) fn marked(text: &Text, span: Span, encoding: Encoding) -> Range {
    let first = text.slice(span).split(['\n', '\r']).next().unwrap_or_default().trim_end();
    let end = if first.is_empty() { span.end } else { span.start + first.len() };
    range(text, Span::new(span.start, end), encoding)
}

pub(crate) fn position(text: &Text, offset: usize, encoding: Encoding) -> Position {
    place(text.position(offset, encoding))
}

fn place(position: text::Position) -> Position {
    Position { line: saturated(position.line), character: saturated(position.column) }
}

pub(crate) fn diagnostic(finding: &Finding, origin: &Origin<'_>) -> Diagnostic {
    let Origin { uri, text, support } = origin;
    let related = || {
        finding.related.iter().map(|related| DiagnosticRelatedInformation {
            location: Location { uri: (*uri).clone(), range: range(text, related.span, support.encoding) },
            message: related.message.clone(),
        })
    };
    let tags = || {
        finding.tags.iter().map(|tag| match tag {
            Tag::Unnecessary => DiagnosticTag::UNNECESSARY,
        })
    };
    Diagnostic {
        range: marked(text, finding.span, support.encoding),
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

/// Returns edits of one document that apply only to the given version.
pub(crate) fn workspace_edit<'a>(
    edits: impl IntoIterator<Item = &'a Edit>,
    version: i32,
    origin: &Origin<'_>,
) -> WorkspaceEdit {
    let edits = edits.into_iter().map(|edit| text_edit(edit, origin.text, origin.support.encoding));
    let uri = origin.uri.clone();
    if !origin.support.versioned_edits {
        return WorkspaceEdit::new(HashMap::from([(uri, edits.collect())]));
    }
    let edit = TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier { uri, version: Some(version) },
        edits: edits.map(OneOf::Left).collect(),
    };
    WorkspaceEdit { document_changes: Some(DocumentChanges::Edits(vec![edit])), ..WorkspaceEdit::default() }
}

/// Returns an edit of that text.
pub(crate) fn text_edit(edit: &Edit, text: &Text, encoding: Encoding) -> TextEdit {
    TextEdit { range: range(text, edit.span, encoding), new_text: edit.text.clone() }
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
