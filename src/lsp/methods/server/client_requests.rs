//! Requests to the client: watch files, report settings. No handler waits for the answers.

use ls_types::{ConfigurationItem, Registration};
use serde_json::{Value, json};

use super::Server;
use crate::lsp::client::log::log;
use crate::lsp::client::settings::SECTION;
use crate::lsp::push::Push;

impl Server {
    /// Asks the client to report when a file that matches one of the globs is created, changed or deleted.
    pub(super) fn watch(&self, globs: &[String]) {
        let watchers: Vec<_> = globs.iter().map(|glob| json!({ "globPattern": glob })).collect();
        let id = format!("eval-ls.watch:{}", globs.join(","));
        self.register(id, "workspace/didChangeWatchedFiles", json!({ "watchers": watchers }));
    }

    /// Registers for a notification that the client would not send otherwise.
    pub(super) fn register(&self, id: String, method: &'static str, options: Value) {
        let registration = Registration { id, method: method.to_owned(), register_options: Some(options) };
        let client = self.client.clone();
        tokio::spawn(async move {
            if let Err(error) = client.requests().register_capability(vec![registration]).await {
                log(&format!("the client does not support `{method}`; changes are picked up on save: {error}"));
            }
        });
    }

    /// Asks the client for its configuration.
    pub(super) fn ask_for_settings(&self) {
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
