//! Suites that are read once and never edited. Nothing is kept to read a part of them again, so a large suite needs less
//! memory and time than a document.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use super::{Document, Repeats};
use crate::analysis::allowed::Allowed;
use crate::analysis::placed_finding::{FindingGroup, PlacedFinding};
use crate::lints::{SuiteCase, SuiteContext, Workspace, case_findings, suite_findings};
use crate::schema::{Violation, case_violations, frame_violations};
use crate::suite::{Case, DetectedVersion, PlacedCase, Suite, Version};
use crate::syntax::{Node, parse};
use crate::text::Text;

/// A suite, and whether its text is valid JSON.
pub(crate) struct ReadOnce {
    /// The suite.
    pub(crate) suite: Suite,
    /// Whether the text is valid JSON.
    pub(crate) is_well_formed: bool,
}

/// How many cases a thread reads at once.
const CASES_TOGETHER: usize = 512;

/// A case, its findings, and whether it has a key that its version does not have yet.
type LintedCase = (PlacedCase, FindingGroup, bool);

/// Reads a suite, and passes the findings of [`Document::findings`] to `take`, in no certain order. `path` is its file, if
/// it has one.
pub(crate) fn lint_once(
    text: &Text,
    path: Option<&Path>,
    workspace: &Arc<Workspace>,
    mut take: impl FnMut(&PlacedFinding),
) -> ReadOnce {
    let source = text.as_str();
    let parsed = parse(source);
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
    let mut take_group = |group: &FindingGroup, suite: &Suite| {
        let reported =
            group.all().filter_map(|finding| Document::reported_finding(finding, workspace, &allowed, suite));
        reported.for_each(|finding| take(&finding));
    };
    let nodes: Vec<Node<'_>> = Suite::case_nodes(root).collect();
    let (mut repeats, mut later) = (Repeats::default(), Vec::new());
    in_threads(
        &nodes,
        |node| linted(*node, version.version, workspace),
        |(placed, group, has_later_key)| {
            repeats.add(&placed.case);
            later.extend(has_later_key.then_some(suite.cases.len()));
            suite.cases.push(placed);
            take_group(&group, &suite);
        },
    );
    let violations: Vec<_> = later.iter().map(|index| violations(nodes[*index], version.version)).collect();
    let cases = later.iter().zip(&violations);
    let context = SuiteContext {
        suite: &suite,
        root,
        version,
        path,
        violations: frame_violations(root, version.version.into()),
        cases: cases.map(|(index, violations)| SuiteCase { placed: &suite.cases[*index], violations }).collect(),
        has_repeated_ids: repeats.has_ids(),
        has_repeated_prompts: repeats.has_prompts(),
    };
    take_group(&FindingGroup::new(Arc::new(suite_findings(&context, &[], source)), 0), &suite);
    ReadOnce { suite, is_well_formed: true }
}

fn linted(node: Node<'_>, version: Version, workspace: &Workspace) -> LintedCase {
    let case = Case::lower(node);
    let violations = violations(node, version);
    let (findings, _) = case_findings(&case, node, &[], &violations, workspace);
    let placed = PlacedCase { start: node.span().start, case: Arc::new(case) };
    let group = FindingGroup::new(Arc::new(findings), placed.start);
    (placed, group, violations.iter().any(Violation::is_of_later_version))
}

fn violations(node: Node<'_>, version: Version) -> Vec<Violation> {
    case_violations(node.relative(), version.into())
}

/// Calls `make` for each item, in several threads if they are many, and `take` with the results in order.
fn in_threads<T: Sync, M: Send>(items: &[T], make: impl Fn(&T) -> M + Sync, mut take: impl FnMut(M)) {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    for part in items.chunks(threads * CASES_TOGETHER) {
        if threads < 2 || part.len() < CASES_TOGETHER / 8 {
            part.iter().for_each(|item| take(make(item)));
            continue;
        }
        let make = &make;
        let made: Vec<Vec<M>> = thread::scope(|scope| {
            let parts = part.chunks(part.len().div_ceil(threads));
            let begun: Vec<_> = parts.map(|items| scope.spawn(move || items.iter().map(make).collect())).collect();
            begun.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
        });
        made.into_iter().flatten().for_each(&mut take);
    }
}
