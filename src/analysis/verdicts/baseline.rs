use std::collections::{BTreeMap, HashMap};

use super::{Answer, Answers, JudgedCase};
use crate::analysis::Document;
use crate::checks::CheckOutcome;
use crate::compare::{CaseChange, Change, CheckChange, CheckMove, Measured, Stood, since_baseline};
use crate::config::REPLAY;
use crate::runs::{Baseline, BaselineCase, BaselineRun, CaseHashes};
use crate::verdict::Status;
use crate::wording::{Line, Markup};

/// The accepted baselines of a suite, by target.
#[derive(Debug, Default)]
pub(crate) struct Baselines(BTreeMap<String, OfTarget>);

#[derive(Debug)]
struct OfTarget {
    runs: Vec<BaselineRun>,
    cases: HashMap<String, BaselineCase>,
}

/// The part of a baseline that is about one case.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OfCase<'b> {
    /// The target of the baseline.
    pub(crate) target: &'b str,
    /// The runs of the baseline.
    pub(crate) runs: &'b [BaselineRun],
    case: &'b BaselineCase,
}

/// How the verdict on a case differs from its baseline.
#[derive(Debug)]
pub(crate) struct SinceBaseline<'b> {
    of: OfCase<'b>,
    change: CaseChange,
}

impl Baselines {
    /// The baselines of one suite.
    pub(crate) fn new(baselines: impl IntoIterator<Item = Baseline>) -> Baselines {
        let of_target = |baseline: Baseline| {
            let cases = baseline.cases.into_iter().map(|case| (case.id.clone(), case)).collect();
            (baseline.target, OfTarget { runs: baseline.runs, cases })
        };
        Baselines(baselines.into_iter().map(of_target).collect())
    }

    /// The baseline by which an answer of a case is measured: that of the target that answered. A transcript is replayed, so the
    /// baseline of `replay` comes first.
    pub(crate) fn of(&self, answer: &Answer, case: &str) -> Option<OfCase<'_>> {
        let replayed = answer.file.as_ref().map(|_| REPLAY);
        let mut targets = replayed.into_iter().chain(answer.target());
        targets.find_map(|target| {
            let (target, of) = self.0.get_key_value(target)?;
            Some(OfCase { target, runs: &of.runs, case: of.cases.get(case)? })
        })
    }
}

impl Document {
    /// How a verdict on the case with that index differs from its baseline; `None` without a baseline. If the case or its hints were
    /// edited since, the change is an edit and never a regression.
    pub(crate) fn since_baseline<'b>(
        &self,
        index: usize,
        verdict: &JudgedCase,
        answers: &'b Answers,
    ) -> Option<SinceBaseline<'b>> {
        let placed = self.suite().cases.get(index)?;
        let of = answers.baselines().of(&verdict.answer, &placed.case.id.as_ref()?.value)?;
        let checks = verdict.checks().map(|check| {
            let passed = match check.result.outcome {
                CheckOutcome::Passed => Some(true),
                CheckOutcome::Failed | CheckOutcome::NotJudged => Some(false),
                CheckOutcome::Unknown => None,
            };
            (check.result.id.clone(), passed)
        });
        let now = Measured {
            hashes: CaseHashes::of(&placed.case, self.text().slice(placed.span()), answers.config()),
            status: verdict.status(),
            stale: verdict.is_stale(),
            checks: checks.collect(),
        };
        Some(SinceBaseline { change: since_baseline(of.case, now), of })
    }
}

impl SinceBaseline<'_> {
    /// The status in the baseline if the case has regressed since, and how it is said.
    pub(crate) fn was(&self) -> Option<(Status, String)> {
        let before = self.change.before.as_ref().filter(|_| self.change.change == Change::Regressed)?;
        match before.stood() {
            Stood::Always(status) => Some((status, format!("was {status} in the baseline"))),
            Stood::Mixed => Some((
                Status::Pass,
                format!("was PASS in {} of {} attempts of the baseline", before.passed, before.judged),
            )),
            Stood::NotJudged => None,
        }
    }

    /// Whether a check passed in each attempt of the baseline and fails now, and nothing was edited since.
    pub(crate) fn has_regressed(&self, check: &str) -> bool {
        let is_comparable = matches!(self.change.change, Change::Regressed | Change::ChecksMoved);
        let moved = |moved: &&CheckChange| moved.id == check && moved.change == CheckMove::Regressed;
        is_comparable
            && self
                .change
                .checks
                .iter()
                .find(moved)
                .is_some_and(|moved| moved.before.is_some_and(|before| before.passed == before.attempts))
    }

    /// A line for people about a case that has regressed; empty for others.
    pub(crate) fn page(&self) -> Markup {
        let mut page = Markup::default();
        if let Some((_, was)) = self.was() {
            let line = Line::new(format!("The case {was} of the target ")).code(self.of.target);
            let line = self.of.runs.last().into_iter().fold(line, |line, run| line.say(", run ").code(&run.id));
            page.paragraph(line.say(". Neither the case nor its hints were edited since."));
        }
        page
    }
}
