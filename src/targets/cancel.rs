use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::config::HumanDuration;

/// A request to stop. All copies share it, and it cannot be withdrawn.
#[derive(Clone, Debug)]
pub(crate) struct Cancel {
    wished: watch::Sender<bool>,
}

/// How long a case may take, and who may stop it before.
#[derive(Clone, Debug)]
pub(crate) struct Deadline {
    limit: HumanDuration,
    at: Instant,
    cancel: Cancel,
}

/// Why a case had to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Stop {
    /// The run was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The time limit was reached.
    #[error("timed out after {0}")]
    TimedOut(HumanDuration),
}

impl Cancel {
    /// A request that has not been made yet.
    pub(crate) fn new() -> Self {
        Self { wished: watch::Sender::new(false) }
    }

    /// Requests that all who wait for it stop.
    pub(crate) fn cancel(&self) {
        self.wished.send_replace(true);
    }

    /// Whether a stop was requested.
    pub(crate) fn is_cancelled(&self) -> bool {
        *self.wished.borrow()
    }

    /// Completes when a stop is requested, or at once if it was.
    pub(crate) async fn cancelled(&self) {
        // This value holds a sender, so the channel never closes during the wait.
        let _ = self.wished.subscribe().wait_for(|wished| *wished).await;
    }
}

impl Default for Cancel {
    fn default() -> Self {
        Self::new()
    }
}

impl Deadline {
    /// Ends after `limit` from now, or with `cancel`.
    pub(crate) fn start(limit: HumanDuration, cancel: &Cancel) -> Self {
        Self { limit, at: Instant::now() + limit.get(), cancel: cancel.clone() }
    }

    /// Completes when it is time to stop.
    pub(crate) async fn reached(&self) -> Stop {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Stop::Cancelled,
            () = sleep_until(self.at) => Stop::TimedOut(self.limit),
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn every_copy_receives_the_request() {
        let cancel = Cancel::new();
        let (early, copy) = (cancel.clone(), cancel.clone());
        let mut waiting = Box::pin(early.cancelled());
        assert!((&mut waiting).now_or_never().is_none());
        copy.cancel();
        waiting.await;
        cancel.cancelled().await;
        assert!(cancel.is_cancelled());
    }

    #[tokio::test]
    async fn a_deadline_is_reached_by_time_or_by_cancelling() {
        let (cancel, short) = (Cancel::new(), "1ms".parse().unwrap());
        assert_eq!(Deadline::start(short, &cancel).reached().await, Stop::TimedOut(short));
        let deadline = Deadline::start("1h".parse().unwrap(), &cancel);
        assert!(deadline.reached().now_or_never().is_none());
        cancel.cancel();
        assert_eq!(deadline.reached().await, Stop::Cancelled);
        assert_eq!(Stop::TimedOut(short).to_string(), "timed out after 1ms");
    }
}
