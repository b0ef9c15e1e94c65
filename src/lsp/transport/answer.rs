//! The answer to a request on its way from the thread that computes it to the client.
//!
//! The library keeps each result as a tree, which takes more than ten times the memory of its text. So a thread that computes
//! a result may write it as JSON at once, see [`Slot::write`]. The number of results that are computed or wait to be written
//! is limited, see [`Slot::enter`]: a client that does not read costs little memory.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many results about open suites are computed or wait to be written. Each may be as large as the suite.
pub(crate) const QUICK_PLACES: usize = 3;
/// How many small results are computed or wait to be written. Small results never wait for large ones.
const SMALL_PLACES: usize = 4;
/// How many results that need a walk over the workspace's folders are computed or wait to be written.
const SLOW_PLACES: usize = 2;
/// How many results are computed at the same time, at most.
pub(crate) const PLACES: usize = QUICK_PLACES + SMALL_PLACES + SLOW_PLACES;

/// The requests about one place in a document.
const SMALL: [&str; 8] = [
    "textDocument/hover",
    "textDocument/completion",
    "completionItem/resolve",
    "textDocument/definition",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
    "textDocument/signatureHelp",
    "textDocument/selectionRange",
];

/// Whether the result of a request of this method is small whatever the suite is.
pub(crate) fn is_small(method: &str) -> bool {
    SMALL.contains(&method)
}

/// The start of an answer, before its result.
pub(crate) const ANSWER_START: &[u8] = b"{\"jsonrpc\":\"2.0\",\"result\":";

tokio::task_local! {
    static SLOT: Slot;
}

/// The kind of a computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// Work that reads what is in memory.
    Quick,
    /// Work that walks over the workspace's folders, and must not keep quick work waiting.
    Slow,
}

/// The limits of one session.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    quick: Arc<Semaphore>,
    small: Arc<Semaphore>,
    slow: Arc<Semaphore>,
}

/// A place among the results that are computed or wait to be written. It is free again when this is dropped.
pub(crate) type Place = OwnedSemaphorePermit;

/// What the handler of a request hands over to the session besides its result.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    places: Places,
    is_small: bool,
    contents: Arc<Mutex<Contents>>,
}

/// The contents of a slot.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    /// The start of the answer as JSON, up to the end of its result, if that replaces the result of the handler.
    pub(crate) answered: Option<Vec<u8>>,
    /// The place that is free when the answer is written.
    pub(crate) place: Option<Place>,
    /// Which of the next messages are held.
    holds: Hold,
}

impl Default for Places {
    fn default() -> Self {
        let places = |count| Arc::new(Semaphore::new(count));
        Places { quick: places(QUICK_PLACES), small: places(SMALL_PLACES), slow: places(SLOW_PLACES) }
    }
}

/// Which of the messages after it a handler holds until it has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hold {
    /// None.
    #[default]
    Nothing,
    /// All except small requests, such as hovers.
    AllButSmall,
    /// All.
    All,
}

/// Holds messages for the current handler. Must be called before its first `.await`. The handler must not wait for the client.
pub fn hold(hold: Hold) {
    Slot::current().contents().holds = hold;
}

impl Slot {
    /// A slot for a request of this method.
    pub(crate) fn new(places: &Places, method: &str) -> Slot {
        Slot { places: places.clone(), is_small: is_small(method), contents: Arc::default() }
    }

    /// The slot of the current handler. Other tasks have none.
    pub(crate) fn current() -> Slot {
        SLOT.get()
    }

    /// Runs a handler with this slot.
    pub(crate) fn around<F: Future>(self, handler: F) -> impl Future<Output = F::Output> {
        SLOT.scope(self, handler)
    }

    /// Waits for a place. A handler that has one must not wait for a second one, nor for a person.
    pub(crate) async fn enter(&self, work: Work) -> Place {
        let places = match work {
            Work::Quick if self.is_small => &self.places.small,
            Work::Quick => &self.places.quick,
            Work::Slow => &self.places.slow,
        };
        Arc::clone(places).acquire_owned().await.expect("the semaphore is never closed")
    }

    /// Keeps a place until the answer of the request is written.
    pub(crate) fn keep(&self, place: Place) {
        self.contents().place = Some(place);
    }

    /// Writes the result of the request as JSON, which replaces that of the handler.
    ///
    /// # Errors
    /// If it cannot be serialized.
    pub(crate) fn write(&self, result: &impl Serialize) -> serde_json::Result<()> {
        let mut answer = ANSWER_START.to_vec();
        serde_json::to_writer(&mut answer, result)?;
        self.contents().answered = Some(answer);
        Ok(())
    }

    /// Which of the next messages the handler holds.
    pub(crate) fn holds(&self) -> Hold {
        self.contents().holds
    }

    /// Takes the contents out of the slot.
    pub(crate) fn take(&self) -> Contents {
        std::mem::take(&mut *self.contents())
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
