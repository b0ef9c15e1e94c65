use std::collections::HashSet;

use ls_types::Uri;

use super::State;

/// The pending notifications for a client that requested them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct News {
    /// The suites whose cases, or their places, may have changed.
    pub(crate) tests: HashSet<Uri>,
    /// The suites whose verdicts may have changed.
    pub(crate) verdicts: HashSet<Uri>,
    /// Whether code lenses have changed for another reason than an edit.
    pub(crate) lenses: bool,
    /// Whether kept runs may have changed.
    pub(crate) runs: bool,
    /// Whether hints have changed without an edit of their document. For example, those in an open transcript change with its suite.
    pub(crate) hints: bool,
}

impl News {
    pub(crate) fn edited(&mut self, uri: &Uri) {
        self.tests.insert(uri.clone());
        self.verdicts.insert(uri.clone());
    }
}

impl State {
    /// Takes the news for the client since the last call.
    pub(crate) fn take_news(&mut self) -> News {
        std::mem::take(&mut self.news)
    }

    /// Whether there is news for the client.
    pub(crate) fn has_news(&self) -> bool {
        self.news != News::default()
    }
}
