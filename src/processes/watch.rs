//! Watches a process that this process did not start, such as the editor.

/// Whether there is a process with this id. An ended process whose parent does not wait for it counts as one. Impossible
/// ids, and all ids on systems other than Unix, count as existing.
pub(crate) fn exists(id: i64) -> bool {
    #[cfg(unix)]
    if let Some(process) = i32::try_from(id).ok().filter(|&id| id > 0).and_then(rustix::process::Pid::from_raw) {
        return rustix::process::test_kill_process(process) != Err(rustix::io::Errno::SRCH);
    }
    let _ = id;
    true
}

/// Completes when the process `id` has exited, at once if it already has; never for an impossible id.
///
/// A zombie process counts as exited on Linux. On systems other than Unix this never completes; there the session ends
/// with its input.
pub(crate) async fn gone(id: i64) {
    #[cfg(target_os = "linux")]
    if let Some(process) = i32::try_from(id).ok().filter(|&id| id > 0).and_then(rustix::process::Pid::from_raw)
        && linux::gone(process).await
    {
        return;
    }
    while exists(id) {
        tokio::time::sleep(INTERVAL).await;
    }
}

/// The interval of polling, for systems without notification.
const INTERVAL: std::time::Duration = std::time::Duration::from_millis(500);

#[cfg(target_os = "linux")]
mod linux {
    use std::thread;

    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::{Errno, retry_on_intr};
    use rustix::process::{Pid, PidfdFlags, pidfd_open};
    use tokio::sync::oneshot;

    /// Completes with true when the process has exited; with false if the kernel does not support this. A descriptor
    /// identifies the process even if its id is reused, and a thread that waits for it costs nothing.
    pub(super) async fn gone(process: Pid) -> bool {
        let process = match pidfd_open(process, PidfdFlags::empty()) {
            Ok(process) => process,
            Err(error) => return error == Errno::SRCH,
        };
        let (sender, gone) = oneshot::channel();
        let watch = move || {
            let ended = retry_on_intr(|| poll(&mut [PollFd::new(&process, PollFlags::IN)], None));
            // The receiver may be gone.
            let _ = sender.send(ended.is_ok());
        };
        let started = thread::Builder::new().name("parent-watch".to_owned()).spawn(watch);
        started.is_ok() && gone.await.unwrap_or(false)
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::Duration;

    use futures_util::FutureExt;

    use super::{exists, gone};

    #[tokio::test]
    async fn a_process_is_gone_when_it_ended_waited_for_or_not() {
        let mut child = Command::new("sleep").arg("600").spawn().unwrap();
        let mut watch = Box::pin(gone(child.id().into()));
        assert!((&mut watch).now_or_never().is_none());
        child.kill().unwrap();
        #[cfg(not(target_os = "linux"))]
        child.wait().unwrap();
        tokio::time::timeout(Duration::from_secs(30), watch).await.expect("the process is gone");
        assert!(exists(child.id().into()));
        child.wait().unwrap();
        assert!(!exists(child.id().into()));
        tokio::time::timeout(Duration::from_secs(30), gone(child.id().into())).await.expect("it still is");
    }

    #[tokio::test]
    async fn what_is_no_process_is_never_gone() {
        for id in [i64::MIN, -1, 0, i64::MAX] {
            assert!(gone(id).now_or_never().is_none(), "{id}");
            assert!(exists(id), "{id}");
        }
    }
}
