//! What the text of a suite consists of: its outline (`textDocument/documentSymbol`).

use ls_types::{DocumentSymbol, SymbolKind};

use crate::analysis::symbols::{self, Symbol};
use crate::cancellation::checkpoint;
use crate::lsp::session::open_document::Snapshot;

/// The outline.
pub(crate) fn document_symbols(snapshot: &Snapshot) -> Vec<DocumentSymbol> {
    symbols::symbols(&snapshot.document).iter().map(|suite| nested(snapshot, suite)).collect()
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

fn kind(kind: symbols::SymbolKind) -> SymbolKind {
    match kind {
        symbols::SymbolKind::Suite => SymbolKind::MODULE,
        symbols::SymbolKind::Case => SymbolKind::CLASS,
        symbols::SymbolKind::Group => SymbolKind::ARRAY,
        symbols::SymbolKind::Value => SymbolKind::PROPERTY,
    }
}
