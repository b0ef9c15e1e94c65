//! The threads that share the work on many cases: one for each core, or as many as `RAYON_NUM_THREADS` says.

use std::num::NonZero;
use std::sync::{PoisonError, RwLock};
use std::thread::{self, Builder, available_parallelism};

use rayon::ThreadPoolBuilder;

/// The memory for the calls of a thread, in bytes. A thread that waits for others begins their work meanwhile.
const STACK_BYTES: usize = 4 << 20;

/// Starts the threads, or as many as the system allows. If it allows none, the calling thread does all work.
pub(crate) fn start() {
    let cores = available_parallelism().map_or(1, NonZero::get);
    let threads = ThreadPoolBuilder::new().thread_name(|index| format!("worker-{index}")).stack_size(STACK_BYTES);
    let threads = match allowed(cores) {
        0 => threads.num_threads(1).use_current_thread(),
        // `rayon` chooses: as `RAYON_NUM_THREADS` says, or one for each core.
        all if all == cores => threads,
        allowed => threads.num_threads(allowed),
    };
    // Without threads, the first shared work reports the error.
    let _ = threads.build_global();
}

/// Returns how many more threads the system allows, at most `wanted`. A pool waits forever for a thread that does not start,
/// so it must not ask for more.
fn allowed(wanted: usize) -> usize {
    let gate = RwLock::new(());
    thread::scope(|scope| {
        let closed = gate.write().unwrap_or_else(PoisonError::into_inner);
        let wait = || drop(gate.read());
        let starts = |_: &usize| Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, wait).is_ok();
        let started = (0..wanted).take_while(starts).count();
        drop(closed);
        started
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_threads_as_are_wanted_run_at_once() {
        assert_eq!([0, 1, 3].map(allowed), [0, 1, 3]);
    }
}
