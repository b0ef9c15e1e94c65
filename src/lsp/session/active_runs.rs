use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use crate::lsp::protocol::StopParams;
use crate::lsp::session::run_control::Control;
use crate::lsp::session::snapshot::Since;

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
