//! Notes in an open transcript: behind each line of the response, the checks that depend on it.

use std::path::Path;

use ls_types::{InlayHint, InlayHintLabel, InlayHintTooltip, Range};

use crate::analysis::coverage::{case_of, coverage_notes};
use crate::lsp::client::support::Support;
use crate::lsp::convert::{from_lsp, to_lsp};
use crate::lsp::session::snapshot::Snapshot;
use crate::text::Text;
use crate::transcript::Transcript;
use crate::wording::{Line, Markup};

/// The notes within a range of the text of `transcript`, whose case is looked for in `suites`.
pub(in crate::lsp) fn notes(
    suites: &[Snapshot],
    text: &Text,
    transcript: Transcript,
    path: Option<&Path>,
    range: Range,
    support: &Support,
) -> Vec<InlayHint> {
    let Ok(within) = from_lsp::span(text, range, support.encoding) else { return Vec::new() };
    let fits = |suite: &Snapshot| case_of(&suite.document, &suite.answers, &transcript, path);
    let found = suites.iter().filter_map(|suite| Some((fits(suite)?, suite)));
    let Some(((case, _), suite)) = found.max_by_key(|((_, rank), _)| *rank) else { return Vec::new() };
    let notes = coverage_notes(&case, text.as_str(), transcript, &suite.answers).into_iter();
    let hints = notes.filter(|note| within.touches(note.offset)).map(|note| {
        let mut page = Markup::default();
        note.checks.iter().for_each(|id| page.item(0, Line::default().code(id)));
        let tooltip = InlayHintTooltip::MarkupContent(to_lsp::markup(&page, support.hover_markdown));
        InlayHint {
            position: to_lsp::position(text, note.offset, support.encoding),
            label: InlayHintLabel::String(note.label),
            kind: None,
            text_edits: None,
            tooltip: (!page.is_empty()).then_some(tooltip),
            padding_left: Some(true),
            padding_right: Some(true),
            data: None,
        }
    });
    hints.collect()
}
