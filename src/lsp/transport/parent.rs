//! The life of the process that started the server: when it is gone, nobody is left to serve.

/// Completes when the process `id` is gone, at once if it is gone already; never for an id that no process can have.
///
/// A process that ended and was not waited for (a zombie) counts as gone on Linux. On systems other than Unix this
/// never completes: there the end of the input has to do.
pub(super) async fn gone(id: i64) {
    #[cfg(unix)]
    if let Some(process) = i32::try_from(id).ok().filter(|&id| id > 0).and_then(rustix::process::Pid::from_raw) {
        return unix::gone(process).await;
    }
    let _ = id;
    std::future::pending().await
}

#[cfg(unix)]
mod unix {
    use std::time::Duration;

    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};

    /// How often to look, where the system does not tell.
    const INTERVAL: Duration = Duration::from_millis(500);

    pub(super) async fn gone(process: Pid) {
        #[cfg(target_os = "linux")]
        if super::linux::gone(process).await {
            return;
        }
        while test_kill_process(process) != Err(Errno::SRCH) {
            tokio::time::sleep(INTERVAL).await;
        }
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::thread;

    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::{Errno, retry_on_intr};
    use rustix::process::{Pid, PidfdFlags, pidfd_open};
    use tokio::sync::oneshot;

    /// Completes with true when the process is gone; with false if this kernel cannot tell. A descriptor stands for
    /// the process itself, whoever may get its id later, and a thread that waits for it costs nothing.
    pub(super) async fn gone(process: Pid) -> bool {
        let process = match pidfd_open(process, PidfdFlags::empty()) {
            Ok(process) => process,
            Err(error) => return error == Errno::SRCH,
        };
        let (sender, gone) = oneshot::channel();
        let watch = move || {
            let ended = retry_on_intr(|| poll(&mut [PollFd::new(&process, PollFlags::IN)], None));
            // Nobody may be waiting any more.
            let _ = sender.send(ended.is_ok());
        };
        let started = thread::Builder::new().name("parent-watch".to_owned()).spawn(watch);
        started.is_ok() && gone.await.unwrap_or(false)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Command;
    use std::time::Duration;

    use futures::FutureExt;

    use super::gone;

    #[tokio::test]
    async fn a_process_is_gone_when_it_ended_waited_for_or_not() {
        let mut child = Command::new("sleep").arg("600").spawn().unwrap();
        let mut watch = Box::pin(gone(child.id().into()));
        assert!((&mut watch).now_or_never().is_none());
        child.kill().unwrap();
        #[cfg(not(target_os = "linux"))]
        child.wait().unwrap();
        tokio::time::timeout(Duration::from_secs(30), watch).await.expect("the process is gone");
        child.wait().unwrap();
        tokio::time::timeout(Duration::from_secs(30), gone(child.id().into())).await.expect("it still is");
    }

    #[tokio::test]
    async fn what_is_no_process_is_never_gone() {
        for id in [i64::MIN, -1, 0, i64::MAX] {
            assert!(gone(id).now_or_never().is_none(), "{id}");
        }
    }
}
