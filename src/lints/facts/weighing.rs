//! The weights of a case. If another lint reports an error in them first, the answer is the one that keeps the lints
//! here silent.

use crate::diagnostic::{Edit, nearest};
use crate::lints::CaseContext;
use crate::suite::{Group, Weight, effective_weights};
use crate::syntax::{Node, separator_before};
use crate::text::{Span, number};

/// The weights that a case defines.
pub(crate) struct Given<'a> {
    /// The key `weights`.
    pub(crate) key: Span,
    /// The object of the weights.
    pub(crate) node: Node<'a>,
    /// The weights, in order. If a group occurs twice, the last weight counts, as in the runner.
    pub(crate) weights: Vec<&'a Weight>,
    /// Whether each member of the object could be read.
    is_whole: bool,
}

impl<'a> Given<'a> {
    /// Returns the weights of a case; `None` if it has none.
    pub(crate) fn of<'c>(cx: &'c CaseContext<'a>) -> Option<&'c Self> {
        cx.weights.get_or_init(|| Self::read(cx)).as_ref()
    }

    fn read(cx: &CaseContext<'a>) -> Option<Self> {
        let field = cx.case.expected.weights()?;
        let node = cx.node_at(field.span)?;
        let weights = effective_weights(&field.value);
        let is_whole =
            node.members().count() == field.value.len() && !node.descendants().any(|inner| inner.is_broken());
        Some(Self { key: field.key(), node, weights, is_whole })
    }

    /// Returns their sum; `None` if one of them is unreadable or negative, because another lint reports that.
    pub(crate) fn sum(&self) -> Option<f64> {
        let is_sound = self.is_whole && self.weights.iter().all(|weight| weight.value.value >= 0.0);
        is_sound.then(|| self.weights.iter().map(|weight| weight.value.value).sum())
    }

    /// Each weight as it is written.
    pub(crate) fn written(&self, cx: &CaseContext<'a>) -> Vec<Written<'a>> {
        let written = |weight: &&Weight| {
            let text = cx.node.text().get(weight.value.span.range()).unwrap_or_default();
            Written { value: weight.value.value, text }
        };
        self.weights.iter().map(written).collect()
    }

    /// The edits that give each weight its new text.
    pub(crate) fn rewrite(&self, cx: &CaseContext<'a>, texts: &[String]) -> Vec<Edit> {
        let changed = self.weights.iter().zip(self.written(cx)).zip(texts).filter(|((_, old), new)| old.text != *new);
        changed.map(|((weight, _), new)| Edit::replace(weight.value.span, new)).collect()
    }

    /// Returns the edit that adds a weight after the last one; `None` if there is no weight yet.
    pub(crate) fn insert(&self, cx: &CaseContext<'_>, group: Group, text: &str) -> Option<Edit> {
        let last = self.node.members().last()?.node.span();
        let separator = separator_before(cx.node.text(), last.start);
        Some(Edit::insert(last.end, format!(",{separator}\"{group}\": {text}")))
    }

    /// The other weights.
    pub(crate) fn without(&self, dropped: &Weight) -> Given<'a> {
        let weights = self.weights.iter().copied().filter(|weight| !std::ptr::eq(*weight, dropped)).collect();
        Given { weights, ..*self }
    }

    /// Returns whether the soft score uses them: their sum is above 0, and every group exists.
    fn weigh(&self) -> bool {
        let is_known = |weight: &&Weight| Group::from_name(&weight.group.value).is_some();
        self.sum().is_some_and(|sum| sum > 0.0) && self.weights.iter().all(is_known)
    }

    /// Returns the groups with a check that can fail, without a weight (even 0), and not in `hard_fail`. The result is
    /// empty if the soft score does not use these weights.
    pub(crate) fn unweighted_groups(&self, cx: &CaseContext<'_>) -> Vec<Group> {
        let is_named = |group: Group| self.weights.iter().any(|weight| weight.group.value == group.name());
        let groups = Group::ALL.into_iter().filter(|_| self.weigh());
        groups.filter(|&group| cx.can_fail(group) && !is_named(group) && !is_hard_fail(cx, group)).collect()
    }
}

/// Returns whether `hard_fail` names the group.
pub(crate) fn is_hard_fail(cx: &CaseContext<'_>, group: Group) -> bool {
    cx.case.expected.hard_fail().is_some_and(|list| list.entries().any(|entry| entry.value == group.name()))
}

/// Returns whether a key in `scoring`, or in a place where its keys may be by mistake, is or resembles this one.
pub(crate) fn has_key_like(cx: &CaseContext<'_>, name: &str) -> bool {
    let expected = cx.node.get("expected");
    let scoring = expected.and_then(|expected| expected.get("scoring"));
    let soft_score = scoring.and_then(|scoring| scoring.get("soft_score"));
    let mut members = [expected, scoring, soft_score].into_iter().flatten().flat_map(Node::members);
    members.any(|member| member.key.as_str().is_none_or(|key| key == name || nearest(&key, [name]).is_some()))
}

/// A weight and its text. A new weight has an empty text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Written<'a> {
    pub(crate) value: f64,
    pub(crate) text: &'a str,
}

/// The most decimals of a weight: those of the scores in reports.
const MAX_DECIMALS: usize = 6;

/// Up to this many decimals, weights are written exactly; weights that need more are rounded.
const EASY_DECIMALS: usize = 4;

/// Returns whether a sum of weights counts as 1. Thirds and sevenths with six decimals differ from it slightly.
pub(crate) fn is_one(sum: f64) -> bool {
    // The noise of adding binary fractions is far smaller.
    /// Differences below this come from adding doubles.
    const NOISE: f64 = 1e-12;
    (sum - 1.0).abs() <= 0.000_001 + NOISE
}

/// Returns the weights divided by their sum, rounded so that the written sum is exactly 1. A weight that does not
/// change keeps its text. `None` if more than six decimals are needed, or if the sum is not above 0.
pub(crate) fn scaled_to_one(weights: &[Written<'_>]) -> Option<Vec<String>> {
    let sum: f64 = weights.iter().map(|weight| weight.value).sum();
    if !(sum.is_finite() && sum > 0.0) {
        return None;
    }
    let least = weights.iter().map(|weight| decimals(weight.text)).max().unwrap_or(0).clamp(2, MAX_DECIMALS);
    let shares: Vec<f64> = weights.iter().map(|weight| weight.value / sum).collect();
    let is_exact = |decimals: usize| shares.iter().all(|share| is_whole(share * unit(decimals)));
    let is_kept = |parts: &[u64]| parts.iter().zip(weights).all(|(part, weight)| *part > 0 || weight.value == 0.0);
    let mut fitting = (least..=MAX_DECIMALS)
        .map(|decimals| (decimals, rounded(&shares, decimals)))
        .filter(|(_, parts)| is_kept(parts));
    let shortest = fitting.next()?;
    let (decimals, parts) = if is_exact(shortest.0) {
        shortest
    } else {
        fitting.find(|(decimals, _)| *decimals <= EASY_DECIMALS && is_exact(*decimals)).unwrap_or(shortest)
    };
    let texts = parts.into_iter().zip(weights).map(|(part, weight)| {
        let text = decimal(part, decimals);
        if text.parse() == Ok(weight.value) && !weight.text.is_empty() { weight.text.to_owned() } else { text }
    });
    Some(texts.collect())
}

/// Returns the remainder to 1, and the weight at `index` with the remainder added. `None` if there is no remainder, or
/// if a weight has more than six decimals.
pub(crate) fn with_the_rest(weights: &[Written<'_>], index: usize) -> Option<(String, String)> {
    let whole = unit(MAX_DECIMALS);
    let mut rest = whole as u64;
    for weight in weights {
        let millionths = weight.value * whole;
        if !is_whole(millionths) {
            return None;
        }
        rest = rest.checked_sub(millionths.round() as u64)?;
    }
    let given = weights.get(index).filter(|_| rest > 0)?;
    let raised = (given.value * whole).round() as u64 + rest;
    Some((decimal(rest, MAX_DECIMALS), decimal(raised, MAX_DECIMALS)))
}

/// Returns a sum as text for a message.
pub(crate) fn shown(sum: f64) -> String {
    if sum == f64::INFINITY { "more than 1e308".to_owned() } else { number(sum) }
}

/// Returns 1 in steps of that many decimals.
fn unit(decimals: usize) -> f64 {
    (0..decimals).fold(1.0, |unit, _| unit * 10.0)
}

fn is_whole(number: f64) -> bool {
    (number - number.round()).abs() < 1e-6
}

/// Converts shares with the sum 1 into steps of that many decimals, also with the sum 1. The shares that lose most by
/// rounding down are rounded up.
fn rounded(shares: &[f64], decimals: usize) -> Vec<u64> {
    let exact = shares.iter().map(|share| share * unit(decimals));
    let exact: Vec<f64> = exact.map(|steps| if is_whole(steps) { steps.round() } else { steps }).collect();
    let mut parts: Vec<u64> = exact.iter().map(|steps| steps.floor() as u64).collect();
    let missing = (unit(decimals) as u64).saturating_sub(parts.iter().sum());
    let mut by_loss: Vec<usize> = (0..parts.len()).collect();
    by_loss.sort_by(|&a, &b| exact[b].fract().total_cmp(&exact[a].fract()));
    for index in by_loss.into_iter().take(usize::try_from(missing).unwrap_or(usize::MAX)) {
        parts[index] += 1;
    }
    parts
}

/// Writes `steps` of that many decimals, without zeros at the end.
fn decimal(steps: u64, decimals: usize) -> String {
    let one = 10_u64.pow(u32::try_from(decimals).unwrap_or(0));
    let text = format!("{}.{:0decimals$}", steps / one, steps % one);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns the number of digits after the decimal point; 0 for a number with an exponent.
fn decimals(text: &str) -> usize {
    let fraction = text.split_once('.').map_or("", |(_, fraction)| fraction);
    if fraction.bytes().all(|b| b.is_ascii_digit()) { fraction.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::lints::tests::fixture::listed;

    fn written<'a>(texts: &[&'a str]) -> Vec<Written<'a>> {
        texts.iter().map(|text| Written { value: text.parse().unwrap(), text }).collect()
    }

    #[test]
    fn scaled_weights_have_few_decimals() {
        let weights = r"
            35 30 20 10 5  1 1 1  0.333 0.333 0.333  0.35 0.3 0.2 0.1  0.50 0.3  0.60 0.2  0.40 0.4  7 0
            0.2500 1.7500  1 999  1 1 999  5e-1 0.50  2e5 2E+5  0.1234567890 0.5
        ";
        let scaled = listed(weights).map(|weights| {
            let scaled = scaled_to_one(&written(&weights.split(' ').collect::<Vec<_>>())).unwrap();
            format!("{weights} → {}\n", scaled.join(" "))
        });
        insta::assert_snapshot!(scaled.collect::<String>());
    }

    #[test]
    fn unusable_weights_are_not_scaled() {
        for weights in [&["0", "0.0"][..], &[], &["1", "1e9"], &["1e308", "1e308"]] {
            assert_eq!(scaled_to_one(&written(weights)), None, "{weights:?}");
        }
    }

    #[test]
    fn the_remainder_goes_to_one_weight() {
        let weights = "
            0.1 0.2  0.30 0.30 0.30  0.123456 0.8  0 0.5  0.1234567 0.5  0.5 0.5  0.5 0.7  1e300
        ";
        let given = listed(weights).map(|weights| {
            let rest = with_the_rest(&written(&weights.split(' ').collect::<Vec<_>>()), 0);
            format!("{weights} → {rest:?}\n")
        });
        insta::assert_snapshot!(given.collect::<String>());
        assert_eq!(with_the_rest(&[], 0), None);
    }

    #[test]
    fn sums_are_shown_without_noise() {
        assert_eq!([0.1 + 0.2, f64::INFINITY].map(shown), ["0.3", "more than 1e308"]);
    }

    proptest! {
        #[test]
        fn the_written_weights_add_up_to_exactly_one(values in prop::collection::vec(0_u32..2000, 1..8), places in 0_u32..5) {
            let texts: Vec<String> =
                values.iter().map(|value| (f64::from(*value) / f64::from(10_u32.pow(places))).to_string()).collect();
            let weights: Vec<_> =
                texts.iter().map(|text| Written { value: text.parse().unwrap(), text }).collect();
            let millionths = |text: &str| {
                let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
                format!("{whole}{fraction:0<6}").parse::<u64>().unwrap()
            };
            match scaled_to_one(&weights) {
                Some(scaled) => prop_assert_eq!(scaled.iter().map(|text| millionths(text)).sum::<u64>(), 1_000_000),
                None => prop_assert_eq!(values.iter().sum::<u32>(), 0),
            }
        }
    }
}
