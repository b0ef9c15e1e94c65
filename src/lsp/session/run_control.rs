use std::collections::HashSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a child may take to end by itself once it is asked to. It gives a program that it has started a second, and
/// kills it then; closing a browser that hangs takes it up to four, and ending what is left of that some more.
const GRACE: Duration = Duration::from_secs(12);

/// What stops a run, or some of its cases. Cases are numbered as the run has them.
#[derive(Debug, Default)]
pub(in crate::lsp) struct Control {
    inner: Mutex<Inner>,
    ended: Condvar,
}

#[derive(Debug, Default)]
struct Inner {
    stopped: HashSet<usize>,
    child: Option<Child>,
    /// How many children there were.
    children: u64,
}

#[derive(Debug)]
struct Child {
    group: u32,
    /// The cases that it has not finished.
    cases: HashSet<usize>,
    is_ending: bool,
}

impl Control {
    /// Stops cases: the child that asks them ends, with all that it has started. Returns at once.
    pub(in crate::lsp) fn stop(self: &Arc<Self>, cases: impl IntoIterator<Item = usize>) {
        let mut inner = self.inner();
        inner.stopped.extend(cases);
        self.end_stopped(&mut inner);
    }

    /// Whether a case is stopped.
    pub(in crate::lsp) fn is_stopped(&self, case: usize) -> bool {
        self.inner().stopped.contains(&case)
    }

    /// Says that a child, which leads the process group `group`, asks these cases from now on.
    pub(in crate::lsp) fn begin(self: &Arc<Self>, group: u32, cases: &[usize]) {
        let mut inner = self.inner();
        inner.children += 1;
        inner.child = Some(Child { group, cases: cases.iter().copied().collect(), is_ending: false });
        // It may have been stopped while it was started.
        self.end_stopped(&mut inner);
    }

    /// Says that the child has finished a case.
    pub(in crate::lsp) fn finish(&self, case: usize) {
        if let Some(child) = &mut self.inner().child {
            child.cases.remove(&case);
        }
        self.ended.notify_all();
    }

    /// Says that the child is gone. Returns whether it was ended.
    pub(in crate::lsp) fn end(&self) -> bool {
        let child = self.inner().child.take();
        self.ended.notify_all();
        child.is_some_and(|child| child.is_ending)
    }

    /// Waits until no child asks any of the cases, though not for ever.
    pub(in crate::lsp) fn wait(&self, cases: &[usize]) {
        let deadline = Instant::now() + GRACE + Duration::from_secs(1);
        let mut inner = self.inner();
        while inner
            .child
            .as_ref()
            .is_some_and(|child| child.is_ending || cases.iter().any(|case| child.cases.contains(case)))
        {
            let Some(left) = deadline.checked_duration_since(Instant::now()) else { return };
            inner = self.ended.wait_timeout(inner, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Asks the child to end if it asks a case that is stopped, and sees to it that it does.
    fn end_stopped(self: &Arc<Self>, inner: &mut Inner) {
        let Inner { stopped, child: Some(child), children } = inner else { return };
        if child.is_ending || child.cases.is_disjoint(stopped) {
            return;
        }
        child.is_ending = true;
        signal(child.group, Signal::Terminate);
        let (control, which) = (Arc::clone(self), *children);
        // Without the thread the child is still asked to end, and does.
        let _ = thread::Builder::new().name("run-stopper".to_owned()).spawn(move || {
            thread::sleep(GRACE);
            let inner = control.inner();
            if let Some(child) = inner.child.as_ref().filter(|_| inner.children == which) {
                signal(child.group, Signal::Kill);
            }
        });
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Signal {
    Terminate,
    Kill,
}

#[cfg(unix)]
fn signal(group: u32, signal: Signal) {
    let signal = match signal {
        Signal::Terminate => rustix::process::Signal::TERM,
        Signal::Kill => rustix::process::Signal::KILL,
    };
    let group = i32::try_from(group).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        // A group that is gone needs no signal.
        let _ = rustix::process::kill_process_group(group, signal);
    }
}

/// There are no process groups: the system's own program ends the child and those that it has started.
#[cfg(not(unix))]
fn signal(group: u32, _: Signal) {
    let _ = std::process::Command::new("taskkill").args(["/T", "/F", "/PID", &group.to_string()]).output();
}
