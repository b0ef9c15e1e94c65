use crate::verdict::Status;

/// How a case ended before it got its present status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Was {
    /// The status of the verdicts.
    pub(crate) status: Status,
    /// The number of consecutive runs with that status, at least 1.
    pub(crate) runs: usize,
}

impl Was {
    /// How a case ended before it got the status `now`. `past` has its statuses since its last edit, the last run first. `None` if it had
    /// no other status.
    pub(crate) fn before(now: Status, past: &[Status]) -> Option<Was> {
        let earlier = &past[streak(past, |status| *status == now)..];
        let status = *earlier.first()?;
        Some(Was { status, runs: streak(earlier, |other| *other == status) })
    }
}

/// The number of elements at the start that are alike.
pub(super) fn streak<T>(latest_first: &[T], is_alike: impl Fn(&T) -> bool) -> usize {
    latest_first.iter().take_while(|one| is_alike(one)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Status::{Error, Fail, Pass};

    #[test]
    fn the_status_before_and_how_long_it_lasted() {
        let was = |status, runs| Some(Was { status, runs });
        assert_eq!(Was::before(Fail, &[Pass, Pass, Pass, Fail]), was(Pass, 3));
        assert_eq!(Was::before(Fail, &[Fail, Pass, Error, Pass]), was(Pass, 1));
        assert_eq!(Was::before(Pass, &[Pass, Pass]), None);
        assert_eq!(Was::before(Pass, &[]), None);
    }
}
