use std::sync::Arc;

use crate::diagnostic::{Finding, Severity};
use crate::text::Span;

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
    /// Returns each of the `findings`, whose spans count from the byte `start`.
    pub(crate) fn all(findings: &Arc<Vec<Finding>>, start: usize) -> impl Iterator<Item = PlacedFinding> {
        let place = move |(index, finding): (usize, &Finding)| PlacedFinding {
            findings: Arc::clone(findings),
            index,
            start,
            severity: finding.severity,
        };
        findings.iter().enumerate().map(place)
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

    /// Whether a safe fix can be applied to it.
    pub(crate) fn has_safe_fix(&self) -> bool {
        self.finding().fixes.iter().any(|fix| fix.safe)
    }

    /// A copy with spans in the document.
    pub(crate) fn to_finding(&self) -> Finding {
        Finding { severity: self.severity, ..self.finding().clone().shifted_by(self.start) }
    }

    /// A number that no other finding has for as long as this value exists.
    pub(crate) fn identity(&self) -> usize {
        std::ptr::from_ref(self.finding()).addr()
    }
}
