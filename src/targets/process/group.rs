//! Ends a program and all that it started.

use std::time::Duration;

use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep, timeout};

use crate::processes::{self, Session};

/// How long the group may take to end by itself after SIGTERM. A program that saves its state has done so.
const TERM_GRACE: Duration = Duration::from_secs(1);

/// How long to wait until SIGKILL has done its work. It cannot be refused, so only a process stuck in the kernel takes longer.
const KILL_GRACE: Duration = Duration::from_millis(500);

/// How often to look whether the group is gone: the system does not report it.
const INTERVAL: Duration = Duration::from_millis(10);

/// The process group of a program. Dropping it kills the group at once.
pub(super) struct Group(Option<processes::Group>);

impl Group {
    /// Makes `command` the leader of a new group.
    pub(super) fn prepare(command: &mut Command) {
        command.kill_on_drop(true);
        processes::Group::lead(command.as_std_mut());
    }

    /// The group of a program that was prepared and has just been started, in this session if there is one.
    pub(super) fn of(leader: &Child, session: Option<&Session>) -> Self {
        Self(Some(match session {
            Some(session) => processes::Group::within(session, leader),
            None => processes::Group::of(leader),
        }))
    }

    /// Leaves the programs to the session that a leader has left running. Call it if the leader has exited by itself.
    pub(super) fn leave_to_session(&self) {
        self.0.iter().for_each(processes::Group::leave_to_session);
    }

    /// Ends the processes that still run: SIGTERM, and SIGKILL a second later. Returns when none is left.
    pub(super) async fn end(mut self, leader: &mut Child) {
        let Some(group) = &self.0 else { return };
        group.terminate();
        if !gone_within(group, TERM_GRACE, leader).await {
            group.kill();
            gone_within(group, KILL_GRACE, leader).await;
        }
        self.0 = None;
    }
}

async fn gone_within(group: &processes::Group, limit: Duration, leader: &mut Child) -> bool {
    let end = Instant::now() + limit;
    // The leader counts as running until it was waited for.
    if timeout(limit, leader.wait()).await.is_err() {
        return false;
    }
    while group.is_running() {
        if Instant::now() >= end {
            return false;
        }
        sleep(INTERVAL).await;
    }
    true
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = &self.0 {
            group.kill();
        }
    }
}
