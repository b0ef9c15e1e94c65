//! Hover (`textDocument/hover`).

use std::time::SystemTime;

use ls_types::{Hover, HoverContents, Position};

use crate::analysis;
use crate::lsp::convert::from_lsp;
use crate::lsp::convert::to_lsp::{self, Origin};
use crate::lsp::session::snapshot::Snapshot;

/// The hover of the text at a position.
pub(crate) fn hover(snapshot: &Snapshot, at: Position) -> Option<Hover> {
    let Snapshot { document, workspace, answers, support, settings, .. } = snapshot;
    let offset = from_lsp::offset(document.text(), at, support.encoding);
    let hover = analysis::hover(document, workspace, answers, offset, SystemTime::now(), settings.challenges)?;
    Some(shown(&hover, &snapshot.origin()))
}

/// A hover of a document.
pub(super) fn shown(hover: &analysis::hover::Hover, origin: &Origin<'_>) -> Hover {
    Hover {
        contents: HoverContents::Markup(to_lsp::markup(&hover.page, origin.support.hover_markdown)),
        range: Some(to_lsp::range(origin.text, hover.span, origin.support.encoding)),
    }
}
