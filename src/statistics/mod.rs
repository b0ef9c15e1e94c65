//! Estimates and tests for verdicts that vary from attempt to attempt. Pure functions over counts and numbers.
//!
//! Every interval has the level 95 %, and every test the level 5 %. `docs/noise.md#statistics` has the formulas and their sources.
//! `reference.json` has values of SciPy and statsmodels, which the tests compare.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Discrete, Hypergeometric, StudentsT};

/// The level of the tests: the largest probability of an alarm although nothing changed.
pub(crate) const LEVEL: f64 = 0.05;

/// How often a case passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// The attempts that passed.
    pub(crate) passed: usize,
    /// All attempts.
    pub(crate) attempts: usize,
}

/// The counts of one case before and after.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pair {
    /// Before.
    pub(crate) before: Counts,
    /// After.
    pub(crate) after: Counts,
}

/// The result of [`exact_test`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ExactTest {
    /// The probability of at most as many passes after as there are, if nothing changed.
    pub(crate) worse: f64,
    /// The probability of at least as many.
    pub(crate) better: f64,
    /// The probability of a difference in either direction: twice the smaller one, at most 1.
    pub(crate) two_sided: f64,
    /// The variance of the number of passes after, if nothing changed.
    pub(crate) variance: f64,
}

/// The exact test of whether cases pass as often after as before. Each case may have another rate.
///
/// If nothing changed, the passes of a case spread over its attempts before and after by a hypergeometric distribution. The
/// test adds the cases (the exact form of the test of Cochran, Mantel and Haenszel). For one attempt before and one after it
/// is McNemar's exact test, and for one case it is Fisher's.
pub(crate) fn exact_test(pairs: &[Pair]) -> ExactTest {
    let mut distribution = vec![1.0];
    // The number of passes after that is certain, and the one that was observed.
    let (mut least, mut observed, mut variance) = (0, 0, 0.0);
    for pair in pairs {
        let all = pair.before.attempts + pair.after.attempts;
        let (passed, after) = (pair.before.passed + pair.after.passed, pair.after.attempts);
        let low = (passed + after).saturating_sub(all);
        let high = passed.min(after);
        observed += pair.after.passed;
        least += low;
        if low == high {
            continue;
        }
        let counts = [all, passed, after].map(|count| u64::try_from(count).unwrap_or(u64::MAX));
        let spread =
            Hypergeometric::new(counts[0], counts[1], counts[2]).expect("passes and draws are among all attempts");
        let of_case: Vec<f64> = (low..=high).map(|count| spread.pmf(count as u64)).collect();
        let share = passed as f64 / all as f64;
        variance += after as f64 * share * (1.0 - share) * (all - after) as f64 / (all - 1) as f64;
        distribution = sum_of(&distribution, &of_case);
    }
    let place = observed - least;
    let worse: f64 = distribution[..=place].iter().sum::<f64>().min(1.0);
    let better: f64 = distribution[place..].iter().sum::<f64>().min(1.0);
    ExactTest { worse, better, two_sided: (2.0 * worse.min(better)).min(1.0), variance }
}

/// The distribution of the sum of two independent counts.
fn sum_of(one: &[f64], other: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; one.len() + other.len() - 1];
    for (i, p) in one.iter().enumerate() {
        for (j, q) in other.iter().enumerate() {
            sum[i + j] += p * q;
        }
    }
    sum
}

/// The fewest clusters from which a standard error is estimated.
const FEWEST_CLUSTERS: usize = 5;

/// The mean of differences, each between two numbers of the same case.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Difference {
    /// The mean.
    pub(crate) mean: f64,
    /// The standard error.
    pub(crate) standard_error: f64,
    /// The 95 % interval.
    pub(crate) interval: Interval,
    /// The number of cases.
    pub(crate) cases: usize,
    /// The number of clusters if they count; `None` if each case counts as independent.
    pub(crate) clusters: Option<usize>,
}

/// The mean difference with its standard error (Miller 2024, sections 2.2 and 4.2). Each difference has the name of its
/// cluster: cases of one cluster resemble each other, and so count less. Clusters count if some have several cases and there
/// are at least 5. `None` for fewer than two cases.
pub(crate) fn paired_difference(differences: &[(f64, &str)]) -> Option<Difference> {
    let cases = differences.len();
    if cases < 2 {
        return None;
    }
    let mean = differences.iter().map(|(difference, _)| difference).sum::<f64>() / cases as f64;
    let mut sums: HashMap<&str, f64> = HashMap::new();
    for (difference, cluster) in differences {
        *sums.entry(cluster).or_default() += difference - mean;
    }
    let clusters = Some(sums.len()).filter(|clusters| *clusters >= FEWEST_CLUSTERS && *clusters < cases);
    let squares: f64 = match clusters {
        Some(_) => sums.values().map(|sum| sum * sum).sum(),
        None => differences.iter().map(|(difference, _)| (difference - mean).powi(2)).sum(),
    };
    let units = clusters.unwrap_or(cases) as f64;
    let standard_error = (squares * units / (units - 1.0)).sqrt() / cases as f64;
    let student = StudentsT::new(0.0, 1.0, units - 1.0).expect("there are at least two units");
    let half = student.inverse_cdf(0.975) * standard_error;
    Some(Difference {
        mean,
        standard_error,
        interval: Interval { low: mean - half, high: mean + half },
        cases,
        clusters,
    })
}

/// The quantile of the standard normal distribution for a two-sided level of 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// An interval with both bounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Interval {
    /// The lower bound.
    pub(crate) low: f64,
    /// The upper bound.
    pub(crate) high: f64,
}

/// The 95 % score interval of a rate, between 0 and 1 (Wilson 1927). `None` without a trial.
pub(crate) fn wilson(successes: usize, trials: usize) -> Option<Interval> {
    if trials == 0 {
        return None;
    }
    let (n, p) = (trials as f64, successes as f64 / trials as f64);
    let scale = 1.0 + Z * Z / n;
    let center = (p + Z * Z / (2.0 * n)) / scale;
    let half = Z / scale * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    // At the ends the formula gives 0 and 1 up to rounding.
    let low = if successes == 0 { 0.0 } else { center - half };
    let high = if successes == trials { 1.0 } else { center + half };
    Some(Interval { low, high })
}
