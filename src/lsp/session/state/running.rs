//! What may be run, what runs, and whom runs ask.

use std::path::Path;
use std::sync::Arc;

use tower_lsp_server::ls_types::Uri;

use super::{News, State};
use crate::config::CONFIG_FILE;
use crate::lsp::features::status::{Report, Reported};
use crate::lsp::protocol::StopParams;
use crate::lsp::runs::Plan;
use crate::lsp::session::active_runs::{Begun, Runs};
use crate::lsp::session::configurations::Configuration;
use crate::lsp::session::open_document::OpenDocument;

impl State {
    /// Whether anything may be run at all.
    pub(in crate::lsp) fn is_trusted(&self) -> bool {
        self.trusted
    }

    /// Says whether anything may be run. Where it no longer may, what runs is stopped.
    pub(in crate::lsp) fn set_trusted(&mut self, trusted: bool) {
        self.trusted = trusted;
        if !trusted {
            self.runs.stop(&StopParams::default(), None);
        }
        self.news.lenses = true;
    }

    /// What runs.
    pub(in crate::lsp) fn runs(&self) -> &Runs {
        &self.runs
    }

    /// What is known, for people.
    pub(in crate::lsp) fn report(&self) -> Report {
        let reported = |(uri, document): (&Uri, &OpenDocument)| {
            let configuration = document.configuration();
            Reported {
                uri: uri.clone(),
                config_path: configuration.folder().map(|folder| folder.join(CONFIG_FILE)),
                faults: configuration.findings().len(),
                config: Arc::clone(configuration.config()),
                target: self.target(configuration),
                why: document.why(),
                suite: self.snapshot(uri),
            }
        };
        let mut documents: Vec<_> = self.documents.iter().map(reported).collect();
        documents.sort_by(|one, other| one.uri.as_str().cmp(other.uri.as_str()));
        Report { is_trusted: self.trusted, folders: self.folders.clone(), documents, running: self.runs.len() }
    }

    /// Begins a run.
    pub(in crate::lsp) fn begin_run(&mut self, plan: &Plan) -> Begun {
        self.news.lenses = true;
        self.news.verdicts.extend(plan.suites.iter().map(|suite| suite.uri().clone()));
        self.runs.begin(plan)
    }

    /// Changes what is known of a run, which lenses show.
    pub(in crate::lsp) fn change_runs(&mut self, uri: &Uri, change: impl FnOnce(&mut Runs)) {
        self.news.lenses = true;
        self.news.verdicts.insert(uri.clone());
        change(&mut self.runs);
    }

    /// A run is over.
    pub(in crate::lsp) fn end_run(&mut self, run: u64) {
        self.news.lenses = true;
        self.runs.finished(run);
    }

    /// The target that runs of suites with this configuration ask: the one that was chosen, else the one that the client
    /// wants, else the one that `eval-ls.toml` names.
    pub(in crate::lsp) fn target(&self, configuration: &Configuration) -> String {
        let chosen = configuration.folder().and_then(|folder| self.chosen_targets.get(folder));
        let wanted = || self.settings.target.as_ref();
        chosen.or_else(wanted).unwrap_or(&configuration.config().run.target).clone()
    }

    /// Makes a target the one that runs ask of suites with this configuration.
    pub(in crate::lsp) fn choose_target(&mut self, uri: &Uri, configuration: &Configuration, target: String) {
        self.chosen_targets.insert(configuration.folder().map(Path::to_owned).unwrap_or_default(), target);
        self.news.lenses = true;
        self.news.verdicts.insert(uri.clone());
    }

    /// What the client is to be told since this was last asked.
    pub(in crate::lsp) fn take_news(&mut self) -> News {
        std::mem::take(&mut self.news)
    }

    /// Whether there is any.
    pub(in crate::lsp) fn has_news(&self) -> bool {
        self.news != News::default()
    }
}
