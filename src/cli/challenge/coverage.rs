use std::fmt::Write as _;

use crate::report::challenge::{CaseCoverage, ChallengedSuite};

/// Returns a line for each transcript: how many of its lines the checks depend on, and which lines no check needs.
pub(super) fn lines(suite: &ChallengedSuite) -> String {
    let mut text = String::new();
    for case in &suite.cases {
        let id = super::printable(case.id());
        let line = match &case.coverage {
            None => format!("  {id}  no transcript"),
            Some(CaseCoverage::TooLarge) => format!("  {id}  the response is too large to cover"),
            Some(CaseCoverage::Lines(lines)) => {
                let missed: Vec<usize> =
                    lines.iter().filter(|line| line.checks.is_empty()).map(|line| line.line).collect();
                let covered = lines.len() - missed.len();
                let rest =
                    if missed.is_empty() { String::new() } else { format!("; no check misses {}", ranges(&missed)) };
                format!("  {id}  {covered} of {} lines covered{rest}", lines.len())
            }
        };
        writeln!(text, "{line}").expect("writing to a String never fails");
    }
    text
}

/// Writes 1, 2, 3 and 7 as `1-3, 7`.
fn ranges(numbers: &[usize]) -> String {
    let chunks = numbers.chunk_by(|a, b| a + 1 == *b);
    let shown = chunks.map(|chunk| match chunk {
        [one] => one.to_string(),
        _ => format!("{}-{}", chunk[0], chunk[chunk.len() - 1]),
    });
    shown.collect::<Vec<_>>().join(", ")
}
