//! The findings that `[[allow]]` in `eval-ls.toml` leaves out.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use crate::config::Allow;
use crate::lints::Workspace;
use crate::suite::Suite;
use crate::text::Span;

use super::placed_finding::PlacedFinding;

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

    use super::*;
    use crate::analysis::{Document, lint_names, workspace_of};
    use crate::config::Config;
    use crate::text::Text;

    const SUITE: &str = r#"{ "cases": [
        { "id": "A1", "prompt": "p", "expected": {} },
        { "id": "A2", "prompt": "q", "expected": {} },
        { "id": "A2", "prompt": "q", "expected": { "must_say_any": ["x"] } }
    ] }"#;

    fn checked(config: &str, file: &str) -> (Vec<(String, String)>, AllowedUse) {
        let (config, errors) = Config::parse(config, &lint_names());
        assert_eq!(errors, []);
        let root = std::path::absolute("evals").unwrap();
        let workspace = Arc::new(Workspace { root: Some(root), ..workspace_of(&config) });
        let document = Document::new(Text::new(SUITE), Some(PathBuf::from("evals").join(file)));
        let findings = document.findings(&workspace);
        let shown = findings.iter().map(|found| (found.lint.to_owned(), SUITE[found.span.range()].to_owned()));
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
