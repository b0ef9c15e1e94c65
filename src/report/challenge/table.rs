use std::fmt::Write as _;

use crate::challenge::Attempt;
use crate::config::{CHALLENGES, Level};
use crate::text::visible;
use crate::verdict::Status;

use super::{ChallengedCase, ChallengedSuite};

/// The suite as a table for people: a row for each case, a column for each challenge that could be made.
///
/// A cell is `·` if the case fails the challenge, `pass` if it passes and ought to fail, `(pass)` if it passes and nothing
/// decides that it ought to fail, or an exception allows it, `?` if the verdict is `ERROR`, empty if there is no such
/// challenge. Of several answers, the cell counts those that pass: `2 of 5`. Below the cases are the checks that pass of all,
/// and the average soft score.
pub(crate) fn table(suite: &ChallengedSuite) -> String {
    let kinds = kinds(suite);
    let cases = suite.cases.iter().map(|case| row(case, suite, &kinds));
    let footer = [passed_checks(suite, &kinds), soft_scores(suite, &kinds)];
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
    text
}

/// The names of the challenges that some case has and that are not turned off, in the order of the table of challenges.
fn kinds(suite: &ChallengedSuite) -> Vec<String> {
    let attempts = || suite.cases.iter().flat_map(|case| &case.judged.attempts);
    let built_in = CHALLENGES.iter().map(|(name, _)| *name);
    let made = built_in.filter(|name| attempts().any(|attempt| attempt.challenge.kind() == *name));
    let mut kinds: Vec<String> = made.map(str::to_owned).collect();
    for attempt in attempts() {
        if !kinds.iter().any(|kind| kind == attempt.challenge.kind()) {
            kinds.push(attempt.challenge.kind().to_owned());
        }
    }
    kinds.retain(|kind| suite.config.level(kind) != Level::Off);
    kinds
}

fn header(kinds: &[String]) -> Vec<String> {
    std::iter::once(String::new()).chain(kinds.iter().map(|kind| shown(kind))).collect()
}

fn row(case: &ChallengedCase, suite: &ChallengedSuite, kinds: &[String]) -> Vec<String> {
    let cells = kinds.iter().map(|kind| {
        let attempts = case.judged.attempts.iter().filter(|attempt| attempt.challenge.kind() == kind);
        let attempts: Vec<&Attempt> = attempts.collect();
        cell(&attempts, suite.config.exception(case.id(), kind).is_some())
    });
    std::iter::once(shown(case.id())).chain(cells).collect()
}

fn passed_checks(suite: &ChallengedSuite, kinds: &[String]) -> Vec<String> {
    footer("checks passed", suite, kinds, |attempts| {
        let passed: usize = attempts.iter().map(|(_, attempt)| attempt.passed_checks).sum();
        let all: usize = attempts.iter().map(|(case, _)| case.judged.checks.len()).sum();
        format!("{passed}/{all}")
    })
}

fn soft_scores(suite: &ChallengedSuite, kinds: &[String]) -> Vec<String> {
    footer("soft score", suite, kinds, |attempts| {
        let sum: f64 = attempts.iter().map(|(_, attempt)| attempt.soft_score).sum();
        format!("{:.2}", sum / attempts.len() as f64)
    })
}

fn footer(
    name: &str,
    suite: &ChallengedSuite,
    kinds: &[String],
    cell: impl Fn(&[(&ChallengedCase, &Attempt)]) -> String,
) -> Vec<String> {
    let cells = kinds.iter().map(|kind| {
        let cases = suite.cases.iter();
        let attempts = cases.flat_map(|case| case.judged.attempts.iter().map(move |attempt| (case, attempt)));
        cell(&attempts.filter(|(_, attempt)| attempt.challenge.kind() == kind).collect::<Vec<_>>())
    });
    std::iter::once(name.to_owned()).chain(cells).collect()
}

fn cell(attempts: &[&Attempt], excepted: bool) -> String {
    let passes = |attempt: &&&Attempt| matches!(attempt.status, Status::Pass | Status::Partial);
    match attempts {
        [] => String::new(),
        [attempt] if attempt.status == Status::Error => "?".to_owned(),
        [attempt] if !passes(&attempt) => "·".to_owned(),
        [attempt] if attempt.is_breach() && !excepted => "pass".to_owned(),
        [_] => "(pass)".to_owned(),
        several => match several.iter().filter(passes).count() {
            0 => "·".to_owned(),
            count if several.iter().any(|attempt| attempt.is_breach()) && !excepted => {
                format!("{count} of {}", several.len())
            }
            count => format!("({count} of {})", several.len()),
        },
    }
}

/// A name with every control character made visible, cut at 40 characters.
fn shown(name: &str) -> String {
    const MOST: usize = 40;
    let text: String = name.chars().map(visible).collect();
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
