//! Long work in separate threads, so that other requests do not wait. No handler waits for the answer of the client.

use serde::Serialize;
use tower_lsp_server::jsonrpc::{Error, Result};

use crate::cancellation::Canceller;
use crate::lsp::methods::requests::Answer;
use crate::lsp::session::state::State;
use crate::lsp::transport::{Slot, Work};

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
    let place = Slot::current().enter(Work::Quick).await;
    // The thread has the place: a request that is cancelled does not free it early.
    blocking(move || (work(), place)).await.map(|(value, _)| value)
}

/// Computes the answer to the current request in a separate thread, which also writes it as JSON. Returns the placeholder.
pub(crate) async fn answer<T: Serialize, R>(
    placeholder: R,
    kind: Work,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<R> {
    let waiting = Waiting::default();
    let (canceller, slot) = (waiting.0.clone(), Slot::current());
    let place = slot.enter(kind).await;
    blocking(move || {
        let written = canceller.run(|| slot.write(&work()?).map_err(internal_error));
        // Kept until the answer is written. Until then this thread has it, even if the client cancels the request.
        slot.keep(place);
        written.unwrap_or_else(|| Err(Error::request_cancelled()))
    })
    .await??;
    Ok(placeholder)
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
    /// Answers the current request with what `request` finds in the state at this moment, or with null.
    pub(crate) async fn query<P, T: Serialize + 'static, R: Default>(
        &self,
        request: impl FnOnce(&State, P) -> Answer<T>,
        params: P,
    ) -> Result<R> {
        self.query_in_place_of(R::default(), Work::Quick, request, params).await
    }

    /// Like [`Server::query`], for other kinds of work and for results without a default. Without an answer, the placeholder is sent.
    pub(crate) async fn query_in_place_of<P, T: Serialize + 'static, R>(
        &self,
        placeholder: R,
        kind: Work,
        request: impl FnOnce(&State, P) -> Answer<T>,
        params: P,
    ) -> Result<R> {
        match self.shared.read(|state| request(state, params)) {
            Some(work) => answer(placeholder, kind, || Ok(work())).await,
            None => Ok(placeholder),
        }
    }
}
