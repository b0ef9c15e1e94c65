//! Tells the client to ask again for what shows verdicts, when they have changed without an edit: a transcript came or
//! went, a run has ended, or an age is told in other words.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tower_lsp_server::Client;

use crate::lsp::session::shared::Shared;

/// How often ages are looked at.
const MINUTE: Duration = Duration::from_secs(60);

/// Starts telling. It goes on until the session ends.
pub(in crate::lsp) fn start(client: Client, shared: Arc<Shared>) {
    tokio::spawn(async move {
        let mut told = SystemTime::now();
        loop {
            tokio::select! {
                _ = shared.next_answered() => {
                    refresh_diagnostics(&client, &shared);
                    refresh_hints(&client, &shared);
                }
                () = tokio::time::sleep(MINUTE) => {
                    if !shared.read(|state| state.has_aged(told, SystemTime::now())) {
                        continue;
                    }
                    refresh_hints(&client, &shared);
                }
            }
            told = SystemTime::now();
        }
    });
}

/// Nobody waits for the client's answer: one that does not come holds nothing up.
fn refresh_diagnostics(client: &Client, shared: &Shared) {
    if shared.read(|state| state.support().pulls_diagnostics) {
        let client = client.clone();
        tokio::spawn(async move { client.workspace_diagnostic_refresh().await });
    }
}

fn refresh_hints(client: &Client, shared: &Shared) {
    if shared.read(|state| state.support().refreshes_inlay_hints) {
        let client = client.clone();
        tokio::spawn(async move { client.inlay_hint_refresh().await });
    }
}
