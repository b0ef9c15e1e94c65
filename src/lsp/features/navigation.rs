//! Where things lead and where they are used (`textDocument/definition`, `references`, `documentHighlight`).

use tower_lsp_server::ls_types::{
    DocumentHighlight, DocumentHighlightKind, GotoDefinitionResponse, Location, LocationLink, Position, Range,
};

use crate::analysis::navigation::{self, Destination};
use crate::lsp::convert::from_lsp;
use crate::lsp::convert::to_lsp;
use crate::lsp::session::snapshot::{ConfigText, Snapshot};
use crate::text::Text;

/// Where the text at a position leads.
pub(in crate::lsp) fn definition(
    snapshot: &Snapshot,
    config: Option<&ConfigText>,
    at: Position,
) -> Option<GotoDefinitionResponse> {
    let (text, encoding) = (snapshot.document.text(), snapshot.support.encoding);
    let offset = from_lsp::offset(text, at, encoding);
    let targets = navigation::definition(&snapshot.document, snapshot.answers.config(), offset)?;
    let locations = targets.destinations.iter().filter_map(|place| location(snapshot, config, *place));
    if !snapshot.support.definition_links {
        return Some(GotoDefinitionResponse::Array(locations.collect()));
    }
    let origin = to_lsp::range(text, targets.origin, encoding);
    let link = |Location { uri, range }: Location| LocationLink {
        origin_selection_range: Some(origin),
        target_uri: uri,
        target_range: range,
        target_selection_range: range,
    };
    Some(GotoDefinitionResponse::Link(locations.map(link).collect()))
}

/// Where the thing at a position is used.
pub(in crate::lsp) fn references(
    snapshot: &Snapshot,
    config: Option<&ConfigText>,
    at: Position,
    with_definitions: bool,
) -> Vec<Location> {
    let offset = from_lsp::offset(snapshot.document.text(), at, snapshot.support.encoding);
    let places = navigation::references(&snapshot.document, snapshot.answers.config(), offset, with_definitions);
    places.into_iter().filter_map(|place| location(snapshot, config, place)).collect()
}

/// What lights up with the text at a position.
pub(in crate::lsp) fn highlights(snapshot: &Snapshot, at: Position) -> Vec<DocumentHighlight> {
    let (text, encoding) = (snapshot.document.text(), snapshot.support.encoding);
    let spans = navigation::highlights(&snapshot.document, from_lsp::offset(text, at, encoding));
    let highlight = |span| DocumentHighlight {
        range: to_lsp::range(text, span, encoding),
        kind: Some(DocumentHighlightKind::TEXT),
    };
    spans.into_iter().map(highlight).collect()
}

fn location(snapshot: &Snapshot, config: Option<&ConfigText>, place: Destination) -> Option<Location> {
    let encoding = snapshot.support.encoding;
    let range = |text: &Text, span| -> Range { to_lsp::range(text, span, encoding) };
    Some(match place {
        Destination::Here(span) => Location { uri: snapshot.uri.clone(), range: range(snapshot.document.text(), span) },
        Destination::Configuration(span) => {
            let config = config?;
            Location { uri: config.uri.clone(), range: range(&config.text, span) }
        }
    })
}
