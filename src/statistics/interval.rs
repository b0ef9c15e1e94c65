use serde::Serialize;

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
