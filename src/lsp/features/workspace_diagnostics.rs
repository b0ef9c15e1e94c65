//! Diagnostics of suites that are not open (`workspace/diagnostic`).

use std::collections::HashMap;

use ls_types::{
    FullDocumentDiagnosticReport, PreviousResultId, UnchangedDocumentDiagnosticReport, Uri,
    WorkspaceDocumentDiagnosticReport as Report, WorkspaceFullDocumentDiagnosticReport,
    WorkspaceUnchangedDocumentDiagnosticReport,
};

use super::diagnostics::{fingerprint, of_findings};
use crate::lsp::session::snapshot::Snapshot;

/// What the client knows: the result of each document.
#[derive(Clone, Debug, Default)]
pub(in crate::lsp) struct Known {
    results: HashMap<Uri, String>,
}

impl Known {
    /// Reads the results that the client names.
    pub(in crate::lsp) fn of(previous: Vec<PreviousResultId>) -> Self {
        Known { results: previous.into_iter().map(|previous| (previous.uri, previous.value)).collect() }
    }

    /// Forgets the result of a document that was open: the client drops the result when it closes the document.
    pub(in crate::lsp) fn forget(&mut self, uri: &Uri) {
        self.results.remove(uri);
    }

    /// Returns the findings of a suite on disk, or that they have not changed.
    pub(in crate::lsp) fn report(&self, suite: &Snapshot) -> Report {
        let (uri, items) = (suite.uri.clone(), of_findings(suite));
        let result_id = fingerprint(&items);
        match result_id {
            Some(result_id) if self.results.get(&uri) == Some(&result_id) => {
                Report::Unchanged(WorkspaceUnchangedDocumentDiagnosticReport {
                    uri,
                    version: None,
                    unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
                })
            }
            result_id => full(uri, FullDocumentDiagnosticReport { result_id, items }),
        }
    }

    /// Returns reports without findings for the documents that are no longer suites on disk.
    pub(in crate::lsp) fn gone(self, is_there: impl Fn(&Uri) -> bool) -> Vec<Report> {
        let gone = self.results.into_keys().filter(|uri| !is_there(uri));
        gone.map(|uri| full(uri, FullDocumentDiagnosticReport::default())).collect()
    }
}

fn full(uri: Uri, full_document_diagnostic_report: FullDocumentDiagnosticReport) -> Report {
    Report::Full(WorkspaceFullDocumentDiagnosticReport { uri, version: None, full_document_diagnostic_report })
}
