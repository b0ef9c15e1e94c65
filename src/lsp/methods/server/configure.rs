//! Configurations are read before the state is locked, so that a slow disk delays no other thread.

use std::path::Path;

use tower_lsp_server::ls_types::Uri;

use super::Server;
use crate::lsp::convert::uris;
use crate::lsp::push::Push;
use crate::lsp::session::configurations::ReadAhead;
use crate::lsp::session::state::State;

impl Server {
    /// Reads the configurations that apply to a file and are not in use yet.
    pub(super) fn read_ahead(&self, uri: &Uri) -> ReadAhead {
        let path = uris::to_path(uri);
        let folder = path.as_deref().and_then(Path::parent).map(Path::to_owned);
        let (known, opened) = self.shared.read(State::known_configurations);
        ReadAhead::of(&folder.into_iter().collect(), &opened, &known, false)
    }

    /// Reads the configuration again.
    pub(super) fn reload(&self) {
        let (folders, (known, opened)) =
            self.shared.read(|state| (state.configured_folders(), state.known_configurations()));
        let ahead = ReadAhead::of(&folders, &opened, &known, true);
        self.configure(ahead, |state| !state.reload().is_empty());
    }

    /// Changes the configuration of documents, for which files were read `ahead`. If `change` returns true, diagnostics are
    /// refreshed.
    pub(super) fn configure(&self, ahead: ReadAhead, change: impl FnOnce(&mut State) -> bool) {
        let is_affected = self.shared.change(|state| {
            state.supply(ahead);
            let is_affected = change(state);
            state.supply(ReadAhead::default());
            is_affected
        });
        if is_affected {
            self.client.push(Push::RefreshDiagnostics);
        }
        let globs = self.shared.change(State::globs_to_watch);
        if !globs.is_empty() {
            self.watch(&globs);
        }
        self.shared.note_revision();
    }
}
