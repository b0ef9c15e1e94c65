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

use ls_types::{
    ProgressParams, ProgressParamsValue, ProgressToken, Uri, WorkDoneProgress, WorkDoneProgressBegin,
    WorkDoneProgressEnd,
};
use serde_json::value::RawValue;
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::lsp::client::settings::log;
use crate::lsp::client::support::Support;
use crate::lsp::features::diagnostics::{self, SentFindings};
use crate::lsp::session::state::{Current, State};
use crate::text::visible_text;

use super::Diagnostics;
use super::{ClientHandle, Push};

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
        let _checking = Checking::start(&self.client, &uri);
        let version = version.filter(|_| self.support.diagnostic_versions);
        // Only the findings; a panic in them is reported below.
        let find = || match &current {
            Current::Suite(snapshot) => sent.before_verdicts(snapshot),
            _ => Ok(None),
        };
        if let Ok(Ok(Some(diagnostics))) = catch_unwind(AssertUnwindSafe(find)) {
            self.client.push(Push::Diagnostics(Diagnostics { uri: uri.clone(), diagnostics, version }));
        }
        let diagnostics = self.diagnostics(&uri, current, &mut sent);
        if !is_silent {
            self.published.insert(uri.clone(), sent);
        }
        match diagnostics {
            Ok(diagnostics) => self.client.push(Push::Diagnostics(Diagnostics { uri, diagnostics, version })),
            Err(error) => log(&format!("could not write diagnostics: {error}")),
        }
    }

    /// Takes `current` by value: an edit copies nothing once it is dropped.
    fn diagnostics(
        &self,
        uri: &Uri,
        current: Current,
        sent: &mut SentFindings,
    ) -> serde_json::Result<Vec<Arc<RawValue>>> {
        let find = || sent.of_current(uri, &current, &self.support);
        let found = catch_unwind(AssertUnwindSafe(find));
        found.unwrap_or_else(|_| diagnostics::written([diagnostics::internal_error()]))
    }
}

/// How long a check may take before the client shows that it runs.
const LONG: Duration = Duration::from_millis(500);

/// The prefix of the progress tokens of checks; a number follows.
const TOKEN: &str = "eval-ls/check/";

/// A running check. It ends when this is dropped.
pub(crate) struct Checking {
    _end: Option<oneshot::Sender<()>>,
}

impl Checking {
    /// Notes the start of a check. Never waits for the client.
    pub(crate) fn start(client: &ClientHandle, uri: &Uri) -> Checking {
        if !client.shared().read(|state| state.support().work_done_progress) {
            return Checking { _end: None };
        }
        let (end, ended) = oneshot::channel();
        client.spawn(show(client.clone(), file_name(uri), ended));
        Checking { _end: Some(end) }
    }
}

async fn show(client: ClientHandle, file: String, mut ended: oneshot::Receiver<()>) {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    if timeout(LONG, &mut ended).await.is_ok() {
        return;
    }
    let token = ProgressToken::String(format!("{TOKEN}{}", NUMBER.fetch_add(1, Ordering::Relaxed)));
    if client.requests().create_work_done_progress(token.clone()).await.is_err() {
        return;
    }
    let report = |value| {
        let value = ProgressParamsValue::WorkDone(value);
        client.push(Push::Progress(ProgressParams { token: token.clone(), value }));
    };
    let title = format!("Checking {file}");
    report(WorkDoneProgress::Begin(WorkDoneProgressBegin { title, ..WorkDoneProgressBegin::default() }));
    let _ = ended.await;
    report(WorkDoneProgress::End(WorkDoneProgressEnd { message: None }));
}

fn file_name(uri: &Uri) -> String {
    visible_text(uri.as_str().rsplit('/').next().unwrap_or_default())
}
