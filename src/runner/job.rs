//! A job of a run: runs the next case until none is left.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::targets::Session;

use super::case::PATIENCE;
use super::case_run::CaseRun;
use super::shared::{Events, Shared};

/// Runs cases until none is left or the run is cancelled.
pub(super) async fn work(shared: Arc<Shared>, job: usize, events: Events) {
    let mut session = None;
    while !shared.cancel.is_cancelled() && shared.enough.why().is_none() {
        let Some(index) = shared.todo.get(shared.next.fetch_add(1, Ordering::Relaxed)).copied() else { break };
        CaseRun { shared: &shared, job, session: &mut session, index, events: &events }.run().await;
    }
    close(session).await;
}

/// Closes the session of a job.
pub(super) async fn close(session: Option<Box<dyn Session>>) {
    if let Some(session) = session {
        // A session that does not close in time is given up.
        let _ = tokio::time::timeout(PATIENCE, session.close()).await;
    }
}
