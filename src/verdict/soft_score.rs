use crate::suite::{self, DEFAULT_WEIGHTS, effective_weights};

use super::{GroupScore, SoftScore, Term};

/// The soft score of a case. The threshold is compared with the rounded value, because that is the value that is shown.
pub(super) fn of(asked: Option<&suite::SoftScore>, groups: &[GroupScore; 6]) -> SoftScore {
    let given = asked.and_then(|asked| asked.weights.as_ref());
    let terms: Vec<Term> = match given {
        Some(weights) => effective_weights(&weights.value)
            .into_iter()
            .map(|weight| term(&weight.group.value, weight.value.value, groups))
            .collect(),
        None => DEFAULT_WEIGHTS.iter().map(|(group, weight)| term(group.name(), *weight, groups)).collect(),
    };
    // Starts at positive zero: `sum` of no floats is negative zero.
    let product_sum = terms.iter().fold(0.0, |sum, term| sum + term.product);
    let weight_sum = terms.iter().fold(0.0, |sum, term| sum + term.weight);
    let exact = if weight_sum > 0.0 { product_sum / weight_sum } else { 1.0 };
    // Huge weights overflow: the quotient is then not finite.
    let value = if exact.is_finite() { six_decimals(exact) } else { 1.0 };
    let threshold = asked.and_then(|asked| asked.threshold.as_ref()).map(|field| field.value);
    let passed = threshold.is_none_or(|threshold| value >= threshold);
    SoftScore { terms, default_weights: given.is_none(), product_sum, weight_sum, value, threshold, passed }
}

/// Whether a case asks for a soft score: it has a threshold, or other weights than the default ones. Otherwise no score is shown, because
/// the groups without checks count as full.
pub(super) fn is_asked(terms: &[Term], threshold: Option<f64>) -> bool {
    threshold.is_some() || !has_default_weights(terms)
}

/// Whether the weights are the default ones.
pub(crate) fn has_default_weights(terms: &[Term]) -> bool {
    let weights = terms.iter().map(|term| (term.group.as_str(), term.weight));
    weights.eq(DEFAULT_WEIGHTS.iter().map(|(group, weight)| (group.name(), *weight)))
}

/// `number`, rounded to six decimals.
pub(super) fn six_decimals(number: f64) -> f64 {
    const MILLION: f64 = 1_000_000.0;
    let scaled = number * MILLION;
    // A number that overflows here has no decimals to round.
    if scaled.is_finite() { scaled.round() / MILLION } else { number }
}

fn term(group: &str, weight: f64, groups: &[GroupScore; 6]) -> Term {
    let score = groups.iter().find(|score| score.group.name() == group).map_or(1.0, |score| score.score());
    Term { group: group.to_owned(), weight, score, product: weight * score }
}
