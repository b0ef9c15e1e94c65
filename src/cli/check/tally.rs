use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;

use crate::cli::check::Checked;
use crate::diagnostic::Severity;
use crate::text::counted;

/// The number of findings.
pub(super) struct Tally {
    /// The suites that were read, and their cases.
    pub(super) suites: usize,
    pub(super) cases: usize,
    pub(super) files_with_findings: usize,
    pub(super) errors: usize,
    pub(super) warnings: usize,
    pub(super) hints: usize,
    pub(super) fixable: usize,
    pub(super) fixed: usize,
    /// The findings whose only fixes change what the suite means.
    pub(super) unsafe_fixes: usize,
    /// Whether fixes were to be applied.
    pub(super) is_fixing: bool,
}

impl Tally {
    pub(super) fn new(all: &[Checked], (suites, cases): (usize, usize), is_fixing: bool) -> Self {
        let findings = || all.iter().flat_map(|checked| &checked.findings);
        let count = |severity| findings().filter(|finding| finding.severity == severity).count();
        Self {
            suites,
            cases,
            files_with_findings: all.iter().filter(|checked| !checked.findings.is_empty()).count(),
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            hints: count(Severity::Hint),
            fixed: all.iter().filter(|checked| checked.fixed).count(),
            is_fixing,
            unsafe_fixes: findings()
                .filter(|finding| !finding.fixes.is_empty() && finding.fixes.iter().all(|fix| !fix.safe))
                .count(),
            fixable: findings().filter(|finding| finding.fixes.iter().any(|fix| fix.safe)).count(),
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.fixed > 0 {
            write!(f, "{} fixed; ", counted(self.fixed, "file"))?;
        }
        let suites = format!("{} in {}", counted(self.cases, "case"), counted(self.suites, "suite"));
        if self.files_with_findings == 0 {
            return write!(f, "{suites}, no findings");
        }
        let levels = [(self.errors, "error"), (self.warnings, "warning"), (self.hints, "hint")];
        let levels = levels.into_iter().filter(|(count, _)| *count > 0).map(|(count, noun)| counted(count, noun));
        let levels = levels.collect::<Vec<_>>().join(", ");
        write!(f, "{levels} in {}", counted(self.files_with_findings, "file"))?;
        match self.fixable {
            0 if self.is_fixing && self.unsafe_fixes > 0 => {
                let verb = if self.unsafe_fixes == 1 { "has" } else { "have" };
                write!(f, "; {} {verb} a fix that changes the meaning, see its help", self.unsafe_fixes)?;
            }
            0 => {}
            1 => write!(f, "; `--fix` fixes 1 of them")?,
            many => write!(f, "; `--fix` fixes {many} of them")?,
        }
        write!(f, "; {suites} checked")
    }
}

/// A line for each lint: how often it was found, its name, and how many of the findings `--fix` fixes. The most frequent one is
/// first.
pub(super) fn table(all: &[Checked]) -> String {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for finding in all.iter().flat_map(|checked| &checked.findings) {
        let (found, fixable) = counts.entry(finding.lint).or_default();
        *found += 1;
        *fixable += usize::from(finding.fixes.iter().any(|fix| fix.safe));
    }
    let mut rows: Vec<_> = counts.into_iter().collect();
    rows.sort_by_key(|(_, (found, _))| Reverse(*found));
    let width = rows.first().map_or(0, |(_, (found, _))| found.to_string().len());
    let line = |(lint, (found, fixable)): &(&str, (usize, usize))| match fixable {
        0 => format!("{found:width$}  {lint}\n"),
        fixable => format!("{found:width$}  {lint} ({fixable} fixable)\n"),
    };
    rows.iter().map(line).collect()
}
