use std::collections::HashSet;

use tower_lsp_server::ls_types::Uri;

/// What a client that wants to know is to be told.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::lsp) struct News {
    /// The suites whose cases, or where they stand, may have changed.
    pub(in crate::lsp) tests: HashSet<Uri>,
    /// The suites whose verdicts may have changed.
    pub(in crate::lsp) verdicts: HashSet<Uri>,
    /// Whether code lenses say something else for another reason than an edit.
    pub(in crate::lsp) lenses: bool,
    /// Whether notes in open transcripts may have changed, because a suite was edited.
    pub(in crate::lsp) coverage: bool,
}

impl News {
    pub(super) fn edited(&mut self, uri: &Uri) {
        self.tests.insert(uri.clone());
        self.verdicts.insert(uri.clone());
    }
}
