//! A program and all that it starts: one process group, which is signalled as a whole.
//!
//! The crate `process-wrap` was tried and does not serve. Its children are waited for through `&mut self`, so a thread
//! that waits keeps another from signalling; the server does both. It waits for children of this process only, so it does not
//! notice that a grandchild, whose parent has ended, still runs. And dropping its child ends the leader, not the group.

#[cfg(unix)]
mod marked;
#[cfg(not(unix))]
mod other;
mod programs;
#[cfg(unix)]
mod reaper;
#[cfg(unix)]
mod unix;
mod watch;

#[cfg(unix)]
pub(crate) use marked::Mark;
#[cfg(target_os = "linux")]
pub(crate) use marked::marked;
#[cfg(not(unix))]
pub(crate) use other::{Group, Watched, end_programs_with_this_process, is_reaper, reap};
#[cfg(unix)]
pub(crate) use reaper::{Watched, end_programs_with_this_process, is_reaper, reap};
#[cfg(unix)]
pub(crate) use unix::Group;

pub(crate) use programs::{ALWAYS, file_of, is_variable, this_program};
pub(crate) use watch::{exists, gone};
