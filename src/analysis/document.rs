mod findings;
mod reading;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::cancellation::checkpoint;
use crate::checks::CheckOutcome;
use crate::foreign::Recognized;
use crate::suite::{DetectedVersion, PlacedCase, Suite};
use crate::syntax::{Node, SyntaxError, Tree};
use crate::text::Text;

use super::case_results::CaseResults;
use super::verdicts::{self, Answers, JudgedCase, VerdictCounts, VerdictFinding};
use reading::Repeats;

/// Fewer new cases than this are not worth a second thread.
const FEW_CASES: usize = 32;

/// A suite's text and everything known about it. Cheap to clone, so that a snapshot can outlive an edit.
#[derive(Clone, Debug)]
pub struct Document {
    text: Text,
    path: Option<PathBuf>,
    tree: Arc<Tree>,
    /// The syntax errors outside of cases.
    errors: Vec<SyntaxError>,
    suite: Suite,
    /// The results of each case, in the order of the suite.
    results: Vec<Arc<CaseResults>>,
    repeats: Repeats,
}

impl Document {
    /// Reads a document. `path` is its file, if it has one.
    pub fn new(text: Text, path: Option<PathBuf>) -> Document {
        let mut document = Document {
            text,
            path,
            tree: Arc::default(),
            errors: Vec::new(),
            suite: Suite::default(),
            results: Vec::new(),
            repeats: Repeats::default(),
        };
        document.read_all();
        document
    }

    /// The whole text.
    pub(crate) fn text(&self) -> &Text {
        &self.text
    }

    /// The file, if the document has one.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The root of the syntax tree. In a document that has only white space it is an empty node of the kind `Invalid`.
    pub(crate) fn root(&self) -> Node<'_> {
        self.tree.root(self.text.as_str()).expect("the parser gives every text a root")
    }

    /// The suite that the text describes.
    pub(crate) fn suite(&self) -> &Suite {
        &self.suite
    }

    /// The suite, without what else is known about the text.
    pub(crate) fn into_suite(self) -> Suite {
        self.suite
    }

    /// The nodes of the suite's cases, in the same order.
    pub(crate) fn case_nodes(&self) -> impl Iterator<Item = Node<'_>> {
        (0..self.suite.cases.len()).filter_map(|index| self.case_node(index))
    }

    /// The node of the case with that index.
    pub(crate) fn case_node(&self, index: usize) -> Option<Node<'_>> {
        self.tree.part(index, self.text.as_str())
    }

    /// The version of the format that applies to the document.
    pub(crate) fn version(&self) -> DetectedVersion {
        DetectedVersion::detect(self.suite.version.as_ref().map(|field| field.value.as_str()), self.path())
    }

    /// Whether the text is valid JSON.
    pub(crate) fn is_well_formed(&self) -> bool {
        self.errors.is_empty() && self.faulty().next().is_none()
    }

    /// What its content shows about the file.
    pub(crate) fn recognized(&self) -> Recognized {
        Recognized::of_root(self.text.as_str(), Some(self.root()), self.is_well_formed())
    }

    /// Replaces the whole text. The results of cases whose text is in both stay.
    pub(crate) fn set_text(&mut self, text: Text) {
        self.text = text;
        self.read_all();
    }

    /// The verdict on a case, by its index: its last answer, judged by its current text. `None` if the case has no answer,
    /// or was never free of syntax errors. Judges again only if the text, the answer or the configuration changed.
    pub(crate) fn verdict(&self, index: usize, answers: &Answers) -> Option<Arc<JudgedCase>> {
        let placed = self.suite.cases.get(index)?;
        let answer = answers.of(&placed.case.id.as_ref()?.value)?;
        let text = self.text.slice(placed.span());
        self.results[index].verdict(&placed.case, text, answer, answers.config())
    }

    /// The same verdict if it is already known. Does not judge, and does not wait for another thread.
    pub(crate) fn known_verdict(&self, index: usize, answers: &Answers) -> Option<Arc<JudgedCase>> {
        let id = self.suite.cases.get(index)?.case.id.as_ref()?;
        self.results[index].known_verdict(answers.of(&id.value)?, answers.config())
    }

    /// How long the last judging of the slowest case took. The next one probably takes about as long.
    pub(crate) fn last_judging(&self) -> Duration {
        self.results.iter().map(|results| results.last_judging()).max().unwrap_or_default()
    }

    /// The verdicts on all cases, in their order.
    pub fn verdicts(&self, answers: &Answers) -> impl Iterator<Item = Option<Arc<JudgedCase>>> {
        (0..self.suite.cases.len()).map(|index| {
            checkpoint();
            self.verdict(index, answers)
        })
    }

    /// The findings of the verdicts, in the order of the text. Each case is judged when the iterator reaches it.
    pub fn verdict_findings(&self, answers: &Answers) -> impl Iterator<Item = VerdictFinding> {
        let answered = if answers.iter().next().is_some() { self.suite.cases.as_slice() } else { &[] };
        let judged = answered.iter().zip(self.verdicts(answers)).enumerate();
        let of_case = |(index, (placed, verdict)): (usize, (&PlacedCase, Option<Arc<JudgedCase>>))| {
            let Some(verdict) = verdict else { return Vec::new() };
            // A comparison reads the whole case, so cases without a failed check do without.
            let may_regress = verdict.count(CheckOutcome::Failed) + verdict.count(CheckOutcome::NotJudged) > 0;
            let since = may_regress.then(|| self.since_baseline(index, &verdict, answers)).flatten();
            verdicts::findings(&verdict, &placed.case, placed.start, since.as_ref())
        };
        judged.flat_map(of_case)
    }

    /// The findings about the samples of the cases, in the order of the text. A case that is broken has none.
    pub(crate) fn sample_findings(&self, answers: &Answers) -> impl Iterator<Item = VerdictFinding> {
        let samples = answers.samples();
        let cases = if samples.is_empty() { &[] } else { self.suite.cases.as_slice() };
        let of_case = |(placed, results): (&PlacedCase, &Arc<CaseResults>)| {
            let samples = placed.case.id.as_ref().and_then(|id| samples.get(&id.value)).filter(|_| !results.is_broken);
            let found = samples.map(|samples| results.samples(&placed.case, samples, answers.config()));
            let found = found.map_or_else(Vec::new, |found| found.to_vec());
            found
                .into_iter()
                .map(|finding| verdicts::of_sample(finding, &placed.case, placed.start))
                .collect::<Vec<_>>()
        };
        cases.iter().zip(&self.results).flat_map(of_case)
    }

    /// The findings about what is stored for cases and suites that do not exist.
    pub(crate) fn stray_findings(&self, answers: &Answers) -> impl Iterator<Item = VerdictFinding> {
        answers.strays().iter().map(|stray| verdicts::of_file(stray.finding(&self.suite)))
    }

    /// The number of cases by verdict.
    pub(crate) fn summary(&self, answers: &Answers) -> VerdictCounts {
        let mut summary = VerdictCounts::default();
        self.verdicts(answers).for_each(|verdict| summary.add(verdict.as_deref()));
        summary
    }

    /// The results of the case with that index.
    pub(super) fn results_of(&self, index: usize) -> Option<&CaseResults> {
        self.results.get(index).map(Arc::as_ref)
    }

    /// The cases with syntax errors, by index.
    fn faulty(&self) -> impl Iterator<Item = (usize, &CaseResults)> {
        self.results.iter().map(Arc::as_ref).enumerate().filter(|(_, result)| result.is_faulty())
    }

    /// Whether errors outside of cases make it uncertain where cases start and end.
    fn is_frame_in_doubt(&self) -> bool {
        self.errors.iter().any(|error| !error.kind.is_local())
            || self.faulty().any(|(_, result)| result.reaches_out || (result.is_in_doubt() && !self.errors.is_empty()))
    }

    /// The errors to report for the whole suite: those outside of cases, or all errors if the frame is in doubt.
    fn errors_of_frame(&self) -> Cow<'_, [SyntaxError]> {
        if !self.is_frame_in_doubt() {
            return Cow::Borrowed(&self.errors);
        }
        let inside = self.faulty().flat_map(|(index, result)| {
            let start = self.suite.cases[index].start;
            result.errors.iter().map(move |error| error.clone().shifted_by(start))
        });
        let mut errors: Vec<_> = self.errors.iter().cloned().chain(inside).collect();
        errors.sort_by_key(|error| error.span);
        Cow::Owned(errors)
    }
}
