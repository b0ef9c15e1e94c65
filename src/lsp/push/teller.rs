use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use tokio::runtime::Handle;
use tower_lsp_server::Client;
use tower_lsp_server::ls_types::MessageType;

use crate::lsp::protocol::RunEvent;
use crate::lsp::session::shared::Shared;
use crate::lsp::transport::{Notifier, log};
use crate::text::visible;

/// The way from a run, or whatever else is no handler, to the state and to the client. Cheap to clone.
#[derive(Clone)]
pub(in crate::lsp) struct Teller {
    inner: Arc<Inner>,
}

struct Inner {
    shared: Arc<Shared>,
    client: Client,
    runtime: Handle,
    notifier: Mutex<Notifier>,
}

impl Teller {
    /// Must be called within the runtime.
    pub(in crate::lsp) fn new(shared: Arc<Shared>, client: Client, notifier: Notifier) -> Self {
        let inner = Inner { shared, client, runtime: Handle::current(), notifier: Mutex::new(notifier) };
        Self { inner: Arc::new(inner) }
    }

    pub(in crate::lsp) fn shared(&self) -> &Arc<Shared> {
        &self.inner.shared
    }

    pub(in crate::lsp) fn client(&self) -> &Client {
        &self.inner.client
    }

    pub(in crate::lsp) fn runtime(&self) -> &Handle {
        &self.inner.runtime
    }

    /// Says what goes on, where people look for that.
    pub(in crate::lsp) fn log(&self, text: &str) {
        let (client, text) = (self.client().clone(), text.chars().map(visible).collect::<String>());
        self.runtime().spawn(async move { client.log_message(MessageType::INFO, text).await });
    }

    /// Tells what happens in a run, if the client wants to know.
    pub(in crate::lsp) fn event(&self, event: &RunEvent) {
        self.tell("eval-ls/runEvent", event);
    }

    /// Sends a notification to a client that wants to know of tests and runs. They arrive in the order in which they are
    /// sent.
    pub(in crate::lsp) fn tell(&self, method: &str, params: &impl Serialize) {
        if !self.inner.shared.read(|state| state.settings().run_events) {
            return;
        }
        let mut notifier = self.inner.notifier.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = notifier.notify(method, params) {
            log(&format!("`{method}` could not be sent: {error}"));
        }
    }
}
