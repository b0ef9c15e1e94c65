//! Which configuration applies to which document, and what is read and watched because of it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ls_types::Uri;

use crate::config::Config;
use crate::lsp::convert::uris;
use crate::lsp::session::configurations::{ConfigFile, Configuration, Known, ReadAhead};
use crate::lsp::session::open_document::{ConfigText, OpenDocument};
use crate::text::Text;
use crate::workspace::tools::Tools;
use crate::workspace::{Membership, Scope};

use super::{Current, State, Subject};

/// A file or a folder with its configuration.
pub(crate) type Place = (PathBuf, Arc<Config>);

impl State {
    /// Finds the configurations of all open documents again, among those that were supplied. Returns the affected documents.
    pub(crate) fn reload(&mut self) -> Vec<Uri> {
        let State { folders, documents, configurations, .. } = self;
        let suites = documents.values().filter_map(OpenDocument::path);
        let changed = configurations.reload(folders, suites);
        let outdated = self.configure();
        changed.into_iter().for_each(|path| self.outdate(Subject::Configuration(path)));
        self.is_to_look = true;
        self.transcripts.look_at_all();
        outdated
    }

    /// What is known of the configurations in use, and the folders of the workspace.
    pub(crate) fn known_configurations(&self) -> (Known, Vec<PathBuf>) {
        (self.configurations.known().clone(), self.folders.clone())
    }

    /// The folders whose configurations are in use: those of the workspace and those of the open files.
    pub(crate) fn configured_folders(&self) -> BTreeSet<PathBuf> {
        let files = self.documents.values().filter_map(|document| document.path()?.parent());
        files.map(Path::to_owned).chain(self.folders.iter().cloned()).collect()
    }

    /// What decides where answers are, each with its configuration: the files of open suites, and the folders of workspaces.
    pub(crate) fn places_of_answers(&self) -> (Vec<Place>, Vec<Place>) {
        let suites = self.documents.values().filter(|document| document.is_suite());
        let place =
            |document: &OpenDocument| Some((document.path()?.to_owned(), Arc::clone(&document.configuration.config)));
        (suites.filter_map(place).collect(), self.configurations.folders().collect())
    }

    /// Notes that answers on disk may have changed.
    pub(crate) fn look_again(&mut self) {
        self.transcripts.look_at_all();
    }

    /// Supplies configurations that were read just now.
    pub(crate) fn supply(&mut self, ahead: ReadAhead) {
        self.configurations.supply(ahead);
    }

    /// Sets the tools of a scope. Returns the affected documents.
    pub(crate) fn set_tools(&mut self, scope: &Scope, tools: Tools) -> Vec<Uri> {
        if self.configurations.set_tools(scope, tools) { self.configure() } else { Vec::new() }
    }

    /// Returns the scopes of the open suites with their configuration, if they must be read again.
    pub(crate) fn scopes_to_read(&mut self) -> Option<Vec<(Scope, Arc<Config>)>> {
        if !std::mem::take(&mut self.is_to_look) {
            return None;
        }
        let suites = self.documents.values().filter(|document| document.is_suite());
        let scopes = suites
            .filter_map(|document| Some((document.configuration.scope.as_ref()?, &document.configuration.config)));
        let scopes: BTreeMap<_, _> = scopes.collect();
        Some(scopes.into_iter().map(|(scope, config)| (scope.clone(), Arc::clone(config))).collect())
    }

    /// Returns the additional globs for the client to watch: configurations and stored transcripts.
    pub(crate) fn globs_to_watch(&mut self) -> Vec<String> {
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

    /// Sets the current configuration of all documents. Returns the affected documents.
    fn configure(&mut self) -> Vec<Uri> {
        let mut uris: Vec<_> = self.documents.keys().cloned().collect();
        uris.retain(|uri| self.configure_document(uri));
        uris.iter().for_each(|uri| self.outdate(Subject::Document(uri.clone())));
        uris
    }

    /// Sets the current configuration of a document. Returns whether it is affected.
    pub(crate) fn configure_document(&mut self, uri: &Uri) -> bool {
        let State { folders, documents, configurations, transcripts, .. } = self;
        let Some(document) = documents.get_mut(uri) else { return false };
        let membership = document.path().map(|path| configurations.membership(path, folders));
        let is_affected = document.configure(configurations.of(document.path()), membership);
        if document.is_suite() {
            transcripts.configure(uri, document.path(), &document.configuration.config);
        }
        is_affected
    }

    /// Whether the file at `path` is a suite, by its path alone.
    pub(crate) fn membership(&mut self, path: &Path) -> Membership {
        self.configurations.membership(path, &self.folders)
    }

    /// Returns the configuration of a file, which may be closed.
    pub(crate) fn configuration_of(&mut self, path: &Path) -> Arc<Configuration> {
        self.configurations.of(Some(path))
    }

    /// Returns the `eval-ls.toml` that applies to an open suite, as it was read.
    pub(crate) fn config_text(&self, uri: &Uri) -> Option<ConfigText> {
        let configuration = &self.documents.get(&self.known_uri(uri))?.configuration;
        let uri = uris::from_path(&configuration.scope.as_ref()?.config_path()?)?;
        Some(ConfigText { uri: self.known_uri(&uri), text: Text::new(&configuration.text) })
    }

    /// Returns the configuration's file for an open suite, from the editor or from disk, or a new one if there is none.
    pub(crate) fn config_file(&self, uri: &Uri) -> Option<ConfigFile> {
        let open = self.documents.get(&self.known_uri(uri))?;
        self.config_file_of(&open.configuration)
    }

    /// Returns the same for a file or folder that need not be open; `None` if there is no such file.
    pub(crate) fn config_file_for(&mut self, path: &Path) -> Option<ConfigFile> {
        let configuration = self.configuration_of(path);
        configuration.scope.as_ref()?.root()?;
        self.config_file_of(&configuration)
    }

    fn config_file_of(&self, configuration: &Configuration) -> Option<ConfigFile> {
        let file = ConfigFile::of(configuration, &self.folders)?;
        let uri = self.known_uri(&file.uri);
        match self.documents.get(&uri) {
            Some(open) => Some(file.opened(uri, open.text(), open.version)),
            None => Some(file),
        }
    }

    pub(crate) fn configuration(&self, path: &Path) -> Current {
        let open = self.uris.get(path).and_then(|uri| self.open_configuration(uri));
        let known = self.configurations.get(path).map(Arc::clone);
        match (open, known) {
            (Some(open), _) => Current::OpenConfiguration(open),
            (None, Some(known)) => Current::Configuration(known),
            (None, None) => Current::Nothing,
        }
    }
}
