use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::Checked;

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
