//! Jobs of Windows. A process that a process of a job starts belongs to the job, too. The system ends all of them when the last
//! handle of the job closes: when this process drops it, exits, or is killed.

use std::os::windows::process::CommandExt as _;
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use win32job::{ExtendedLimitInfo, Job};

use super::Leader;

/// `CREATE_NEW_PROCESS_GROUP`: Ctrl-C in the console reaches this program only, which then ends the others.
const NEW_PROCESS_GROUP: u32 = 0x200;

/// A program and the programs that it has started. A program that it starts before it is part of the job is not in the group.
#[derive(Clone, Debug)]
pub(crate) struct Group(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    /// `None` after the end, and if the program had ended before it could become a part of the job.
    job: Option<Job>,
    /// Whether the programs that the leader leaves running belong to a session.
    is_in_session: bool,
}

impl Group {
    /// Prepares `command` to lead a group.
    pub(crate) fn lead(command: &mut Command) {
        command.creation_flags(NEW_PROCESS_GROUP);
    }

    /// The group that this program leads from now on.
    pub(crate) fn of(leader: &impl Leader) -> Group {
        Group::new(job_of(leader, true), false)
    }

    /// The group of a program of this session.
    pub(crate) fn within(session: &Session, leader: &impl Leader) -> Group {
        session.add(leader);
        Group::new(job_of(leader, false), true)
    }

    fn new(job: Option<Job>, is_in_session: bool) -> Group {
        Group(Arc::new(Mutex::new(State { job, is_in_session })))
    }

    /// Leaves the programs to their session that a leader has left running. Call it if the leader has exited by itself.
    pub(crate) fn leave_to_session(&self) {
        let mut state = self.state();
        if state.is_in_session {
            state.job = None;
        }
    }

    /// Ends the programs. They cannot be asked to end.
    pub(crate) fn terminate(&self) {
        self.kill();
    }

    /// Ends the programs at once.
    pub(crate) fn kill(&self) {
        let Some(job) = self.state().job.take() else { return };
        // The job of a program in a session does not end with its handle otherwise.
        let _ = job.set_extended_limit_info(&ends_when_closed());
    }

    /// Whether one of the programs still runs.
    pub(crate) fn is_running(&self) -> bool {
        self.state().job.as_ref().is_some_and(has_processes)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Programs that outlive the ones that start them. They end when this is dropped.
#[derive(Debug)]
pub(crate) struct Session(Option<Job>);

impl Session {
    /// A session without programs.
    pub(crate) fn new() -> Session {
        Session(Job::create_with_limit_info(&ends_when_closed()).ok())
    }

    fn add(&self, program: &impl Leader) {
        if let (Some(job), Some(handle)) = (&self.0, program.handle()) {
            // An error means that the program has ended.
            let _ = job.assign_process(handle as isize);
        }
    }

    /// Whether one of the programs still runs.
    pub(crate) fn is_running(&self) -> bool {
        self.0.as_ref().is_some_and(has_processes)
    }
}

/// A program that has started. The job of this process ends it, so nothing watches it.
#[derive(Debug)]
pub(crate) struct Watched;

impl Watched {
    /// The program that `command` will start.
    pub(crate) fn program(_command: &mut Command) -> Watched {
        Watched
    }

    /// Adds the program with this process id.
    pub(crate) fn leader(&self, _leader: u32) {}
}

/// From now on, all programs that this process starts, and those that they start, end if this process ends or is killed.
pub(crate) fn end_programs_with_this_process() {
    let Ok(job) = Job::create_with_limit_info(&ends_when_closed()) else { return };
    if job.assign_current_process().is_ok() {
        // The job contains this process, so closing the handle would end it. The system closes it at the end of the process.
        std::mem::forget(job);
    }
}

/// The job of this process has all programs, also those that ended programs have started.
pub(crate) fn leave_nothing_running() {}

/// There are no reapers here.
pub(crate) fn is_reaper() -> bool {
    false
}

/// There is nothing to do here.
pub(crate) fn reap() {}

/// A job with this program; `None` if it has ended.
fn job_of(leader: &impl Leader, ends_when_closed: bool) -> Option<Job> {
    let job = Job::create().ok()?;
    if ends_when_closed {
        job.set_extended_limit_info(&self::ends_when_closed()).ok()?;
    }
    job.assign_process(leader.handle()? as isize).ok()?;
    Some(job)
}

fn ends_when_closed() -> ExtendedLimitInfo {
    let mut limits = ExtendedLimitInfo::new();
    limits.limit_kill_on_job_close();
    limits
}

/// The list of more than 1,024 processes cannot be read.
fn has_processes(job: &Job) -> bool {
    job.query_process_id_list().map_or(true, |processes| !processes.is_empty())
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Stdio};
    use std::time::{Duration, Instant};

    use super::*;

    /// A command that leaves a program running, and exits.
    fn leaver() -> Command {
        let mut command = Command::new("cmd");
        command.args(["/c", "start /b ping -n 600 127.0.0.1"]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Group::lead(&mut command);
        command
    }

    #[track_caller]
    fn wait_until(is_so: impl Fn() -> bool) {
        let end = Instant::now() + Duration::from_secs(30);
        while !is_so() {
            assert!(Instant::now() < end, "it did not happen");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn wait(mut leader: Child) {
        assert!(leader.wait().unwrap().success());
    }

    #[test]
    fn a_program_is_noticed_and_ended_after_its_parent() {
        let outer = Session::new();
        let leader = leaver().spawn().unwrap();
        // Jobs can be nested: the session sees the programs of the group, too.
        outer.add(&leader);
        let group = Group::of(&leader);
        wait(leader);
        assert!(group.is_running() && outer.is_running());
        group.kill();
        assert!(!group.is_running());
        wait_until(|| !outer.is_running());
    }

    #[test]
    fn programs_of_a_session_stay_when_their_parent_has_exited() {
        let (watch, session) = (Session::new(), Session::new());
        let leader = leaver().spawn().unwrap();
        watch.add(&leader);
        let group = Group::within(&session, &leader);
        wait(leader);
        group.leave_to_session();
        group.terminate();
        drop(group);
        assert!(session.is_running());
        drop(session);
        wait_until(|| !watch.is_running());
    }

    #[test]
    fn a_stopped_program_of_a_session_takes_its_programs_along() {
        let (watch, session) = (Session::new(), Session::new());
        let leader = leaver().spawn().unwrap();
        watch.add(&leader);
        let group = Group::within(&session, &leader);
        wait(leader);
        group.terminate();
        wait_until(|| !watch.is_running() && !session.is_running());
    }
}
