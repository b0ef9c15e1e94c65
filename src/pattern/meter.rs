/// Counts what one attempt to match costs, and decides when it is enough.
///
/// A program that was compiled with callouts before every item asks at each item that it tries. So every step is counted, at
/// all places where a match may start; PCRE2's own match limit starts again at each of them. How far the position moved
/// since the last item counts too: `[^x]*` alone passes a whole line. What PCRE2 can do between two callouts without moving
/// is charged in advance, see [`Cost`]. The count does not depend on the machine.
#[derive(Debug)]
pub(super) struct Meter {
    steps_left: u64,
    cost: Cost,
    last_at: usize,
}

/// What PCRE2 may do between two callouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cost {
    /// The steps for trying one item.
    pub(super) item: u64,
    /// Whether an item may compare the text of a group, which can be as long as the line.
    pub(super) compares_groups: bool,
}

/// The number of bytes passed that count as one step.
const BYTES_PER_STEP: usize = 16;
/// The number of bytes that count as one step where PCRE2 searches them for one byte, many at a time.
const BYTES_SEARCHED_PER_STEP: usize = 2048;
/// The number of bytes of a backtracking frame, which PCRE2 copies at a choice, that count as one step.
const FRAME_BYTES_PER_STEP: usize = 1024;
/// The number of bytes of a pattern that count as one step: a look-behind may go back by as many characters.
const PATTERN_BYTES_PER_STEP: usize = 256;

impl Cost {
    /// The cost of a program with backtracking frames of `frame_size` bytes, for a pattern of `pattern_len` bytes. `longest`
    /// is the largest number of times that an item must repeat: PCRE2 repeats a character without a callout between.
    pub(super) fn new(frame_size: usize, pattern_len: usize, longest: u32, compares_groups: bool) -> Self {
        let item = 1
            + frame_size / FRAME_BYTES_PER_STEP
            + pattern_len / PATTERN_BYTES_PER_STEP
            + usize::try_from(longest).unwrap_or(usize::MAX) / BYTES_PER_STEP;
        Self { item: item as u64, compares_groups }
    }
}

impl Meter {
    /// The meter of an attempt that may take `steps`.
    pub(super) fn new(steps: u64, cost: Cost) -> Self {
        Self { steps_left: steps, cost, last_at: 0 }
    }

    /// Counts that the attempt starts at byte `at`. Before that, PCRE2 may search the remaining `rest` bytes of the
    /// line for a byte that every match has. Returns whether the attempt may be made.
    pub(super) fn start(&mut self, at: usize, rest: usize) -> bool {
        self.last_at = at;
        self.spend((rest / BYTES_SEARCHED_PER_STEP) as u64)
    }

    /// Counts one item tried at byte `at`, while the longest group has `group_len` bytes. Returns whether the match may go on.
    /// Never panics: C calls it.
    #[inline]
    pub(super) fn step(&mut self, at: usize, group_len: impl FnOnce() -> usize) -> bool {
        let moved = at.abs_diff(self.last_at);
        self.last_at = at;
        let compared = if self.cost.compares_groups { group_len() } else { 0 };
        self.spend(self.cost.item.saturating_add((moved.saturating_add(compared) / BYTES_PER_STEP) as u64))
    }

    #[inline]
    fn spend(&mut self, steps: u64) -> bool {
        let left = self.steps_left.checked_sub(steps);
        self.steps_left = left.unwrap_or(0);
        left.is_some()
    }

    /// The steps that are left; 0 after the attempt was stopped.
    pub(super) fn steps_left(&self) -> u64 {
        self.steps_left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Cost = Cost { item: 1, compares_groups: false };

    /// The steps that items tried at these places cost.
    fn spent(cost: Cost, places: &[usize]) -> u64 {
        let mut meter = Meter::new(1000, cost);
        assert!(places.iter().all(|at| meter.step(*at, || 320)));
        1000 - meter.steps_left()
    }

    #[test]
    fn items_and_distances_cost_steps() {
        assert_eq!(spent(PLAIN, &[0, 1, 2]), 3);
        assert_eq!(spent(PLAIN, &[0, 160, 0]), 3 + 20, "forward and back");
    }

    #[test]
    fn what_happens_between_callouts_is_charged_in_advance() {
        assert_eq!(Cost::new(128, 20, 4, false), PLAIN);
        assert_eq!(Cost::new(10 * 1024, 20, 4, false).item, 11, "wide frames");
        assert_eq!(Cost::new(128, 2560, 4, false).item, 11, "long patterns");
        assert_eq!(Cost::new(128, 20, 160, false).item, 11, "long repeats");
        assert_eq!(spent(Cost { compares_groups: true, ..PLAIN }, &[0, 0]), 2 * (1 + 20), "groups that are compared");
    }

    #[test]
    fn no_step_is_possible_after_the_last() {
        let mut meter = Meter::new(2, PLAIN);
        assert_eq!([0; 4].map(|at| meter.step(at, || 0)), [true, true, false, false]);
        assert_eq!(meter.steps_left(), 0);
    }

    #[test]
    fn a_start_costs_what_a_search_of_the_rest_costs() {
        let mut meter = Meter::new(1, PLAIN);
        assert!(meter.start(0, BYTES_SEARCHED_PER_STEP - 1) && meter.start(0, BYTES_SEARCHED_PER_STEP));
        assert!(!meter.start(0, BYTES_SEARCHED_PER_STEP));
    }
}
