//! Pushes what follows from changes of the state: changed tests, verdicts, lenses, runs and hints. Changes within a short time are sent once.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until};

use crate::lsp::session::state::News;

use super::{ClientHandle, Push};

/// How long changes are collected before more are sent. Below what a person notices.
const COLLECT: Duration = Duration::from_millis(50);

/// How often the lenses of running cases show a new duration. The duration is shown in seconds.
const TICK: Duration = Duration::from_secs(1);

pub(crate) fn start(client: ClientHandle) {
    refresh_verdicts(client.clone());
    let shared = Arc::clone(client.shared());
    let mut lens_requests = shared.lens_requests();
    tokio::spawn(async move {
        let mut refreshes = LensRefreshes::default();
        loop {
            let runs = !shared.read(|state| state.runs().is_empty());
            let next = refreshes.next(runs);
            tokio::select! {
                () = shared.news() => {}
                Ok(()) = lens_requests.changed() => {
                    refreshes.requested(Instant::now());
                    continue;
                }
                () = sleep_until(next.unwrap_or_else(Instant::now)), if next.is_some() => refreshes.due = true,
            }
            let news = shared.change(|state| state.take_news());
            refreshes.due |= news.lenses;
            if refreshes.may_be_sent(Instant::now()) {
                lens_requests.mark_unchanged();
                client.push(Push::RefreshCodeLenses);
                refreshes.sent(Instant::now());
            }
            push(&client, news);
            sleep(COLLECT).await;
        }
    });
}

fn push(client: &ClientHandle, news: News) {
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
}

/// When lenses are refreshed. VS Code waits before it requests lenses after a refresh (250 ms, or as long as its last requests
/// took), and again before it shows the response. Each refresh restarts the first wait, and each response restarts the second.
/// So if refreshes follow each other faster, the shown lenses never change. This sends a refresh when the client has requested
/// the lenses of the last one and has had time to show them. If the client does not request them, because it shows no suite or
/// because the focus has moved, the next refresh is sent after a wait that doubles.
#[derive(Debug, Default)]
struct LensRefreshes {
    /// Whether lenses have changed since the last refresh.
    due: bool,
    /// When the last refresh was sent.
    last: Option<Instant>,
    /// The earliest time of the next refresh.
    not_before: Option<Instant>,
    /// How long the last refresh waits for a request; none if the client has followed it.
    patience: Option<Duration>,
}

impl LensRefreshes {
    /// How long the client has to show the lenses that it has requested.
    const SHOW: Duration = Duration::from_millis(250);
    /// The longest time that a refresh waits for a request.
    const LONGEST: Duration = Duration::from_secs(8);

    /// The client has requested lenses.
    fn requested(&mut self, now: Instant) {
        self.patience = None;
        self.not_before = Some(now + Self::SHOW);
    }

    fn may_be_sent(&self, now: Instant) -> bool {
        self.due && self.not_before.is_none_or(|at| at <= now)
    }

    fn sent(&mut self, now: Instant) {
        let patience = self.patience.map_or(TICK, |patience| (patience * 2).min(Self::LONGEST));
        *self =
            LensRefreshes { due: false, last: Some(now), not_before: Some(now + patience), patience: Some(patience) };
    }

    /// When the next refresh is sent if there is no other news. `runs`: whether cases run.
    fn next(&self, runs: bool) -> Option<Instant> {
        let tick = self.last.filter(|_| runs).map(|at| at + TICK);
        match (self.due, tick) {
            (true, _) => self.not_before,
            (false, Some(tick)) => Some(self.not_before.map_or(tick, |at| at.max(tick))),
            (false, None) => None,
        }
    }
}

/// Has the client ask again for what shows verdicts if they change without an edit: a transcript is written or removed, or a run ends.
fn refresh_verdicts(client: ClientHandle) {
    tokio::spawn(async move {
        loop {
            client.shared().next_answered().await;
            client.shared().note_revision();
            client.push(Push::RefreshDiagnostics);
            client.push(Push::RefreshInlayHints);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_millis(50);

    #[test]
    fn lenses_are_refreshed_when_the_client_has_requested_the_last_ones() {
        let now = Instant::now();
        let mut refreshes = LensRefreshes { due: true, ..LensRefreshes::default() };
        assert!(refreshes.may_be_sent(now));
        refreshes.sent(now);
        assert!(!refreshes.may_be_sent(now + TICK), "nothing has changed");
        refreshes.due = true;
        assert!(!refreshes.may_be_sent(now + SOON), "the client will request them");
        refreshes.requested(now + SOON);
        assert!(!refreshes.may_be_sent(now + SOON), "the client will show them");
        let shown = now + SOON + LensRefreshes::SHOW;
        assert_eq!(refreshes.next(false), Some(shown));
        assert!(refreshes.may_be_sent(shown));
    }

    #[test]
    fn a_client_that_requests_no_lenses_gets_fewer_and_fewer_refreshes() {
        let start = Instant::now();
        let mut refreshes = LensRefreshes { due: true, ..LensRefreshes::default() };
        refreshes.sent(start);
        let mut seconds = Vec::new();
        for _ in 0..6 {
            let next = refreshes.next(true).expect("a case runs");
            refreshes.due = true;
            assert!(refreshes.may_be_sent(next));
            seconds.push((next - start).as_secs());
            refreshes.sent(next);
        }
        assert_eq!(seconds, [1, 3, 7, 15, 23, 31]);
        let last = refreshes.last.expect("refreshes were sent");
        refreshes.requested(last + SOON);
        assert_eq!(refreshes.next(true), Some(last + TICK));
    }

    #[test]
    fn without_runs_and_news_nothing_is_due() {
        let mut refreshes = LensRefreshes::default();
        assert_eq!(refreshes.next(false), None);
        refreshes.sent(Instant::now());
        assert_eq!(refreshes.next(false), None);
    }
}
