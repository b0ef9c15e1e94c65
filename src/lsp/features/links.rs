//! Links from the ids of cases to their transcripts (`textDocument/documentLink`).

use tower_lsp_server::ls_types::DocumentLink;

use crate::lsp::snapshot::Snapshot;
use crate::lsp::{to_lsp, uris};

/// A link for each case whose transcript is on disk.
pub(in crate::lsp) fn document_links(snapshot: &Snapshot) -> Vec<DocumentLink> {
    let (document, support) = (&snapshot.document, &snapshot.support);
    let link = |placed: &crate::analysis::PlacedCase| {
        let id = placed.case.id.as_ref()?;
        let file = snapshot.answers.kept(&id.value)?.file.as_ref()?;
        Some(DocumentLink {
            range: to_lsp::range(document.text(), placed.absolute(id.span), support.encoding),
            target: Some(uris::from_path(&file.path)?),
            tooltip: support.link_tooltips.then(|| "Open the transcript".to_owned()),
            data: None,
        })
    };
    document.suite().cases.iter().filter_map(link).collect()
}
