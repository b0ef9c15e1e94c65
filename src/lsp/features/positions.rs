//! What is asked at a position: completions (`textDocument/completion`), the meaning of the text (`textDocument/hover`), where it leads and where
//! it is used (`textDocument/definition`, `references`).
//!
//! Completions are complete, so the client does not need to resolve them: the longest list has some 20 kB. Each item replaces
//! the token at the cursor, both in clients that insert and in those that replace, because the rest of a half replaced
//! string is never valid JSON. Some clients leave the text after the cursor as it is, so they keep the end that an item has
//! in common with it, such as the closing quote.

use std::path::PathBuf;
use std::time::SystemTime;

use ls_types::{
    CompletionItem, CompletionItemKind, CompletionItemLabelDetails, CompletionList, CompletionParams,
    CompletionTextEdit, Documentation, GotoDefinitionResponse, Hover, HoverContents, InsertTextFormat, InsertTextMode,
    Location, MarkupContent, MarkupKind, Position, TextEdit, Uri,
};

use crate::analysis::navigation::{self, Destination};
use crate::analysis::{self, Completion, CompletionContext, CompletionKind, Completions, Document, Layout};
use crate::lsp::client::settings::{CompletionSupport, DocumentationFormat};
use crate::lsp::convert::to_lsp::{self, Origin};
use crate::lsp::convert::uris;
use crate::lsp::session::configurations::ConfigFile;
use crate::lsp::session::open_document::Snapshot;
use crate::lsp::session::suites;
use crate::text::Span;

/// Returns the completions, the best first.
pub(crate) fn completion(snapshot: &Snapshot, params: &CompletionParams) -> CompletionList {
    let position = params.text_document_position.position;
    let offset = snapshot.offset(position);
    let trigger = params.context.as_ref().and_then(|context| context.trigger_character.as_ref()?.chars().next());
    let context = CompletionContext { workspace: &snapshot.workspace, answers: &snapshot.answers, trigger };
    let Completions { items, layout } = analysis::completions(&snapshot.document, offset, &context);
    let origin = snapshot.origin();
    let items = items.into_iter().enumerate();
    let items = items.map(|(rank, completion)| item(&origin, offset, rank, completion, &layout));
    CompletionList { is_incomplete: false, items: items.collect() }
}

fn item(origin: &Origin<'_>, offset: usize, rank: usize, completion: Completion, layout: &Layout) -> CompletionItem {
    let support = origin.support.completion;
    let range = |span| origin.range(span);
    let (new_text, format, mode) = insertion(&completion, layout, support);
    // Neovim's own completion and Kate name no modes. The completion plugins of Neovim do, and replace the whole range.
    let Span { start, end } = completion.span;
    let kept = new_text.strip_suffix(origin.text.slice(Span::new(offset, end)));
    let kept = kept.filter(|_| !support.as_is && !support.adjusts).map(str::to_owned);
    let span = Span::new(start, if kept.is_some() { offset } else { end });
    let new_text = kept.unwrap_or(new_text);
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
        text_edit: Some(CompletionTextEdit::Edit(TextEdit { range: range(span), new_text })),
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
        // Some clients add parentheses to a function.
        CompletionKind::Value | CompletionKind::Tool => CompletionItemKind::VALUE,
        CompletionKind::Group => CompletionItemKind::ENUM,
        CompletionKind::Source => CompletionItemKind::MODULE,
        CompletionKind::Phrase | CompletionKind::Pattern => CompletionItemKind::TEXT,
        CompletionKind::Structure => CompletionItemKind::SNIPPET,
    }
}

/// The hover of the text at a position.
pub(crate) fn hover(snapshot: &Snapshot, at: Position) -> Option<Hover> {
    let Snapshot { document, workspace, answers, settings, .. } = snapshot;
    let hover =
        analysis::hover(document, workspace, answers, snapshot.offset(at), SystemTime::now(), settings.challenges)?;
    let contents = HoverContents::Markup(to_lsp::markup(&hover.page, snapshot.support.hover_markdown));
    Some(Hover { contents, range: Some(snapshot.range(hover.span)) })
}

/// Where the text at a position leads.
pub(crate) fn definition(
    snapshot: &Snapshot,
    config: Option<&ConfigFile>,
    at: Position,
) -> Option<GotoDefinitionResponse> {
    let places = navigation::definition(&snapshot.document, snapshot.answers.config(), snapshot.offset(at))?;
    let locations = places.iter().filter_map(|place| location(snapshot, config, *place));
    Some(GotoDefinitionResponse::Array(locations.collect()))
}

/// Where the thing at a position is used.
pub(crate) fn references(
    snapshot: &Snapshot,
    config: Option<&ConfigFile>,
    at: Position,
    with_definitions: bool,
) -> Vec<Location> {
    let (config_used, offset) = (snapshot.answers.config(), snapshot.offset(at));
    let places = navigation::references(&snapshot.document, config_used, offset, with_definitions);
    places.into_iter().filter_map(|place| location(snapshot, config, place)).collect()
}

/// Where the name at a position is used in the other suites of the workspace: tools, sources and hints have one meaning in all of them.
/// `open` are the suites in the editor, the one with the position among them.
pub(crate) fn references_elsewhere(
    here: &Snapshot,
    at: Position,
    open: &[Snapshot],
    folders: &[PathBuf],
) -> Vec<Location> {
    let Some(name) = navigation::shared_name(&here.document, here.offset(at)) else { return Vec::new() };
    let in_document = |document: &Document, uri: &Uri| -> Vec<Location> {
        let origin = Origin { uri, text: document.text(), support: &here.support };
        name.uses_in(document).into_iter().map(|span| origin.location(span)).collect()
    };
    let others = open.iter().filter(|suite| suite.uri != here.uri);
    let mut found: Vec<Location> = others.flat_map(|suite| in_document(&suite.document, &suite.uri)).collect();
    for path in suites::closed(folders, open) {
        if let (Some(uri), Some(text)) = (uris::from_path(&path), suites::text(&path)) {
            found.extend(in_document(&Document::new(text, Some(path)), &uri));
        }
    }
    found
}

fn location(snapshot: &Snapshot, config: Option<&ConfigFile>, place: Destination) -> Option<Location> {
    match place {
        Destination::Here(span) => Some(snapshot.origin().location(span)),
        Destination::Configuration(span) => {
            let ConfigFile { uri, text, .. } = config?;
            Some(Origin { uri, text, support: &snapshot.support }.location(span))
        }
    }
}
