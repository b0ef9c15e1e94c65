//! Formatting of a document (`textDocument/formatting`) and of a range (`textDocument/rangeFormatting`).

use ls_types::{FormattingOptions, Range, TextEdit};

use crate::analysis::formatting::{Layout, format, format_range};
use crate::diagnostic::Edit;
use crate::lsp::convert::from_lsp;
use crate::lsp::convert::to_lsp;
use crate::lsp::session::snapshot::Snapshot;

/// The edits that put a document in order.
pub(in crate::lsp) fn of_document(snapshot: &Snapshot, options: &FormattingOptions) -> Vec<TextEdit> {
    text_edits(snapshot, &format(&snapshot.document, &layout(options)))
}

/// The edits that put the lines of a range in order.
pub(in crate::lsp) fn of_range(snapshot: &Snapshot, range: Range, options: &FormattingOptions) -> Vec<TextEdit> {
    let Ok(span) = from_lsp::span(snapshot.document.text(), range, snapshot.support.encoding) else {
        return Vec::new();
    };
    text_edits(snapshot, &format_range(&snapshot.document, span, &layout(options)))
}

fn text_edits(snapshot: &Snapshot, edits: &[Edit]) -> Vec<TextEdit> {
    let (text, encoding) = (snapshot.document.text(), snapshot.support.encoding);
    edits.iter().map(|edit| to_lsp::text_edit(edit, text, encoding)).collect()
}

fn layout(options: &FormattingOptions) -> Layout {
    // More than 16 is a slip.
    let spaces = usize::try_from(options.tab_size.clamp(1, 16)).unwrap_or(2);
    Layout {
        indent: if options.insert_spaces { " ".repeat(spaces) } else { "\t".to_owned() },
        final_newline: options.insert_final_newline != Some(false),
    }
}
