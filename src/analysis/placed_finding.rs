//! The findings that `[[allow]]` in `eval-ls.toml` leaves out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path};
use std::sync::Arc;

use crate::config::Allow;
use crate::diagnostic::{Cause, Finding, Severity};
use crate::lints::Workspace;
use crate::suite::Suite;
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

/// The entries of `[[allow]]` that are about one file.
pub(super) struct Allowed<'a> {
    entries: Vec<(usize, &'a Allow)>,
}

/// What the entries of `[[allow]]` do in a suite, by their index in the configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AllowedUse {
    /// The entries that are about the file, or about a case of it.
    pub(crate) about: BTreeSet<usize>,
    /// Those of them that leave out a finding.
    pub(crate) used: BTreeSet<usize>,
}

impl<'a> Allowed<'a> {
    /// The entries about the suite at `path`.
    pub(super) fn of(workspace: &'a Workspace, path: Option<&Path>) -> Allowed<'a> {
        if workspace.allowed.is_empty() {
            return Allowed { entries: Vec::new() };
        }
        let path = path.zip(workspace.root.as_deref()).and_then(|(path, root)| relative(path, root));
        let entries = workspace.allowed.iter().enumerate();
        Allowed { entries: entries.filter(|(_, entry)| entry.is_about_file(path.as_deref())).collect() }
    }

    /// The index of the first entry that leaves out a finding of `lint` on `span`.
    pub(super) fn entry_of(&self, lint: &str, span: Span, suite: &Suite) -> Option<usize> {
        let mut of_lint = self.entries.iter().filter(|(_, entry)| entry.lint == lint).peekable();
        of_lint.peek()?;
        let case = suite.case_at(span.start).and_then(|(_, placed)| placed.case.id.as_ref());
        let id = case.map(|id| id.value.as_str());
        of_lint.find(|(_, entry)| entry.is_about_case(id)).map(|(index, _)| *index)
    }

    /// What the entries do in a suite with these findings.
    pub(super) fn uses(&self, findings: &[PlacedFinding], suite: &Suite) -> AllowedUse {
        let ids: Vec<_> = suite.cases.iter().filter_map(|placed| placed.case.id.as_ref()).collect();
        let is_about =
            |entry: &Allow| entry.cases.is_none() || ids.iter().any(|id| entry.is_about_case(Some(&id.value)));
        AllowedUse {
            about: self.entries.iter().filter(|(_, entry)| is_about(entry)).map(|(index, _)| *index).collect(),
            used: findings.iter().filter_map(|found| self.entry_of(found.lint(), found.span(), suite)).collect(),
        }
    }
}

/// The path from the folder `root` to the file, with `/` between its parts; `None` for a file elsewhere.
pub(crate) fn relative(path: &Path, root: &Path) -> Option<String> {
    let path = std::path::absolute(path).ok()?;
    let parts = path.strip_prefix(root).ok()?.components();
    let names = parts.map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    Some(names.collect::<Option<Vec<_>>>()?.join("/"))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use crate::analysis::{Document, lint_names, workspace_of};
    use crate::config::Config;
    use crate::lints::Workspace;
    use crate::text::Text;

    use super::*;

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

    const TWO_CASES: &str = r#"{ "cases": [
        { "id": "A1", "prompt": "p", "expected": {} },
        { "id": "A2", "prompt": "q", "expected": {} },
        { "id": "A2", "prompt": "q", "expected": { "must_say_any": ["x"] } }
    ] }"#;

    fn checked(config: &str, file: &str) -> (Vec<(String, String)>, AllowedUse) {
        let (config, errors) = Config::parse(config, &lint_names());
        assert_eq!(errors, []);
        let root = std::path::absolute("evals").unwrap();
        let workspace = Arc::new(Workspace { root: Some(root), ..workspace_of(&config) });
        let document = Document::new(Text::new(TWO_CASES), Some(PathBuf::from("evals").join(file)));
        let findings = document.findings(&workspace);
        let shown = findings.iter().map(|found| (found.lint.to_owned(), TWO_CASES[found.span.range()].to_owned()));
        (shown.collect(), document.allowed_use(&workspace))
    }

    fn lints(config: &str, file: &str) -> Vec<String> {
        checked(config, file).0.into_iter().map(|(lint, _)| lint).collect()
    }

    #[test]
    fn an_entry_leaves_out_findings_of_its_lint_in_its_cases_and_files() {
        let all = ["vacuous-case", "vacuous-case", "duplicate-case-id", "repeated-prompt"];
        assert_eq!(lints("", "a.json"), all);
        for (entry, left) in [
            ("lint = 'vacuous-case'\ncases = 'A1'", &all[1..]),
            ("lint = 'vacuous-case'\ncases = 'A*'", &all[2..]),
            ("lint = 'vacuous-case'\nfiles = ['*.json']", &all[2..]),
            ("lint = 'vacuous-case'\ncases = 'A?'\nfiles = ['b.json']", &all[..]),
            ("lint = 'duplicate-case-id'\ncases = 'A2'", &["vacuous-case", "vacuous-case", "repeated-prompt"]),
            ("lint = 'empty-prompt'\ncases = '*'", &all),
        ] {
            assert_eq!(lints(&format!("[[allow]]\n{entry}\nreason = 'r'"), "a.json"), left, "{entry}");
        }
    }

    #[test]
    fn the_use_of_entries_is_known() {
        let entries = "[[allow]]\nlint = 'vacuous-case'\ncases = 'A1'\nreason = 'r'\n\
            [[allow]]\nlint = 'empty-prompt'\ncases = 'A1'\nreason = 'r'\n\
            [[allow]]\nlint = 'vacuous-case'\ncases = 'B1'\nreason = 'r'\n";
        let uses = checked(entries, "a.json").1;
        assert_eq!(uses, AllowedUse { about: [0, 1].into(), used: [0].into() });
    }
}
