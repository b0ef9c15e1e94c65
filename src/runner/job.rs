//! A job of a run: runs the next case until none is left.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::case::PATIENCE;
use super::case_run::CaseRun;
use super::shared::{Events, Shared};

/// Runs cases until none is left or the run is cancelled.
pub(super) async fn work(shared: Arc<Shared>, job: usize, events: Events) {
    let mut session = None;
    loop {
        let permit = events.permit().await;
        let may_start = !shared.cancel.is_cancelled() && shared.enough.why().is_none();
        let next = || shared.todo.get(shared.next.fetch_add(1, Ordering::Relaxed)).copied();
        let Some(index) = may_start.then(next).flatten() else { break };
        CaseRun { shared: &shared, job, session: &mut session, index, events: &events }.run(permit).await;
    }
    if let Some(session) = session {
        // A session that does not close in time is given up.
        let _ = tokio::time::timeout(PATIENCE, session.close()).await;
    }
}
