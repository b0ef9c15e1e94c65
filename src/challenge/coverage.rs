use std::collections::BTreeSet;

use crate::checks::CheckOutcome;
use crate::config::Config;
use crate::suite::{Case, expectations};
use crate::transcript::Transcript;
use crate::verdict;

/// A line of a response and the checks that depend on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CoveredLine {
    /// The line, from 1.
    pub(crate) line: usize,
    /// The ids of the checks that change if the line is deleted or its numbers change, each once; empty if none does.
    pub(crate) checks: Vec<String>,
}

/// How many lines a response may have to be covered. Each line is left out once, and the case judged again.
const MOST_LINES: usize = 5_000;
/// How large a response may be to be covered, in bytes times lines: every line costs one verdict about all of them.
const MOST_WORK: usize = 500_000_000;

/// Which lines of the transcript's response the checks of a case depend on. A line is covered if deleting it, or changing
/// its numbers, changes the outcome of a check. `None` if the response is too large to try every line.
pub(crate) fn coverage(case: &Case, transcript: &Transcript, config: &Config) -> Option<Vec<CoveredLine>> {
    let response = transcript.response.trim_end_matches('\n');
    let lines: Vec<&str> = response.split('\n').collect();
    if lines.len() > MOST_LINES || lines.len().saturating_mul(response.len()) > MOST_WORK {
        return None;
    }
    let asked = expectations(case);
    let outcomes = |response: String| -> Vec<(String, CheckOutcome)> {
        let changed = Transcript { response, ..transcript.clone() };
        let checks = verdict::judge_outcomes(case, &asked, &changed, config).checks;
        checks.into_iter().map(|check| (check.id, check.outcome)).collect()
    };
    let before = outcomes(transcript.response.clone());
    let differing = |response: String, checks: &mut BTreeSet<usize>| {
        let after = outcomes(response);
        checks.extend(before.iter().zip(&after).enumerate().filter(|(_, (a, b))| a != b).map(|(index, _)| index));
    };
    let covered = lines.iter().enumerate().map(|(index, line)| {
        let with = |replacement: &[&str]| [&lines[..index], replacement, &lines[index + 1..]].concat().join("\n");
        let mut checks = BTreeSet::new();
        differing(with(&[]), &mut checks);
        if let Some(changed) = with_other_numbers(line) {
            differing(with(&[&changed]), &mut checks);
        }
        let checks = checks.into_iter().map(|index| before[index].0.clone());
        CoveredLine { line: index + 1, checks: distinct(checks) }
    });
    Some(covered.collect())
}

fn with_other_numbers(line: &str) -> Option<String> {
    let other = |c: char| c.to_digit(10).map_or(c, |digit| char::from(b'0' + (digit as u8 + 1) % 10));
    line.bytes().any(|byte| byte.is_ascii_digit()).then(|| line.chars().map(other).collect())
}

fn distinct(ids: impl Iterator<Item = String>) -> Vec<String> {
    let mut list = Vec::new();
    for id in ids {
        if !list.contains(&id) {
            list.push(id);
        }
    }
    list
}
