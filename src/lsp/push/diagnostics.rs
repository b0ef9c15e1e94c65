//! Finds diagnostics and pushes them in one thread, so that requests never wait for them and an older version never
//! follows a newer one.
//!
//! The thread takes the document that has waited longest, as it is at that moment. Changes that pile up while the thread
//! is busy, or while the client does not read, are sent once.

use std::collections::HashSet;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use tower_lsp_server::ls_types::{Diagnostic, PublishDiagnosticsParams, Uri};

use super::{ClientHandle, Push};
use crate::lsp::client::support::Support;
use crate::lsp::convert::uris;
use crate::lsp::features::diagnostics;
use crate::lsp::session::state::{Current, State, Subject};

/// Starts the thread, which runs until the process ends.
///
/// # Errors
/// If the thread cannot be started.
pub(super) fn start(client: ClientHandle) -> io::Result<()> {
    let support = client.shared().read(|state| Arc::clone(state.support()));
    let publisher = Publisher { client, support, published: HashSet::new() };
    thread::Builder::new().name("lsp-publisher".to_owned()).spawn(move || publisher.run()).map(drop)
}

struct Publisher {
    client: ClientHandle,
    support: Arc<Support>,
    /// The documents for which the client may show diagnostics.
    published: HashSet<Uri>,
}

impl Publisher {
    fn run(mut self) {
        loop {
            self.client.wait_until_diagnostics_are_written();
            let (subject, current) = self.client.shared().wait(State::next_outdated);
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
        self.client.push(Push::Diagnostics(PublishDiagnosticsParams { uri, diagnostics, version }));
    }

    /// Takes `current` by value: an edit copies nothing once it is dropped.
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
