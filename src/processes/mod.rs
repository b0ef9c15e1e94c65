//! A program and all that it starts: one process group, which is signalled as a whole; a job on Windows.
//!
//! The crate `process-wrap` was tried and does not serve. Its children are waited for through `&mut self`, so a thread
//! that waits keeps another from signalling; the server does both. It waits for children of this process only, so it does not
//! notice that a grandchild, whose parent has ended, still runs. And dropping its child ends the leader, not the group.

#[cfg(unix)]
mod marked;
mod opener;
mod privacy;
mod programs;
#[cfg(unix)]
mod reaper;
#[cfg(unix)]
mod unix;
mod watch;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use marked::Mark;
#[cfg(target_os = "linux")]
pub(crate) use marked::marked;
#[cfg(unix)]
pub(crate) use reaper::{Watched, end_programs_with_this_process, is_reaper, leave_nothing_running, reap};
#[cfg(unix)]
pub(crate) use unix::{Group, Session};
#[cfg(windows)]
pub(crate) use windows::{
    Group, Session, Watched, end_programs_with_this_process, is_reaper, leave_nothing_running, reap,
};

pub(crate) use opener::open_with_system;
pub(crate) use privacy::hide_from_programs;
pub(crate) use programs::{ALWAYS, file_of, is_variable, this_program};
pub(crate) use watch::{exists, gone};

/// A program that was prepared to lead a group, and has started.
pub(crate) trait Leader {
    /// The process id; `None` if it was waited for.
    #[cfg(unix)]
    fn process_id(&self) -> Option<u32>;

    /// The handle of the process; `None` if it was waited for.
    #[cfg(windows)]
    fn handle(&self) -> Option<std::os::windows::io::RawHandle>;
}

impl Leader for std::process::Child {
    #[cfg(unix)]
    fn process_id(&self) -> Option<u32> {
        Some(self.id())
    }

    #[cfg(windows)]
    fn handle(&self) -> Option<std::os::windows::io::RawHandle> {
        Some(std::os::windows::io::AsRawHandle::as_raw_handle(self))
    }
}

impl Leader for tokio::process::Child {
    #[cfg(unix)]
    fn process_id(&self) -> Option<u32> {
        self.id()
    }

    #[cfg(windows)]
    fn handle(&self) -> Option<std::os::windows::io::RawHandle> {
        self.raw_handle()
    }
}
