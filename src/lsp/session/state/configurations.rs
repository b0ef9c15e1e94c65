//! The `eval-ls.toml` files in use: which they are, what to watch, and their texts.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tower_lsp_server::ls_types::Uri;

use super::State;
use crate::lsp::convert::uris;
use crate::lsp::session::config_file::ConfigFile;
use crate::lsp::session::configurations::{ReadAhead, Stamps};
use crate::lsp::session::snapshot::ConfigText;
use crate::text::Text;

impl State {
    /// The identities of the configurations in use when they were read.
    pub(in crate::lsp) fn config_stamps(&self) -> Stamps {
        self.configurations.stamps().clone()
    }

    /// The folders whose configurations are in use: those of the workspace and those of the open files.
    pub(in crate::lsp) fn configured_folders(&self) -> BTreeSet<PathBuf> {
        let files = self.documents.values().filter_map(|document| document.path()?.parent());
        files.map(Path::to_owned).chain(self.folders.iter().cloned()).collect()
    }

    /// Supplies configurations that were read just now, in place of those that were supplied before.
    pub(in crate::lsp) fn supply(&mut self, ahead: ReadAhead) {
        self.configurations.supply(ahead);
    }

    /// Returns the additional globs for the client to watch: configurations and stored transcripts.
    pub(in crate::lsp) fn globs_to_watch(&mut self) -> Vec<String> {
        if !self.support.watches_files {
            return Vec::new();
        }
        let mut globs = self.configurations.globs();
        if self.settings.run_events {
            globs.extend(self.configurations.suite_globs());
        }
        let globs = globs.into_iter();
        globs.filter(|glob| self.watched.insert(glob.clone())).collect()
    }

    /// Returns the `eval-ls.toml` that applies to an open suite, as it was read.
    pub(in crate::lsp) fn config_text(&self, uri: &Uri) -> Option<ConfigText> {
        let configuration = self.documents.get(&self.known_uri(uri))?.configuration();
        let uri = uris::from_path(&configuration.scope()?.config_path()?)?;
        Some(ConfigText { uri: self.known_uri(&uri), text: Text::new(configuration.text()) })
    }

    /// Returns the configuration's file for an open suite, from the editor or from disk, or a new one if there is none.
    pub(in crate::lsp) fn config_file(&self, uri: &Uri) -> Option<ConfigFile> {
        let open = self.documents.get(&self.known_uri(uri))?;
        let file = ConfigFile::of(open.configuration(), &self.folders)?;
        let uri = self.known_uri(file.uri());
        match self.documents.get(&uri) {
            Some(open) => Some(file.opened(uri, open.text(), open.version())),
            None => Some(file),
        }
    }
}
