//! Where things lead and where they are used (`textDocument/definition`, `references`, `documentHighlight`).

use std::path::PathBuf;

use ls_types::{
    DocumentHighlight, DocumentHighlightKind, GotoDefinitionResponse, Location, LocationLink, Position, Range, Uri,
};

use crate::analysis::Document;
use crate::analysis::navigation::{self, Destination};
use crate::cancellation::checkpoint;
use crate::lsp::convert::from_lsp;
use crate::lsp::convert::to_lsp;
use crate::lsp::convert::uris;
use crate::lsp::session::snapshot::{ConfigText, Snapshot};
use crate::lsp::session::suites;
use crate::text::Text;

/// Where the text at a position leads.
pub(crate) fn definition(
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
pub(crate) fn references(
    snapshot: &Snapshot,
    config: Option<&ConfigText>,
    at: Position,
    with_definitions: bool,
) -> Vec<Location> {
    let offset = from_lsp::offset(snapshot.document.text(), at, snapshot.support.encoding);
    let places = navigation::references(&snapshot.document, snapshot.answers.config(), offset, with_definitions);
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
    let encoding = here.support.encoding;
    let offset = from_lsp::offset(here.document.text(), at, encoding);
    let Some(name) = navigation::shared_name(&here.document, offset) else { return Vec::new() };
    let in_document = |document: &Document, uri: &Uri| -> Vec<Location> {
        let range = |span| to_lsp::range(document.text(), span, encoding);
        name.uses_in(document).into_iter().map(|span| Location { uri: uri.clone(), range: range(span) }).collect()
    };
    let others = open.iter().filter(|suite| suite.uri != here.uri);
    let mut found: Vec<Location> = others.flat_map(|suite| in_document(&suite.document, &suite.uri)).collect();
    for path in suites::below(folders) {
        checkpoint();
        if here.document.path() == Some(&path) || open.iter().any(|suite| suite.document.path() == Some(&path)) {
            continue;
        }
        if let (Some(uri), Some(text)) = (uris::from_path(&path), suites::text(&path)) {
            found.extend(in_document(&Document::new(text, Some(path)), &uri));
        }
    }
    found
}

/// What lights up with the text at a position.
pub(crate) fn highlights(snapshot: &Snapshot, at: Position) -> Vec<DocumentHighlight> {
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
