//! The threads that share the work on many cases: one for each core.

use std::io;
use std::thread::Builder;

use rayon::{ThreadBuilder, ThreadPoolBuilder};

/// The memory for the calls of a thread, in bytes. A thread that waits for others begins their work meanwhile.
const STACK_BYTES: usize = 4 << 20;

/// Starts the threads. If the system allows none, the calling thread does all work.
pub(crate) fn start() {
    let threads = ThreadPoolBuilder::new();
    let is_allowed = Builder::new().spawn(|| ()).is_ok();
    let threads = if is_allowed { threads } else { threads.num_threads(1).use_current_thread() };
    // Without them, the first shared work reports the error.
    let _ = threads.spawn_handler(start_thread).build_global();
}

/// Starts a thread. Others do the work of one that the system does not allow.
fn start_thread(thread: ThreadBuilder) -> io::Result<()> {
    let is_first = thread.index() == 0;
    let name = format!("worker-{}", thread.index());
    let started = Builder::new().name(name).stack_size(STACK_BYTES).spawn(|| thread.run());
    if is_first { started.map(drop) } else { Ok(()) }
}
