//! A program and all that it starts: one process group, which is signalled as a whole; a job on Windows.
//!
//! The crate `process-wrap` was tried and does not serve. Its children are waited for through `&mut self`, so a thread
//! that waits keeps another from signalling; the server does both. It waits for children of this process only, so it does not
//! notice that a grandchild, whose parent has ended, still runs. And dropping its child ends the leader, not the group.

#[cfg(unix)]
mod marked;
mod programs;
#[cfg(unix)]
mod reaper;
#[cfg(unix)]
mod unix;
mod watch;
#[cfg(windows)]
mod windows;

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

#[cfg(unix)]
pub(crate) use marked::Mark;
#[cfg(target_os = "linux")]
pub(crate) use marked::marked;
pub(crate) use programs::{ALWAYS, file_of, is_variable, this_program};
#[cfg(unix)]
pub(crate) use reaper::{Watched, end_programs_with_this_process, is_reaper, leave_nothing_running, reap};
#[cfg(unix)]
pub(crate) use unix::{Group, Session};
pub(crate) use watch::{exists, gone};
#[cfg(windows)]
pub(crate) use windows::{
    Group, Session, Watched, end_programs_with_this_process, is_reaper, leave_nothing_running, reap,
};

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

/// The program of the system that shows a file in the program of its kind.
const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else if cfg!(windows) {
    "explorer"
} else {
    "xdg-open"
};

/// Shows the file at an absolute path in the program that the system uses for files of its kind. Does not wait for its end.
///
/// # Errors
/// If the program of the system cannot be started.
pub(crate) fn open_with_system(path: &Path) -> io::Result<()> {
    let mut command = Command::new(OPENER);
    // What it prints is about the desktop.
    command.arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let started = command.spawn().map(drop);
    started.map_err(|fault| io::Error::new(fault.kind(), format!("`{OPENER}` cannot be started: {fault}")))
}

/// Hides the environment and the memory of this process from other programs of the same user, such as those that it starts. Only
/// Linux can; it then writes no dump of the memory either.
pub(crate) fn hide_from_programs() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        // A system that forbids it leaves everything as it was. Answers are redacted then, too.
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    }
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use rustix::process::{DumpableBehavior, dumpable_behavior, set_dumpable_behavior};

    #[test]
    fn the_environment_is_hidden_from_programs() {
        let before = dumpable_behavior().unwrap();
        super::hide_from_programs();
        assert_eq!(dumpable_behavior().unwrap(), DumpableBehavior::NotDumpable);
        set_dumpable_behavior(before).unwrap();
    }
}
