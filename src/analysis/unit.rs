use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use crate::diagnostic::Finding;
use crate::lints::{Workspace, case_findings};
use crate::schema::{Violation, case_violations};
use crate::suite::{Case, Version};
use crate::syntax::{Node, SyntaxError};

use super::memo::Memo;

/// What is known of one case; all spans count from its first byte, so that it holds wherever the case moves.
#[derive(Debug, Default)]
pub(super) struct Unit {
    /// The syntax errors within the case.
    pub(super) errors: Vec<SyntaxError>,
    /// A hash of the case's text and errors, to find it again after the whole document was parsed afresh.
    pub(super) fingerprint: u64,
    violations: Memo<Version, Arc<Vec<Violation>>>,
    findings: Memo<(Arc<Workspace>, Version), Arc<Vec<Finding>>>,
}

impl Unit {
    pub(super) fn new(text: &str, errors: Vec<SyntaxError>) -> Unit {
        Unit { fingerprint: fingerprint(text, &errors), errors, ..Unit::default() }
    }

    /// Where the case departs from its version's schema.
    pub(super) fn violations(&self, node: Node<'_>, version: Version) -> Arc<Vec<Violation>> {
        let same = |known: &Version, asked: &Version| known == asked;
        self.violations.get(version, same, |version| Arc::new(case_violations(node.relative(), (*version).into())))
    }

    /// What the lints find in the case.
    pub(super) fn findings(
        &self,
        case: &Case,
        node: Node<'_>,
        version: Version,
        workspace: &Arc<Workspace>,
    ) -> Arc<Vec<Finding>> {
        let same = |known: &(Arc<Workspace>, Version), asked: &(Arc<Workspace>, Version)| {
            Arc::ptr_eq(&known.0, &asked.0) && known.1 == asked.1
        };
        self.findings.get((Arc::clone(workspace), version), same, |_| {
            let violations = self.violations(node, version);
            Arc::new(case_findings(case, node, &self.errors, &violations, workspace))
        })
    }
}

pub(super) fn fingerprint(text: &str, errors: &[SyntaxError]) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    for error in errors {
        error.span.hash(&mut hasher);
    }
    hasher.finish()
}
