use std::sync::atomic::{AtomicU64, Ordering};

use pcre2_sys as sys;

use super::ffi::{Attempt, Code, Scratch};

/// How much matching may cost. Everything is counted in steps and nothing in time, so that a verdict does not depend on the
/// machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// The steps that one pattern may take on one line of any length. Trying an item of the pattern is one step, or more if
    /// the item or the pattern is large. Passing 16 bytes of the line is one step.
    pub(crate) steps: u64,
    /// Additional steps for each byte of the line, so that a long line can be read from end to end.
    pub(crate) steps_per_byte: u64,
    /// The steps that all patterns of one case may take together. The first step for each byte of a line does not count:
    /// so a long answer needs no larger limit.
    pub(crate) case_steps: u64,
}

impl Limits {
    /// The limits of a verdict. The steps of a line are as many as PCRE2's own limit by default; they take a fraction of a second.
    pub(crate) const VERDICT: Limits = Limits { steps: 10_000_000, steps_per_byte: 16, case_steps: 100_000_000 };
}

impl Default for Limits {
    fn default() -> Self {
        Self::VERDICT
    }
}

/// What the patterns of one case may still spend. Make one for each case and pass it to all its matches.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    limits: Limits,
    spent: AtomicU64,
}

/// Why a match was stopped. It is then unknown whether the pattern matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub(crate) enum OverBudget {
    /// [`Limits::steps`] and [`Limits::steps_per_byte`].
    #[error("the pattern exceeded its match limit on this line: it backtracks too much")]
    Steps,
    /// The memory for backtracking.
    #[error("the pattern exceeded its heap limit of {} MiB on this line: it backtracks too deeply", HEAP_KIB >> 10)]
    Heap,
    /// [`Limits::case_steps`].
    #[error("the patterns of this case exceeded their combined match limit: they backtrack too much")]
    CaseSteps,
    /// The pattern calls itself at the same place in the line without end.
    #[error("the pattern calls itself without advancing in the line")]
    Recursion,
    /// Another of PCRE2's errors, by its number.
    #[error("PCRE2 gave up: {}", super::ffi::error_message(*.0))]
    Engine(i32),
}

/// The memory that one match may take for backtracking, in KiB. It is the same for all budgets, so that one block for each
/// thread serves them all.
pub(super) const HEAP_KIB: u32 = 32 << 10;

impl Budget {
    /// A budget with other limits than those of a verdict.
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, spent: AtomicU64::new(0) }
    }

    /// Returns the budget of one pattern for one line of `line_len` bytes.
    pub(super) fn line(&self, line_len: usize) -> LineBudget<'_> {
        let steps = self.limits.steps.saturating_add(self.limits.steps_per_byte.saturating_mul(line_len as u64));
        LineBudget { budget: self, left: steps, free: line_len as u64 }
    }
}

/// The remaining budget of one pattern on one line.
#[derive(Debug)]
pub(super) struct LineBudget<'b> {
    budget: &'b Budget,
    /// The steps that are left for the line.
    left: u64,
    /// The steps that do not count for the case.
    free: u64,
}

impl OverBudget {
    fn from_pcre2(number: i32) -> Self {
        match number {
            sys::PCRE2_ERROR_MATCHLIMIT | sys::PCRE2_ERROR_DEPTHLIMIT => Self::Steps,
            sys::PCRE2_ERROR_HEAPLIMIT | sys::PCRE2_ERROR_NOMEMORY => Self::Heap,
            sys::PCRE2_ERROR_RECURSELOOP => Self::Recursion,
            other => Self::Engine(other),
        }
    }
}

impl LineBudget<'_> {
    /// Returns the remaining steps.
    #[cfg(test)]
    pub(super) fn steps_left(&self) -> u64 {
        self.left
    }

    /// Runs a program on a line within this budget, and subtracts its cost.
    pub(super) fn run(
        &mut self,
        scratch: &mut Scratch,
        code: &Code,
        match_limit: u32,
        line: &str,
        from: usize,
    ) -> Result<Option<(usize, usize)>, OverBudget> {
        let (available, over) = self.available();
        let mut meter = Meter::new(available, code.cost());
        let outcome = if meter.start(from, line.len() - from) {
            scratch.run(code, line, from, match_limit, &mut meter)
        } else {
            Attempt::Stopped
        };
        self.spend(available - meter.steps_left());
        match outcome {
            Attempt::Match(start, end) => Ok(Some((start, end))),
            Attempt::NoMatch => Ok(None),
            Attempt::Stopped => Err(over),
            Attempt::Error(number) => Err(OverBudget::from_pcre2(number)),
        }
    }

    /// The steps that may be taken now, and the limit that is exceeded after them.
    fn available(&self) -> (u64, OverBudget) {
        let spent = self.budget.spent.load(Ordering::Relaxed);
        let of_case = self.budget.limits.case_steps.saturating_sub(spent).saturating_add(self.free);
        if of_case < self.left { (of_case, OverBudget::CaseSteps) } else { (self.left, OverBudget::Steps) }
    }

    fn spend(&mut self, steps: u64) {
        self.left -= steps;
        let free = steps.min(self.free);
        self.free -= free;
        self.budget.spent.fetch_add(steps - free, Ordering::Relaxed);
    }
}

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
