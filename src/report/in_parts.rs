//! Work on many cases, shared among threads.

use std::num::NonZero;
use std::thread::{self, Builder, Scope, ScopedJoinHandle, available_parallelism};

/// Calls `make` with each part of `items`, `length` of them at a time, on all cores, and `take` with the results in order.
/// Only a few results wait at a time.
///
/// # Errors
/// If `take` fails; it is not called again then.
pub(super) fn in_parts<T: Sync, M: Send, E>(
    items: &[T],
    length: usize,
    make: impl Fn(&[T]) -> M + Sync,
    mut take: impl FnMut(M) -> Result<(), E>,
) -> Result<(), E> {
    let threads = available_parallelism().map_or(1, NonZero::get);
    if items.len() <= length {
        return if items.is_empty() { Ok(()) } else { take(make(items)) };
    }
    let (make, mut parts) = (&make, items.chunks(length));
    thread::scope(|scope| {
        let mut next =
            || -> Vec<_> { parts.by_ref().take(threads).map(|part| begin(scope, move || make(part))).collect() };
        let mut now = next();
        while !now.is_empty() {
            // The threads go on while the results before theirs are taken.
            let later = next();
            now.into_iter().try_for_each(|begun| take(begun.result()))?;
            now = later;
        }
        Ok(())
    })
}

/// Work that a thread does, or that will be done without one.
pub(super) enum Begun<'scope, M, W> {
    Thread(ScopedJoinHandle<'scope, M>),
    Later(W),
}

/// Begins some work in a thread, if the system allows one more.
pub(super) fn begin<'scope, M: Send + 'scope, W: Fn() -> M + Send + Clone + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: W,
) -> Begun<'scope, M, W> {
    match Builder::new().spawn_scoped(scope, work.clone()) {
        Ok(thread) => Begun::Thread(thread),
        Err(_) => Begun::Later(work),
    }
}

impl<M, W: Fn() -> M> Begun<'_, M, W> {
    /// The result of the work.
    pub(super) fn result(self) -> M {
        match self {
            Begun::Thread(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Begun::Later(work) => work(),
        }
    }
}
