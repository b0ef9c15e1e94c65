//! Tells the client what happened beside the answers to its questions: that tests and verdicts are others now, and that
//! code lenses say something else. What happens within a moment is told once.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{sleep, timeout};

use crate::lsp::protocol::UrisParams;
use crate::lsp::push::teller::Teller;

/// How long more of the same is waited for.
const MOMENT: Duration = Duration::from_millis(50);

/// How often the lenses of what runs say how long it does.
const TICK: Duration = Duration::from_secs(1);

/// Starts telling. It goes on until the session ends.
pub(in crate::lsp) fn start(teller: Teller) {
    let shared = Arc::clone(teller.shared());
    tokio::spawn(async move {
        loop {
            if timeout(TICK, shared.news()).await.is_err() {
                if !shared.read(|state| state.runs().is_empty()) {
                    refresh_lenses(&teller);
                }
                continue;
            }
            let news = shared.change(|state| state.take_news());
            if news.lenses {
                refresh_lenses(&teller);
            }
            for (method, uris) in [("eval-ls/testsChanged", news.tests), ("eval-ls/verdictsChanged", news.verdicts)] {
                if !uris.is_empty() {
                    teller.tell(method, &UrisParams { uris: uris.into_iter().collect() });
                }
            }
            sleep(MOMENT).await;
        }
    });
}

/// Nobody waits for the client's answer.
fn refresh_lenses(teller: &Teller) {
    if teller.shared().read(|state| state.support().refreshes_code_lenses) {
        let client = teller.client().clone();
        tokio::spawn(async move { client.code_lens_refresh().await });
    }
}
