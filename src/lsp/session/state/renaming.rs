//! Cases that get another id: what is known about them stays with them.

use std::collections::HashSet;
use std::time::SystemTime;

use tower_lsp_server::ls_types::Uri;

use super::State;
use crate::lsp::session::choices::{RenamedCase, uri_of};

/// How many renames are watched, the last ones.
const WATCHED: usize = 100;

/// A rename that a client was given. The client applies it, and may undo it.
#[derive(Debug)]
pub(super) struct Rename {
    uri: Uri,
    /// The id that the case has.
    now: String,
    /// The id that it had or gets.
    other: String,
}

impl State {
    /// Remembers that a client was given an edit that renames a case.
    pub(in crate::lsp) fn note_rename(&mut self, uri: &Uri, from: String, to: String) {
        let uri = self.known_uri(uri);
        self.renames.retain(|known| known.uri != uri || (&known.now, &known.other) != (&from, &to));
        self.renames.push(Rename { uri, now: from, other: to });
        self.renames.drain(..self.renames.len().saturating_sub(WATCHED));
    }

    /// Returns the cases that have got another id with the last change of a document. What is known of them follows.
    pub(super) fn renamed_by_change(&mut self, uri: &Uri) -> Vec<RenamedCase> {
        if self.renames.iter().all(|rename| rename.uri != *uri) {
            return Vec::new();
        }
        let Some(document) = self.documents.get(uri) else { return Vec::new() };
        let (Some(path), Some(text)) = (document.path(), document.document()) else { return Vec::new() };
        let Some(suite) = uri_of(path) else { return Vec::new() };
        let ids = text.suite().cases.iter().filter_map(|placed| placed.case.id.as_ref());
        let ids: HashSet<&str> = ids.map(|id| id.value.as_str()).collect();
        let has = |id: &str| ids.contains(id);
        let mut renamed = Vec::new();
        for rename in self.renames.iter_mut().filter(|rename| rename.uri == *uri) {
            if !has(&rename.now) && has(&rename.other) {
                std::mem::swap(&mut rename.now, &mut rename.other);
                let (from, to) = (rename.other.clone(), rename.now.clone());
                renamed.push(RenamedCase { suite: suite.clone(), from, to, at: SystemTime::now() });
            }
        }
        for case in &renamed {
            self.choices.rename(case.clone());
            self.transcripts.rename(uri, self.choices.renamed_in(path));
        }
        renamed
    }
}
