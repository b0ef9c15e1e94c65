//! The state, as handlers and the publisher share it.

use std::sync::{Condvar, Mutex, PoisonError};

use tokio::sync::Notify;
use tower_lsp_server::ls_types::Uri;

use crate::lsp::session::state::State;

/// See the module's page.
#[derive(Debug, Default)]
pub(in crate::lsp) struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    answered: Notify,
    news: Notify,
}

impl Shared {
    /// Looks at the state.
    pub(in crate::lsp) fn read<T>(&self, read: impl FnOnce(&State) -> T) -> T {
        read(&self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes the state. What is to be sent because of that is sent from another thread.
    pub(in crate::lsp) fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = change(&mut state);
        if state.has_new_answers() {
            self.answered.notify_one();
        }
        if state.has_news() {
            self.news.notify_one();
        }
        self.changed.notify_all();
        changed
    }

    /// Waits until verdicts have changed for another reason than an edit; returns whose.
    pub(in crate::lsp) async fn next_answered(&self) -> Vec<Uri> {
        loop {
            let answered = self.change(State::take_answered);
            if !answered.is_empty() {
                return answered;
            }
            self.answered.notified().await;
        }
    }

    /// Waits until there is news for the client.
    pub(in crate::lsp) async fn news(&self) {
        while !self.read(State::has_news) {
            self.news.notified().await;
        }
    }

    /// Waits until there is what `take` takes.
    pub(in crate::lsp) fn wait<T>(&self, take: impl Fn(&mut State) -> Option<T>) -> T {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(next) = take(&mut state) {
                return next;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
