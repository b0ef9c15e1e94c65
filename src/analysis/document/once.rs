//! Suites that are read once and never edited. Nothing is kept to read a part of them again, so a large suite needs less
//! memory and time than a document.

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::findings::context;
use super::{Document, FEW_CASES, Repeats};
use crate::analysis::allowed::Allowed;
use crate::analysis::placed_finding::{FindingGroup, PlacedFinding, one_for_each_cause};
use crate::lints::{Workspace, case_findings, suite_findings};
use crate::schema::{Violation, case_violations};
use crate::suite::{Case, DetectedVersion, PlacedCase, Suite, Version};
use crate::syntax::{Node, parse_in_parts};
use crate::text::Text;

/// A suite, and whether its text is valid JSON.
pub(crate) struct ReadOnce {
    /// The suite.
    pub(crate) suite: Suite,
    /// Whether the text is valid JSON.
    pub(crate) is_well_formed: bool,
}

/// How many cases are read before their findings are passed on. Threads share a portion, and its findings stay in memory.
const CASES_TOGETHER: usize = 2048;

/// A case, its findings, and where it violates its schema if it has a key that its version does not have yet.
type LintedCase = (PlacedCase, FindingGroup, Option<Arc<Vec<Violation>>>);

/// Reads a suite, and passes the findings of [`Document::findings`] to `take`, in no certain order. `path` is its file, if
/// it has one.
pub(crate) fn lint_once(
    text: &Text,
    path: Option<&Path>,
    workspace: &Arc<Workspace>,
    mut take: impl FnMut(&PlacedFinding),
) -> ReadOnce {
    let source = text.as_str();
    let parsed = parse_in_parts(source, "cases");
    if !parsed.errors.is_empty() {
        let document = Document::new(text.clone(), path.map(Path::to_owned));
        let findings = document.placed_findings(workspace);
        findings.iter().for_each(take);
        return ReadOnce { suite: document.suite, is_well_formed: false };
    }
    let root = parsed.tree.root(source).expect("the parser gives every text a root");
    let mut suite = Suite::lower_frame(root);
    let version = DetectedVersion::detect(suite.version.as_ref().map(|field| field.value.as_str()), path);
    let allowed = Allowed::of(workspace, path);
    let mut shared = Vec::new();
    let mut take_group = |group: &FindingGroup, suite: &Suite| {
        let reported =
            group.all().filter_map(|finding| Document::reported_finding(finding, workspace, &allowed, suite));
        for finding in reported {
            if finding.cause().is_some() { shared.push(finding) } else { take(&finding) }
        }
    };
    let nodes: Vec<Node<'_>> = Suite::case_nodes(root).collect();
    let (mut repeats, mut later) = (Repeats::default(), Vec::new());
    for part in nodes.chunks(CASES_TOGETHER) {
        let read = part.par_iter().with_min_len(FEW_CASES).map(|node| linted(*node, version.version, workspace));
        for (placed, group, of_later_version) in read.collect::<Vec<_>>() {
            repeats.add(&placed.case);
            later.extend(of_later_version.map(|violations| (suite.cases.len(), violations)));
            suite.cases.push(placed);
            take_group(&group, &suite);
        }
    }
    let context = context(&suite, root, version, path, &repeats, &later);
    take_group(&FindingGroup::new(Arc::new(suite_findings(&context, &[], source)), 0), &suite);
    one_for_each_cause(&shared).iter().for_each(take);
    ReadOnce { suite, is_well_formed: true }
}

fn linted(node: Node<'_>, version: Version, workspace: &Workspace) -> LintedCase {
    let case = Case::lower(node);
    let violations = case_violations(node.relative(), version.into());
    let (findings, _) = case_findings(&case, node, &[], &violations, workspace);
    let placed = PlacedCase { start: node.span().start, case: Arc::new(case) };
    let group = FindingGroup::new(Arc::new(findings), placed.start);
    let is_later = violations.iter().any(Violation::is_of_later_version);
    (placed, group, is_later.then(|| Arc::new(violations)))
}
