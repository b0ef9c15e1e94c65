//! A document: its text, the suite in it, and the results of each case, which stay while the text of the case is the same.
//!
//! An edit within a case of a valid text, which leaves that case valid, reads that case again. Any other edit reads the whole text; cases
//! whose text is as before keep their results. An edited document equals a document that is read at once from the same text.
//! `an_edited_document_equals_a_fresh_one` in `analysis/tests/mod.rs` holds it, and the edits of `tests/fuzz`.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::cancellation::checkpoint;
use crate::challenge::{CaseChallenges, Sample, sample_findings};
use crate::config::Config;
use crate::diagnostic::Finding;
use crate::foreign::Recognized;
use crate::lints::case_findings;
use crate::schema::{Violation, case_violations};
use crate::suite::{Case, DetectedVersion, PlacedCase, Suite, Version};
use crate::syntax::{Node, Parse, SyntaxError, Tree, parse, parse_case, parse_in_parts};
use crate::text::{Span, Text};

use super::Workspace;
use super::challenges::Challengers;
use super::lint_findings::CaseFindings;
use super::verdicts::{self, Answer, Answers, JudgedCase, VerdictCounts, VerdictFinding};

/// Fewer new cases than this are not worth a second thread.
pub(super) const FEW_CASES: usize = 32;

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

    /// A hash of the ids of the cases.
    pub(crate) fn hash_of_ids(&self) -> u64 {
        let ids = self.suite.cases.iter().map(|placed| placed.case.id.as_ref().map(|id| &id.value));
        hash_of(&ids.collect::<Vec<_>>())
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

    /// The verdict on a case, if it is already known. Does not judge, and does not wait for another thread.
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
        let of_case = |(placed, verdict): (&PlacedCase, Option<Arc<JudgedCase>>)| {
            let Some(verdict) = verdict else { return Vec::new() };
            verdicts::findings(&verdict, &placed.case, placed.start)
        };
        answered.iter().zip(self.verdicts(answers)).flat_map(of_case)
    }

    /// The findings about the samples of the cases, in the order of the text. A case that is broken has none.
    pub(crate) fn sample_findings(&self, answers: &Answers) -> impl Iterator<Item = VerdictFinding> {
        let cases = if answers.around.samples.is_empty() { 0 } else { self.suite.cases.len() };
        (0..cases).flat_map(|index| {
            let (start, found) = (self.suite.cases[index].start, self.samples_of_case(index, answers));
            let found = found.map_or_else(Vec::new, |found| found.to_vec());
            found.into_iter().map(move |finding| verdicts::of_file(finding.shifted_by(start)))
        })
    }

    /// The findings about the samples of a case, from its start; `None` if it is broken or has no samples.
    pub(super) fn samples_of_case(&self, index: usize, answers: &Answers) -> Option<Arc<Vec<Finding>>> {
        let (case, results) = (&self.suite.cases[index].case, &self.results[index]);
        let samples = answers.around.samples.get(&case.id.as_ref()?.value).filter(|_| !results.is_broken)?;
        Some(results.samples(case, samples, answers.config()))
    }

    /// The findings about what is stored for cases and suites that do not exist.
    pub(crate) fn stray_findings(&self, answers: &Answers) -> impl Iterator<Item = VerdictFinding> {
        answers.around.strays.iter().map(|stray| verdicts::of_file(stray.finding(&self.suite)))
    }

    /// The number of cases by verdict.
    pub(crate) fn summary(&self, answers: &Answers) -> VerdictCounts {
        let mut summary = VerdictCounts::default();
        self.verdicts(answers).for_each(|verdict| summary.add(verdict.as_deref()));
        summary
    }

    /// The results of the cases, in the order of the suite.
    pub(super) fn results(&self) -> &[Arc<CaseResults>] {
        &self.results
    }

    /// The cases with syntax errors, by index.
    fn faulty(&self) -> impl Iterator<Item = (usize, &CaseResults)> {
        self.results.iter().map(Arc::as_ref).enumerate().filter(|(_, result)| result.is_faulty())
    }

    /// Whether errors outside of cases make it uncertain where cases start and end.
    pub(super) fn is_frame_in_doubt(&self) -> bool {
        self.errors.iter().any(|error| !error.kind.is_local())
            || self.faulty().any(|(_, result)| result.reaches_out || (result.is_in_doubt() && !self.errors.is_empty()))
    }

    /// The errors to report for the whole suite: those outside of cases, or all errors if the frame is in doubt.
    pub(super) fn errors_of_frame(&self) -> Cow<'_, [SyntaxError]> {
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

impl Document {
    /// Replaces the bytes of `span`, which is cut to the text and to whole characters.
    pub fn edit(&mut self, span: Span, with: &str) {
        let span = self.text.within(span);
        let is_around = |case: Span| case.start < span.start && span.end < case.end;
        let case = self.suite.case_at(span.start).filter(|(_, placed)| is_around(placed.span()));
        let case = case.filter(|_| self.is_well_formed()).map(|(index, _)| index);
        self.text.replace(span, with);
        let grown = with.len() as isize - span.len() as isize;
        if case.and_then(|index| self.read_case(index, grown)).is_none() {
            self.read_all();
        }
    }

    /// Parses the whole text. The results of cases whose text did not change stay.
    fn read_all(&mut self) {
        let Parse { tree, errors } = parse_in_parts(self.text.as_str(), "cases");
        let root = tree.root(self.text.as_str()).expect("the parser gives every text a root");
        let nodes: Vec<_> = Suite::case_nodes(root).collect();
        let spans: Vec<_> = nodes.iter().map(|node| node.span()).collect();
        let is_well_formed = errors.is_empty();
        let (errors_outside, inside) = split_by_case(errors, &spans);
        let known = || self.results.iter().zip(self.suite.cases.iter().map(|placed| &placed.case));
        let by_text: HashMap<u64, _> = known().map(|known| (known.0.fingerprint, known)).collect();
        let by_id: HashMap<&str, _> =
            known().filter_map(|(result, case)| Some((case.id.as_ref()?.value.as_str(), result))).collect();
        let read = |(index, node): (usize, &Node<'_>)| {
            let errors = inside.get(&index).cloned().unwrap_or_default();
            // An error at the end of a case is not one of the case's errors, but can still break what is in the case.
            let is_broken = !is_well_formed && (!errors.is_empty() || node.descendants().any(Node::is_broken));
            let (result, case) = match by_text.get(&fingerprint(node.text(), &errors)) {
                Some((result, case)) if result.errors == errors && result.is_broken == is_broken => {
                    (Arc::clone(result), Arc::clone(case))
                }
                _ => {
                    let case = Case::lower(*node);
                    let earlier = case.id.as_ref().and_then(|id| by_id.get(id.value.as_str()));
                    let result = CaseResults::new(node.text(), errors, is_broken);
                    let result = if let Some(earlier) = earlier { result.after(earlier) } else { result };
                    (Arc::new(result), Arc::new(case))
                }
            };
            (PlacedCase { start: spans[index].start, case }, result)
        };
        let (cases, results) = nodes.par_iter().enumerate().with_min_len(FEW_CASES).map(read).unzip();
        let mut suite = Suite::lower_frame(root);
        suite.cases = cases;
        (self.suite, self.results, self.errors) = (suite, results, errors_outside);
        self.tree = Arc::new(tree);
    }

    /// Reads one case again after its text grew by `grown` bytes; `None` if it is not valid any more.
    fn read_case(&mut self, index: usize, grown: isize) -> Option<()> {
        let placed = &self.suite.cases[index];
        let span = Span::new(placed.start, placed.span().end.checked_add_signed(grown)?);
        let text = self.text.slice(span);
        let tree = parse_case(text)?;
        let case = Case::lower(tree.root(text)?);
        let result = CaseResults::new(text, Vec::new(), false).after(&self.results[index]);

        Arc::make_mut(&mut self.tree).replace_part(index, tree);
        let mut cases = std::mem::take(&mut self.suite.cases);
        cases[index].case = Arc::new(case);
        for later in &mut cases[index + 1..] {
            later.start = later.start.saturating_add_signed(grown);
        }
        self.suite = Suite { cases, ..Suite::lower_frame(self.root()) };
        self.results[index] = Arc::new(result);
        Some(())
    }
}

/// Splits errors into those outside of cases, and those of each case by its index, with spans from the start of the case.
fn split_by_case(errors: Vec<SyntaxError>, cases: &[Span]) -> (Vec<SyntaxError>, HashMap<usize, Vec<SyntaxError>>) {
    let mut outside = Vec::new();
    let mut inside: HashMap<usize, Vec<SyntaxError>> = HashMap::new();
    for error in errors {
        let after = cases.partition_point(|case| case.start < error.span.start);
        let case = after.checked_sub(1).map(|index| (index, cases[index]));
        // An error at the end of a case, for instance an unclosed brace, depends on what follows the case.
        match case.filter(|(_, case)| error.span.end < case.end) {
            Some((index, case)) => inside.entry(index).or_default().push(error.relative_to(case.start)),
            None => outside.push(error),
        }
    }
    (outside, inside)
}

type SamplesAndConfig = (Arc<[Sample]>, Arc<Config>);

static NO_VIOLATIONS: LazyLock<Arc<Vec<Violation>>> = LazyLock::new(Arc::default);

/// The results of one case. All spans count from its first byte, so that they stay right when the case moves.
#[derive(Debug, Default)]
pub(super) struct CaseResults {
    /// The syntax errors within the case.
    pub(super) errors: Vec<SyntaxError>,
    /// A hash of the case's text and errors, to find the case again after the whole document was parsed again.
    pub(super) fingerprint: u64,
    /// Whether a syntax error breaks the case.
    pub(super) is_broken: bool,
    /// Whether the case alone would have other errors: its brackets or quotes reach beyond it.
    pub(super) reaches_out: bool,
    violations: Memo<Version, Arc<Vec<Violation>>>,
    findings: Memo<(Version, Arc<Workspace>), Arc<CaseFindings>>,
    verdict: Memo<(Arc<Answer>, Arc<Config>), Arc<JudgedCase>>,
    challenges: Memo<Challengers, Arc<CaseChallenges>>,
    samples: Memo<SamplesAndConfig, Arc<Vec<Finding>>>,
    /// The last verdict on an earlier text of the case.
    earlier_verdict: Option<Arc<JudgedCase>>,
    /// How long the last judging of the case took, also of an earlier text, in microseconds.
    judging_micros: AtomicU64,
}

impl CaseResults {
    pub(super) fn new(text: &str, errors: Vec<SyntaxError>, is_broken: bool) -> CaseResults {
        let is_in_doubt = errors.iter().any(|error| !error.kind.is_local());
        let reaches_out = is_in_doubt && (!text.ends_with('}') || parse(text).errors != errors);
        CaseResults {
            fingerprint: fingerprint(text, &errors),
            is_broken,
            reaches_out,
            errors,
            ..CaseResults::default()
        }
    }

    /// The results of a case whose previous text was that of `earlier`.
    pub(super) fn after(self, earlier: &CaseResults) -> CaseResults {
        let judged = (!earlier.is_broken).then(|| earlier.verdict.last()).flatten();
        let judging_micros = AtomicU64::new(earlier.judging_micros.load(Ordering::Relaxed));
        CaseResults { earlier_verdict: judged.or_else(|| earlier.earlier_verdict.clone()), judging_micros, ..self }
    }

    /// How long the last judging of the case took, also of an earlier text. Zero if it was never judged.
    pub(super) fn last_judging(&self) -> Duration {
        Duration::from_micros(self.judging_micros.load(Ordering::Relaxed))
    }

    /// Whether a syntax error is in the case, or breaks it.
    pub(super) fn is_faulty(&self) -> bool {
        self.is_broken || !self.errors.is_empty()
    }

    /// Where the case violates the schema of its version.
    pub(super) fn violations(&self, node: Node<'_>, version: Version) -> Arc<Vec<Violation>> {
        let same = |known: &Version, wanted: &Version| known == wanted;
        self.violations.get(version, same, |version| {
            let found = case_violations(node.relative(), (*version).into());
            // Most cases have none, and share it.
            if found.is_empty() { Arc::clone(&NO_VIOLATIONS) } else { Arc::new(found) }
        })
    }

    /// Whether the case may be read wrongly, because its brackets or quotes do not match.
    pub(super) fn is_in_doubt(&self) -> bool {
        self.errors.iter().any(|error| !error.kind.is_local())
    }

    /// The findings of the lints in the case, if they are known without linting. Never waits.
    pub(super) fn known_findings(&self, version: Version, workspace: &Arc<Workspace>) -> Option<Arc<CaseFindings>> {
        self.findings.known((version, Arc::clone(workspace)), is_same_linting)
    }

    /// The findings of the lints in the case: those that are known, otherwise those of `lint`.
    pub(super) fn findings(
        &self,
        version: Version,
        workspace: &Arc<Workspace>,
        lint: impl FnOnce() -> CaseFindings,
    ) -> Arc<CaseFindings> {
        self.findings.get((version, Arc::clone(workspace)), is_same_linting, |_| Arc::new(lint()))
    }

    /// The findings of the lints in the case, which are not kept.
    pub(super) fn lint(&self, case: &Case, node: Node<'_>, version: Version, workspace: &Workspace) -> Vec<Finding> {
        case_findings(case, node, &self.errors, &self.violations(node, version), workspace)
    }

    /// The verdict on the case, whose text is `text`. While a syntax error breaks the case, its last verdict stays.
    pub(super) fn verdict(
        &self,
        case: &Case,
        text: &str,
        answer: &Arc<Answer>,
        config: &Arc<Config>,
    ) -> Option<Arc<JudgedCase>> {
        if self.is_broken && self.earlier_verdict.is_none() {
            return None;
        }
        let question = (Arc::clone(answer), Arc::clone(config));
        let judge = |_: &_| match &self.earlier_verdict {
            Some(earlier) if self.is_broken => earlier.carried_to(case, text),
            _ => {
                let start = Instant::now();
                let judged = JudgedCase::of(case, text, Arc::clone(answer), config);
                self.judging_micros.store(start.elapsed().as_micros() as u64, Ordering::Relaxed);
                judged
            }
        };
        Some(self.verdict.get(question, is_same_judging, |question| Arc::new(judge(question))))
    }

    /// How the case stands up to its challenges.
    pub(super) fn challenges(&self, case: &Case, with: Challengers) -> Arc<CaseChallenges> {
        self.challenges.get(with, Challengers::is_same, |with| Arc::new(with.judge(case)))
    }

    /// The findings about the samples of the case.
    pub(super) fn samples(&self, case: &Case, samples: &Arc<[Sample]>, config: &Arc<Config>) -> Arc<Vec<Finding>> {
        let question = (Arc::clone(samples), Arc::clone(config));
        let same = |known: &SamplesAndConfig, wanted: &SamplesAndConfig| {
            Arc::ptr_eq(&known.0, &wanted.0) && Arc::ptr_eq(&known.1, &wanted.1)
        };
        self.samples.get(question, same, |(samples, config)| Arc::new(sample_findings(case, samples, config)))
    }

    /// The verdict, if it is known without judging.
    pub(super) fn known_verdict(&self, answer: &Arc<Answer>, config: &Arc<Config>) -> Option<Arc<JudgedCase>> {
        self.verdict.known((Arc::clone(answer), Arc::clone(config)), is_same_judging)
    }
}

fn is_same_linting(known: &(Version, Arc<Workspace>), wanted: &(Version, Arc<Workspace>)) -> bool {
    known.0 == wanted.0 && (Arc::ptr_eq(&known.1, &wanted.1) || known.1 == wanted.1)
}

fn is_same_judging(known: &(Arc<Answer>, Arc<Config>), wanted: &(Arc<Answer>, Arc<Config>)) -> bool {
    Answer::is_same(&known.0, &wanted.0) && Arc::ptr_eq(&known.1, &wanted.1)
}

pub(super) fn fingerprint(text: &str, errors: &[SyntaxError]) -> u64 {
    hash_of(&(text, errors.iter().map(|error| error.span).collect::<Vec<_>>()))
}

pub(super) fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Stores the last result together with the input it came from. A new input replaces both.
#[derive(Debug)]
pub(super) struct Memo<I, O> {
    last: Mutex<Option<Box<(I, O)>>>,
}

impl<I, O: Clone> Memo<I, O> {
    /// The result for `input`: the stored one if its input is the `same`, otherwise a new one from `compute`.
    pub(super) fn get(&self, input: I, same: impl FnOnce(&I, &I) -> bool, compute: impl FnOnce(&I) -> O) -> O {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, result)) = last.as_deref_mut()
            && same(known, &input)
        {
            // The next comparison is one of addresses.
            *known = input;
            return result.clone();
        }
        let result = compute(&input);
        *last = Some(Box::new((input, result.clone())));
        result
    }

    /// The stored result for `input`; `None` without one, or while another thread computes one: this never waits.
    pub(super) fn known(&self, input: I, same: impl FnOnce(&I, &I) -> bool) -> Option<O> {
        let mut last = self.last.try_lock().ok()?;
        let (known, result) = last.as_deref_mut().filter(|(known, _)| same(known, &input))?;
        *known = input;
        Some(result.clone())
    }

    /// The stored result, whatever its input. `None` if another thread is computing one: this never waits.
    pub(super) fn last(&self) -> Option<O> {
        self.last.try_lock().ok()?.as_ref().map(|known| known.1.clone())
    }
}

impl<I, O> Default for Memo<I, O> {
    fn default() -> Self {
        Self { last: Mutex::new(None) }
    }
}
