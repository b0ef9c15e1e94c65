use ls_types::{CompletionClientCapabilities, CompletionOptions, InsertTextMode, MarkupKind};

use crate::analysis::TRIGGER_CHARACTERS;

/// The client's support for completions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::lsp) struct CompletionSupport {
    /// Whether it supports snippets.
    pub(in crate::lsp) snippets: bool,
    /// Whether it can leave the indentation of further lines unchanged.
    pub(in crate::lsp) as_is: bool,
    /// Whether it can indent further lines on request.
    pub(in crate::lsp) adjusts: bool,
    /// Whether it shows a short text beside the label.
    pub(in crate::lsp) label_details: bool,
    /// How it shows documentation.
    pub(in crate::lsp) documentation: DocumentationFormat,
}

/// The form in which documentation is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::lsp) enum DocumentationFormat {
    Markdown,
    PlainText,
    /// As a plain string, for a client that names no formats.
    #[default]
    String,
}

impl CompletionSupport {
    /// Reads the capabilities of a client.
    pub(in crate::lsp) fn of(client: &CompletionClientCapabilities) -> Self {
        let item = client.completion_item.clone().unwrap_or_default();
        let formats = item.documentation_format.unwrap_or_default();
        let modes = item.insert_text_mode_support.map(|modes| modes.value_set).unwrap_or_default();
        CompletionSupport {
            snippets: item.snippet_support == Some(true),
            as_is: modes.contains(&InsertTextMode::AS_IS),
            adjusts: modes.contains(&InsertTextMode::ADJUST_INDENTATION),
            label_details: item.label_details_support == Some(true),
            documentation: match formats.first() {
                _ if formats.contains(&MarkupKind::Markdown) => DocumentationFormat::Markdown,
                Some(_) => DocumentationFormat::PlainText,
                None => DocumentationFormat::String,
            },
        }
    }
}

/// The announced options for clients with completions.
pub(in crate::lsp) fn options() -> CompletionOptions {
    CompletionOptions {
        trigger_characters: Some(TRIGGER_CHARACTERS.map(String::from).to_vec()),
        ..CompletionOptions::default()
    }
}
