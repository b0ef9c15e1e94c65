use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diagnostic::{Cause, Finding, Severity};
use crate::text::{Span, counted};

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

    /// What causes it, if other cases can have the same cause.
    pub(crate) fn cause(&self) -> Option<&Cause> {
        self.finding().cause.as_ref()
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
}

/// How many other places a finding names: editors list all of them, and nobody reads more.
const MOST_PLACES: usize = 20;

/// One finding for each cause, where it is first found. It names the other places. `found` have a cause.
pub(crate) fn one_for_each_cause<'f>(found: impl IntoIterator<Item = &'f PlacedFinding>) -> Vec<PlacedFinding> {
    let mut by_cause: BTreeMap<_, Vec<&PlacedFinding>> = BTreeMap::new();
    for finding in found {
        by_cause.entry(finding.cause()).or_default().push(finding);
    }
    let joined = by_cause.into_values().filter_map(|mut all| {
        all.sort_by_key(|finding| finding.span());
        let (first, others) = all.split_first()?;
        let mut joined = first.to_finding();
        if !others.is_empty() {
            joined.message += &format!("; the same in {}", counted(others.len(), "more place"));
        }
        for other in others.iter().take(MOST_PLACES) {
            joined.also(other.span(), "the same here");
        }
        Some(joined)
    });
    PlacedFinding::all(&Arc::new(joined.collect()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::analysis::{Document, lint_names, workspace_of};
    use crate::config::Config;
    use crate::lints::Workspace;
    use crate::text::Text;

    const SUITE: &str = r#"{ "cases": [
        { "id": "A1", "prompt": "Open the list.", "expected": { "must_say_any": ["list"], "ui": ["A list is shown."] } },
        { "id": "A2", "prompt": "Book Thursday.", "expected": { "must_say_any": ["thursday"], "ui": ["A day is shown.", "A list is shown."] } },
        { "id": "A3", "prompt": "q", "expected": { "required_sources": ["github", "slack"] } },
        { "id": "A4", "prompt": "r", "expected": { "required_sources": ["slack"], "must_say_any": ["s"] } }
    ] }"#;

    /// The findings of the suite: the lint, the text, and how many other places it names.
    fn found(config: &str) -> Vec<(&'static str, &'static str, usize)> {
        let (config, errors) = Config::parse(config, &lint_names());
        assert_eq!(errors, []);
        let workspace = Arc::new(Workspace { ..workspace_of(&config) });
        let findings = Document::new(Text::new(SUITE), None).findings(&workspace);
        findings.iter().map(|found| (found.lint, &SUITE[found.span.range()], found.related.len())).collect()
    }

    #[test]
    fn one_cause_is_one_finding() {
        let all = [
            ("said-by-prompt", "[\"list\"]", 2),
            ("undefined-ui-hint", "\"A list is shown.\"", 2),
            ("broad-source", "\"github\"", 0),
            ("broad-source", "\"slack\"", 1),
        ];
        assert_eq!(found(""), all);
        assert_eq!(found("[scoring]\nprompt_counts = false"), all[1..]);
        let allowed = "[[allow]]\nlint = 'said-by-prompt'\ncases = 'A1'\nreason = 'r'";
        let left = [all[1], ("said-by-prompt", "[\"thursday\"]", 1), all[2], all[3]];
        assert_eq!(found(allowed), left);
    }
}
