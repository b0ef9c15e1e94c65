//! Sends diagnostics: one thread that finds them and sends them, so that nobody waits for either, and so that an older
//! version never comes after a newer one.
//!
//! It takes whatever waits longest, as it is then: what changed several times while it was busy, or while the client did
//! not read, is sent once.

use std::collections::HashSet;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use tower_lsp_server::ls_types::notification::{Notification, PublishDiagnostics};
use tower_lsp_server::ls_types::{Diagnostic, PublishDiagnosticsParams, Uri};

use crate::lsp::client::support::Support;
use crate::lsp::convert::uris;
use crate::lsp::features::diagnostics;
use crate::lsp::session::shared::Shared;
use crate::lsp::session::state::{Current, State, Subject};
use crate::lsp::transport::{Notifier, log};

/// Starts sending. It goes on until the process ends.
///
/// # Errors
/// If the thread cannot be started.
pub(in crate::lsp) fn start(notifier: Notifier, shared: Arc<Shared>) -> io::Result<()> {
    let support = shared.read(|state| Arc::clone(state.support()));
    let publisher = Publisher { notifier, support, published: HashSet::new() };
    thread::Builder::new().name("lsp-publisher".to_owned()).spawn(move || publisher.run(&shared)).map(drop)
}

struct Publisher {
    notifier: Notifier,
    support: Arc<Support>,
    /// For whom there may be diagnostics at the client's.
    published: HashSet<Uri>,
}

impl Publisher {
    fn run(mut self, shared: &Shared) {
        loop {
            self.notifier.ready();
            let (subject, current) = shared.wait(State::next_outdated);
            let uri = match &subject {
                Subject::Document(uri) => Some(uri.clone()),
                Subject::Configuration(path) => uris::from_path(path),
            };
            if let Some(uri) = uri {
                self.publish(uri, current);
            }
        }
    }

    fn publish(&mut self, uri: Uri, current: Current) {
        let version = match &current {
            Current::Suite(snapshot) => Some(snapshot.version),
            Current::Unreadable(version) => Some(*version),
            Current::Configuration(_) | Current::Nothing => None,
        };
        let is_silent = match &current {
            Current::Suite(_) | Current::Unreadable(_) => false,
            Current::Configuration(configuration) => configuration.findings().is_empty(),
            Current::Nothing => true,
        };
        if is_silent && !self.published.remove(&uri) {
            return;
        }
        let diagnostics = self.diagnostics(&uri, current);
        let version = version.filter(|_| self.support.diagnostic_versions);
        if !is_silent {
            self.published.insert(uri.clone());
        }
        let params = PublishDiagnosticsParams { uri, diagnostics, version };
        if let Err(error) = self.notifier.notify(PublishDiagnostics::METHOD, &params) {
            log(&format!("diagnostics could not be sent: {error}"));
        }
    }

    /// The diagnostics. What they were found in is let go of on return: an edit need not copy it then.
    fn diagnostics(&self, uri: &Uri, current: Current) -> Vec<Diagnostic> {
        let find = || match &current {
            Current::Suite(snapshot) => diagnostics::of_suite(snapshot),
            Current::Unreadable(_) => vec![diagnostics::internal_error()],
            Current::Configuration(configuration) => diagnostics::of_configuration(configuration, uri, &self.support),
            Current::Nothing => Vec::new(),
        };
        catch_unwind(AssertUnwindSafe(find)).unwrap_or_else(|_| vec![diagnostics::internal_error()])
    }
}
