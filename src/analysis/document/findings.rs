//! The findings of a document: those of each case, which stay while its text is the same, and those of the suite.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use crate::analysis::placed_finding::{Allowed, AllowedUse, FindingGroup, PlacedFinding, one_for_each_cause};
use crate::diagnostic::{Finding, Severity};
use crate::lints::{MOST_FINDINGS, SuiteCase, SuiteContext, Workspace, suite_findings};
use crate::schema::{Violation, frame_violations};
use crate::suite::{DetectedVersion, Suite, Version};
use crate::syntax::Node;
use crate::text::{Span, counted};

use super::{Document, FEW_CASES, Repeats};

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
        has_repeated_ids: repeats.has_ids(),
        has_repeated_prompts: repeats.has_prompts(),
    }
}
