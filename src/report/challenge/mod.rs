//! What `challenge` reports: one file a format. Formats of findings are those of `check`.

mod json;
mod junit;

use std::fmt::Write as _;

use crate::challenge::{CaseChallenges, kinds};
use crate::config::ChallengeConfig;
use crate::suite::PlacedCase;
use crate::text::{Text, visible_start};

pub(crate) use json::json;
pub(crate) use junit::junit;

/// The challenges of one suite.
#[derive(Debug)]
pub(crate) struct ChallengedSuite {
    /// The suite's file, as reports name it.
    pub(crate) name: String,
    /// Its text.
    pub(crate) text: Text,
    /// The levels and exceptions that apply to it.
    pub(crate) config: ChallengeConfig,
    /// The cases that were challenged.
    pub(crate) cases: Vec<ChallengedCase>,
}

/// The challenges of one case.
#[derive(Debug)]
pub(crate) struct ChallengedCase {
    /// The case.
    pub(crate) placed: PlacedCase,
    /// The verdicts of its challenges.
    pub(crate) judged: CaseChallenges,
}

impl ChallengedCase {
    /// The case's id; empty if it has none.
    pub(crate) fn id(&self) -> &str {
        self.placed.case.id.as_ref().map_or("", |id| &id.value)
    }

    /// The names of the challenges that the case passes although it ought to fail them, without the exceptions and those
    /// that are turned off.
    pub(crate) fn passed(&self, config: &ChallengeConfig) -> Vec<String> {
        self.judged.breaches(self.id(), config).map(|attempt| attempt.challenge.to_string()).collect()
    }
}

/// The suite as a table for people: a row for each case, a column for each challenge that could be made.
///
/// A cell is `✓` if the case fails the challenge, `pass` if it passes and ought to fail, `(pass)` if it passes and nothing
/// decides that it ought to fail, or an exception allows it, `?` if the verdict is `ERROR` or the case also fails its own
/// answer, empty if there is no such challenge. Of several answers, the cell counts those that pass: `2 of 5`. Below the cases are the checks that pass of all.
pub(crate) fn table(suite: &ChallengedSuite) -> String {
    let kinds = kinds(suite.cases.iter().map(|case| &case.judged), &suite.config);
    let cases = suite.cases.iter().map(|case| row(case, suite, &kinds));
    let footer = [passed_checks(suite, &kinds)];
    let rows: Vec<Vec<String>> = std::iter::once(header(&kinds)).chain(cases).chain(footer).collect();
    let columns = kinds.len() + 1;
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        let line = cells.collect::<Vec<_>>().join("  ");
        writeln!(text, "  {}", line.trim_end()).expect("writing to a String does not fail");
    }
    text.push_str(LEGEND);
    text
}

/// What the cells mean.
const LEGEND: &str = "\n  ✓       the case fails the wrong answer, as it ought to\n  pass    it passes a wrong answer\n  (pass)  it passes, and nothing decides that it ought to fail\n  ?       it could not be judged, or fails its own answer, too\n";

fn header(kinds: &[String]) -> Vec<String> {
    std::iter::once(String::new()).chain(kinds.iter().map(|kind| shown(kind))).collect()
}

fn row(case: &ChallengedCase, suite: &ChallengedSuite, kinds: &[String]) -> Vec<String> {
    let cells = kinds.iter().map(|kind| case.judged.cell(case.id(), kind, &suite.config).to_string());
    std::iter::once(shown(case.id())).chain(cells).collect()
}

fn passed_checks(suite: &ChallengedSuite, kinds: &[String]) -> Vec<String> {
    let cells = kinds.iter().map(|kind| {
        let (mut passed, mut all) = (0, 0);
        for case in &suite.cases {
            for attempt in case.judged.attempts.iter().filter(|attempt| attempt.challenge.kind() == kind) {
                passed += attempt.passed_checks;
                all += case.judged.checks.len();
            }
        }
        format!("{passed}/{all}")
    });
    std::iter::once("checks passed".to_owned()).chain(cells).collect()
}

/// A name with every control character made visible, cut at 40 characters.
fn shown(name: &str) -> String {
    /// The longest name in the table, in code points: the columns behind it stay on the screen.
    const MOST: usize = 40;
    visible_start(name, MOST)
}
