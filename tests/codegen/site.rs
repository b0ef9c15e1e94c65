//! The table of contents of the site.

use eval_ls::testing::LINTS;

const LISTED: &str = "- [Lints](lints.md)\n";

/// The page with one line for each lint below that of the lints.
pub(crate) fn summary(present: &str) -> String {
    let is_page = |line: &&str| line.trim_start().starts_with("- [") && line.contains("](lints/");
    let others: String = present.lines().filter(|line| !is_page(line)).flat_map(|line| [line, "\n"]).collect();
    let pages = LINTS.iter().map(|lint| format!("  - [{0}](lints/{0}.md)\n", lint.name));
    assert_eq!(others.matches(LISTED).count(), 1, "docs/SUMMARY.md has the line {LISTED:?}");
    others.replace(LISTED, &format!("{LISTED}{}", pages.collect::<String>()))
}
