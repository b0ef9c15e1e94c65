//! Completions at the cursor (`textDocument/completion`).
//!
//! Items are complete, so the client does not need to resolve them: the longest list has some 20 kB. Each item replaces
//! the token at the cursor, both in clients that insert and in those that replace, because the rest of a half replaced
//! string is never valid JSON.

use ls_types::{
    CompletionItem, CompletionItemKind, CompletionItemLabelDetails, CompletionList, CompletionParams,
    CompletionTextEdit, Documentation, InsertTextFormat, InsertTextMode, MarkupContent, MarkupKind, TextEdit,
};

use crate::analysis::{self, Completion, CompletionContext, CompletionKind, Completions, Layout};
use crate::lsp::client::support::{CompletionSupport, DocumentationFormat};
use crate::lsp::convert::to_lsp::Origin;
use crate::lsp::session::snapshot::Snapshot;

/// Returns the completions, the best first.
pub(crate) fn completion(snapshot: &Snapshot, params: &CompletionParams) -> CompletionList {
    let position = params.text_document_position.position;
    let offset = snapshot.offset(position);
    let trigger = params.context.as_ref().and_then(|context| context.trigger_character.as_ref()?.chars().next());
    let context = CompletionContext { workspace: &snapshot.workspace, answers: &snapshot.answers, trigger };
    list(analysis::completions(&snapshot.document, offset, &context), &snapshot.origin())
}

/// These completions of a document.
pub(crate) fn list(completions: Completions, origin: &Origin<'_>) -> CompletionList {
    let items = completions.items.into_iter().enumerate();
    let items = items.map(|(rank, completion)| item(origin, rank, completion, &completions.layout));
    CompletionList { is_incomplete: false, items: items.collect() }
}

fn item(origin: &Origin<'_>, rank: usize, completion: Completion, layout: &Layout) -> CompletionItem {
    let support = origin.support.completion;
    let range = |span| origin.range(span);
    let (new_text, format, mode) = insertion(&completion, layout, support);
    let also = completion.also.iter();
    let also: Vec<_> = also.map(|edit| TextEdit { range: range(edit.span), new_text: edit.text.clone() }).collect();
    let details = |description| CompletionItemLabelDetails { detail: None, description };
    let (label_details, detail) = match support.label_details {
        true => (completion.detail.map(|detail| details(Some(detail))), None),
        false => (None, completion.detail),
    };
    CompletionItem {
        kind: Some(kind(completion.kind)),
        label_details,
        detail,
        documentation: completion.documentation.map(|documentation| self::documentation(documentation, support)),
        sort_text: Some(format!("{rank:04}")),
        filter_text: (completion.filter != completion.label).then_some(completion.filter),
        label: completion.label,
        insert_text_format: Some(format),
        insert_text_mode: mode,
        text_edit: Some(CompletionTextEdit::Edit(TextEdit { range: range(completion.span), new_text })),
        additional_text_edits: (!also.is_empty()).then_some(also),
        ..CompletionItem::default()
    }
}

/// Returns the text in the form for this client.
fn insertion(
    completion: &Completion,
    layout: &Layout,
    support: CompletionSupport,
) -> (String, InsertTextFormat, Option<InsertTextMode>) {
    let is_snippet = support.snippets && completion.text.stops() > 0;
    // Clients with snippets indent further lines themselves. Some announce that they can turn this off and do it only for
    // plain text.
    let is_indented = support.snippets && (is_snippet || !support.as_is);
    let mode = match completion.text.spans_lines() {
        true if is_indented => support.adjusts.then_some(InsertTextMode::ADJUST_INDENTATION),
        true => support.as_is.then_some(InsertTextMode::AS_IS),
        false => None,
    };
    let relative = Layout { indentation: String::new(), ..layout.clone() };
    let layout = if is_indented { &relative } else { layout };
    match is_snippet {
        true => (completion.text.to_template(layout), InsertTextFormat::SNIPPET, mode),
        false => (completion.text.to_plain(layout), InsertTextFormat::PLAIN_TEXT, mode),
    }
}

fn documentation(documentation: analysis::Documentation, support: CompletionSupport) -> Documentation {
    let markup = |kind, value| Documentation::MarkupContent(MarkupContent { kind, value });
    match support.documentation {
        DocumentationFormat::Markdown => markup(MarkupKind::Markdown, documentation.markdown),
        DocumentationFormat::PlainText => markup(MarkupKind::PlainText, documentation.plain),
        DocumentationFormat::String => Documentation::String(documentation.plain),
    }
}

/// Returns one of the kinds that every client supports.
fn kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Key => CompletionItemKind::PROPERTY,
        CompletionKind::Value => CompletionItemKind::VALUE,
        CompletionKind::Group => CompletionItemKind::ENUM,
        CompletionKind::Tool => CompletionItemKind::FUNCTION,
        CompletionKind::Source => CompletionItemKind::MODULE,
        CompletionKind::Phrase | CompletionKind::Pattern => CompletionItemKind::TEXT,
        CompletionKind::Structure => CompletionItemKind::SNIPPET,
    }
}
