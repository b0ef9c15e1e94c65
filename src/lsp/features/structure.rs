//! What the text of a suite consists of: its outline (`textDocument/documentSymbol`), cases by their ids (`workspace/symbol`), and
//! links from ids to transcripts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ls_types::{DocumentLink, DocumentSymbol, Location, OneOf, SymbolKind, WorkspaceSymbol};

use crate::analysis::symbols::{self, Symbol};
use crate::cancellation::checkpoint;
use crate::lsp::client::settings::Support;
use crate::lsp::convert::uris;
use crate::lsp::session::open_document::Snapshot;
use crate::lsp::session::suites;
use crate::suite::PlacedCase;
use crate::text::Span;

/// More cases than this are not listed for one query; a longer one finds them.
const MOST: usize = 1000;

/// The outline.
pub(crate) fn document_symbols(snapshot: &Snapshot) -> Vec<DocumentSymbol> {
    symbols::symbols(&snapshot.document).iter().map(|suite| nested(snapshot, suite)).collect()
}

/// The cases whose id, category or prompt is like `query`: of the open suites, and of those on disk below the folders.
pub(crate) fn workspace_symbols(
    open: &[Snapshot],
    folders: &[PathBuf],
    support: &Arc<Support>,
    query: &str,
) -> Vec<WorkspaceSymbol> {
    let of_suite = |suite: &Snapshot| -> Vec<WorkspaceSymbol> {
        let cases = symbols::cases_like(&suite.document, query);
        cases.iter().map(|case| workspace_symbol(suite, case)).collect()
    };
    let closed = suites::closed(folders, open).filter_map(|path| {
        // Where cases stand does not hang on the configuration.
        suites::on_disk(uris::from_path(&path)?, path, &Arc::default(), Arc::clone(support), Arc::default())
    });
    let of_closed = closed.flat_map(|suite| of_suite(&suite));
    open.iter().flat_map(of_suite).chain(of_closed).take(MOST).collect()
}

/// The recursion is as deep as an outline: three levels.
fn nested(snapshot: &Snapshot, symbol: &Symbol) -> DocumentSymbol {
    checkpoint();
    let children: Vec<_> = symbol.children.iter().map(|child| nested(snapshot, child)).collect();
    #[expect(deprecated, reason = "the type has no other way to be made")]
    DocumentSymbol {
        name: symbol.name.clone(),
        detail: (!symbol.detail.is_empty()).then(|| symbol.detail.clone()),
        kind: kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: snapshot.range(symbol.span),
        selection_range: snapshot.range(symbol.selection),
        children: (!children.is_empty()).then_some(children),
    }
}

fn workspace_symbol(suite: &Snapshot, case: &Symbol) -> WorkspaceSymbol {
    let file = suite.document.path().and_then(|path| path.file_name());
    WorkspaceSymbol {
        name: case.name.clone(),
        kind: kind(case.kind),
        tags: None,
        container_name: file.map(|name| name.to_string_lossy().into_owned()),
        location: OneOf::Left(location(suite, case)),
        data: None,
    }
}

fn location(snapshot: &Snapshot, symbol: &Symbol) -> Location {
    snapshot.origin().location(symbol.span)
}

fn kind(kind: symbols::SymbolKind) -> SymbolKind {
    match kind {
        symbols::SymbolKind::Suite => SymbolKind::MODULE,
        symbols::SymbolKind::Case => SymbolKind::CLASS,
        symbols::SymbolKind::Group => SymbolKind::ARRAY,
        symbols::SymbolKind::Value => SymbolKind::PROPERTY,
    }
}

/// A link for each case whose transcript is on disk.
pub(crate) fn document_links(snapshot: &Snapshot) -> Vec<DocumentLink> {
    let document = &snapshot.document;
    let link = |span: Span, to: &Path, tooltip: &str| {
        Some(DocumentLink {
            range: snapshot.range(span),
            target: Some(uris::from_path(to)?),
            tooltip: Some(tooltip.to_owned()),
            data: None,
        })
    };
    let transcript = |placed: &PlacedCase| {
        let id = placed.case.id.as_ref()?;
        let file = snapshot.answers.kept(&id.value)?.file.as_ref()?;
        link(placed.absolute(id.span), &file.path, "Open the transcript")
    };
    let suite = document.suite();
    suite.cases.iter().filter_map(transcript).collect()
}
