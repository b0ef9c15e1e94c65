//! Tells the client to ask again for what shows verdicts, when they have changed without an edit: a transcript came or
//! went, or a run has ended.

use std::sync::Arc;

use tower_lsp_server::Client;

use super::shared::Shared;

/// Starts telling. It goes on until the session ends.
pub(super) fn start(client: Client, shared: Arc<Shared>) {
    tokio::spawn(async move {
        loop {
            shared.next_answered().await;
            refresh(&client, &shared);
        }
    });
}

/// Nobody waits for the client's answers: one that does not come holds nothing up.
fn refresh(client: &Client, shared: &Shared) {
    let support = shared.read(|state| Arc::clone(state.support()));
    if support.pulls_diagnostics {
        let client = client.clone();
        tokio::spawn(async move { client.workspace_diagnostic_refresh().await });
    }
    if support.refreshes_inlay_hints {
        let client = client.clone();
        tokio::spawn(async move { client.inlay_hint_refresh().await });
    }
}
