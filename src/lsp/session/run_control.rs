use std::collections::HashSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::processes::Group;

/// How long a child may take to exit after it is asked to. A child gives its own program one second before it kills it;
/// closing a browser that hangs takes up to four seconds, and cleaning up after that some more.
const GRACE: Duration = Duration::from_secs(12);

/// Stops a run or some of its cases. Cases are identified by their number in the run.
#[derive(Debug, Default)]
pub(crate) struct Control {
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
    group: Group,
    /// The cases that it has not finished.
    cases: HashSet<usize>,
    is_ending: bool,
}

impl Control {
    /// Stops cases: ends the child that runs them, with all its processes. Returns at once.
    pub(crate) fn stop(self: &Arc<Self>, cases: impl IntoIterator<Item = usize>) {
        let mut inner = self.inner();
        inner.stopped.extend(cases);
        self.end_stopped(&mut inner);
    }

    /// Whether a case is stopped.
    pub(crate) fn is_stopped(&self, case: usize) -> bool {
        self.inner().stopped.contains(&case)
    }

    /// Registers the child that runs these cases, and its process group.
    pub(crate) fn begin(self: &Arc<Self>, group: Group, cases: &[usize]) {
        let mut inner = self.inner();
        inner.children += 1;
        inner.child = Some(Child { group, cases: cases.iter().copied().collect(), is_ending: false });
        // A case may have been stopped while the child started.
        self.end_stopped(&mut inner);
    }

    /// Records that the child has finished a case.
    pub(crate) fn finish(&self, case: usize) {
        if let Some(child) = &mut self.inner().child {
            child.cases.remove(&case);
        }
        self.ended.notify_all();
    }

    /// Records that the child has exited. Returns whether it was stopped.
    pub(crate) fn end(&self) -> bool {
        let child = self.inner().child.take();
        self.ended.notify_all();
        child.is_some_and(|child| child.is_ending)
    }

    /// Waits until no child runs any of the cases, at most one second longer than a child may take to exit.
    pub(crate) fn wait(&self, cases: &[usize]) {
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

    /// If the child runs a stopped case, asks it to exit, and kills it after [`GRACE`].
    fn end_stopped(self: &Arc<Self>, inner: &mut Inner) {
        let Inner { stopped, child: Some(child), children } = inner else { return };
        if child.is_ending || child.cases.is_disjoint(stopped) {
            return;
        }
        child.is_ending = true;
        child.group.terminate();
        let (control, which) = (Arc::clone(self), *children);
        // Without the thread, the child still exits by itself.
        let _ = thread::Builder::new().name("run-stopper".to_owned()).spawn(move || {
            thread::sleep(GRACE);
            let inner = control.inner();
            if let Some(child) = inner.child.as_ref().filter(|_| inner.children == which) {
                child.group.kill();
            }
        });
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
