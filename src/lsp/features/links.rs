//! Links from the ids of cases to their transcripts, and from the suite's name to its last result
//! (`textDocument/documentLink`).

use std::path::Path;

use ls_types::DocumentLink;

use crate::lsp::convert::to_lsp;
use crate::lsp::convert::uris;
use crate::lsp::session::snapshot::Snapshot;
use crate::suite::PlacedCase;
use crate::text::Span;
use crate::workspace::last_result;

/// A link for each case whose transcript is on disk, and one to the page of the last run.
pub(in crate::lsp) fn document_links(snapshot: &Snapshot) -> Vec<DocumentLink> {
    let (document, support) = (&snapshot.document, &snapshot.support);
    let link = |span: Span, to: &Path, tooltip: &str| {
        Some(DocumentLink {
            range: to_lsp::range(document.text(), span, support.encoding),
            target: Some(uris::from_path(to)?),
            tooltip: support.link_tooltips.then(|| tooltip.to_owned()),
            data: None,
        })
    };
    let transcript = |placed: &PlacedCase| {
        let id = placed.case.id.as_ref()?;
        let file = snapshot.answers.kept(&id.value)?.file.as_ref()?;
        link(placed.absolute(id.span), &file.path, "Open the transcript")
    };
    let suite = document.suite();
    let headline = suite.name.as_ref().map(|name| name.span).or(suite.list.as_ref().map(|list| list.key));
    let result = document.path().and_then(|path| last_result(path, snapshot.answers.config()));
    let result = result.and_then(|page| link(headline?, &page, "Open the last result"));
    result.into_iter().chain(suite.cases.iter().filter_map(transcript)).collect()
}
