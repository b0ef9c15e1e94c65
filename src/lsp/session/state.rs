//! The state of the session. Every change happens before the first `.await` of a handler, and so in the order of the
//! client's messages. It knows which configuration applies to which document, and what is read and watched because of it.

#[cfg(feature = "program")]
mod running;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ls_types::{DidChangeTextDocumentParams, TextDocumentItem, Uri, WorkspaceFolder, WorkspaceFoldersChangeEvent};
use serde_json::Value;

use crate::analysis::{Answers, Document};
use crate::config::{CONFIG_FILE, Config};
use crate::lsp::client::settings::Support;
use crate::lsp::client::settings::{Settings, log};
use crate::lsp::convert::uris;
use crate::lsp::session::choices::Choices;
use crate::lsp::session::configurations::{ConfigFile, Configuration, Configurations, Known, ReadAhead};
use crate::lsp::session::open_document::{OpenDocument, Since, Snapshot};
use crate::lsp::session::suites::{self, Replaced};
use crate::lsp::session::transcripts::{Files, ToRead, Transcripts};
use crate::text::Text;
use crate::workspace::tools::Tools;
use crate::workspace::{Membership, Scope};

#[cfg(feature = "program")]
pub(crate) use running::{Begun, Control, Runs};

/// See the module's page.
#[derive(Debug, Default)]
pub(crate) struct State {
    support: Arc<Support>,
    /// The client's options in `initialize`; its configuration overrides them.
    first_settings: Settings,
    settings: Arc<Settings>,
    /// Whether the client trusts its workspace.
    trusted: bool,
    #[cfg(feature = "program")]
    runs: Runs,
    /// What people chose, in this session or in an earlier one.
    choices: Choices,
    news: News,
    folders: Vec<PathBuf>,
    documents: HashMap<Uri, OpenDocument>,
    /// The URI of each open file.
    uris: HashMap<PathBuf, Uri>,
    configurations: Configurations,
    /// The suites whose challenges someone asked for; their lenses show a summary.
    challenged: HashSet<Uri>,
    /// What the last accept has replaced.
    pub(crate) replaced: Vec<Replaced>,
    /// The globs that the client was asked to watch.
    watched: BTreeSet<String>,
    /// Whether the files around the open suites must be read again, because they may have changed.
    is_to_look: bool,
    transcripts: Transcripts,
    /// The documents whose diagnostics must be sent, the longest waiting first, each once.
    outdated: VecDeque<Uri>,
}

/// The state of a document at one moment.
#[derive(Debug)]
pub(crate) enum Current {
    /// An open suite.
    Suite(Snapshot),
    /// A suite of this version, on which this program failed.
    Unreadable(i32),
    /// A configuration in use.
    Configuration(Arc<Configuration>),
    /// An open configuration.
    OpenConfiguration(ConfigFile),
    /// None of these, or no longer.
    Nothing,
}

impl Current {
    /// Whether it has no findings, because it is not open or not in use, or because its configuration has none.
    pub(crate) fn is_silent(&self) -> bool {
        match self {
            Current::Suite(_) | Current::Unreadable(_) | Current::OpenConfiguration(_) => false,
            Current::Configuration(configuration) => configuration.findings.is_empty(),
            Current::Nothing => true,
        }
    }
}

impl State {
    /// Begins the session. Nothing may be sent yet.
    pub(crate) fn begin(
        &mut self,
        support: Support,
        settings: Settings,
        folders: &[WorkspaceFolder],
        choices: Choices,
    ) {
        self.support = Arc::new(support);
        self.choices = choices;
        self.settings = Arc::new(settings.clone());
        self.trusted = settings.trusted;
        self.first_settings = settings;
        self.folders = folders.iter().filter_map(|folder| uris::to_path(&folder.uri)).collect();
    }

    /// Whether targets may run at all.
    pub(crate) fn is_trusted(&self) -> bool {
        self.trusted
    }

    /// The target of suites with this configuration: the one that a person chose, else the configured one.
    pub(crate) fn target(&self, configuration: &Configuration) -> String {
        let configured = self.configured_target(configuration);
        let chosen = configuration.folder().and_then(|folder| self.choices.target(folder, configured));
        let exists = |target: &&str| configuration.config.targets.contains_key(*target);
        chosen.filter(exists).unwrap_or(configured).to_owned()
    }

    /// The client's setting, else the target in `eval-ls.toml`.
    pub(super) fn configured_target<'a>(&'a self, configuration: &'a Configuration) -> &'a str {
        self.settings.target.as_ref().unwrap_or(&configuration.config.run.target)
    }

    /// The cases of a suite that are running, since when.
    #[cfg(feature = "program")]
    pub(crate) fn running_cases(&self, path: &Path) -> HashMap<String, Since> {
        self.runs.of_suite(path)
    }

    /// Without the program, none is running.
    #[cfg(not(feature = "program"))]
    pub(crate) fn running_cases(&self, _: &Path) -> HashMap<String, Since> {
        HashMap::new()
    }

    /// The client's capabilities.
    pub(crate) fn support(&self) -> &Arc<Support> {
        &self.support
    }

    /// Reads this program's section of the client's configuration.
    pub(crate) fn set_settings(&mut self, section: &Value) {
        let settings = self.first_settings.overridden(section);
        if settings == *self.settings {
            return;
        }
        // What is said about verdicts names the target of the next run.
        let has_same_target = settings.target == self.settings.target;
        let has_same_verdicts =
            settings.verdicts == self.settings.verdicts && settings.challenges == self.settings.challenges;
        if !has_same_target || !has_same_verdicts {
            let suites = self.documents.iter().filter(|(_, document)| document.is_suite());
            let uris: Vec<_> = suites.map(|(uri, _)| uri.clone()).collect();
            uris.iter().for_each(|uri| self.note_answered(uri));
        }
        self.settings = Arc::new(settings);
        self.news.lenses = true;
        self.reload();
    }

    /// The client's settings.
    pub(crate) fn settings(&self) -> &Arc<Settings> {
        &self.settings
    }

    /// The folders of the workspace.
    pub(crate) fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Remembers that someone asked for the challenges of a suite.
    pub(crate) fn note_challenged(&mut self, uri: &Uri) {
        let is_new = self.challenged.insert(uri.clone());
        self.news.lenses |= is_new;
        self.news.hints |= is_new;
    }

    /// Whether someone asked for the challenges of a suite, and they are not turned off.
    pub(crate) fn shows_challenges(&self, uri: &Uri) -> bool {
        self.settings.challenges && self.challenged.contains(uri)
    }

    /// Opens a document. `has_changed` is whether a configuration has changed on disk.
    pub(crate) fn open(&mut self, mut item: TextDocumentItem, has_changed: bool) {
        let uri = self.known_uri(&item.uri);
        item.uri = uri.clone();
        self.news.edited(&uri);
        let document = OpenDocument::new(item);
        self.uris.extend(document.path().map(|path| (path.to_owned(), uri.clone())));
        self.documents.insert(uri.clone(), document);
        self.outdate(&uri);
        let known = self.configurations.len();
        self.configure_document(&uri);
        // Usually nothing else changes, and hundreds of documents may be open.
        if has_changed || self.configurations.len() != known {
            self.reload();
        }
        self.is_to_look = true;
    }

    /// Changes a document.
    pub(crate) fn change(&mut self, params: DidChangeTextDocumentParams) {
        let uri = self.known_uri(&params.text_document.uri);
        let Some(document) = self.documents.get_mut(&uri) else {
            log(&format!("ignored a change of `{}`: it is not open", uri.as_str()));
            return;
        };
        let was_suite = document.is_suite();
        let has_other_ids =
            document.change(params.text_document.version, params.content_changes, self.support.encoding);
        if document.is_suite() {
            if !was_suite {
                self.configure_document(&uri);
                self.is_to_look = true;
            }
            self.news.edited(&uri);
            if has_other_ids {
                // A stored file may have become that of a case, or of none.
                self.transcripts.look_at(&uri);
            }
            self.outdate(&uri);
        } else if was_suite {
            self.challenged.remove(&uri);
            self.news.edited(&uri);
            self.transcripts.close(&uri);
            self.outdate(&uri);
        } else if document.configuration_path().is_some() {
            self.outdate(&uri);
        }
    }

    /// Closes a document.
    pub(crate) fn close(&mut self, uri: &Uri) {
        let uri = self.known_uri(uri);
        let closed = self.documents.remove(&uri);
        if let Some(path) = closed.as_ref().and_then(OpenDocument::path) {
            self.uris.remove(path);
        }
        self.challenged.remove(&uri);
        self.news.edited(&uri);
        self.transcripts.close(&uri);
        self.outdate(&uri);
        let scope = |document: &OpenDocument| document.configuration.scope.clone();
        let is_used = closed.is_some_and(|closed| self.documents.values().any(|other| scope(other) == scope(&closed)));
        if !is_used {
            self.reload();
        }
    }

    /// Adds and removes folders.
    pub(crate) fn change_folders(&mut self, event: &WorkspaceFoldersChangeEvent) {
        let paths = |folders: &[WorkspaceFolder]| -> Vec<PathBuf> {
            folders.iter().filter_map(|folder| uris::to_path(&folder.uri)).collect()
        };
        let removed = paths(&event.removed);
        self.folders.retain(|folder| !removed.contains(folder));
        self.folders.extend(paths(&event.added));
        self.reload();
    }

    /// Notes that the cases of these suites must be listed again.
    pub(crate) fn tests_changed(&mut self, suites: impl Iterator<Item = Uri>) {
        self.news.tests.extend(suites);
    }

    /// Records that files in the client's workspace have changed. Suites among them may have other cases now.
    pub(crate) fn files_changed<'a>(&mut self, changed: impl Iterator<Item = &'a Uri>) {
        for uri in changed {
            let Some(path) = uris::to_path(uri) else { continue };
            self.news.runs |= path.ends_with("run.json");
            if self.configurations.membership(&path, &self.folders).may_be_suite() {
                self.news.edited(&self.known_uri(uri));
            }
        }
    }

    /// Notes that the diagnostics of a document must be sent.
    pub(crate) fn outdate(&mut self, uri: &Uri) {
        if !self.outdated.contains(uri) {
            self.outdated.push_back(uri.clone());
        }
    }

    /// The path of an `eval-ls.toml` that is not open as a suite.
    fn configuration_path(&self, uri: &Uri) -> Option<PathBuf> {
        let is_suite = self.documents.get(uri).is_some_and(OpenDocument::is_suite);
        uris::to_path(uri).filter(|path| path.ends_with(CONFIG_FILE) && !is_suite)
    }
}

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
    /// Whether hints have changed without an edit of their document.
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

impl State {
    /// Returns the next document whose diagnostics must be sent; `None` if there are none.
    pub(crate) fn next_outdated(&mut self) -> Option<(Uri, Current)> {
        let uri = self.outdated.pop_front()?;
        let current = match self.configuration_path(&uri) {
            Some(path) => self.configuration(&path),
            None => self.current(&uri),
        };
        Some((uri, current))
    }

    /// Returns the current state of an open document.
    pub(crate) fn current(&self, uri: &Uri) -> Current {
        match self.documents.get(&self.known_uri(uri)) {
            Some(document) if document.is_suite() => match self.snapshot(uri) {
                Some(snapshot) => Current::Suite(snapshot),
                None => Current::Unreadable(document.version),
            },
            _ => Current::Nothing,
        }
    }

    /// Returns the current state of an open suite.
    pub(crate) fn snapshot(&self, uri: &Uri) -> Option<Snapshot> {
        let uri = &self.known_uri(uri);
        let document = self.documents.get(uri)?;
        Some(Snapshot {
            uri: uri.clone(),
            version: document.version,
            document: Arc::clone(document.document()?),
            workspace: Arc::clone(&document.configuration.workspace),
            settings: Arc::clone(&self.settings),
            answers: self.transcripts.answers(uri),
            support: Arc::clone(&self.support),
        })
    }

    /// Returns the current state of an open `eval-ls.toml`.
    pub(crate) fn open_configuration(&self, uri: &Uri) -> Option<ConfigFile> {
        let uri = self.known_uri(uri);
        let document = self.documents.get(&uri)?;
        document.configuration_path()?;
        Some(ConfigFile::opened(uri, document))
    }

    /// The text of an open document.
    pub(crate) fn text(&self, uri: &Uri) -> Option<Text> {
        Some(self.documents.get(&self.known_uri(uri))?.text().clone())
    }

    /// Returns the current state of all open suites.
    pub(crate) fn open_suites(&self) -> Vec<Snapshot> {
        self.documents
            .iter()
            .filter(|(_, document)| document.is_suite())
            .filter_map(|(uri, _)| self.snapshot(uri))
            .collect()
    }

    /// Returns the URI that the client uses for the open document that `uri` means, because a file can have several
    /// URIs. Returns `uri` itself if the document is not open.
    pub(crate) fn known_uri(&self, uri: &Uri) -> Uri {
        if self.documents.contains_key(uri) {
            return uri.clone();
        }
        let known = uris::to_path(uri).and_then(|path| self.uris.get(&path));
        known.unwrap_or(uri).clone()
    }
}

impl State {
    /// The answers of the cases of open suites.
    pub(crate) fn transcripts(&self) -> &Transcripts {
        &self.transcripts
    }

    /// Notes what a run says about a case of a suite. The verdict on the case follows, and the client is notified.
    pub(crate) fn note_ran<T>(&mut self, uri: &Uri, note: impl FnOnce(&mut Transcripts) -> T) -> T {
        let noted = note(&mut self.transcripts);
        self.note_answered(uri);
        noted
    }

    /// Returns the next suite whose transcripts must be read.
    pub(crate) fn next_to_read(&mut self) -> Option<ToRead> {
        self.transcripts.next_to_read()
    }

    /// An open suite.
    pub(crate) fn document(&self, uri: &Uri) -> Option<Arc<Document>> {
        self.documents.get(uri)?.document().map(Arc::clone)
    }

    /// Returns an open suite, and its answers with these files.
    pub(crate) fn with_files(&self, uri: &Uri, files: &Files) -> Option<(Arc<Document>, Answers)> {
        let document = self.documents.get(uri)?.document()?;
        Some((Arc::clone(document), self.transcripts.with_files(uri, files)?))
    }

    /// Stores the files of a suite that were read under `config`.
    pub(crate) fn take_files(&mut self, uri: &Uri, config: &Arc<Config>, files: Files) {
        let is_current = Arc::ptr_eq(self.transcripts.answers(uri).config(), config);
        let document = self.documents.get(uri).and_then(OpenDocument::document).filter(|_| is_current);
        let Some(document) = document.map(Arc::clone) else { return };
        if self.transcripts.take_files(uri, files, suites::ids(&document)) {
            self.note_answered(uri);
        }
    }

    /// Notes that the answers of a suite have changed. The verdicts follow, and the client is notified.
    fn note_answered(&mut self, uri: &Uri) {
        self.news.verdicts.insert(uri.clone());
        self.news.lenses = true;
        self.news.hints = true;
        self.outdate(uri);
    }
}

/// A file or a folder with its configuration.
pub(crate) type Place = (PathBuf, Arc<Config>);

impl State {
    /// Finds the configurations of all open documents again, among those that were supplied.
    pub(crate) fn reload(&mut self) {
        let State { folders, documents, configurations, .. } = self;
        let suites = documents.values().filter_map(OpenDocument::path);
        let changed = configurations.reload(folders, suites);
        self.configure();
        changed.iter().filter_map(|path| uris::from_path(path)).for_each(|uri| self.outdate(&self.known_uri(&uri)));
        self.is_to_look = true;
        self.transcripts.look_at_all();
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

    /// Sets the tools of a scope.
    pub(crate) fn set_tools(&mut self, scope: &Scope, tools: Tools) {
        if self.configurations.set_tools(scope, tools) {
            self.configure();
        }
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

    /// Sets the current configuration of all documents.
    fn configure(&mut self) {
        let mut uris: Vec<_> = self.documents.keys().cloned().collect();
        uris.retain(|uri| self.configure_document(uri));
        uris.iter().for_each(|uri| self.outdate(uri));
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

    /// Returns the configuration of an open document.
    pub(crate) fn configuration_at(&self, uri: &Uri) -> Option<&Arc<Configuration>> {
        Some(&self.documents.get(&self.known_uri(uri))?.configuration)
    }

    /// Returns the `eval-ls.toml` that applies to an open suite, as it was read.
    pub(crate) fn config_as_read(&self, uri: &Uri) -> Option<ConfigFile> {
        let mut file = ConfigFile::of(self.configuration_at(uri)?, &self.folders)?;
        file.uri = self.known_uri(&file.uri);
        Some(file)
    }

    /// Returns the configuration's file for an open suite, from the editor or from disk, or a new one if there is none.
    pub(crate) fn config_file(&self, uri: &Uri) -> Option<ConfigFile> {
        let file = ConfigFile::of(self.configuration_at(uri)?, &self.folders)?;
        let uri = self.known_uri(&file.uri);
        match self.documents.get(&uri) {
            Some(open) => Some(ConfigFile::opened(uri, open)),
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
