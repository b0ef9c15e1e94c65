//! The state, shared by all threads of the server.

use std::sync::{Condvar, Mutex, PoisonError};

use tokio::sync::{Notify, watch};

use crate::lsp::session::state::State;

/// The state and its notifications.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    news: Notify,
    lens_requests: watch::Sender<()>,
}

impl Shared {
    /// Reads the state.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&State) -> T) -> T {
        read(&self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes the state, and wakes the threads and tasks that push the consequences.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = change(&mut state);
        if state.has_news() {
            self.news.notify_one();
        }
        self.changed.notify_all();
        changed
    }

    /// Waits until there is news for the client.
    pub(crate) async fn news(&self) {
        while !self.read(State::has_news) {
            self.news.notified().await;
        }
    }

    /// Wakes what waits for a request of code lenses.
    pub(crate) fn note_lens_request(&self) {
        self.lens_requests.send_replace(());
    }

    /// Reports the calls of [`Shared::note_lens_request`] from now on.
    pub(crate) fn lens_requests(&self) -> watch::Receiver<()> {
        self.lens_requests.subscribe()
    }

    /// Blocks until `take` returns a value.
    pub(crate) fn wait<T>(&self, take: impl Fn(&mut State) -> Option<T>) -> T {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(next) = take(&mut state) {
                return next;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
