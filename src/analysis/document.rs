//! A document and its findings: those of each case, which stay while its text is the same, and those of the suite.
//!
//! An edit within a case of a valid text, which leaves that case valid, reads that case again. Any other edit reads the whole text; cases
//! whose text is as before keep their results. An edited document equals a document that is read at once from the same text.
//! `an_edited_document_equals_a_fresh_one` in `analysis/tests.rs` holds it, and the edits of `tests/fuzz`.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rayon::prelude::*;

use crate::analysis::case_results::fingerprint;
use crate::analysis::placed_finding::{Allowed, AllowedUse, FindingGroup, PlacedFinding, one_for_each_cause};
use crate::cancellation::checkpoint;
use crate::checks::CheckOutcome;
use crate::config::Config;
use crate::diagnostic::{Finding, Severity};
use crate::foreign::Recognized;
use crate::lints::{
    DUPLICATE_CASE_ID, LINTS, MISSING_KEY, MOST_FINDINGS, PromptWords, SuiteCase, SuiteContext, Workspace,
    suite_findings,
};
use crate::schema::{Violation, frame_violations};
use crate::suite::{Case, DetectedVersion, PlacedCase, Suite, Version};
use crate::syntax::{Node, Parse, SyntaxError, Tree, parse_case, parse_in_parts};
use crate::text::{Span, Text, alike, counted};

use super::case_results::CaseResults;
use super::verdicts::{self, Answers, JudgedCase, VerdictCounts, VerdictFinding};

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
            found.into_iter().map(|finding| verdicts::of_file(finding.shifted_by(placed.start))).collect::<Vec<_>>()
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

/// How many cases are linted, or searched for a fix, at once. Work ends early between two portions, and threads share one.
const CASES_TOGETHER: usize = 256;

/// What the findings of a case depend on beside the case. While it is the same, a case with the same results has the same
/// findings.
struct Basis {
    workspace: Arc<Workspace>,
    version: Version,
    is_frame_in_doubt: bool,
}

/// The findings of a case before levels apply.
struct LintedCase {
    /// The findings; none if an error outside of the case may have broken it.
    group: FindingGroup,
    /// Whether the case has a key that its version does not have yet. The findings of the suite report it.
    has_later_key: bool,
}

impl Document {
    /// The findings of all lints, with the levels of the workspace, in the order of the text. If a lint has many, the first
    /// ones and how many are left out.
    pub fn findings(&self, workspace: &Arc<Workspace>) -> Vec<Finding> {
        let mut placed = self.placed_findings(workspace);
        placed.sort_by_key(|finding| (finding.span(), finding.lint()));
        let mut counts: HashMap<&str, usize> = HashMap::new();
        let mut more: BTreeMap<(&str, Severity), (Span, usize)> = BTreeMap::new();
        let mut findings = Vec::new();
        for finding in &placed {
            let count = counts.entry(finding.lint()).or_default();
            *count += 1;
            // One case can have one more than that: the finding about the rest.
            if *count <= MOST_FINDINGS + 1 {
                findings.push(finding.to_finding());
            } else {
                more.entry((finding.lint(), finding.severity)).or_insert((finding.span(), 0)).1 += 1;
            }
        }
        findings.extend(more.into_iter().map(|((lint, severity), (first, count))| {
            let message = format!("{} of `{lint}` from here on are not listed", counted(count, "more finding"));
            Finding::new(lint, severity, first, message)
        }));
        findings
    }

    /// The same findings without copies of them, in no certain order.
    pub(crate) fn placed_findings(&self, workspace: &Arc<Workspace>) -> Vec<PlacedFinding> {
        let allowed = Allowed::of(workspace, self.path());
        let groups = self.finding_groups(workspace);
        let reported = groups.iter().flat_map(|group| self.reported_of(group, workspace, &allowed));
        let (shared, mut own): (Vec<_>, Vec<_>) = reported.partition(|finding| finding.cause().is_some());
        own.extend(one_for_each_cause(&shared));
        own
    }

    /// Why the cases with errors cannot be judged, by the index of the case: the first error of each, with its line. The other value is
    /// true if an error is in no case. If cases `may_lack_keys`, a case without `expected` has no error because of that.
    pub(crate) fn faults(&self, workspace: &Arc<Workspace>, may_lack_keys: bool) -> (BTreeMap<usize, String>, bool) {
        let allowed = Allowed::of(workspace, self.path());
        let groups = self.finding_groups(workspace);
        let reported = groups.iter().flat_map(|group| self.reported_of(group, workspace, &allowed));
        let errors = reported.filter(|finding| finding.severity == Severity::Error);
        let mut errors: Vec<Finding> = errors.map(|finding| finding.to_finding()).collect();
        errors.sort_by_key(|error| (error.span, error.lint));
        let (mut faults, mut is_elsewhere) = (BTreeMap::new(), false);
        for error in &errors {
            let line = self.text.line_column(error.span.start).line;
            let reason = || format!("line {line}: {} ({})", error.message, error.lint);
            // The other case with the same id is at fault, too.
            let same =
                error.related.iter().map(|related| related.span).filter(|_| error.lint == DUPLICATE_CASE_ID.name);
            for span in std::iter::once(error.span).chain(same) {
                match self.suite.case_at(span.start).filter(|(_, case)| span.end <= case.span().end) {
                    // Keys that an object within the case lacks are always errors.
                    Some((_, case)) if may_lack_keys && error.lint == MISSING_KEY.name && span.start == case.start => {}
                    Some((index, _)) => _ = faults.entry(index).or_insert_with(reason),
                    None => is_elsewhere = true,
                }
            }
        }
        (faults, is_elsewhere)
    }

    fn reported_of(
        &self,
        group: &FindingGroup,
        workspace: &Workspace,
        allowed: &Allowed<'_>,
    ) -> impl Iterator<Item = PlacedFinding> {
        group.all().filter_map(|finding| Document::reported_finding(finding, workspace, allowed, &self.suite))
    }

    /// A finding with its level, if it is reported.
    fn reported_finding(
        mut finding: PlacedFinding,
        workspace: &Workspace,
        allowed: &Allowed<'_>,
        suite: &Suite,
    ) -> Option<PlacedFinding> {
        finding.severity = workspace.levels.get(finding.lint()).copied().unwrap_or(Some(finding.severity))?;
        allowed.entry_of(finding.lint(), finding.span(), suite).is_none().then_some(finding)
    }

    /// What the entries of `[[allow]]` do in this suite.
    pub(crate) fn allowed_use(&self, workspace: &Arc<Workspace>) -> AllowedUse {
        let findings: Vec<_> = self.finding_groups(workspace).iter().flat_map(FindingGroup::all).collect();
        Allowed::of(workspace, self.path()).uses(&findings, &self.suite)
    }

    /// The findings of all lints: those of each case that has some, in the order of the text, and then those of the suite.
    fn finding_groups(&self, workspace: &Arc<Workspace>) -> Vec<FindingGroup> {
        let basis = self.basis(workspace);
        let linted = self.linted(0..self.results.len(), &basis);
        let later = linted.iter().enumerate().filter(|(_, case)| case.has_later_key).map(|(index, _)| index);
        let of_suite = self.group_of_suite(&later.collect::<Vec<_>>(), &basis);
        linted.into_iter().map(|case| case.group).filter(|group| !group.is_empty()).chain([of_suite]).collect()
    }

    /// What the findings of all cases depend on.
    fn basis(&self, workspace: &Arc<Workspace>) -> Basis {
        Basis {
            workspace: Arc::clone(workspace),
            version: self.version().version,
            is_frame_in_doubt: self.is_frame_in_doubt(),
        }
    }

    /// Whether a finding that is reported has a safe fix.
    pub(crate) fn has_safe_fix(&self, workspace: &Arc<Workspace>) -> bool {
        let (basis, allowed) = (self.basis(workspace), Allowed::of(workspace, self.path()));
        let has_fix = |group: &FindingGroup| {
            group.has_safe_fix() && self.reported_of(group, workspace, &allowed).any(|found| found.has_safe_fix())
        };
        let count = self.results.len();
        let mut parts = (0..count).step_by(CASES_TOGETHER).map(|start| start..(start + CASES_TOGETHER).min(count));
        let in_cases = parts.any(|part| self.linted(part, &basis).iter().any(|case| has_fix(&case.group)));
        in_cases || has_fix(&self.group_of_suite(&[], &basis))
    }

    /// The findings of the cases in a range. Cases that are new are linted in several threads if they are many.
    fn linted(&self, range: Range<usize>, basis: &Basis) -> Vec<LintedCase> {
        let (version, workspace) = (basis.version, &basis.workspace);
        let results = &self.results[range.clone()];
        let mut findings: Vec<_> = results.iter().map(|result| result.known_findings(version, workspace)).collect();
        let nodes = range.clone().map(|index| self.case_node(index).expect("each case has a node"));
        let cases = self.suite.cases[range.clone()].iter().zip(results).zip(nodes).zip(&mut findings);
        let mut new: Vec<_> = cases.filter(|(_, known)| known.is_none()).collect();
        // After each part, the work of other threads has its turn: they may wait to read another text.
        for part in new.chunks_mut(CASES_TOGETHER) {
            part.par_iter_mut().with_min_len(FEW_CASES).for_each(|(((placed, result), node), found)| {
                **found = Some(result.findings(&placed.case, *node, version, workspace));
            });
        }
        let linted = |(index, found): (usize, Option<Arc<Vec<Finding>>>)| {
            let result = &self.results[index];
            let found = found.expect("each case is linted");
            let found = if result.is_broken && basis.is_frame_in_doubt { Arc::default() } else { found };
            let violations = self.violations_for_suite(index, version);
            LintedCase {
                group: FindingGroup::new(found, self.suite.cases[index].start),
                has_later_key: violations.iter().any(Violation::is_of_later_version),
            }
        };
        range.zip(findings).map(linted).collect()
    }

    /// The findings outside of cases, and those that involve several cases. `later` has the indices of the cases with keys
    /// that their version does not have yet.
    fn group_of_suite(&self, later: &[usize], basis: &Basis) -> FindingGroup {
        FindingGroup::new(Arc::new(self.suite_findings(later, basis.version)), 0)
    }

    fn suite_findings(&self, later: &[usize], version: Version) -> Vec<Finding> {
        let of_case = |index: &usize| (*index, self.violations_for_suite(*index, version));
        let later: Vec<_> = later.iter().map(of_case).collect();
        let context = context(&self.suite, self.root(), self.version(), self.path(), &self.repeats, &later);
        suite_findings(&context, &self.errors_of_frame(), self.text.as_str())
    }

    /// Where a case violates its schema, if its brackets and quotes match.
    fn violations_for_suite(&self, index: usize, version: Version) -> Arc<Vec<Violation>> {
        let result = &self.results[index];
        let node = self.case_node(index).filter(|_| !result.is_in_doubt());
        node.map(|node| result.violations(node, version)).unwrap_or_default()
    }

    /// The findings of the lints in the case with that index, before levels apply.
    pub(crate) fn case_findings(&self, index: usize, workspace: &Arc<Workspace>) -> Vec<Finding> {
        let linted = self.linted(index..index + 1, &self.basis(workspace));
        linted.iter().flat_map(|case| case.group.all()).map(|finding| finding.to_finding()).collect()
    }

    /// The findings that a span touches, without those of lints that are off, and with the levels of the workspace. The cost
    /// is that of the cases there.
    pub(crate) fn findings_in(&self, span: Span, workspace: &Arc<Workspace>) -> Vec<PlacedFinding> {
        let basis = self.basis(workspace);
        let here = self.suite.cases_in(span);
        let mut groups: Vec<_> = self.linted(here.clone(), &basis).into_iter().map(|case| case.group).collect();
        groups.push(self.group_of_suite(&here.collect::<Vec<_>>(), &basis));
        let allowed = Allowed::of(workspace, self.path());
        let reported = groups.iter().flat_map(|group| self.reported_of(group, workspace, &allowed));
        reported.filter(|found| found.span().start <= span.end && span.start <= found.span().end).collect()
    }
}

/// What the lints of a suite as a whole read. `later` has the indices of the cases with keys that their version does not
/// have yet, each with the violations of the case.
fn context<'a>(
    suite: &'a Suite,
    root: Node<'a>,
    version: DetectedVersion,
    path: Option<&'a Path>,
    repeats: &Repeats,
    later: &'a [(usize, Arc<Vec<Violation>>)],
) -> SuiteContext<'a> {
    let case = |(index, violations): &'a (usize, Arc<Vec<Violation>>)| SuiteCase {
        placed: &suite.cases[*index],
        violations: violations.as_slice(),
    };
    SuiteContext {
        suite,
        root,
        version,
        path,
        violations: frame_violations(root, version.version.into()),
        cases: later.iter().map(case).collect(),
        has_repeated_ids: repeats.ids.repeated > 0,
        has_repeated_prompts: repeats.has_prompts(),
    }
}

impl Document {
    /// Replaces the bytes of `span`, which is cut to the text and to whole characters.
    pub fn edit(&mut self, span: Span, with: &str) {
        let span = self.text.within(span);
        let case = self.case_around(span);
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
        let mut suite = Suite::lower_frame(root);

        let old = (std::mem::take(&mut self.suite.cases), std::mem::take(&mut self.results));
        let nodes: Vec<_> = Suite::case_nodes(root).collect();
        let read = Cases::read(&nodes, errors, &Known::new(&old.0, &old.1));
        self.repeats = Repeats::default();
        read.placed.iter().for_each(|placed| self.repeats.add(&placed.case));
        suite.cases = read.placed;
        self.suite = suite;
        self.results = read.results;
        self.errors = read.errors_outside;
        self.tree = Arc::new(tree);
    }

    /// The case of a valid text between whose braces `span` is.
    fn case_around(&self, span: Span) -> Option<usize> {
        let (index, placed) = self.suite.case_at(span.start)?;
        let case = placed.span();
        let within = case.start < span.start && span.end < case.end;
        (within && self.is_well_formed()).then_some(index)
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
        self.repeats.remove(&self.suite.cases[index].case);
        self.repeats.add(&case);
        self.suite.cases[index].case = Arc::new(case);
        self.results[index] = Arc::new(result);
        self.suite.shift_after(span.start, grown);
        Some(())
    }
}

/// Cases whose results may be used again.
struct Known<'a> {
    by_text: HashMap<u64, (&'a Arc<CaseResults>, &'a Arc<Case>)>,
    by_id: HashMap<&'a str, &'a CaseResults>,
}

impl<'a> Known<'a> {
    fn new(cases: &'a [PlacedCase], results: &'a [Arc<CaseResults>]) -> Known<'a> {
        let known = || results.iter().zip(cases.iter().map(|placed| &placed.case));
        let id = |case: &'a Case| case.id.as_ref().map(|id| id.value.as_str());
        Known {
            by_text: known().map(|(result, case)| (result.fingerprint, (result, case))).collect(),
            by_id: known().filter_map(|(result, case)| Some((id(case)?, result.as_ref()))).collect(),
        }
    }
}

/// Cases that were read, and the errors beside them.
struct Cases {
    placed: Vec<PlacedCase>,
    results: Vec<Arc<CaseResults>>,
    errors_outside: Vec<SyntaxError>,
}

impl Cases {
    /// Lowers the cases that are not known.
    fn read(nodes: &[Node<'_>], errors: Vec<SyntaxError>, known: &Known<'_>) -> Cases {
        let spans: Vec<_> = nodes.iter().map(|node| node.span()).collect();
        let is_well_formed = errors.is_empty();
        let (errors_outside, inside) = split_by_case(errors, &spans);
        let read = |(index, node): (usize, &Node<'_>)| {
            let errors = inside.get(&index).cloned().unwrap_or_default();
            // An error at the end of a case is not one of the case's errors, but can still break what is in the case.
            let is_broken = !is_well_formed && (!errors.is_empty() || node.descendants().any(Node::is_broken));
            let text = node.text();
            let (case, result) = match known.by_text.get(&fingerprint(text, &errors)) {
                Some((result, case)) if result.errors == errors && result.is_broken == is_broken => {
                    (Arc::clone(case), Arc::clone(result))
                }
                _ => {
                    let case = Case::lower(*node);
                    let earlier = case.id.as_ref().and_then(|id| known.by_id.get(id.value.as_str()));
                    let result = CaseResults::new(text, errors, is_broken);
                    let result = match earlier {
                        Some(earlier) => result.after(earlier),
                        None => result,
                    };
                    (Arc::new(case), Arc::new(result))
                }
            };
            (PlacedCase { start: spans[index].start, case }, result)
        };
        let (placed, results) = nodes.par_iter().enumerate().with_min_len(FEW_CASES).map(read).unzip();
        Cases { placed, results, errors_outside }
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

/// Whether cases repeat the id or the prompt of another, kept from edit to edit.
#[derive(Clone, Debug, Default)]
struct Repeats {
    ids: Tally,
    prompts: Tally,
}

impl Repeats {
    fn add(&mut self, case: &Case) {
        self.ids.add(id(case));
        self.prompts.add(case.question);
    }

    fn remove(&mut self, case: &Case) {
        self.ids.remove(id(case));
        self.prompts.remove(case.question);
    }

    /// Whether two cases ask the same.
    fn has_prompts(&self) -> bool {
        self.prompts.repeated > 0
    }
}

fn id(case: &Case) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    alike(&case.id.as_ref()?.value).hash(&mut hasher);
    Some(hasher.finish())
}

/// How often each hash occurs.
#[derive(Clone, Debug, Default)]
struct Tally {
    counts: HashMap<u64, u32>,
    /// The number of hashes that occur more than once.
    repeated: usize,
}

impl Tally {
    fn add(&mut self, hash: Option<u64>) {
        let Some(hash) = hash else { return };
        let count = self.counts.entry(hash).or_default();
        *count += 1;
        self.repeated += usize::from(*count == 2);
    }

    fn remove(&mut self, hash: Option<u64>) {
        let Some(hash) = hash else { return };
        let Some(count) = self.counts.get_mut(&hash) else { return };
        *count -= 1;
        self.repeated -= usize::from(*count == 1);
        if *count == 0 {
            self.counts.remove(&hash);
        }
    }
}

/// The names of all lints: the keys that `[lints]` in `eval-ls.toml` accepts.
pub(crate) fn lint_names() -> Vec<&'static str> {
    LINTS.iter().map(|lint| lint.name).collect()
}

/// The settings of a configuration that lints read. The tools of the workspace are missing: they come from other files.
pub(crate) fn workspace_of(config: &Config) -> Workspace {
    Workspace {
        levels: config.lints.iter().map(|(lint, entry)| (lint.clone(), entry.level.severity())).collect(),
        ui_hints: config.ui_hints.keys().cloned().collect(),
        preconditions: config.preconditions.keys().cloned().collect(),
        known_tools: config.known_tools.clone(),
        sources: config.sources.iter().map(|(name, source)| (name.clone(), source.patterns.clone())).collect(),
        prompt_words: prompt_words(config),
        reading: config.scoring.reading,
        allowed: config.allowed.clone(),
        ..Workspace::default()
    }
}

/// Whether the prompt's words can pass a check.
fn prompt_words(config: &Config) -> PromptWords {
    let targets = config.answering();
    let is_any_page = targets.iter().any(|target| target.shows_prompt());
    match config.scoring.prompt_counts {
        Some(false) => PromptWords::Ignored,
        None if config.has_only_pages() => PromptWords::Ignored,
        Some(true) if is_any_page || targets.is_empty() => PromptWords::Shown,
        Some(true) | None => PromptWords::Repeated,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Severity;
    use std::collections::BTreeMap;

    #[test]
    fn levels_hints_and_preconditions_come_from_the_configuration() {
        let text = "
            [lints]
            duplicate-key = \"off\"
            unknown-key = \"error\"
            [[ui_hints]]
            hint = \"A list is visible.\"
            all = [\"list\"]
            [[preconditions]]
            text = \"The shop is open.\"
            command = [\"true\"]
        ";
        let (config, errors) = Config::parse(text, &lint_names());
        assert_eq!(errors, []);
        let workspace = workspace_of(&config);
        let levels = [("duplicate-key", None), ("unknown-key", Some(Severity::Error))];
        assert_eq!(workspace.levels, BTreeMap::from(levels.map(|(lint, level)| (lint.to_owned(), level))));
        assert_eq!(workspace.prompt_words, PromptWords::Repeated);
        assert_eq!(workspace.ui_hints.into_iter().collect::<Vec<_>>(), ["A list is visible."]);
        assert_eq!(workspace.preconditions.into_iter().collect::<Vec<_>>(), ["The shop is open."]);
    }

    #[test]
    fn the_targets_decide_whether_prompts_are_shown() {
        let command = "[targets.agent]\nkind = \"command\"\ncommand = [\"a\"]\n";
        let counts = "[scoring]\nprompt_counts = true\n";
        let browser = "[targets.app]\nkind = \"browser\"\nurl = \"http://localhost:1\"\n";
        for (text, expected) in [
            (String::new(), PromptWords::Repeated),
            (command.to_owned(), PromptWords::Repeated),
            (browser.to_owned(), PromptWords::Ignored),
            (format!("{command}{browser}"), PromptWords::Repeated),
            (format!("[run]\ntarget = \"app\"\n{command}{browser}"), PromptWords::Ignored),
            (counts.to_owned(), PromptWords::Shown),
            (format!("{counts}{command}"), PromptWords::Repeated),
            (format!("{counts}{browser}"), PromptWords::Shown),
            (format!("{counts}{command}{browser}"), PromptWords::Shown),
            (format!("{counts}[run]\ntarget = \"agent\"\n{command}{browser}"), PromptWords::Repeated),
            (format!("[scoring]\nprompt_counts = false\n{command}"), PromptWords::Ignored),
        ] {
            let (config, errors) = Config::parse(&text, &lint_names());
            assert_eq!(errors, []);
            assert_eq!(workspace_of(&config).prompt_words, expected, "{text}");
        }
    }
}
