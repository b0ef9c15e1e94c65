//! The findings of a document: those of each case and of the suite as a whole, with the levels of the configuration and without those that
//! `[[allow]]` in `eval-ls.toml` leaves out.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::num::NonZeroU64;
use std::ops::Range;
use std::path::{Component, Path};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use crate::config::{Allow, Config};
use crate::diagnostic::{Finding, Severity};
use crate::lints::{
    DUPLICATE_CASE_ID, LINTS, MISSING_KEY, MOST_FINDINGS, PromptWords, SuiteCase, SuiteContext, Workspace,
    suite_findings,
};
use crate::schema::{Violation, frame_violations};
use crate::suite::{Suite, Version};
use crate::text::{Span, Text, alike, counted};

use super::document::{Document, FEW_CASES, hash_of};

/// How many cases are linted at once. Threads share one portion.
const CASES_TOGETHER: usize = 256;

/// If more cases than this are linted, their findings are kept in outline: no more of them are listed.
const MOST_WHOLE: usize = 1000;

impl Document {
    /// The findings of all lints, with the levels of the workspace, in the order of the text. If a lint has many, the first
    /// ones and how many are left out.
    pub fn findings(&self, workspace: &Arc<Workspace>) -> Vec<Finding> {
        let mut placed = self.placed_findings(workspace);
        placed.sort_by_key(|finding| (finding.span(), finding.lint()));
        let mut counts: HashMap<&str, usize> = HashMap::new();
        let mut more: BTreeMap<(&str, Severity), (Span, usize)> = BTreeMap::new();
        let mut findings = Vec::new();
        for finding in &placed {
            let count = counts.entry(finding.lint()).or_default();
            *count += 1;
            // One case can have one more than that: the finding about the rest.
            if *count <= MOST_FINDINGS + 1 {
                findings.extend(self.whole(finding, workspace));
            } else {
                more.entry((finding.lint(), finding.severity)).or_insert((finding.span(), 0)).1 += 1;
            }
        }
        findings.extend(more.into_iter().map(|((lint, severity), (first, count))| {
            let message = format!("{} of `{lint}` from here on are not listed", counted(count, "more finding"));
            Finding::new(lint, severity, first, message)
        }));
        findings
    }

    /// The reported findings, not copied and in no certain order. Those with one cause are one, where it is first found, which names the
    /// other places.
    pub(crate) fn placed_findings(&self, workspace: &Arc<Workspace>) -> Vec<PlacedFinding> {
        let reported = self.reported(0..self.results().len(), workspace);
        let (shared, mut own): (Vec<_>, Vec<_>) = reported.partition(|finding| finding.outline().cause.is_some());
        let mut by_cause: HashMap<_, Vec<&PlacedFinding>> = HashMap::new();
        for finding in &shared {
            by_cause.entry(finding.outline().cause).or_default().push(finding);
        }
        let joined = by_cause.into_values().filter_map(|mut all| {
            all.sort_by_key(|finding| finding.span());
            let (first, others) = all.split_first()?;
            let mut joined = self.whole(first, workspace)?;
            if !others.is_empty() {
                joined.message += &format!("; the same in {}", counted(others.len(), "more place"));
            }
            for other in others.iter().take(MOST_PLACES) {
                joined.also(other.span(), "the same here");
            }
            Some(joined)
        });
        own.extend(PlacedFinding::all(Arc::new(CaseFindings::of(joined.collect(), true)), 0));
        own
    }

    /// A copy of a finding, with spans in the document. `None` if another lint of its case does not find it again.
    pub(crate) fn whole(&self, found: &PlacedFinding, workspace: &Workspace) -> Option<Finding> {
        let whole = found.findings.whole.get_or_init(|| {
            let Some((index, placed)) = self.suite().case_at(found.start) else { return Vec::new() };
            let node = self.case_node(index).expect("each case has a node");
            self.results()[index].lint(&placed.case, node, self.version().version, workspace)
        });
        let outline = found.outline();
        let mut likely = whole.get(found.index).into_iter().chain(whole);
        let same = likely.find(|other| (other.lint, other.span) == (outline.lint, outline.span))?;
        Some(Finding { severity: found.severity, ..same.clone().shifted_by(found.start) })
    }

    /// Why the cases with errors cannot be judged, by the index of the case: the first error of each, with its line. The other value is
    /// true if an error is in no case. If cases `may_lack_keys`, a key that a case itself lacks does not count.
    pub(crate) fn faults(&self, workspace: &Arc<Workspace>, may_lack_keys: bool) -> (BTreeMap<usize, String>, bool) {
        let reported = self.reported(0..self.results().len(), workspace);
        let errors = self.in_order(reported.filter(|finding| finding.severity == Severity::Error), workspace);
        let (mut faults, mut is_elsewhere) = (BTreeMap::new(), false);
        for error in &errors {
            let line = self.text().line_column(error.span.start).line;
            let reason = || format!("line {line}: {} ({})", error.message, error.lint);
            // The other case with the same id is at fault, too.
            let same =
                error.related.iter().map(|related| related.span).filter(|_| error.lint == DUPLICATE_CASE_ID.name);
            for span in std::iter::once(error.span).chain(same) {
                match self.suite().case_at(span.start).filter(|(_, case)| span.end <= case.span().end) {
                    // Keys that an object within the case lacks are always errors.
                    Some((_, case)) if may_lack_keys && error.lint == MISSING_KEY.name && span.start == case.start => {}
                    Some((index, _)) => _ = faults.entry(index).or_insert_with(reason),
                    None => is_elsewhere = true,
                }
            }
        }
        (faults, is_elsewhere)
    }

    /// Whether a finding that is reported has a safe fix.
    pub(crate) fn has_safe_fix(&self, workspace: &Arc<Workspace>) -> bool {
        self.reported(0..self.results().len(), workspace).any(|finding| finding.outline().has_safe_fix)
    }

    /// The lints with two likely fixes or more in the text.
    pub(crate) fn lints_with_fixes(&self, workspace: &Arc<Workspace>) -> BTreeSet<&'static str> {
        let reported = self.reported(0..self.results().len(), workspace);
        let fixable: Vec<_> =
            reported.filter(|found| found.outline().has_likely_fix).map(|found| found.lint()).collect();
        fixable.iter().copied().filter(|lint| fixable.iter().filter(|other| *other == lint).nth(1).is_some()).collect()
    }

    /// The findings that a span touches, in the order of the text, without those of lints that are off, and with the levels of the
    /// workspace. Lints only the cases there.
    pub(crate) fn findings_in(&self, span: Span, workspace: &Arc<Workspace>) -> Vec<Finding> {
        let reported = self.reported(self.suite().cases_in(span), workspace);
        let touched = reported.filter(|found| found.span().start <= span.end && span.start <= found.span().end);
        self.in_order(touched, workspace)
    }

    /// The findings of the lints in the case with that index, before levels apply.
    pub(crate) fn case_findings(&self, index: usize, workspace: &Arc<Workspace>) -> Vec<Finding> {
        let linted = self.linted(index..index + 1, workspace).flatten();
        linted.filter_map(|finding| self.whole(&finding, workspace)).collect()
    }

    /// Copies of findings, in the order of the text.
    fn in_order(&self, found: impl Iterator<Item = PlacedFinding>, workspace: &Workspace) -> Vec<Finding> {
        let mut findings: Vec<_> = found.filter_map(|finding| self.whole(&finding, workspace)).collect();
        findings.sort_by_key(|finding| (finding.span, finding.lint));
        findings
    }

    /// What the entries of `[[allow]]` do in this suite.
    pub(crate) fn allowed_use(&self, workspace: &Arc<Workspace>) -> AllowedUse {
        let (suite, allowed) = (self.suite(), Allowed::of(workspace, self.path()));
        let ids: Vec<_> = suite.cases.iter().filter_map(|placed| placed.case.id.as_ref()).collect();
        let is_about =
            |entry: &Allow| entry.cases.is_none() || ids.iter().any(|id| entry.is_about_case(Some(&id.value)));
        let findings = self.all_findings(0..self.results().len(), workspace);
        AllowedUse {
            about: allowed.entries.iter().filter(|(_, entry)| is_about(entry)).map(|(index, _)| *index).collect(),
            used: findings.filter_map(|found| allowed.entry_of(found.lint(), found.span(), suite)).collect(),
        }
    }

    /// The findings of the cases in a range and of the suite that are reported, with their levels.
    fn reported(&self, cases: Range<usize>, workspace: &Arc<Workspace>) -> impl Iterator<Item = PlacedFinding> {
        let allowed = Allowed::of(workspace, self.path());
        self.all_findings(cases, workspace).filter_map(move |mut finding| {
            let level = workspace.levels.get(finding.lint()).copied();
            finding.severity = level.unwrap_or(Some(finding.severity))?;
            allowed.entry_of(finding.lint(), finding.span(), self.suite()).is_none().then_some(finding)
        })
    }

    /// The findings of the cases in a range, in the order of the text, and then those of the suite, before levels apply.
    fn all_findings(&self, cases: Range<usize>, workspace: &Arc<Workspace>) -> impl Iterator<Item = PlacedFinding> {
        // Several threads validate new cases here, and the suite uses their results.
        let linted = self.linted(cases.clone(), workspace);
        let of_suite = Arc::new(CaseFindings::of(self.suite_findings(cases), true));
        linted.flatten().chain(PlacedFinding::all(of_suite, 0))
    }

    /// The findings of each of the cases in a range. Cases that are new are linted in several threads if they are many. A case that an
    /// error outside of it may have broken has none.
    fn linted(
        &self,
        range: Range<usize>,
        workspace: &Arc<Workspace>,
    ) -> impl Iterator<Item = impl Iterator<Item = PlacedFinding>> {
        let (version, results) = (self.version().version, &self.results()[range.clone()]);
        let mut findings: Vec<_> = results.iter().map(|result| result.known_findings(version, workspace)).collect();
        let nodes = range.clone().map(|index| self.case_node(index).expect("each case has a node"));
        let placed = &self.suite().cases[range];
        let cases = placed.iter().zip(results).zip(nodes).zip(&mut findings);
        let mut new: Vec<_> = cases.filter(|(_, known)| known.is_none()).collect();
        let many = new.len() > MOST_WHOLE;
        // After each part, the work of other threads has its turn: they may wait to read another text.
        for part in new.chunks_mut(CASES_TOGETHER) {
            part.par_iter_mut().with_min_len(FEW_CASES).for_each(|(((placed, result), node), found)| {
                let lint = || result.lint(&placed.case, *node, version, workspace);
                **found = Some(result.findings(version, workspace, || CaseFindings::of(lint(), !many)));
            });
        }
        let is_in_doubt = self.is_frame_in_doubt();
        findings.into_iter().zip(results).zip(placed).map(move |((found, result), placed)| {
            let found = found.expect("each case is linted");
            PlacedFinding::all(if result.is_broken && is_in_doubt { Arc::default() } else { found }, placed.start)
        })
    }

    /// The findings outside of cases, and those that involve several cases. Of the cases in a range, those with keys that their version
    /// does not have yet are among them.
    fn suite_findings(&self, cases: Range<usize>) -> Vec<Finding> {
        let (suite, version) = (self.suite(), self.version());
        let of_case = |index| (index, self.violations_for_suite(index, version.version));
        let later = cases.map(of_case).filter(|(_, violations)| violations.iter().any(Violation::is_of_later_version));
        let later: Vec<_> = later.collect();
        let ids = suite.cases.iter().filter_map(|placed| placed.case.id.as_ref());
        let context = SuiteContext {
            suite,
            root: self.root(),
            version,
            violations: frame_violations(self.root(), version.version.into()),
            cases: later
                .iter()
                .map(|(index, violations)| SuiteCase { placed: &suite.cases[*index], violations })
                .collect(),
            has_repeated_ids: has_repeats(ids.map(|id| hash_of(&alike(&id.value)))),
        };
        suite_findings(&context, &self.errors_of_frame(), self.text().as_str())
    }

    /// Where a case violates its schema, if its brackets and quotes match.
    fn violations_for_suite(&self, index: usize, version: Version) -> Arc<Vec<Violation>> {
        let result = &self.results()[index];
        let node = self.case_node(index).filter(|_| !result.is_in_doubt());
        node.map(|node| result.violations(node, version)).unwrap_or_default()
    }
}

/// Whether two of the hashes are the same.
fn has_repeats(hashes: impl Iterator<Item = u64>) -> bool {
    let mut hashes: Vec<u64> = hashes.collect();
    hashes.sort_unstable();
    hashes.windows(2).any(|pair| pair[0] == pair[1])
}

/// Initializes what the first document would otherwise wait for: mostly schemas, which take some milliseconds. Call it in
/// a separate thread at start-up.
pub(crate) fn warm_up() {
    Document::new(Text::new(SUITE), None).findings(&Arc::default());
}

/// A suite that uses everything that is initialized on first use.
const SUITE: &str =
    r#"{ "version": "0.3", "cases": [ { "expected": { "outcom": 1, "must_match_regex": ["a+b"] } } ] }"#;

/// The findings of one case, or those of the suite. Of most cases, nobody reads more than an outline.
#[derive(Debug, Default)]
pub(crate) struct CaseFindings {
    outlines: Vec<Outline>,
    /// The findings; empty until somebody needs them.
    whole: OnceLock<Vec<Finding>>,
}

/// What decides whether a finding is reported, and where.
#[derive(Debug)]
struct Outline {
    lint: &'static str,
    severity: Severity,
    span: Span,
    /// A hash of what causes it, if other cases can have the same cause.
    cause: Option<NonZeroU64>,
    has_safe_fix: bool,
    has_likely_fix: bool,
}

impl CaseFindings {
    /// The findings, or their outlines alone.
    fn of(findings: Vec<Finding>, are_whole: bool) -> Self {
        let outline = |finding: &Finding| Outline {
            lint: finding.lint,
            severity: finding.severity,
            span: finding.span,
            cause: finding.cause.as_ref().and_then(|cause| NonZeroU64::new(hash_of(cause))),
            has_safe_fix: finding.fixes.iter().any(|fix| fix.safe),
            has_likely_fix: finding.likely_fix().is_some(),
        };
        let outlines = findings.iter().map(outline).collect();
        CaseFindings { outlines, whole: if are_whole { findings.into() } else { OnceLock::new() } }
    }
}

/// A finding in a document, without a copy of it.
#[derive(Clone, Debug)]
pub(crate) struct PlacedFinding {
    /// The findings of its case, or those of the suite.
    findings: Arc<CaseFindings>,
    index: usize,
    /// The byte of the document from which the finding's spans count.
    start: usize,
    /// The severity, after the configuration applies.
    pub(crate) severity: Severity,
}

impl PlacedFinding {
    /// Each of the `findings`, whose spans count from the byte `start`.
    fn all(findings: Arc<CaseFindings>, start: usize) -> impl Iterator<Item = PlacedFinding> {
        (0..findings.outlines.len()).map(move |index| PlacedFinding {
            severity: findings.outlines[index].severity,
            findings: Arc::clone(&findings),
            index,
            start,
        })
    }

    fn outline(&self) -> &Outline {
        &self.findings.outlines[self.index]
    }

    /// The lint's name.
    pub(crate) fn lint(&self) -> &'static str {
        self.outline().lint
    }

    /// The place, in bytes of the document.
    pub(crate) fn span(&self) -> Span {
        self.outline().span.shifted_by(self.start)
    }
}

/// How many other places a finding names: editors list all of them, and nobody reads more.
const MOST_PLACES: usize = 20;

/// The entries of `[[allow]]` that are about one file.
pub(super) struct Allowed<'a> {
    entries: Vec<(usize, &'a Allow)>,
}

/// What the entries of `[[allow]]` do in a suite, by their index in the configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AllowedUse {
    /// The entries that are about the file, or about a case of it.
    pub(crate) about: BTreeSet<usize>,
    /// The entries among `about` that leave out a finding.
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

/// The names of all lints: the keys that `[lints]` in `eval-ls.toml` accepts.
pub(crate) fn lint_names() -> Vec<&'static str> {
    LINTS.iter().map(|lint| lint.name).collect()
}

/// The settings of a configuration that lints read. The tools of the workspace are missing: they come from other files.
pub(crate) fn workspace_of(config: &Config) -> Workspace {
    Workspace {
        levels: config.lints.iter().map(|(lint, entry)| (lint.clone(), entry.level.severity())).collect(),
        ui_hints: config.ui_hints.keys().cloned().collect(),
        preconditions: config.preconditions.keys().cloned().collect(),
        known_tools: config.known_tools.clone(),
        sources: config.sources.iter().map(|(name, source)| (name.clone(), source.patterns.clone())).collect(),
        prompt_words: prompt_words(config),
        reading: config.scoring.reading,
        allowed: config.allowed.clone(),
        ..Workspace::default()
    }
}

/// Whether the prompt's words can pass a check.
fn prompt_words(config: &Config) -> PromptWords {
    let targets = config.answering();
    let is_any_page = targets.iter().any(|target| target.shows_prompt());
    match config.scoring.prompt_counts {
        Some(false) => PromptWords::Ignored,
        None if config.has_only_pages() => PromptWords::Ignored,
        Some(true) if is_any_page || targets.is_empty() => PromptWords::Shown,
        Some(true) | None => PromptWords::Repeated,
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

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

    #[test]
    fn findings_of_many_cases_are_whole() {
        let case = r#"{ "id": "A", "prompt": "p", "expected": { "required_sources": ["github"] } }"#;
        let text = format!(r#"{{ "cases": [{}] }}"#, vec![case; MOST_WHOLE + 1].join(","));
        let document = Document::new(Text::new(&text), None);
        let of_last = |document: &Document, workspace| {
            let index = document.suite().cases.len() - 1;
            let placed = document.linted(index..index + 1, workspace).flatten().next().unwrap();
            (placed.findings.whole.get().is_some(), document.case_findings(index, workspace))
        };
        let workspace = Arc::default();
        let mut expected = of_last(&document, &workspace);
        let many = Document::new(Text::new(&text), None);
        many.placed_findings(&workspace);
        expected.0 = false;
        assert_eq!(of_last(&many, &workspace), expected);
        assert!(expected.1.iter().all(|finding| !finding.message.is_empty()) && !expected.1.is_empty());
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
        let all = ["vacuous-case", "vacuous-case", "duplicate-case-id"];
        assert_eq!(lints("", "a.json"), all);
        for (entry, left) in [
            ("lint = 'vacuous-case'\ncases = 'A1'", &all[1..]),
            ("lint = 'vacuous-case'\ncases = 'A*'", &all[2..]),
            ("lint = 'vacuous-case'\nfiles = ['*.json']", &all[2..]),
            ("lint = 'vacuous-case'\ncases = 'A?'\nfiles = ['b.json']", &all[..]),
            ("lint = 'duplicate-case-id'\ncases = 'A2'", &all[..2]),
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

    #[test]
    fn levels_hints_and_preconditions_come_from_the_configuration() {
        let text = "
            [lints]
            duplicate-key = \"off\"
            unknown-key = \"error\"
            [[ui_hints]]
            hint = \"A list is visible.\"
            all = [\"list\"]
            [[preconditions]]
            text = \"The shop is open.\"
            command = [\"true\"]
        ";
        let (config, errors) = Config::parse(text, &lint_names());
        assert_eq!(errors, []);
        let workspace = workspace_of(&config);
        let levels = [("duplicate-key", None), ("unknown-key", Some(Severity::Error))];
        assert_eq!(workspace.levels, BTreeMap::from(levels.map(|(lint, level)| (lint.to_owned(), level))));
        assert_eq!(workspace.prompt_words, PromptWords::Repeated);
        assert_eq!(workspace.ui_hints.into_iter().collect::<Vec<_>>(), ["A list is visible."]);
        assert_eq!(workspace.preconditions.into_iter().collect::<Vec<_>>(), ["The shop is open."]);
    }

    #[test]
    fn the_targets_decide_whether_prompts_are_shown() {
        let command = "[targets.agent]\nkind = \"command\"\ncommand = [\"a\"]\n";
        let counts = "[scoring]\nprompt_counts = true\n";
        let browser = "[targets.app]\nkind = \"browser\"\nurl = \"http://localhost:1\"\n";
        for (text, expected) in [
            (String::new(), PromptWords::Repeated),
            (command.to_owned(), PromptWords::Repeated),
            (browser.to_owned(), PromptWords::Ignored),
            (format!("{command}{browser}"), PromptWords::Repeated),
            (format!("[run]\ntarget = \"app\"\n{command}{browser}"), PromptWords::Ignored),
            (counts.to_owned(), PromptWords::Shown),
            (format!("{counts}{command}"), PromptWords::Repeated),
            (format!("{counts}{browser}"), PromptWords::Shown),
            (format!("{counts}{command}{browser}"), PromptWords::Shown),
            (format!("{counts}[run]\ntarget = \"agent\"\n{command}{browser}"), PromptWords::Repeated),
            (format!("[scoring]\nprompt_counts = false\n{command}"), PromptWords::Ignored),
        ] {
            let (config, errors) = Config::parse(&text, &lint_names());
            assert_eq!(errors, []);
            assert_eq!(workspace_of(&config).prompt_words, expected, "{text}");
        }
    }
}
