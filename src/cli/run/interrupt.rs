use crate::targets::Cancel;

/// Cancels the run on Ctrl-C or another signal that asks the program to end. A second one exits at once.
pub(super) async fn listen(cancel: Cancel) {
    let mut asked = Asked::new();
    asked.next().await;
    cancel.cancel();
    asked.next().await;
    super::watch::restore();
    std::process::exit(130);
}

#[cfg(unix)]
struct Asked {
    signals: Vec<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl Asked {
    fn new() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        // Where a signal cannot be listened to, it ends the program as it always did.
        Self { signals: kinds.into_iter().filter_map(|kind| signal(kind).ok()).collect() }
    }

    async fn next(&mut self) {
        let waiting = self.signals.iter_mut().map(|signal| Box::pin(signal.recv()));
        futures::future::select_all(waiting).await;
    }
}

#[cfg(not(unix))]
struct Asked;

#[cfg(not(unix))]
impl Asked {
    fn new() -> Self {
        Self
    }

    async fn next(&mut self) {
        // Where Ctrl-C cannot be listened to, it ends the program as it always did.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
