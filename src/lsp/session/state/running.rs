//! The active runs and their cases, how they are stopped, the selected targets, and whether targets may run.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use ls_types::Uri;

use crate::lsp::protocol::StopParams;
use crate::lsp::session::choices::{ChosenTarget, uri_of};
use crate::lsp::session::configurations::Configuration;
use crate::lsp::session::open_document::{DocumentStatus, OpenDocument, Since, StatusReport};
use crate::processes::Group;

use super::State;

impl State {
    /// Sets whether targets may run. If they may not, running cases are stopped.
    pub(crate) fn set_trusted(&mut self, trusted: bool) {
        self.trusted = trusted;
        if !trusted {
            self.runs.stop(&StopParams::default(), None);
        }
        self.news.lenses = true;
    }

    /// Whether a person would not see the end of a run: the client neither refreshes verdicts nor has a test explorer.
    pub(crate) fn needs_outcome(&self) -> bool {
        !self.support.refreshes_inlay_hints && !self.settings.run_events
    }

    /// The running cases.
    pub(crate) fn runs(&self) -> &Runs {
        &self.runs
    }

    /// The content of the status page.
    pub(crate) fn report(&self) -> StatusReport {
        let reported = |(uri, document): (&Uri, &OpenDocument)| DocumentStatus {
            uri: uri.clone(),
            configuration: Arc::clone(&document.configuration),
            target: self.target(&document.configuration),
            why: document.why(),
            suite: self.snapshot(uri),
            memory: self.transcripts.memory(uri),
        };
        let mut documents: Vec<_> = self.documents.iter().map(reported).collect();
        documents.sort_by(|one, other| one.uri.as_str().cmp(other.uri.as_str()));
        StatusReport {
            is_trusted: self.trusted,
            folders: self.folders.clone(),
            memory: self.transcripts.all_memory(),
            documents,
            running: self.runs.len(),
        }
    }

    /// Begins a run of cases, given by the file of their suite and their id.
    pub(crate) fn begin_run(&mut self, suites: Vec<Uri>, cases: Vec<(PathBuf, String)>) -> Begun {
        // The hints of running cases are about the answers before.
        self.news.hints = true;
        self.news.lenses = true;
        self.news.verdicts.extend(suites);
        self.runs.begin(cases)
    }

    /// Changes the state of a run, and refreshes lenses.
    pub(crate) fn change_runs(&mut self, uri: &Uri, change: impl FnOnce(&mut Runs)) {
        self.news.lenses = true;
        self.news.verdicts.insert(uri.clone());
        change(&mut self.runs);
    }

    /// Ends a run. It is kept now, so its answers may be the last ones of its cases.
    pub(crate) fn end_run(&mut self, run: u64) {
        self.transcripts.look_at_all();
        self.news.hints = true;
        self.news.lenses = true;
        self.news.runs = true;
        self.runs.finished(run);
    }

    /// Selects the target of suites with this configuration. Returns the choice, to be remembered.
    pub(crate) fn choose_target(&mut self, configuration: &Configuration, target: String) -> ChosenTarget {
        let folder = configuration.folder().and_then(uri_of).unwrap_or_default();
        let instead_of = self.configured_target(configuration).to_owned();
        let chosen = ChosenTarget { folder, target, instead_of };
        self.choices.choose(chosen.clone());
        self.news.lenses = true;
        let suites = self.documents.iter().filter(|(_, document)| document.is_suite());
        self.news.verdicts.extend(suites.map(|(uri, _)| uri.clone()));
        chosen
    }
}

/// The active runs and their cases.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    last: u64,
    by_number: BTreeMap<u64, Active>,
}

#[derive(Debug)]
struct Active {
    control: Arc<Control>,
    cases: Vec<ActiveCase>,
}

#[derive(Debug)]
struct ActiveCase {
    path: PathBuf,
    id: String,
    since: Since,
    is_over: bool,
}

/// A run that has begun.
pub(crate) struct Begun {
    pub(crate) number: u64,
    pub(crate) control: Arc<Control>,
    /// The cases of other runs that were stopped for it.
    pub(crate) replaced: Vec<(Arc<Control>, Vec<usize>)>,
}

impl Runs {
    /// Begins a run of cases, given by the file of their suite and their id. Stops the same cases in other runs.
    pub(crate) fn begin(&mut self, cases: impl IntoIterator<Item = (PathBuf, String)>) -> Begun {
        let case = |(path, id)| ActiveCase { path, id, since: None, is_over: false };
        let cases: Vec<_> = cases.into_iter().map(case).collect();
        let mut replaced = Vec::new();
        for other in self.by_number.values() {
            let same = other.find(|known| cases.iter().any(|case| case.path == known.path && case.id == known.id));
            if !same.is_empty() {
                other.control.stop(same.iter().copied());
                replaced.push((Arc::clone(&other.control), same));
            }
        }
        self.last += 1;
        let control = Arc::<Control>::default();
        self.by_number.insert(self.last, Active { control: Arc::clone(&control), cases });
        Begun { number: self.last, control, replaced }
    }

    /// Records that a case has started.
    pub(crate) fn case_started(&mut self, run: u64, case: usize) {
        if let Some(case) = self.case(run, case) {
            case.since = Some(Instant::now());
        }
    }

    /// Records that a case has finished.
    pub(crate) fn case_finished(&mut self, run: u64, case: usize) {
        if let Some(case) = self.case(run, case) {
            case.is_over = true;
        }
    }

    /// Ends a run.
    pub(crate) fn finished(&mut self, run: u64) {
        self.by_number.remove(&run);
    }

    /// Stops a run, a suite or a case; `path` is the suite's file. Returns the number of stopped cases.
    pub(crate) fn stop(&self, which: &StopParams, path: Option<&Path>) -> usize {
        let of_case = |case: &ActiveCase| {
            (which.uri.is_none() || path == Some(&case.path)) && which.case.as_ref().is_none_or(|id| *id == case.id)
        };
        let runs = self.by_number.iter().filter(|(number, _)| which.run.is_none_or(|run| run == **number));
        runs.map(|(_, run)| {
            let cases = run.find(of_case);
            run.control.stop(cases.iter().copied());
            cases.len()
        })
        .sum()
    }

    /// The running and queued cases of a suite, by id.
    pub(crate) fn of_suite(&self, path: &Path) -> HashMap<String, Since> {
        let cases = self.by_number.values().flat_map(|run| &run.cases);
        let of_suite = cases.filter(|case| !case.is_over && case.path == path);
        of_suite.map(|case| (case.id.clone(), case.since)).collect()
    }

    /// The number of running and queued cases.
    pub(crate) fn len(&self) -> usize {
        self.by_number.values().flat_map(|run| &run.cases).filter(|case| !case.is_over).count()
    }

    /// Whether there is no active run.
    pub(crate) fn is_empty(&self) -> bool {
        self.by_number.is_empty()
    }

    fn case(&mut self, run: u64, case: usize) -> Option<&mut ActiveCase> {
        self.by_number.get_mut(&run)?.cases.get_mut(case)
    }
}

impl Active {
    /// The numbers of the unfinished cases that `wanted` accepts.
    fn find(&self, wanted: impl Fn(&ActiveCase) -> bool) -> Vec<usize> {
        let cases = self.cases.iter().enumerate();
        cases.filter(|(_, case)| !case.is_over && wanted(case)).map(|(number, _)| number).collect()
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_has_its_unfinished_cases() {
        let mut runs = Runs::default();
        let case = |path: &str, id: &str| (PathBuf::from(path), id.to_owned());
        let run = runs.begin([case("/a.json", "A"), case("/a.json", "B"), case("/b.json", "C")]).number;
        let ids = |runs: &Runs, path: &str| -> Vec<String> {
            let mut ids: Vec<_> = runs.of_suite(Path::new(path)).into_keys().collect();
            ids.sort();
            ids
        };
        assert_eq!(
            (ids(&runs, "/a.json"), ids(&runs, "/b.json")),
            (vec!["A".to_owned(), "B".to_owned()], vec!["C".to_owned()])
        );
        runs.case_started(run, 0);
        assert!(runs.of_suite(Path::new("/a.json"))["A"].is_some());
        runs.case_finished(run, 0);
        assert_eq!((ids(&runs, "/a.json"), runs.len()), (vec!["B".to_owned()], 2));
        runs.finished(run);
        assert_eq!((ids(&runs, "/a.json"), runs.is_empty()), (vec![], true));
    }
}
