//! What can be folded (`textDocument/foldingRange`), and what a selection grows to (`textDocument/selectionRange`).

use ls_types::{FoldingRange, Position, SelectionRange};

use crate::analysis::{folding, selection};
use crate::lsp::convert::from_lsp;
use crate::lsp::convert::to_lsp;
use crate::lsp::session::snapshot::Snapshot;

/// How many steps a selection grows by: what is nested deeper grows to the whole at once.
const MOST_STEPS: usize = 60;

/// What can be folded, in whole lines.
pub(in crate::lsp) fn folding_ranges(snapshot: &Snapshot) -> Vec<FoldingRange> {
    let folds = folding::folds(&snapshot.document, snapshot.support.max_folds);
    let fold = |fold: folding::Fold| FoldingRange {
        start_line: to_lsp::saturated(fold.first),
        end_line: to_lsp::saturated(fold.last),
        ..FoldingRange::default()
    };
    folds.into_iter().map(fold).collect()
}

/// For each position, what a selection there grows to.
pub(in crate::lsp) fn selection_ranges(snapshot: &Snapshot, at: &[Position]) -> Vec<SelectionRange> {
    at.iter().filter_map(|at| selection_range(snapshot, *at)).collect()
}

fn selection_range(snapshot: &Snapshot, at: Position) -> Option<SelectionRange> {
    let (text, encoding) = (snapshot.document.text(), snapshot.support.encoding);
    let mut spans = selection::selections(&snapshot.document, from_lsp::offset(text, at, encoding));
    if spans.len() > MOST_STEPS {
        spans.drain(MOST_STEPS - 1..spans.len() - 1);
    }
    spans.into_iter().rev().fold(None, |parent, span| {
        Some(SelectionRange { range: to_lsp::range(text, span, encoding), parent: parent.map(Box::new) })
    })
}
