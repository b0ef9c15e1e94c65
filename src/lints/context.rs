use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::diagnostic::{Finding, Severity};
use crate::schema::Violation;
use crate::suite::{Case, DetectedVersion, Expectation, Group, PlacedCase, Suite};
use crate::syntax::Node;
use crate::text::Span;

use super::Lint;
use super::facts::patterns::CasePattern;

/// What the lints know of the workspace around a suite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Workspace {
    /// The levels that the configuration gives to lints; `None` turns one off.
    pub levels: BTreeMap<String, Option<Severity>>,
    /// The UI hints that it defines.
    pub ui_hints: BTreeSet<String>,
    /// The tools that its transcripts and telemetry logs have shown, and how often; empty where there are none.
    pub tools: BTreeMap<String, usize>,
    /// The tools that its suites name, as they are on disk, and how often. They need not exist.
    pub named_tools: BTreeMap<String, usize>,
}

/// A case as the lints see it; all spans count from its first byte.
pub struct CaseContext<'a> {
    /// What it says.
    pub case: &'a Case,
    /// Its text and tree.
    pub node: Node<'a>,
    /// The checks that a run makes of it.
    pub expectations: Vec<Expectation<'a>>,
    /// What is around it.
    pub workspace: &'a Workspace,
    /// Its patterns, in the order of the checks that try them.
    pub(super) patterns: Vec<CasePattern<'a>>,
}

/// A suite as the lints see it; all spans count from the file's start.
pub struct SuiteContext<'a> {
    /// What it says.
    pub suite: &'a Suite,
    /// Its text and tree.
    pub root: Node<'a>,
    /// Its version.
    pub version: DetectedVersion,
    /// Its file, where it has one.
    pub path: Option<&'a Path>,
    /// Where the suite, its cases aside, departs from its schema.
    pub violations: Vec<Violation>,
    /// Its cases.
    pub cases: Vec<SuiteCase<'a>>,
}

/// A case within its suite.
pub struct SuiteCase<'a> {
    /// What it says and where it starts.
    pub placed: &'a PlacedCase,
    /// Where it departs from its schema; spans count from its first byte.
    pub violations: &'a [Violation],
}

/// Takes what a lint finds.
pub struct Report {
    lint: &'static Lint,
    findings: Vec<Finding>,
}

impl Report {
    /// A report of that lint, empty yet.
    pub fn new(lint: &'static Lint) -> Self {
        Self { lint, findings: Vec::new() }
    }

    /// Reports the fault on `span`; the answer is there to add other places and fixes.
    pub fn add(&mut self, span: Span, message: impl Into<String>) -> &mut Finding {
        self.findings.push(Finding::new(self.lint.name, self.lint.level, span, message));
        self.findings.last_mut().expect("a finding was just added")
    }

    /// What was reported, in the order in which it was.
    pub fn into_findings(self) -> Vec<Finding> {
        self.findings
    }
}

impl<'a> CaseContext<'a> {
    /// The node that covers exactly `span`: a value, a key or an entry of a list.
    pub fn node_at(&self, span: Span) -> Option<Node<'a>> {
        self.node.find(span)
    }

    /// The checks that feed a group.
    pub fn checks_of(&self, group: Group) -> impl Iterator<Item = &Expectation<'a>> {
        self.expectations.iter().filter(move |check| check.group == Some(group))
    }

    /// Whether some transcript fails a check of that group.
    pub fn can_fail(&self, group: Group) -> bool {
        self.checks_of(group).any(Expectation::can_fail)
    }
}
