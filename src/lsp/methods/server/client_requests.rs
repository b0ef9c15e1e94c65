//! What the server asks its client for: to be told of files and settings. Nobody waits for the answers.

use std::sync::Arc;

use serde_json::{Value, json};
use tower_lsp_server::ls_types::{ConfigurationItem, Registration};

use super::Server;
use crate::lsp::client::settings::SECTION;
use crate::lsp::transport::log;

impl Server {
    /// Asks the client to say when a file that one of the globs matches comes, changes or goes.
    pub(super) fn watch(&self, globs: &[String]) {
        let watchers: Vec<_> = globs.iter().map(|glob| json!({ "globPattern": glob })).collect();
        let id = format!("eval-ls.watch:{}", globs.join(","));
        self.register(id, "workspace/didChangeWatchedFiles", json!({ "watchers": watchers }));
    }

    /// Asks the client to send something that it would not send otherwise.
    pub(super) fn register(&self, id: String, method: &'static str, options: Value) {
        let registration = Registration { id, method: method.to_owned(), register_options: Some(options) };
        let client = self.client.clone();
        tokio::spawn(async move {
            if let Err(error) = client.register_capability(vec![registration]).await {
                log(&format!("the client does not send `{method}`, so what changes is looked at later: {error}"));
            }
        });
    }

    /// Asks the client for its configuration.
    pub(super) fn ask_for_settings(&self) {
        let (client, shared, refresh) = (self.client.clone(), Arc::clone(&self.shared), self.refresher());
        tokio::spawn(async move {
            let item = ConfigurationItem { scope_uri: None, section: Some(SECTION.to_owned()) };
            match client.configuration(vec![item]).await {
                Ok(sections) => {
                    let section = sections.into_iter().next().unwrap_or_default();
                    if shared.change(|state| state.set_settings(&section)) {
                        refresh();
                    }
                }
                Err(error) => log(&format!("the client does not tell its configuration: {error}")),
            }
        });
    }
}
