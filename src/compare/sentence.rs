use std::collections::BTreeMap;

use crate::statistics::LEVEL;

use super::{Change, Totals};

/// The result of a comparison as one sentence for people.
pub(super) fn sentence(counts: &BTreeMap<Change, usize>, totals: &Totals) -> String {
    let count = |change: Change| counts.get(&change).copied().unwrap_or_default();
    let all = |changes: &[Change]| changes.iter().map(|change| count(*change)).sum::<usize>();
    let cases = totals.cases;
    let mut sentence = match (cases, count(Change::Regressed), count(Change::Fixed)) {
        (0, ..) => "no case can be compared".to_owned(),
        (1, 1, _) => "the one case that can be compared got worse".to_owned(),
        (1, _, 1) => "the one case that can be compared got better".to_owned(),
        (1, ..) => "the one case that can be compared is as before".to_owned(),
        (_, 0, 0) => format!("none of {cases} cases got worse or better"),
        (_, worse, 0) => format!("{worse} of {cases} cases got worse"),
        (_, 0, better) => format!("{better} of {cases} cases got better, and none got worse"),
        (_, worse, better) => format!("{worse} of {cases} cases got worse, {better} got better"),
    };
    let others = [
        (count(Change::Vanished), "vanished"),
        (count(Change::NotJudged), "could not be judged"),
        (count(Change::Flaky), "flaky"),
        (all(&[Change::CaseEdited, Change::ConfigurationEdited]), "edited"),
        (count(Change::Stale), "stale"),
        (count(Change::New), "new"),
        (count(Change::NotRun), "not run"),
    ];
    let others: Vec<String> =
        others.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    if !others.is_empty() {
        sentence.push_str(&format!(" ({})", others.join(", ")));
    }
    if let Some(chance) = chance(totals) {
        sentence.push_str("; ");
        sentence.push_str(&chance);
    }
    sentence
}

/// Whether the difference is larger than chance.
fn chance(totals: &Totals) -> Option<String> {
    let (before, after) = (totals.before?, totals.after?);
    if totals.p < LEVEL {
        return Some("chance alone rarely makes such a difference".to_owned());
    }
    if totals.are_too_few() {
        return Some("too few cases for a statement; run more of them, or use --repeat 5".to_owned());
    }
    (before.passed != after.passed).then(|| "chance alone can make such a difference".to_owned())
}

/// A probability as it follows the letter p: `= 0.03`.
pub(crate) fn p_value(p: f64) -> String {
    match p {
        p if p < 0.001 => "< 0.001".to_owned(),
        p if p < 0.1 => format!("= {p:.3}"),
        p => format!("= {p:.2}"),
    }
}
