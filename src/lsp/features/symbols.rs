//! The outline of a suite (`textDocument/documentSymbol`), and cases by their ids (`workspace/symbol`).

use std::path::PathBuf;
use std::sync::Arc;

use ls_types::{
    DocumentSymbol, DocumentSymbolResponse, Location, OneOf, SymbolInformation, SymbolKind, WorkspaceSymbol,
};

use crate::analysis::symbols::{self, Symbol};
use crate::cancellation::checkpoint;
use crate::lsp::client::support::Support;
use crate::lsp::convert::to_lsp;
use crate::lsp::convert::uris;
use crate::lsp::session::snapshot::Snapshot;
use crate::lsp::session::suites;

/// More cases than this are not listed for one query; a longer one finds them.
const MOST: usize = 1000;

/// The outline; as a plain list for clients that know nothing else.
pub(in crate::lsp) fn document_symbols(snapshot: &Snapshot) -> DocumentSymbolResponse {
    let suite = symbols::symbols(&snapshot.document);
    if snapshot.support.nested_symbols {
        return DocumentSymbolResponse::Nested(suite.iter().map(|suite| nested(snapshot, suite)).collect());
    }
    let mut flat = Vec::new();
    if let Some(suite) = &suite {
        flat.push(information(snapshot, suite, None));
        for case in &suite.children {
            flat.push(information(snapshot, case, Some(&suite.name)));
            flat.extend(case.children.iter().map(|field| information(snapshot, field, Some(&case.name))));
        }
    }
    DocumentSymbolResponse::Flat(flat)
}

/// The cases whose id, category or prompt is like `query`: of the open suites, and of those on disk below the folders.
pub(in crate::lsp) fn workspace_symbols(
    open: &[Snapshot],
    folders: &[PathBuf],
    support: &Arc<Support>,
    query: &str,
) -> Vec<WorkspaceSymbol> {
    let of_suite = |suite: &Snapshot| -> Vec<WorkspaceSymbol> {
        let cases = symbols::cases_like(&suite.document, query);
        cases.iter().map(|case| workspace_symbol(suite, case)).collect()
    };
    let is_open = |path: &PathBuf| open.iter().any(|suite| suite.document.path() == Some(path));
    let closed = suites::below(folders).into_iter().filter(|path| !is_open(path)).filter_map(|path| {
        checkpoint();
        // Where cases stand does not hang on the configuration.
        suites::on_disk(uris::from_path(&path)?, path, &Arc::default(), Arc::clone(support))
    });
    let of_closed = closed.flat_map(|suite| of_suite(&suite));
    open.iter().flat_map(of_suite).chain(of_closed).take(MOST).collect()
}

/// The recursion is as deep as an outline: three levels.
fn nested(snapshot: &Snapshot, symbol: &Symbol) -> DocumentSymbol {
    checkpoint();
    let (text, encoding) = (snapshot.document.text(), snapshot.support.encoding);
    let children: Vec<_> = symbol.children.iter().map(|child| nested(snapshot, child)).collect();
    #[expect(deprecated, reason = "the type has no other way to be made")]
    DocumentSymbol {
        name: symbol.name.clone(),
        detail: (!symbol.detail.is_empty()).then(|| symbol.detail.clone()),
        kind: kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: to_lsp::range(text, symbol.span, encoding),
        selection_range: to_lsp::range(text, symbol.selection, encoding),
        children: (!children.is_empty()).then_some(children),
    }
}

fn information(snapshot: &Snapshot, symbol: &Symbol, container: Option<&str>) -> SymbolInformation {
    #[expect(deprecated, reason = "the type has no other way to be made")]
    SymbolInformation {
        name: symbol.name.clone(),
        kind: kind(symbol.kind),
        tags: None,
        deprecated: None,
        location: location(snapshot, symbol),
        container_name: container.map(str::to_owned),
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
    let range = to_lsp::range(snapshot.document.text(), symbol.span, snapshot.support.encoding);
    Location { uri: snapshot.uri.clone(), range }
}

fn kind(kind: symbols::SymbolKind) -> SymbolKind {
    match kind {
        symbols::SymbolKind::Suite => SymbolKind::MODULE,
        symbols::SymbolKind::Case => SymbolKind::CLASS,
        symbols::SymbolKind::Group => SymbolKind::ARRAY,
        symbols::SymbolKind::Value => SymbolKind::PROPERTY,
    }
}
