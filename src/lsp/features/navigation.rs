//! What the text at a position means (`textDocument/hover`), where it leads and where it is used (`textDocument/definition`, `references`,
//! `documentHighlight`).

use std::path::PathBuf;
use std::time::SystemTime;

use ls_types::{
    DocumentHighlight, DocumentHighlightKind, GotoDefinitionResponse, Hover, HoverContents, Location, LocationLink,
    Position, Uri,
};

use crate::analysis::navigation::{self, Destination};
use crate::analysis::{self, Document};
use crate::cancellation::checkpoint;
use crate::lsp::convert::to_lsp::{self, Origin};
use crate::lsp::convert::uris;
use crate::lsp::session::snapshot::{ConfigText, Snapshot};
use crate::lsp::session::suites;

/// The hover of the text at a position.
pub(crate) fn hover(snapshot: &Snapshot, at: Position) -> Option<Hover> {
    let Snapshot { document, workspace, answers, settings, .. } = snapshot;
    let hover =
        analysis::hover(document, workspace, answers, snapshot.offset(at), SystemTime::now(), settings.challenges)?;
    Some(shown_hover(&hover, &snapshot.origin()))
}

/// A hover of a document.
pub(crate) fn shown_hover(hover: &analysis::hover::Hover, origin: &Origin<'_>) -> Hover {
    Hover {
        contents: HoverContents::Markup(to_lsp::markup(&hover.page, origin.support.hover_markdown)),
        range: Some(origin.range(hover.span)),
    }
}

/// Where the text at a position leads.
pub(crate) fn definition(
    snapshot: &Snapshot,
    config: Option<&ConfigText>,
    at: Position,
) -> Option<GotoDefinitionResponse> {
    let targets = navigation::definition(&snapshot.document, snapshot.answers.config(), snapshot.offset(at))?;
    let locations = targets.destinations.iter().filter_map(|place| location(snapshot, config, *place));
    if !snapshot.support.definition_links {
        return Some(GotoDefinitionResponse::Array(locations.collect()));
    }
    let origin = snapshot.range(targets.origin);
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
    let spans = navigation::highlights(&snapshot.document, snapshot.offset(at));
    let highlight = |span| DocumentHighlight { range: snapshot.range(span), kind: Some(DocumentHighlightKind::TEXT) };
    spans.into_iter().map(highlight).collect()
}

fn location(snapshot: &Snapshot, config: Option<&ConfigText>, place: Destination) -> Option<Location> {
    match place {
        Destination::Here(span) => Some(snapshot.origin().location(span)),
        Destination::Configuration(span) => {
            let ConfigText { uri, text } = config?;
            Some(Origin { uri, text, support: &snapshot.support }.location(span))
        }
    }
}
