use std::collections::HashSet;

use ls_types::Uri;

use super::State;

/// The pending notifications for a client that requested them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::lsp) struct News {
    /// The suites whose cases, or their places, may have changed.
    pub(in crate::lsp) tests: HashSet<Uri>,
    /// The suites whose verdicts may have changed.
    pub(in crate::lsp) verdicts: HashSet<Uri>,
    /// Whether code lenses have changed for another reason than an edit.
    pub(in crate::lsp) lenses: bool,
    /// Whether kept runs may have changed.
    pub(in crate::lsp) runs: bool,
    /// Whether hints have changed without an edit of their document. For example, those in an open transcript change with its suite.
    pub(in crate::lsp) hints: bool,
}

impl News {
    pub(super) fn edited(&mut self, uri: &Uri) {
        self.tests.insert(uri.clone());
        self.verdicts.insert(uri.clone());
    }
}

impl State {
    /// Takes the news for the client since the last call.
    pub(in crate::lsp) fn take_news(&mut self) -> News {
        std::mem::take(&mut self.news)
    }

    /// Whether there is news for the client.
    pub(in crate::lsp) fn has_news(&self) -> bool {
        self.news != News::default()
    }
}
