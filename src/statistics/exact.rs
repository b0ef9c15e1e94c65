use statrs::distribution::{Discrete, Hypergeometric};

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
