use std::borrow::Cow;
use std::collections::HashMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use crate::diagnostic::Finding;
use crate::lints::{SuiteCase, SuiteContext, Workspace, suite_findings};
use crate::schema::frame_violations;
use crate::suite::{Case, DetectedVersion, PlacedCase, Suite, Version};
use crate::syntax::{Container, Kind, Node, NodeId, Parse, SyntaxError, Tree, parse, parse_nested};
use crate::text::{Span, Text};

use super::allowed::{Allowed, AllowedUse};
use super::case_results::{CaseResults, fingerprint};
use super::placed_finding::{FindingGroup, PlacedFinding};
use super::verdicts::{self, Answers, JudgedCase, VerdictCounts, VerdictFinding};

/// A case with its results and its node, and the place for its findings.
type NewCase<'a> = (((&'a PlacedCase, &'a Arc<CaseResults>), Node<'a>), &'a mut Option<Arc<Vec<Finding>>>);

/// The fewest new cases for which a thread is worth its start.
const CASES_PER_THREAD: usize = 32;

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

    /// The root of the syntax tree. In a document that has only white space it is an empty [`Kind::Invalid`].
    pub(crate) fn root(&self) -> Node<'_> {
        self.tree.root(self.text.as_str()).expect("the parser gives every text a root")
    }

    /// The suite that the text describes.
    pub(crate) fn suite(&self) -> &Suite {
        &self.suite
    }

    /// The nodes of the suite's cases, in the same order.
    pub(crate) fn case_nodes(&self) -> impl Iterator<Item = Node<'_>> {
        let cases = self.root().get("cases").into_iter().flat_map(Node::elements);
        cases.filter(|case| case.kind() == Kind::Object)
    }

    /// The version of the format that applies to the document.
    pub(crate) fn version(&self) -> DetectedVersion {
        DetectedVersion::detect(self.suite.version.as_ref().map(|field| field.value.as_str()), self.path())
    }

    /// Whether the text is valid JSON.
    pub(crate) fn is_well_formed(&self) -> bool {
        self.errors.is_empty() && self.results.iter().all(|result| result.errors.is_empty())
    }

    /// Replaces the bytes of `span`, which is cut to the text and to whole characters. Reads one case again, or the whole
    /// document if the edit is outside of cases or could change how other cases are read.
    pub fn edit(&mut self, span: Span, with: &str) {
        let case = self.case_to_read_again(span);
        let old_len = self.text.len();
        self.text.replace(span, with);
        let Some((index, id)) = case else { return self.read_all() };
        let grown = self.text.len() as isize - old_len as isize;
        if self.read_case(index, id, grown).is_none() {
            self.read_all();
        }
    }

    /// Replaces the whole text. The results of cases whose text is in both stay.
    pub(crate) fn set_text(&mut self, text: Text) {
        self.text = text;
        self.read_all();
    }

    /// The findings of all lints, with the levels of the workspace, in the order of the text.
    pub fn findings(&self, workspace: &Arc<Workspace>) -> Vec<Finding> {
        let mut findings: Vec<_> = self.placed_findings(workspace).iter().map(PlacedFinding::to_finding).collect();
        findings.sort_by_key(|finding| (finding.span, finding.lint));
        findings
    }

    /// The same findings without copies of them, those of the cases first.
    pub(crate) fn placed_findings(&self, workspace: &Arc<Workspace>) -> Vec<PlacedFinding> {
        let allowed = Allowed::of(workspace, self.path());
        let groups = self.finding_groups(workspace);
        groups.iter().flat_map(|group| self.reported_of(group, workspace, &allowed)).collect()
    }

    /// The findings of a group that are reported, with their levels. They stay the same while the group and the workspace
    /// are the same.
    pub(crate) fn reported(&self, group: &FindingGroup, workspace: &Arc<Workspace>) -> Vec<PlacedFinding> {
        self.reported_of(group, workspace, &Allowed::of(workspace, self.path())).collect()
    }

    fn reported_of(
        &self,
        group: &FindingGroup,
        workspace: &Workspace,
        allowed: &Allowed<'_>,
    ) -> impl Iterator<Item = PlacedFinding> {
        group.all().filter_map(|mut finding| {
            finding.severity = workspace.levels.get(finding.lint()).copied().unwrap_or(Some(finding.severity))?;
            let entry = allowed.entry_of(finding.lint(), finding.span(), &self.suite);
            entry.is_none().then_some(finding)
        })
    }

    /// What the entries of `[[allow]]` do in this suite.
    pub(crate) fn allowed_use(&self, workspace: &Arc<Workspace>) -> AllowedUse {
        let findings: Vec<_> = self.finding_groups(workspace).iter().flat_map(FindingGroup::all).collect();
        Allowed::of(workspace, self.path()).uses(&findings, &self.suite)
    }

    /// The findings of all lints: those of each case that has some, in the order of the text, and then those of the suite.
    pub(crate) fn finding_groups(&self, workspace: &Arc<Workspace>) -> Vec<FindingGroup> {
        let version = self.version();
        let errors = self.errors_of_frame();
        let is_frame_in_doubt = self.is_frame_in_doubt();
        let mut groups = Vec::with_capacity(self.results.len() + 1);
        let mut violations = Vec::with_capacity(self.results.len());
        let findings = self.findings_of_cases(version.version, workspace);
        let cases = self.suite.cases.iter().zip(&self.results).zip(self.case_nodes());
        for (((placed, result), node), of_case) in cases.zip(findings) {
            let is_left_out = of_case.is_empty() || (result.is_broken && is_frame_in_doubt);
            if !is_left_out {
                groups.push(FindingGroup::new(of_case, placed.start));
            }
            let is_read = !result.is_in_doubt();
            violations.push(if is_read { result.violations(node, version.version) } else { Arc::default() });
        }
        let cases = self.suite.cases.iter().zip(&violations);
        let context = SuiteContext {
            suite: &self.suite,
            root: self.root(),
            version,
            path: self.path(),
            violations: frame_violations(self.root(), version.version.into()),
            cases: cases.map(|(placed, violations)| SuiteCase { placed, violations }).collect(),
        };
        groups.push(FindingGroup::new(Arc::new(suite_findings(&context, &errors, self.text.as_str())), 0));
        groups
    }

    /// The findings of the lints in each case. Cases that are new are linted in several threads if they are many.
    fn findings_of_cases(&self, version: Version, workspace: &Arc<Workspace>) -> Vec<Arc<Vec<Finding>>> {
        let input = (Arc::clone(workspace), version);
        let mut findings: Vec<_> = self.results.iter().map(|result| result.known_findings(&input)).collect();
        let cases = self.suite.cases.iter().zip(&self.results).zip(self.case_nodes()).zip(&mut findings);
        let mut new: Vec<_> = cases.filter(|(_, known)| known.is_none()).collect();
        let lint = |part: &mut [NewCase<'_>]| {
            for (((placed, result), node), found) in part {
                **found = Some(result.findings(&placed.case, *node, version, workspace));
            }
        };
        let worthwhile = (new.len() / CASES_PER_THREAD).max(1);
        let threads = thread::available_parallelism().map_or(1, NonZero::get).min(worthwhile);
        if threads < 2 {
            lint(&mut new);
        } else {
            let length = new.len().div_ceil(threads);
            thread::scope(|scope| new.chunks_mut(length).for_each(|part| drop(scope.spawn(move || lint(part)))));
        }
        findings.into_iter().map(|found| found.expect("each case is linted")).collect()
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

    /// The verdicts on all cases, in their order.
    pub fn verdicts(&self, answers: &Answers) -> impl Iterator<Item = Option<Arc<JudgedCase>>> {
        (0..self.suite.cases.len()).map(|index| self.verdict(index, answers))
    }

    /// The findings of the verdicts, in the order of the text. Each case is judged when the iterator reaches it.
    pub fn verdict_findings(&self, answers: &Answers) -> impl Iterator<Item = VerdictFinding> {
        let judged = self.suite.cases.iter().zip(self.verdicts(answers));
        let of_case = |(placed, verdict): (&PlacedCase, Option<Arc<JudgedCase>>)| {
            verdict.map(|verdict| verdicts::findings(&verdict, &placed.case, placed.start)).unwrap_or_default()
        };
        judged.flat_map(of_case)
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

    /// Whether errors outside of cases make it uncertain where cases start and end.
    fn is_frame_in_doubt(&self) -> bool {
        self.errors.iter().any(|error| !error.kind.is_local())
            || self.results.iter().any(|result| result.reaches_out || (result.is_in_doubt() && !self.errors.is_empty()))
    }

    /// Whether to leave out the findings of a case, because an error outside of it may have broken it.
    fn is_case_left_out(&self, result: &CaseResults) -> bool {
        result.is_broken && self.is_frame_in_doubt()
    }

    /// The errors to report for the whole suite: those outside of cases, or all errors if the frame is in doubt.
    fn errors_of_frame(&self) -> Cow<'_, [SyntaxError]> {
        if !self.is_frame_in_doubt() {
            return Cow::Borrowed(&self.errors);
        }
        let of_case = |(placed, result): (&PlacedCase, &Arc<CaseResults>)| -> Vec<SyntaxError> {
            result.errors.iter().map(|error| error.clone().shifted_by(placed.start)).collect()
        };
        let inside = self.suite.cases.iter().zip(&self.results).flat_map(of_case);
        let mut errors: Vec<_> = self.errors.iter().cloned().chain(inside).collect();
        errors.sort_by_key(|error| error.span);
        Cow::Owned(errors)
    }

    /// The findings of the lints in the case with that index, before levels apply.
    pub(super) fn case_findings(&self, index: usize, workspace: &Arc<Workspace>) -> Vec<Finding> {
        let placed = &self.suite.cases[index];
        if self.is_case_left_out(&self.results[index]) {
            return Vec::new();
        }
        let Some(node) = self.case_nodes().nth(index) else { return Vec::new() };
        let found = self.results[index].findings(&placed.case, node, self.version().version, workspace);
        found.iter().map(|finding| finding.clone().shifted_by(placed.start)).collect()
    }

    /// The findings at a byte offset, without those of lints that are off. Of other cases it reads only the ids, so that
    /// the cost is that of one case.
    pub(crate) fn findings_at(&self, offset: usize, workspace: &Arc<Workspace>) -> Vec<Finding> {
        let version = self.version();
        let here = self.suite.case_at(offset).map(|(index, _)| index);
        let mut findings = here.map(|index| self.case_findings(index, workspace)).unwrap_or_default();
        let violations = here.and_then(|index| {
            let node = self.case_nodes().nth(index)?;
            Some(self.results[index].violations(node, version.version))
        });
        let cases = self.suite.cases.iter().enumerate().map(|(index, placed)| {
            let known = violations.as_ref().filter(|_| here == Some(index));
            SuiteCase { placed, violations: known.map_or(&[], |known| known.as_slice()) }
        });
        let context = SuiteContext {
            suite: &self.suite,
            root: self.root(),
            version,
            path: self.path(),
            violations: frame_violations(self.root(), version.version.into()),
            cases: cases.collect(),
        };
        findings.extend(suite_findings(&context, &self.errors_of_frame(), self.text.as_str()));
        let is_on = |lint: &str| !matches!(workspace.levels.get(lint), Some(None));
        let allowed = Allowed::of(workspace, self.path());
        findings.retain(|finding| finding.span.touches(offset) && is_on(finding.lint));
        findings.retain(|finding| allowed.entry_of(finding.lint, finding.span, &self.suite).is_none());
        findings
    }

    /// Parses the whole text. The results of cases whose text did not change stay.
    fn read_all(&mut self) {
        let Parse { tree, errors } = parse(self.text.as_str());
        let old_cases = std::mem::take(&mut self.suite.cases).into_iter().map(|placed| placed.case);
        let old_results = std::mem::take(&mut self.results);
        let known: HashMap<u64, (Arc<CaseResults>, Arc<Case>)> =
            old_results.into_iter().zip(old_cases).map(|(result, case)| (result.fingerprint, (result, case))).collect();
        let by_id: HashMap<&str, &CaseResults> = known
            .values()
            .filter_map(|(result, case)| Some((case.id.as_ref()?.value.as_str(), result.as_ref())))
            .collect();

        self.tree = Arc::new(tree);
        let tree = Arc::clone(&self.tree);
        let root = tree.root(self.text.as_str()).expect("the parser gives every text a root");
        self.suite = Suite::lower(root);
        let (outside, mut inside) = split_by_case(errors, &self.suite.cases);
        let is_well_formed = outside.is_empty() && inside.is_empty();
        self.errors = outside;
        let nodes = root.get("cases").into_iter().flat_map(Node::elements).filter(|case| case.kind() == Kind::Object);
        for ((index, placed), node) in self.suite.cases.iter_mut().enumerate().zip(nodes) {
            let errors = inside.remove(&index).unwrap_or_default();
            // An error at the end of a case is not one of the case's errors, but can still break what is in the case.
            let is_broken = !is_well_formed && (!errors.is_empty() || node.descendants().any(Node::is_broken));
            let text = &self.text.as_str()[placed.span().range()];
            match known.get(&fingerprint(text, &errors)) {
                Some((result, case)) if result.errors == errors && result.is_broken == is_broken => {
                    placed.case = Arc::clone(case);
                    self.results.push(Arc::clone(result));
                }
                _ => {
                    let result = CaseResults::new(text, errors, is_broken);
                    let earlier = placed.case.id.as_ref().and_then(|id| by_id.get(id.value.as_str()));
                    self.results.push(Arc::new(match earlier {
                        Some(earlier) => result.after(earlier),
                        None => result,
                    }));
                }
            }
        }
    }

    /// The only case to read again after `span` is replaced. `None` if `span` is not within the braces of one case, or if
    /// there are errors elsewhere: then one case can change how another is read.
    fn case_to_read_again(&self, span: Span) -> Option<(usize, NodeId)> {
        let (index, placed) = self.suite.case_at(span.start)?;
        let case = placed.span();
        let within = case.start < span.start && span.end < case.end;
        let others_are_well_formed =
            self.results.iter().enumerate().all(|(other, result)| other == index || result.errors.is_empty());
        let alone = within && self.errors.is_empty() && others_are_well_formed;
        alone.then(|| self.case_nodes().nth(index)).flatten().map(|node| (index, node.id()))
    }

    /// Reads one case again after its text grew by `grown` bytes; `None` if it can no longer be read by itself.
    fn read_case(&mut self, index: usize, id: NodeId, grown: isize) -> Option<()> {
        let placed = &self.suite.cases[index];
        let span = Span::new(placed.start, placed.span().end.checked_add_signed(grown)?);
        let text = self.text.slice(span);
        let parse = parse_nested(text, &[Container::Object, Container::Array])?;
        let case = Case::lower(parse.tree.root(text)?);
        let is_broken = !parse.errors.is_empty();
        let result = CaseResults::new(text, parse.errors, is_broken).after(&self.results[index]);

        Arc::make_mut(&mut self.tree).replace(id, &parse.tree);
        self.suite.cases[index].case = Arc::new(case);
        self.results[index] = Arc::new(result);
        self.suite.shift_after(span.start, grown);
        Some(())
    }
}

/// Splits errors into those outside of cases, and those of each case by its index, with spans from the start of the case.
fn split_by_case(
    errors: Vec<SyntaxError>,
    cases: &[PlacedCase],
) -> (Vec<SyntaxError>, HashMap<usize, Vec<SyntaxError>>) {
    let mut outside = Vec::new();
    let mut inside: HashMap<usize, Vec<SyntaxError>> = HashMap::new();
    for error in errors {
        let after = cases.partition_point(|case| case.start < error.span.start);
        let case = after.checked_sub(1).map(|index| (index, &cases[index]));
        // An error at the end of a case, for instance an unclosed brace, depends on what follows the case.
        match case.filter(|(_, case)| error.span.end < case.span().end) {
            Some((index, case)) => inside.entry(index).or_default().push(error.relative_to(case.start)),
            None => outside.push(error),
        }
    }
    (outside, inside)
}
