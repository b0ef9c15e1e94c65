//! Work that ends early because nobody awaits its result.
//!
//! Long loops call [`checkpoint`], so they need no parameter for it. Work that was cancelled unwinds from there, as after a
//! panic, but without a message.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Cancels work from another thread. Copies cancel the same work.
#[derive(Clone, Debug, Default)]
pub(crate) struct Canceller(Arc<AtomicBool>);

/// The payload of the unwinding.
struct Cancelled;

thread_local! {
    /// What cancels the work of this thread, if something can.
    static CANCELLER: RefCell<Option<Canceller>> = const { RefCell::new(None) };
}

impl Canceller {
    /// Lets the work end at its next checkpoint.
    pub(crate) fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work is cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Does work that this can cancel. Returns `None` if it did. Other panics go on.
    pub(crate) fn run<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        let outer = CANCELLER.replace(Some(self.clone()));
        let outcome = catch_unwind(AssertUnwindSafe(work));
        CANCELLER.set(outer);
        match outcome {
            Ok(value) => Some(value),
            Err(payload) if payload.is::<Cancelled>() => None,
            Err(payload) => resume_unwind(payload),
        }
    }
}

/// Ends the work of this thread if it is cancelled. The caller must not hold a lock, nor a value that is half changed.
pub(crate) fn checkpoint() {
    let is_cancelled = CANCELLER.with_borrow(|canceller| canceller.as_ref().is_some_and(Canceller::is_cancelled));
    if is_cancelled {
        resume_unwind(Box::new(Cancelled));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cancelled_work_ends_at_a_checkpoint() {
        let canceller = Canceller::default();
        let mut rounds = 0;
        let outcome = canceller.run(|| {
            loop {
                checkpoint();
                rounds += 1;
                if rounds == 3 {
                    canceller.cancel();
                }
            }
        });
        assert_eq!((outcome, rounds), (None::<()>, 3));
        // Other work of the thread goes on.
        checkpoint();
        assert_eq!(Canceller::default().run(checkpoint), Some(()));
    }

    #[test]
    fn inner_work_does_not_cancel_outer_work() {
        let (outer, inner) = (Canceller::default(), Canceller::default());
        inner.cancel();
        let outcome = outer.run(|| {
            assert_eq!(inner.run(checkpoint), None);
            checkpoint();
            1
        });
        assert_eq!(outcome, Some(1));
    }

    #[test]
    fn a_panic_goes_on() {
        let panic = catch_unwind(|| Canceller::default().run(|| panic!("a fault"))).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"a fault"));
    }
}
