//! Converts the types of this crate to the protocol's, and places in a text in both directions; edits, creations and renamings of files as one
//! workspace edit.

use std::collections::HashMap;

use ls_types::{
    CodeDescription, CreateFile, CreateFileOptions, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity,
    DiagnosticTag, DocumentChangeOperation, DocumentChanges, Location, MarkupContent, MarkupKind, NumberOrString,
    OneOf, OptionalVersionedTextDocumentIdentifier, Position, Range, RenameFile, RenameFileOptions, ResourceOp,
    TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};

use memchr::memmem::Finder;

use crate::analysis::{lint, message_with_help};
use crate::diagnostic::{Edit, Finding, Severity};
use crate::lsp::client::settings::Support;
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
    Diagnostic {
        range: origin.marked(finding.span),
        severity: Some(severity(finding.severity)),
        code: Some(NumberOrString::String(finding.lint.to_owned())),
        code_description: code_description(finding.lint),
        source: Some(SOURCE.to_owned()),
        // A client without code actions, such as a coding agent, shows the text alone.
        message: if support.code_actions { finding.message.clone() } else { message_with_help(finding, text) },
        related_information: (!finding.related.is_empty()).then(|| related().collect()),
        tags: finding.is_unnecessary.then(|| vec![DiagnosticTag::UNNECESSARY]),
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

/// The parts of a workspace edit, in order.
#[derive(Debug)]
pub(crate) struct Changes<'a> {
    support: &'a Support,
    texts: Vec<(Uri, Vec<TextEdit>)>,
    operations: Vec<DocumentChangeOperation>,
    /// Whether files are created or renamed.
    has_file_operations: bool,
}

impl<'a> Changes<'a> {
    /// Creates an empty edit.
    pub(crate) fn new(support: &'a Support) -> Self {
        Changes { support, texts: Vec::new(), operations: Vec::new(), has_file_operations: false }
    }

    /// Edits a text; `version` is that of an open document, otherwise the text is that on disk.
    pub(crate) fn edit(&mut self, uri: Uri, version: Option<i32>, text: &Text, edits: &[Edit]) {
        if !edits.is_empty() {
            self.add(uri, version, edits.iter().map(|edit| text_edit(edit, text, self.support.encoding)).collect());
        }
    }

    fn add(&mut self, uri: Uri, version: Option<i32>, edits: Vec<TextEdit>) {
        self.operations.push(DocumentChangeOperation::Edit(TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier { uri: uri.clone(), version },
            edits: edits.iter().cloned().map(OneOf::Left).collect(),
        }));
        self.texts.push((uri, edits));
    }

    /// Creates an empty file if it does not exist; only for a client that supports it.
    pub(crate) fn create(&mut self, uri: Uri) {
        let options = CreateFileOptions { ignore_if_exists: Some(true), overwrite: None };
        self.operate(ResourceOp::Create(CreateFile { uri, options: Some(options), annotation_id: None }));
    }

    /// Renames a file; only for a client that supports it.
    pub(crate) fn rename(&mut self, old_uri: Uri, new_uri: Uri) {
        let options = RenameFileOptions { overwrite: Some(false), ignore_if_exists: Some(true) };
        self.operate(ResourceOp::Rename(RenameFile { old_uri, new_uri, options: Some(options), annotation_id: None }));
    }

    /// Whether nothing changes.
    pub(crate) fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// Returns the workspace edit in the form that the client supports.
    pub(crate) fn finish(self) -> WorkspaceEdit {
        if !self.support.versioned_edits && !self.has_file_operations {
            return WorkspaceEdit::new(self.texts.into_iter().collect::<HashMap<_, _>>());
        }
        let changes = if self.has_file_operations {
            DocumentChanges::Operations(self.operations)
        } else {
            let edits = self.operations.into_iter().filter_map(|operation| match operation {
                DocumentChangeOperation::Edit(edit) => Some(edit),
                DocumentChangeOperation::Op(_) => None,
            });
            DocumentChanges::Edits(edits.collect())
        };
        WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() }
    }

    fn operate(&mut self, operation: ResourceOp) {
        self.has_file_operations = true;
        self.operations.push(DocumentChangeOperation::Op(operation));
    }
}

/// Edits of one document that apply only to the given version.
pub(crate) fn workspace_edit<'e>(
    edits: impl IntoIterator<Item = &'e Edit>,
    version: i32,
    origin: &Origin<'_>,
) -> WorkspaceEdit {
    let edits = edits.into_iter().map(|edit| text_edit(edit, origin.text, origin.support.encoding));
    let mut changes = Changes::new(origin.support);
    changes.add(origin.uri.clone(), Some(version), edits.collect());
    changes.finish()
}

/// An edit of a text.
pub(crate) fn text_edit(edit: &Edit, text: &Text, encoding: Encoding) -> TextEdit {
    TextEdit { range: range(text, edit.span, encoding), new_text: edit.text.clone() }
}

/// Replaces each escaped surrogate without a partner, such as `\ud83d` without a low surrogate after it, with the escape of U+FFFD. A
/// string of JavaScript may contain half of a pair, if a document does or if an edit split a pair, and `JSON.stringify` writes it as an
/// escape that is not valid in a Rust string. The length stays equal, so no offset changes, and a body without such escapes is only read.
pub(crate) fn replace_lone(body: &mut [u8]) {
    let escape = Finder::new(b"\\u");
    let mut from = 0;
    while let Some(found) = escape.find(&body[from..]) {
        let at = from + found;
        from = at + 2;
        if !matches!(body.get(from), Some(b'd' | b'D')) || is_escaped(body, at) {
            continue;
        }
        match unit(body, at) {
            Some(0xD800..=0xDBFF) if matches!(unit(body, at + 6), Some(0xDC00..=0xDFFF)) => from = at + 12,
            Some(0xD800..=0xDFFF) => body[at + 2..at + 6].copy_from_slice(b"fffd"),
            _ => {}
        }
    }
}

/// Returns whether the backslash at `at` is the second half of `\\`.
fn is_escaped(body: &[u8], at: usize) -> bool {
    body[..at].iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1
}

/// Returns the UTF-16 code unit that is escaped at `at`.
fn unit(body: &[u8], at: usize) -> Option<u16> {
    let digits = body.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let value = |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u16::try_from(digit).ok());
    digits.iter().try_fold(0, |unit: u16, digit| Some(unit << 4 | value(digit)?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::replace_lone;

    fn replaced(text: &str) -> String {
        let mut body = text.as_bytes().to_vec();
        replace_lone(&mut body);
        String::from_utf8(body).expect("only ASCII was replaced with ASCII")
    }

    #[test]
    fn only_halves_without_a_partner_are_replaced() {
        for (text, expected) in [
            ("", ""),
            (r#""no escapes""#, r#""no escapes""#),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\uD83D\uDE00""#, r#""\uD83D\uDE00""#),
            (r#""\ud83d""#, r#""\ufffd""#),
            (r#""\uDE00""#, r#""\ufffd""#),
            (r#""\ud83d\ud83d\ude00\ude00""#, r#""\ufffd\ud83d\ude00\ufffd""#),
            (r#""\ud83dx\ude00""#, r#""\ufffdx\ufffd""#),
            (r#""\ud83d\u0041""#, r#""\ufffd\u0041""#),
            (r#""\ud83d\n""#, r#""\ufffd\n""#),
            (r#""\ud83d\\ude00""#, r#""\ufffd\\ude00""#),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\\\ud83d""#, r#""\\\ufffd""#),
            (r#""\\\\ud83d""#, r#""\\\\ud83d""#),
            (r#""\ud7ff\ue000""#, r#""\ud7ff\ue000""#),
            (r#""\ud8""#, r#""\ud8""#),
            (r#""\ud8zz""#, r#""\ud8zz""#),
            (r"\ud83d", r"\ufffd"),
            (r"\ud83d\u", r"\ufffd\u"),
            (r"\ud83", r"\ud83"),
            (r"\u", r"\u"),
        ] {
            assert_eq!(replaced(text), expected, "{text}");
        }
    }

    proptest! {
        /// The JSON of JavaScript for any string of code units is valid afterwards, and has U+FFFD in the same places
        /// as in Rust's own decoding.
        #[test]
        fn any_utf16_can_be_read(units in prop::collection::vec(unit(), 0..40)) {
            let text = replaced(&json(&units));
            prop_assert_eq!(serde_json::from_str::<String>(&text).unwrap(), String::from_utf16_lossy(&units));
        }

        #[test]
        fn well_formed_text_stays_as_it_is(text in r#"(\\u00e9|\\\\|\\ud83d\\ude00|[a-zé😀"\\]){0,30}"#) {
            let units: Vec<u16> = text.encode_utf16().collect();
            let json = json(&units);
            prop_assert_eq!(replaced(&json), json);
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(prop::sample::select(b"\\ud83de0\"".to_vec()), 0..60)) {
            let mut body = bytes.clone();
            replace_lone(&mut body);
            prop_assert_eq!(body.len(), bytes.len());
        }
    }

    fn unit() -> impl Strategy<Value = u16> {
        prop_oneof![
            0xD800..=0xDFFFu16,
            Just(u16::from(b'\\')),
            Just(u16::from(b'u')),
            Just(u16::from(b'd')),
            any::<u16>()
        ]
    }

    /// Like `JSON.stringify`, but with every surrogate escaped, paired or not.
    fn json(units: &[u16]) -> String {
        let escaped = units.iter().map(|&unit| match char::from_u32(unit.into()) {
            Some(c @ ('"' | '\\')) => format!("\\{c}"),
            Some(c) if c >= ' ' => c.to_string(),
            _ => format!("\\u{unit:04x}"),
        });
        format!("\"{}\"", escaped.collect::<String>())
    }
}
