//! Pushes changed tests, changed verdicts, changed code lenses, changed runs
//! and changed inlay hints. Changes within a short time are sent once.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{sleep, timeout};

use super::{ClientHandle, Push};

/// How long changes are collected before more are sent.
const COLLECT: Duration = Duration::from_millis(50);

/// How often the lenses of running cases show a new duration.
const TICK: Duration = Duration::from_secs(1);

pub(super) fn start(client: ClientHandle) {
    let shared = Arc::clone(client.shared());
    tokio::spawn(async move {
        loop {
            if timeout(TICK, shared.news()).await.is_err() {
                if !shared.read(|state| state.runs().is_empty()) {
                    client.push(Push::RefreshCodeLenses);
                }
                continue;
            }
            let news = shared.change(|state| state.take_news());
            if news.lenses {
                client.push(Push::RefreshCodeLenses);
            }
            if news.runs {
                client.push(Push::RunsChanged);
            }
            if news.hints {
                client.push(Push::RefreshInlayHints);
            }
            if !news.tests.is_empty() {
                client.push(Push::TestsChanged(news.tests.into_iter().collect()));
            }
            if !news.verdicts.is_empty() {
                client.push(Push::VerdictsChanged(news.verdicts.into_iter().collect()));
            }
            sleep(COLLECT).await;
        }
    });
}
