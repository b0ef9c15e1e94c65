use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use crate::lsp::protocol::StopParams;
use crate::lsp::runs::Plan;
use crate::lsp::session::run_control::Control;

/// The runs that go on, and the cases that they are asked.
#[derive(Debug, Default)]
pub(in crate::lsp) struct Runs {
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

/// Since when a case runs; `None` of one that waits for its turn.
pub(in crate::lsp) type Since = Option<Instant>;

/// A run that has begun.
pub(in crate::lsp) struct Begun {
    pub(in crate::lsp) number: u64,
    pub(in crate::lsp) control: Arc<Control>,
    /// The cases of other runs that make way for it.
    pub(in crate::lsp) replaced: Vec<(Arc<Control>, Vec<usize>)>,
}

impl Runs {
    /// Begins a run. What other runs ask of the same cases is stopped.
    pub(in crate::lsp) fn begin(&mut self, plan: &Plan) -> Begun {
        let case = |path: &Path, id: &str| ActiveCase {
            path: path.to_owned(),
            id: id.to_owned(),
            since: None,
            is_over: false,
        };
        let cases: Vec<_> = plan.items().map(|(suite, planned)| case(&suite.path, &planned.id)).collect();
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

    /// A case is asked from now on.
    pub(in crate::lsp) fn case_started(&mut self, run: u64, case: usize) {
        if let Some(case) = self.case(run, case) {
            case.since = Some(Instant::now());
        }
    }

    /// A case is over.
    pub(in crate::lsp) fn case_finished(&mut self, run: u64, case: usize) {
        if let Some(case) = self.case(run, case) {
            case.is_over = true;
        }
    }

    /// A run is over.
    pub(in crate::lsp) fn finished(&mut self, run: u64) {
        self.by_number.remove(&run);
    }

    /// Stops what goes on: a run, or what is asked of a suite or a case, whose file is `path`. Returns how many cases.
    pub(in crate::lsp) fn stop(&self, which: &StopParams, path: Option<&Path>) -> usize {
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

    /// The cases of a suite that run or are about to, by their ids.
    pub(in crate::lsp) fn of_suite(&self, path: &Path) -> HashMap<String, Since> {
        let cases = self.by_number.values().flat_map(|run| &run.cases);
        let of_suite = cases.filter(|case| !case.is_over && case.path == path);
        of_suite.map(|case| (case.id.clone(), case.since)).collect()
    }

    /// How many cases run or are about to.
    pub(in crate::lsp) fn len(&self) -> usize {
        self.by_number.values().flat_map(|run| &run.cases).filter(|case| !case.is_over).count()
    }

    /// Whether nothing runs.
    pub(in crate::lsp) fn is_empty(&self) -> bool {
        self.by_number.is_empty()
    }

    fn case(&mut self, run: u64, case: usize) -> Option<&mut ActiveCase> {
        self.by_number.get_mut(&run)?.cases.get_mut(case)
    }
}

impl Active {
    /// The numbers of the cases that are not over and that `wanted` accepts.
    fn find(&self, wanted: impl Fn(&ActiveCase) -> bool) -> Vec<usize> {
        let cases = self.cases.iter().enumerate();
        cases.filter(|(_, case)| !case.is_over && wanted(case)).map(|(number, _)| number).collect()
    }
}
