//! A program and all that it started: one process group, which is ended as a whole.

use std::time::Duration;

use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep, timeout};

/// How long the group may take to end by itself after SIGTERM.
const TERM_GRACE: Duration = Duration::from_secs(1);

/// How long to wait until SIGKILL has done its work. It cannot be refused, so only a process stuck in the kernel takes longer.
const KILL_GRACE: Duration = Duration::from_millis(500);

/// How often to look whether the group is gone: the system does not report it.
const INTERVAL: Duration = Duration::from_millis(10);

/// The process group of a program. Dropping it kills the group at once.
pub(super) struct Group {
    #[cfg(unix)]
    id: Option<rustix::process::Pid>,
}

impl Group {
    /// Makes `command` the leader of a new group.
    pub(super) fn prepare(command: &mut Command) {
        command.kill_on_drop(true);
        #[cfg(unix)]
        command.process_group(0);
    }

    /// The group of a program that was prepared and has just been started.
    #[cfg(unix)]
    pub(super) fn of(leader: &Child) -> Self {
        let id = leader.id().and_then(|id| i32::try_from(id).ok());
        Self { id: id.and_then(rustix::process::Pid::from_raw) }
    }

    /// The group of a program that was prepared and has just been started. Systems other than Unix have no such groups:
    /// there the program alone is ended.
    #[cfg(not(unix))]
    pub(super) fn of(_leader: &Child) -> Self {
        Self {}
    }

    /// Ends the processes that still run: SIGTERM, and SIGKILL a second later. Returns when none is left.
    pub(super) async fn end(mut self, leader: &mut Child) {
        self.terminate(leader);
        if !self.gone_within(TERM_GRACE, leader).await {
            self.kill(leader);
            self.gone_within(KILL_GRACE, leader).await;
        }
        self.forget();
    }

    async fn gone_within(&self, limit: Duration, leader: &mut Child) -> bool {
        let end = Instant::now() + limit;
        // The leader counts as there until it was waited for.
        if timeout(limit, leader.wait()).await.is_err() {
            return false;
        }
        while self.is_there() {
            if Instant::now() >= end {
                return false;
            }
            sleep(INTERVAL).await;
        }
        true
    }
}

#[cfg(unix)]
impl Group {
    fn terminate(&self, _leader: &mut Child) {
        self.signal(rustix::process::Signal::TERM);
        // One that was stopped, for instance because it wanted to read from the terminal, could not heed that.
        self.signal(rustix::process::Signal::CONT);
    }

    fn kill(&self, _leader: &mut Child) {
        self.signal(rustix::process::Signal::KILL);
    }

    fn signal(&self, signal: rustix::process::Signal) {
        if let Some(id) = self.id {
            // A group that is gone needs no signal.
            let _ = rustix::process::kill_process_group(id, signal);
        }
    }

    fn is_there(&self) -> bool {
        self.id.is_some_and(is_running)
    }

    fn forget(&mut self) {
        self.id = None;
    }
}

/// Whether a process of that group still runs.
#[cfg(unix)]
pub(in crate::targets) fn is_running(group: rustix::process::Pid) -> bool {
    let exists = rustix::process::test_kill_process_group(group).is_ok();
    #[cfg(target_os = "linux")]
    return exists && linux::is_running(group).unwrap_or(true);
    #[cfg(not(target_os = "linux"))]
    exists
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::io;

    use rustix::process::Pid;

    /// Whether the group has more than processes that have ended and that nobody waits for. In a container whose first
    /// process does not care for orphans these stay for ever.
    pub(super) fn is_running(group: Pid) -> io::Result<bool> {
        let group = group.as_raw_nonzero().to_string();
        for process in fs::read_dir("/proc")? {
            // Most entries are not processes, and processes may be gone by now.
            let Ok(stat) = fs::read_to_string(process?.path().join("stat")) else { continue };
            // `pid (name) state parent group …`, where the name may hold anything.
            let mut fields = stat.rsplit(')').next().unwrap_or_default().split_ascii_whitespace();
            let state = fields.next().unwrap_or_default();
            if fields.nth(1) == Some(&group) && !matches!(state, "Z" | "X") {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

#[cfg(unix)]
impl Drop for Group {
    fn drop(&mut self) {
        self.signal(rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
impl Group {
    fn terminate(&self, leader: &mut Child) {
        self.kill(leader);
    }

    fn kill(&self, leader: &mut Child) {
        // One that has ended needs no killing.
        let _ = leader.start_kill();
    }

    fn is_there(&self) -> bool {
        false
    }

    fn forget(&mut self) {}
}
