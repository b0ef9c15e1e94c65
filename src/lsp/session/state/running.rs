//! The runs, the selected targets, and whether targets may run.

use std::path::PathBuf;
use std::sync::Arc;

use ls_types::Uri;

use crate::config::CONFIG_FILE;
use crate::lsp::protocol::StopParams;
use crate::lsp::session::active_runs::{Begun, Runs};
use crate::lsp::session::choices::{ChosenTarget, uri_of};
use crate::lsp::session::configurations::Configuration;
use crate::lsp::session::open_document::OpenDocument;
use crate::lsp::session::snapshot::{DocumentStatus, StatusReport};

use super::State;

impl State {
    /// Whether targets may run at all.
    pub(crate) fn is_trusted(&self) -> bool {
        self.trusted
    }

    /// Sets whether targets may run. If they may not, running cases are stopped.
    pub(crate) fn set_trusted(&mut self, trusted: bool) {
        self.trusted = trusted;
        if !trusted {
            self.runs.stop(&StopParams::default(), None);
        }
        self.news.lenses = true;
    }

    /// Whether a person would not see the end of a run: the client neither refreshes verdicts nor has a test explorer.
    pub(crate) fn needs_outcome(&self) -> bool {
        !self.support.refreshes_inlay_hints && !self.settings.run_events
    }

    /// The running cases.
    pub(crate) fn runs(&self) -> &Runs {
        &self.runs
    }

    /// The content of the status page.
    pub(crate) fn report(&self) -> StatusReport {
        let reported = |(uri, document): (&Uri, &OpenDocument)| {
            let configuration = document.configuration();
            DocumentStatus {
                uri: uri.clone(),
                config_path: configuration.folder().map(|folder| folder.join(CONFIG_FILE)),
                error_count: configuration.errors().count(),
                config: Arc::clone(configuration.config()),
                target: self.target(configuration),
                why: document.why(),
                suite: self.snapshot(uri),
                memory: self.transcripts.memory(uri),
            }
        };
        let mut documents: Vec<_> = self.documents.iter().map(reported).collect();
        documents.sort_by(|one, other| one.uri.as_str().cmp(other.uri.as_str()));
        StatusReport {
            is_trusted: self.trusted,
            folders: self.folders.clone(),
            memory: self.transcripts.all_memory(),
            documents,
            running: self.runs.len(),
        }
    }

    /// Begins a run of cases, given by the file of their suite and their id.
    pub(crate) fn begin_run(&mut self, suites: Vec<Uri>, cases: Vec<(PathBuf, String)>) -> Begun {
        // The hints of running cases are about the answers before.
        self.news.hints = true;
        self.news.lenses = true;
        self.news.verdicts.extend(suites);
        self.runs.begin(cases)
    }

    /// Changes the state of a run, and refreshes lenses.
    pub(crate) fn change_runs(&mut self, uri: &Uri, change: impl FnOnce(&mut Runs)) {
        self.news.lenses = true;
        self.news.verdicts.insert(uri.clone());
        change(&mut self.runs);
    }

    /// Ends a run. It is kept now, so it counts in the histories of its cases.
    pub(crate) fn end_run(&mut self, run: u64) {
        self.transcripts.look_at_all();
        self.news.hints = true;
        self.news.lenses = true;
        self.news.runs = true;
        self.runs.finished(run);
    }

    /// The target of suites with this configuration: the one that a person chose, else the configured one.
    pub(crate) fn target(&self, configuration: &Configuration) -> String {
        let configured = self.configured_target(configuration);
        let chosen = configuration.folder().and_then(|folder| self.choices.target(folder, configured));
        let exists = |target: &&str| configuration.config().targets.contains_key(*target);
        chosen.filter(exists).unwrap_or(configured).to_owned()
    }

    /// The client's setting, else the target in `eval-ls.toml`.
    fn configured_target<'a>(&'a self, configuration: &'a Configuration) -> &'a str {
        self.settings.target.as_ref().unwrap_or(&configuration.config().run.target)
    }

    /// Selects the target of suites with this configuration. Returns the choice, to be remembered.
    pub(crate) fn choose_target(&mut self, configuration: &Configuration, target: String) -> ChosenTarget {
        let folder = configuration.folder().and_then(uri_of).unwrap_or_default();
        let instead_of = self.configured_target(configuration).to_owned();
        let chosen = ChosenTarget { folder, target, instead_of };
        self.choices.choose(chosen.clone());
        self.news.lenses = true;
        let suites = self.documents.iter().filter(|(_, document)| document.is_suite());
        self.news.verdicts.extend(suites.map(|(uri, _)| uri.clone()));
        chosen
    }
}
