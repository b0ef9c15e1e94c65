use std::sync::Arc;

use crate::diagnostic::{Finding, Severity};
use crate::text::Span;

/// The findings of one case, or those of the suite, before the configuration applies.
#[derive(Clone, Debug)]
pub(crate) struct FindingGroup {
    findings: Arc<Vec<Finding>>,
    /// The byte of the document from which the spans count.
    pub(crate) start: usize,
}

impl FindingGroup {
    /// The `findings`, whose spans count from the byte `start`.
    pub(super) fn new(findings: Arc<Vec<Finding>>, start: usize) -> FindingGroup {
        FindingGroup { findings, start }
    }

    /// Whether it has no findings.
    pub(crate) fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// Whether one of the findings has a safe fix.
    pub(super) fn has_safe_fix(&self) -> bool {
        self.findings.iter().any(|finding| finding.fixes.iter().any(|fix| fix.safe))
    }

    /// Returns each finding.
    pub(super) fn all(&self) -> impl Iterator<Item = PlacedFinding> {
        let place = |(index, finding): (usize, &Finding)| PlacedFinding {
            findings: Arc::clone(&self.findings),
            index,
            start: self.start,
            severity: finding.severity,
        };
        self.findings.iter().enumerate().map(place)
    }
}

/// A finding in a document, without a copy of it.
#[derive(Clone, Debug)]
pub(crate) struct PlacedFinding {
    /// The findings of one case, or those of the suite.
    findings: Arc<Vec<Finding>>,
    index: usize,
    /// The byte of the document from which the finding's spans count.
    pub(crate) start: usize,
    /// The severity, after the configuration applies.
    pub(crate) severity: Severity,
}

impl PlacedFinding {
    /// Returns each of the `findings`, whose spans count from the start of the document.
    pub(crate) fn all(findings: &Arc<Vec<Finding>>) -> Vec<PlacedFinding> {
        FindingGroup::new(Arc::clone(findings), 0).all().collect()
    }

    fn finding(&self) -> &Finding {
        &self.findings[self.index]
    }

    /// The lint's name.
    pub(crate) fn lint(&self) -> &'static str {
        self.finding().lint
    }

    /// The place, in bytes of the document.
    pub(crate) fn span(&self) -> Span {
        self.finding().span.shifted_by(self.start)
    }

    /// What findings are sorted by, if its spans count from the byte `start`.
    pub(crate) fn order_from(&self, start: usize) -> (Span, &'static str) {
        (self.finding().span.shifted_by(start), self.lint())
    }

    /// Whether a safe fix can be applied to it.
    pub(crate) fn has_safe_fix(&self) -> bool {
        self.finding().fixes.iter().any(|fix| fix.safe)
    }

    /// A copy with spans in the document.
    pub(crate) fn to_finding(&self) -> Finding {
        Finding { severity: self.severity, ..self.finding().clone().shifted_by(self.start) }
    }
}
