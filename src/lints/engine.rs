//! Runs the lints on a case or a suite, and what they may ask of it.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::checks::{Expectation, expectations};
use crate::config::{Allow, Reading};
use crate::diagnostic::{Finding, Severity};
use crate::schema::{Violation, ViolationKind};
use crate::suite::{Case, DetectedVersion, Group, PlacedCase, Suite};
use crate::syntax::{Kind, Mistake, Node, SyntaxError, mistakes};
use crate::text::Span;

use super::facts::claims::Claim;
use super::facts::patterns::{CasePattern, patterns_of};
use super::facts::weighing::Given;
use super::rules::other_format::OTHER_FORMAT;
use super::{Check, LINTS, Lint};

/// Lints that conclude something from a missing key. They are silent if the case has a key that is misspelt, misplaced
/// or from a later version, because it may be the missing one.
const FROM_ABSENCE: [&str; 8] = [
    "vacuous-case",
    "vacuous-outcome",
    "vacuous-weight",
    "vacuous-hard-fail",
    "unused-member",
    "ungrounded-number",
    "contradictory-outcome",
    "threshold-without-effect",
];

/// Lints that need the whole case: a value of the wrong type may be what they miss.
const FROM_SHAPE: [&str; 2] = ["broad-source", "threshold-without-effect"];

/// Returns the findings of all lints in a single case, at the default levels. `node` is its element of `cases`.
/// `errors` and `violations` are the errors in its syntax and its shape. All spans, also those of the findings, count
/// from its first byte.
///
/// If brackets or quotes of the case are in doubt, only its syntax errors are reported. Missing or contradictory parts
/// may be a consequence of them.
pub(crate) fn case_findings(
    case: &Case,
    node: Node<'_>,
    errors: &[SyntaxError],
    violations: &[Violation],
    workspace: &Workspace,
) -> Vec<Finding> {
    let node = node.relative();
    let mistakes = mistakes(node.text(), errors);
    if errors.iter().any(|error| !error.kind.is_local()) {
        return syntax_findings(&mistakes);
    }
    let (expectations, patterns) = (expectations(case), patterns_of(case, node));
    let context = CaseContext {
        case,
        node,
        expectations,
        workspace,
        patterns,
        claims: OnceCell::new(),
        weights: OnceCell::new(),
    };
    let is_in_doubt = violations.iter().any(|violation| match &violation.kind {
        ViolationKind::UnknownKey { meant, .. } => meant.is_some(),
        kind => matches!(kind, ViolationKind::FromLaterVersion { .. }),
    });
    let is_misshapen = violations.iter().any(|violation| matches!(violation.kind, ViolationKind::WrongType { .. }));
    let objects: Vec<_> = node.descendants().filter(|node| node.kind() == Kind::Object).collect();
    let mut findings = Vec::new();
    for lint in LINTS {
        let mut report = Report::new(lint);
        match lint.check {
            Check::Syntax(check) => report.each(&mistakes, check),
            Check::Object(check) => report.each(objects.iter().copied(), check),
            Check::Shape(check) => report.each(violations, |violation, report| check(violation, node, report)),
            Check::Case(_) if is_in_doubt && FROM_ABSENCE.contains(&lint.name) => {}
            Check::Case(_) if is_misshapen && FROM_SHAPE.contains(&lint.name) => {}
            Check::Case(check) => check(&context, &mut report),
            Check::Suite(_) => {}
        }
        findings.extend(report.into_findings());
    }
    findings
}

/// Returns the findings that [`case_findings`] does not: those outside of the cases, and those that involve several
/// cases. `errors` are the syntax errors outside of the cases, or all errors of the text if they leave the cases in
/// doubt. `source` is the whole text.
pub(crate) fn suite_findings(context: &SuiteContext<'_>, errors: &[SyntaxError], source: &str) -> Vec<Finding> {
    let mistakes = mistakes(source, errors);
    if errors.iter().any(|error| !error.kind.is_local()) {
        return syntax_findings(&mistakes);
    }
    let objects = frame_objects(context.root);
    let mut findings = Vec::new();
    for lint in LINTS {
        let mut report = Report::new(lint);
        match lint.check {
            Check::Syntax(check) => report.each(&mistakes, check),
            Check::Object(check) => report.each(objects.iter().copied(), check),
            Check::Shape(check) => {
                report.each(&context.violations, |violation, report| check(violation, context.root, report));
            }
            Check::Suite(check) => check(context, &mut report),
            Check::Case(_) => {}
        }
        findings.extend(report.into_findings());
    }
    // The format of another program has no keys that are missing or misspelt.
    if findings.iter().any(|finding| finding.lint == OTHER_FORMAT.name) {
        findings.retain(|finding| finding.lint == OTHER_FORMAT.name);
    }
    findings
}

fn syntax_findings(mistakes: &[Mistake]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for lint in LINTS {
        let Check::Syntax(check) = lint.check else { continue };
        let mut report = Report::new(lint);
        report.each(mistakes, check);
        findings.extend(report.into_findings());
    }
    findings
}

/// Returns the objects of a document that are not in a case.
fn frame_objects(root: Node<'_>) -> Vec<Node<'_>> {
    let cases = root.get("cases").filter(|cases| cases.kind() == Kind::Array);
    let mut objects = vec![root];
    for value in root.members().filter_map(|member| member.value).filter(|value| Some(*value) != cases) {
        objects.extend(value.descendants());
    }
    let is_case = |element: &Node<'_>| element.is_part() || element.kind() == Kind::Object;
    for element in cases.into_iter().flat_map(Node::elements).filter(|element| !is_case(element)) {
        objects.extend(element.descendants());
    }
    objects.retain(|node| node.kind() == Kind::Object);
    objects
}

/// A case as the lints see it; all spans start at its first byte.
pub(crate) struct CaseContext<'a> {
    /// The model.
    pub(crate) case: &'a Case,
    /// The text and tree.
    pub(crate) node: Node<'a>,
    /// The checks.
    pub(crate) expectations: Vec<Expectation<'a>>,
    /// The workspace.
    pub(crate) workspace: &'a Workspace,
    /// The patterns, in the order of the checks that try them.
    pub(super) patterns: Vec<CasePattern<'a>>,
    /// What its checks say about a response, once a lint has asked.
    pub(super) claims: OnceCell<Vec<Claim<'a>>>,
    /// The weights, once a lint has asked.
    pub(super) weights: OnceCell<Option<Given<'a>>>,
}

/// A suite as the lints see it; all spans start at the file's first byte.
pub(crate) struct SuiteContext<'a> {
    /// The model.
    pub(crate) suite: &'a Suite,
    /// The text and tree.
    pub(crate) root: Node<'a>,
    /// The version.
    pub(crate) version: DetectedVersion,
    /// Where the suite outside of its cases violates its schema.
    pub(crate) violations: Vec<Violation>,
    /// The cases with keys that its version does not have yet.
    pub(crate) cases: Vec<SuiteCase<'a>>,
    /// Whether two cases may have ids that are the same or look alike.
    pub(crate) has_repeated_ids: bool,
}

/// A case within its suite.
pub(crate) struct SuiteCase<'a> {
    /// The model of the case, and its start.
    pub(crate) placed: &'a PlacedCase,
    /// Where it violates its schema; spans start at its first byte.
    pub(crate) violations: &'a [Violation],
}

/// The most findings of a lint in one case, or in the suite outside of its cases, without the one about the
/// rest. A lint may search the whole case for each finding, so this bounds its time as well.
pub(crate) const MOST_FINDINGS: usize = 1_000;

/// Collects the findings of a lint.
pub(crate) struct Report {
    lint: &'static Lint,
    findings: Vec<Finding>,
    /// Takes what a lint adds to a finding over the limit.
    dropped: Option<Finding>,
}

impl Report {
    /// Creates an empty report of that lint.
    pub(crate) fn new(lint: &'static Lint) -> Self {
        Self { lint, findings: Vec::new(), dropped: None }
    }

    /// Adds a finding on `span`. The caller can add other places and fixes to the result.
    pub(crate) fn add(&mut self, span: Span, message: impl Into<String>) -> &mut Finding {
        let (name, level) = (self.lint.name, self.lint.level);
        if self.findings.len() < MOST_FINDINGS {
            self.findings.push(Finding::new(name, level, span, message));
            return self.findings.last_mut().expect("a finding was just added");
        }
        if !self.is_full() {
            let more = format!("this is found more than {MOST_FINDINGS} times; the rest is not listed");
            // An entry of `[[allow]]` for the case of this finding must not hide those of other cases.
            self.findings.push(Finding::new(name, level, Span::empty(0), more));
        }
        self.dropped.insert(Finding::new(name, level, span, ""))
    }

    /// Whether no more findings are listed, so that the lint need not search for them.
    pub(crate) fn is_full(&self) -> bool {
        self.findings.len() > MOST_FINDINGS
    }

    /// Passes each item to `check` until no more findings are listed.
    pub(crate) fn each<T>(&mut self, items: impl IntoIterator<Item = T>, mut check: impl FnMut(T, &mut Report)) {
        for item in items {
            if self.is_full() {
                return;
            }
            check(item, self);
        }
    }

    /// Returns the findings in the order in which they were added.
    pub(crate) fn into_findings(self) -> Vec<Finding> {
        self.findings
    }
}

impl<'a> CaseContext<'a> {
    /// Returns the node that covers exactly `span`: a value, a key or an entry of a list.
    pub(crate) fn node_at(&self, span: Span) -> Option<Node<'a>> {
        self.node.find(span)
    }

    /// Returns the checks of a group.
    pub(crate) fn checks_of(&self, group: Group) -> impl Iterator<Item = &Expectation<'a>> {
        self.expectations.iter().filter(move |check| check.group == Some(group))
    }

    /// Returns whether a transcript can fail a check of that group.
    pub(crate) fn can_fail(&self, group: Group) -> bool {
        self.checks_of(group).any(|check| check.rule.can_fail())
    }
}

/// What the lints know about the workspace of a suite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Workspace {
    /// The levels of lints from the configuration; `None` turns a lint off.
    pub(crate) levels: BTreeMap<String, Option<Severity>>,
    /// The UI hints from the configuration.
    pub ui_hints: BTreeSet<String>,
    /// The preconditions from the configuration.
    pub(crate) preconditions: BTreeSet<String>,
    /// The tools in the workspace's transcripts and telemetry logs, with their counts; empty if there are none.
    pub tools: BTreeMap<String, usize>,
    /// The tools that the suites on disk name, with their counts. They may not exist.
    pub(crate) named_tools: BTreeMap<String, usize>,
    /// The tools that the configuration calls known.
    pub(crate) known_tools: BTreeSet<String>,
    /// The phrases of the sources that the configuration defines.
    pub(crate) sources: BTreeMap<String, Vec<String>>,
    /// Whether the prompt's own words can pass a check.
    pub(crate) prompt_words: PromptWords,
    /// In which forms answers are searched.
    pub(crate) reading: Reading,
    /// The folder of the configuration's file, if there is one. Absolute.
    pub(crate) root: Option<PathBuf>,
    /// The findings that the configuration allows.
    pub(crate) allowed: Vec<Allow>,
}

/// Whether the prompt's own words can pass a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PromptWords {
    /// The words count on a page that shows the prompt beside the answer.
    Shown,
    /// An answer can repeat them.
    #[default]
    Repeated,
    /// The words are not evidence.
    Ignored,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_name_lints_of_cases() {
        for name in FROM_ABSENCE.iter().chain(&FROM_SHAPE) {
            let lint = LINTS.iter().find(|lint| lint.name == *name).unwrap_or_else(|| panic!("no lint {name}"));
            assert!(matches!(lint.check, Check::Case(_)), "{name}");
        }
    }
}
