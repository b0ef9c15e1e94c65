//! Long work in separate threads, and requests to the client, so that other requests do not wait.
//!
//! A handler whose answer is the value that it computes calls [`answer`], or `Server::of_suite`: the thread also writes the JSON. One
//! that does more with the value calls [`cancellable`], or [`uncancelled`] if the work changes something. No handler waits for the
//! answer of the client.

use ls_types::{ConfigurationItem, Registration, Uri};
use serde::Serialize;
use serde_json::{Value, json};
use tower_lsp_server::jsonrpc::{Error, Result};

use crate::cancellation::Canceller;
use crate::lsp::client::settings::{SECTION, log};
use crate::lsp::push::Push;
use crate::lsp::session::choices::Choices;
use crate::lsp::session::snapshot::Snapshot;
use crate::lsp::transport::{Place, Slot, Work};

use super::{Server, internal_error};

/// Cancels the work when its waiting handler is dropped, because the client has cancelled the request.
#[derive(Default)]
struct Waiting(Canceller);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Computes a value in a separate thread, to the end even if the client cancels the request.
pub(crate) async fn uncancelled<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    placed(work).await.map(|(value, _)| value)
}

/// Computes a value in a separate thread. The request has its place until its answer is written.
pub(crate) async fn cancellable<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let waiting = Waiting::default();
    let canceller = waiting.0.clone();
    let (value, place) = placed(move || canceller.run(work)).await?;
    if let (Some(slot), Some(place)) = (Slot::current(), place) {
        slot.keep(place);
    }
    value.ok_or_else(Error::request_cancelled)
}

/// Waits for a place, and computes a value in a separate thread. The thread has the place, too: a request that is cancelled
/// does not free it early.
async fn placed<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<(T, Option<Place>)> {
    let place = match Slot::current() {
        Some(slot) => slot.enter(Work::Quick).await,
        None => None,
    };
    blocking(move || (work(), place)).await
}

/// Computes the answer to the current request in a separate thread, which also writes it as JSON. The returned default is a
/// placeholder.
pub(crate) async fn answer<T: Serialize + Default + Send + 'static>(
    kind: Work,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    answer_in_place_of(T::default(), kind, work).await
}

/// The same for types without a default. Returns the placeholder.
pub(crate) async fn answer_in_place_of<T: Serialize + Send + 'static>(
    placeholder: T,
    kind: Work,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    let waiting = Waiting::default();
    let canceller = waiting.0.clone();
    let Some(slot) = Slot::current() else {
        return blocking(move || canceller.run(work)).await?.ok_or_else(Error::request_cancelled);
    };
    let place = slot.enter(kind).await;
    blocking(move || {
        let written = canceller.run(|| slot.write(&work())).ok_or_else(Error::request_cancelled)?;
        // Kept until the answer is written. Until then this thread has it, even if the client cancels the request.
        place.into_iter().for_each(|place| slot.keep(place));
        written.map_err(internal_error)
    })
    .await??;
    Ok(placeholder)
}

/// Changes what is remembered from session to session, in a separate thread.
pub(crate) fn remember(change: impl FnOnce(&mut Choices) + Send + 'static) {
    tokio::task::spawn_blocking(|| {
        if let Err(fault) = Choices::change(change) {
            log(&format!("could not save a choice for later sessions: {fault}"));
        }
    });
}

/// Computes a value in a separate thread.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    match tokio::task::spawn_blocking(work).await {
        Ok(value) => Ok(value),
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(error) => Err(internal_error(error)),
        },
    }
}

impl Server {
    /// Answers the current request with what `work` computes from an open suite at this moment; with null if the document
    /// is not an open suite.
    pub(crate) async fn of_suite<T: Serialize + Send + 'static>(
        &self,
        uri: &Uri,
        work: impl FnOnce(&Snapshot) -> T + Send + 'static,
    ) -> Result<Option<T>> {
        match self.shared.read(|state| state.snapshot(uri)) {
            Some(snapshot) => answer(Work::Quick, move || Some(work(&snapshot))).await,
            None => Ok(None),
        }
    }

    /// Applies `work` to an open suite at this moment; `None` if the document is not an open suite.
    pub(crate) async fn value_of_suite<T: Send + 'static>(
        &self,
        uri: &Uri,
        work: impl FnOnce(&Snapshot) -> T + Send + 'static,
    ) -> Result<Option<T>> {
        match self.shared.read(|state| state.snapshot(uri)) {
            Some(snapshot) => cancellable(move || work(&snapshot)).await.map(Some),
            None => Ok(None),
        }
    }
}

impl Server {
    /// Asks the client to report when a file that matches one of the globs is created, changed or deleted.
    pub(crate) fn watch(&self, globs: &[String]) {
        let watchers: Vec<_> = globs.iter().map(|glob| json!({ "globPattern": glob })).collect();
        let id = format!("eval-ls.watch:{}", globs.join(","));
        self.register(id, "workspace/didChangeWatchedFiles", json!({ "watchers": watchers }));
    }

    /// Registers for a notification that the client would not send otherwise.
    pub(crate) fn register(&self, id: String, method: &'static str, options: Value) {
        let registration = Registration { id, method: method.to_owned(), register_options: Some(options) };
        let client = self.client.clone();
        tokio::spawn(async move {
            if let Err(error) = client.requests().register_capability(vec![registration]).await {
                log(&format!("the client does not support `{method}`; changes are picked up on save: {error}"));
            }
        });
    }

    /// Asks the client for its configuration.
    pub(crate) fn ask_for_settings(&self) {
        let client = self.client.clone();
        tokio::spawn(async move {
            let item = ConfigurationItem { scope_uri: None, section: Some(SECTION.to_owned()) };
            match client.requests().configuration(vec![item]).await {
                Ok(sections) => {
                    let section = sections.into_iter().next().unwrap_or_default();
                    if client.shared().change(|state| state.set_settings(&section)) {
                        client.push(Push::RefreshDiagnostics);
                    }
                    client.shared().note_revision();
                }
                Err(error) => log(&format!("the client did not send its configuration: {error}")),
            }
        });
    }
}
