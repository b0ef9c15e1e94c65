//! Simulations of agents that pass with a known probability. The seed is fixed, so that the counts are always the same.

use super::super::*;
use crate::verdict::{Status, is_flaky};

const RUNS: usize = 2000;

/// The generator SplitMix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Whether an agent that passes with this probability passes.
    fn passes(&mut self, probability: f64) -> bool {
        ((self.next() >> 11) as f64) < probability * (1_u64 << 53) as f64
    }

    fn counts(&mut self, probability: f64, attempts: usize) -> Counts {
        Counts { passed: (0..attempts).filter(|_| self.passes(probability)).count(), attempts }
    }
}

fn share(mut is_so: impl FnMut() -> bool) -> f64 {
    (0..RUNS).filter(|_| is_so()).count() as f64 / RUNS as f64
}

#[test]
fn agents_are_flaky_as_often_as_their_probability_demands() {
    let mut random = Random(1);
    for (probability, attempts) in [(0.5, 5), (0.9, 5), (0.99, 5), (0.9, 20), (0.99, 20)] {
        let found = share(|| {
            let status = |passes| if passes { Status::Pass } else { Status::Fail };
            is_flaky(&(0..attempts).map(|_| status(random.passes(probability))).collect::<Vec<_>>())
        });
        let expected = 1.0 - f64::powi(probability, attempts) - f64::powi(1.0 - probability, attempts);
        // Three standard errors.
        let tolerance = 3.0 * (expected * (1.0 - expected) / RUNS as f64).sqrt();
        assert!((found - expected).abs() < tolerance, "{probability} {attempts}: {found}, expected {expected}");
    }
}

/// Counts are whole numbers, so the exact coverage depends on the number of attempts. The numbers are sums of SciPy's
/// `binom.pmf` over the counts whose interval of statsmodels covers the truth.
#[test]
fn intervals_cover_the_truth() {
    let mut random = Random(2);
    for (probability, attempts, exact) in [
        (0.5, 1000, 0.9463),
        (0.9, 20, 0.9568),
        (0.9, 1000, 0.9491),
        (0.99, 200, 0.9483),
        // Outside of 94 to 96.5 %.
        (0.9, 100, 0.9364),
        (0.99, 50, 0.9106),
    ] {
        let found = share(|| {
            let Counts { passed, attempts } = random.counts(probability, attempts);
            let interval = wilson(passed, attempts).unwrap();
            interval.low <= probability && probability <= interval.high
        });
        let tolerance = 3.0 * f64::sqrt(exact * (1.0 - exact) / RUNS as f64);
        assert!((found - exact).abs() < tolerance, "{probability} {attempts}: {found}, expected {exact}");
        let is_near_level = (0.94..=0.965).contains(&exact);
        assert!(!is_near_level || (0.94..=0.965).contains(&found), "{probability} {attempts}: {found}");
    }
}

/// The share of the runs that `compare` calls worse as a whole: 20 cases with 5 attempts on each side.
fn alarms(random: &mut Random, before: impl Fn(usize) -> f64, after: impl Fn(usize) -> f64) -> f64 {
    share(|| {
        let pairs: Vec<Pair> = (0..20)
            .map(|case| Pair { before: random.counts(before(case), 5), after: random.counts(after(case), 5) })
            .collect();
        let test = exact_test(&pairs);
        test.two_sided < LEVEL && test.worse < test.better
    })
}

#[test]
fn a_run_is_seldom_worse_if_nothing_changed() {
    let mut random = Random(3);
    let mixed = |case: usize| [0.5, 0.9, 0.99, 1.0][case % 4];
    for found in [
        alarms(&mut random, |_| 0.5, |_| 0.5),
        alarms(&mut random, |_| 0.9, |_| 0.9),
        alarms(&mut random, |_| 0.99, |_| 0.99),
        alarms(&mut random, mixed, mixed),
    ] {
        assert!(found <= 0.05, "{found}");
    }
}

#[test]
fn compare_sees_a_drop_from_90_to_60_percent() {
    let found = alarms(&mut Random(4), |_| 0.9, |_| 0.6);
    assert!(found > 0.99, "{found}");
    let smaller = alarms(&mut Random(5), |_| 0.9, |_| 0.8);
    assert!((0.4..0.7).contains(&smaller), "{smaller}");
}
