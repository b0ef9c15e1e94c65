//! Finds diagnostics and pushes them in one thread, so that requests never wait for them and an older version never follows a newer one.
//!
//! The thread takes the document that has waited longest, as it is at that moment. Changes that pile up while the thread is busy, or
//! while the client does not read, are sent once. A check that takes long, such as the first one of a large suite, shows its progress.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use std::{io, thread};

use ls_types::{Uri, WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressEnd};
use tokio::sync::mpsc::UnboundedSender;

use crate::lsp::client::settings::log;
use crate::lsp::client::support::Support;
use crate::lsp::features::diagnostics::{self, SentFindings};
use crate::lsp::session::state::{Current, State};
use crate::text::visible_text;

use super::{ClientHandle, Diagnostics, Push};

/// Starts the thread, which runs until the process ends.
///
/// # Errors
/// If the thread cannot be started.
pub(crate) fn start(client: ClientHandle) -> io::Result<()> {
    let support = client.shared().read(|state| Arc::clone(state.support()));
    let publisher = Publisher { client, support, published: HashMap::new() };
    thread::Builder::new().name("lsp-publisher".to_owned()).spawn(move || publisher.run()).map(drop)
}

struct Publisher {
    client: ClientHandle,
    support: Arc<Support>,
    /// What was sent for the documents for which the client may show diagnostics.
    published: HashMap<Uri, SentFindings>,
}

impl Publisher {
    fn run(mut self) {
        loop {
            self.client.wait_until_diagnostics_are_written();
            let (uri, current) = self.client.shared().wait(State::next_outdated);
            self.publish(uri, current);
        }
    }

    fn publish(&mut self, uri: Uri, current: Current) {
        let version = match &current {
            Current::Suite(snapshot) => Some(snapshot.version),
            Current::Unreadable(version) => Some(*version),
            Current::OpenConfiguration(configuration) => Some(configuration.version),
            Current::Closed(_) | Current::Configuration(_) | Current::Nothing => None,
        };
        let is_silent = current.is_silent();
        let Some(mut sent) = SentFindings::taken_from(&mut self.published, &uri, &current) else { return };
        let progress = self.checking(&uri);
        let version = version.filter(|_| self.support.diagnostic_versions);
        // Only the findings; a panic in them is reported below.
        let find = || match &current {
            Current::Suite(snapshot) => sent.before_verdicts(snapshot),
            _ => Ok(None),
        };
        if let Ok(Ok(Some(diagnostics))) = catch_unwind(AssertUnwindSafe(find)) {
            self.client.push(Push::Diagnostics(Diagnostics { uri: uri.clone(), diagnostics, version }));
        }
        let find = || sent.of_current(&uri, &current, &self.support);
        let found = catch_unwind(AssertUnwindSafe(find));
        let diagnostics = found.unwrap_or_else(|_| diagnostics::written([diagnostics::internal_error()]));
        // An edit copies nothing once this is dropped.
        drop(current);
        if !is_silent {
            self.published.insert(uri.clone(), sent);
        }
        match diagnostics {
            Ok(diagnostics) => self.client.push(Push::Diagnostics(Diagnostics { uri, diagnostics, version })),
            Err(error) => log(&format!("could not write diagnostics: {error}")),
        }
        if let Some(progress) = progress {
            let _ = progress.send(WorkDoneProgress::End(WorkDoneProgressEnd { message: None }));
        }
    }

    /// Shows that a document is checked, if that takes long.
    fn checking(&self, uri: &Uri) -> Option<UnboundedSender<WorkDoneProgress>> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let token = format!("{TOKEN}{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        let file = visible_text(uri.as_str().rsplit('/').next().unwrap_or_default());
        let begin = WorkDoneProgressBegin { title: format!("Checking {file}"), ..WorkDoneProgressBegin::default() };
        self.client.progress(token, LONG, begin)
    }
}

/// How long a check may take before the client shows that it runs.
const LONG: Duration = Duration::from_millis(500);

/// The prefix of the progress tokens of checks; a number follows.
const TOKEN: &str = "eval-ls/check/";
