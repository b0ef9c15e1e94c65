use std::os::unix::process::CommandExt as _;
use std::process::Command;

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

use super::Leader;

/// The process group of a program.
#[derive(Clone, Debug)]
pub(crate) struct Group(Option<Pid>);

impl Group {
    /// Makes the program that `command` will start the leader of a separate group.
    pub(crate) fn lead(command: &mut Command) {
        command.process_group(0);
    }

    /// The group that this program leads.
    pub(crate) fn of(leader: &impl Leader) -> Group {
        leader.process_id().map_or(Group(None), Group::with_leader)
    }

    /// The group of a program of this session.
    pub(crate) fn within(_session: &Session, leader: &impl Leader) -> Group {
        Group::of(leader)
    }

    /// The group whose leader has this process id.
    pub(crate) fn with_leader(leader: u32) -> Group {
        Group(i32::try_from(leader).ok().and_then(Pid::from_raw))
    }

    /// The programs of a session leave the group by themselves.
    pub(crate) fn leave_to_session(&self) {}

    /// Asks all processes of the group to end.
    pub(crate) fn terminate(&self) {
        self.signal(Signal::TERM);
        // A stopped process, for instance one that wants to read from the terminal, could not handle the signal.
        self.signal(Signal::CONT);
    }

    /// Ends all processes of the group at once.
    pub(crate) fn kill(&self) {
        self.signal(Signal::KILL);
    }

    /// Whether a process of the group still runs.
    pub(crate) fn is_running(&self) -> bool {
        self.0.is_some_and(is_running)
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = self.0 {
            // An error means that the group has ended.
            let _ = kill_process_group(group, signal);
        }
    }
}

/// Programs that outlive the ones that start them. They are found by a [`Mark`](super::Mark).
#[derive(Debug)]
pub(crate) struct Session;

impl Session {
    /// A session without programs.
    pub(crate) fn new() -> Session {
        Session
    }
}

fn is_running(group: Pid) -> bool {
    let exists = test_kill_process_group(group).is_ok();
    #[cfg(target_os = "linux")]
    return exists && has_running_process(group).unwrap_or(true);
    #[cfg(not(target_os = "linux"))]
    exists
}

/// Whether the group has more than processes that have ended without being waited for. In a container whose first process
/// does not wait for orphans, these stay forever.
#[cfg(target_os = "linux")]
fn has_running_process(group: Pid) -> std::io::Result<bool> {
    let group = group.as_raw_nonzero().to_string();
    for process in std::fs::read_dir("/proc")? {
        // Most entries are not processes, and a process may have ended by now.
        let Ok(stat) = std::fs::read_to_string(process?.path().join("stat")) else { continue };
        // `pid (name) state parent group …`, where the name may contain any character.
        let mut fields = stat.rsplit(')').next().unwrap_or_default().split_ascii_whitespace();
        let state = fields.next().unwrap_or_default();
        if fields.nth(1) == Some(&group) && !matches!(state, "Z" | "X") {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::process::Stdio;
    use std::thread;

    use super::*;

    fn start(script: &str) -> (std::process::Child, Group) {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdout(Stdio::piped());
        Group::lead(&mut command);
        let mut child = command.spawn().unwrap();
        let group = Group::of(&child);
        // The script prints a byte once it is ready.
        child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        (child, group)
    }

    fn wait_until_gone(group: &Group) {
        while group.is_running() {
            thread::yield_now();
        }
    }

    #[test]
    fn a_group_ends_while_another_thread_waits_for_its_leader() {
        let (mut leader, group) = start("echo; sleep 600 & wait");
        let waiter = thread::spawn(move || leader.wait().unwrap());
        group.terminate();
        assert!(!waiter.join().unwrap().success());
        wait_until_gone(&group);
    }

    #[test]
    fn a_grandchild_is_noticed_and_ended_after_its_parent() {
        let (mut leader, group) = start("sleep 600 >/dev/null & echo");
        assert!(leader.wait().unwrap().success());
        assert!(group.is_running());
        group.kill();
        wait_until_gone(&group);
    }

    #[test]
    fn a_stopped_process_handles_the_request_to_end() {
        let (mut leader, group) = start("trap 'exit 7' TERM; echo; kill -STOP $$; sleep 600");
        group.terminate();
        assert_eq!(leader.wait().unwrap().code(), Some(7));
        group.kill();
        wait_until_gone(&group);
    }
}
