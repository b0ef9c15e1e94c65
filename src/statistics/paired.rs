use std::collections::HashMap;

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::Interval;

/// The fewest clusters from which a standard error is estimated.
const FEWEST_CLUSTERS: usize = 5;

/// The mean of differences, each between two numbers of the same case.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Difference {
    /// The mean.
    pub(crate) mean: f64,
    /// Its standard error.
    pub(crate) standard_error: f64,
    /// Its 95 % interval.
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
