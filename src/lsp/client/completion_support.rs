use tower_lsp_server::ls_types::{CompletionClientCapabilities, CompletionOptions, InsertTextMode, MarkupKind};

use crate::analysis::TRIGGER_CHARACTERS;

/// What the client can do with completions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::lsp) struct CompletionSupport {
    /// Whether it knows snippets.
    pub(in crate::lsp) snippets: bool,
    /// Whether it can be told to leave the indentation of further lines alone.
    pub(in crate::lsp) as_is: bool,
    /// Whether it shows a few words beside the label.
    pub(in crate::lsp) label_details: bool,
    /// How it shows documentation.
    pub(in crate::lsp) documentation: DocumentationFormat,
}

/// How documentation is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::lsp) enum DocumentationFormat {
    Markdown,
    PlainText,
    /// As a mere string, to a client that says nothing of formats.
    #[default]
    String,
}

impl CompletionSupport {
    /// Reads what a client says of itself.
    pub(in crate::lsp) fn of(client: &CompletionClientCapabilities) -> Self {
        let item = client.completion_item.clone().unwrap_or_default();
        let formats = item.documentation_format.unwrap_or_default();
        let modes = item.insert_text_mode_support.map(|modes| modes.value_set).unwrap_or_default();
        CompletionSupport {
            snippets: item.snippet_support == Some(true),
            as_is: modes.contains(&InsertTextMode::AS_IS),
            label_details: item.label_details_support == Some(true),
            documentation: match formats.first() {
                _ if formats.contains(&MarkupKind::Markdown) => DocumentationFormat::Markdown,
                Some(_) => DocumentationFormat::PlainText,
                None => DocumentationFormat::String,
            },
        }
    }
}

/// What is announced to clients that know completions.
pub(in crate::lsp) fn options() -> CompletionOptions {
    CompletionOptions {
        trigger_characters: Some(TRIGGER_CHARACTERS.map(String::from).to_vec()),
        ..CompletionOptions::default()
    }
}
