use crate::targets::Cancel;

/// Cancels the run on Ctrl-C or another signal that asks the program to end. A second one exits at once.
pub(super) async fn listen(cancel: Cancel) {
    let mut asked = Asked::new();
    asked.next().await;
    cancel.cancel();
    asked.next().await;
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
        futures_util::future::select_all(waiting).await;
    }
}

#[cfg(windows)]
struct Asked {
    interrupt: Option<tokio::signal::windows::CtrlC>,
    interrupt_by_break: Option<tokio::signal::windows::CtrlBreak>,
    close: Option<tokio::signal::windows::CtrlClose>,
}

#[cfg(windows)]
impl Asked {
    fn new() -> Self {
        use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close};
        // Where a signal cannot be listened to, it ends the program as it always did.
        Self { interrupt: ctrl_c().ok(), interrupt_by_break: ctrl_break().ok(), close: ctrl_close().ok() }
    }

    /// Completes on Ctrl-C, on Ctrl-Break, and when the console is closed: then Windows ends the program 5 s later.
    async fn next(&mut self) {
        let Self { interrupt, interrupt_by_break, close } = self;
        tokio::select! {
            Some(Some(())) = async { Some(interrupt.as_mut()?.recv().await) } => {}
            Some(Some(())) = async { Some(interrupt_by_break.as_mut()?.recv().await) } => {}
            Some(Some(())) = async { Some(close.as_mut()?.recv().await) } => {}
            else => std::future::pending().await,
        }
    }
}
