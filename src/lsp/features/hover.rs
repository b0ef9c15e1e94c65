//! Hover (`textDocument/hover`).

use std::time::SystemTime;

use ls_types::{Hover, HoverContents, Position};

use crate::analysis;
use crate::lsp::convert::to_lsp::{self, Origin};
use crate::lsp::session::snapshot::Snapshot;

/// The hover of the text at a position.
pub(crate) fn hover(snapshot: &Snapshot, at: Position) -> Option<Hover> {
    let Snapshot { document, workspace, answers, settings, .. } = snapshot;
    let hover =
        analysis::hover(document, workspace, answers, snapshot.offset(at), SystemTime::now(), settings.challenges)?;
    Some(shown(&hover, &snapshot.origin()))
}

/// A hover of a document.
pub(crate) fn shown(hover: &analysis::hover::Hover, origin: &Origin<'_>) -> Hover {
    Hover {
        contents: HoverContents::Markup(to_lsp::markup(&hover.page, origin.support.hover_markdown)),
        range: Some(origin.range(hover.span)),
    }
}
