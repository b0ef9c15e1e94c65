use std::sync::atomic::{AtomicU64, Ordering};

use pcre2_sys as sys;

use super::ffi::{Attempt, Code, Scratch};
use super::meter::Meter;

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
    /// The limits of a verdict.
    pub(crate) const VERDICT: Limits = Limits { steps: 1_000_000, steps_per_byte: 16, case_steps: 100_000_000 };
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

    /// Returns the budget of one pattern for one line of `line_len` bytes, of which `first` and a step for each byte may be spent at
    /// first.
    pub(super) fn line_with(&self, first: u64, line_len: usize) -> LineBudget<'_> {
        let line = self.line(line_len);
        LineBudget { left: line.left.min(first.saturating_add(line_len as u64)), ..line }
    }

    /// Returns the budget of one pattern for one line of `line_len` bytes.
    pub(super) fn line(&self, line_len: usize) -> LineBudget<'_> {
        let steps = self.limits.steps.saturating_add(self.limits.steps_per_byte.saturating_mul(line_len as u64));
        LineBudget { budget: self, steps, left: steps, free: line_len as u64 }
    }
}

/// The remaining budget of one pattern on one line.
#[derive(Debug)]
pub(super) struct LineBudget<'b> {
    budget: &'b Budget,
    /// The steps for the whole line.
    steps: u64,
    /// The steps that are left of them.
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

    /// Gives the whole steps of the line, for another attempt. The steps that the case has spent stay spent.
    pub(super) fn start_again(&mut self) {
        self.left = self.steps;
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

    /// Charges steps that another engine took.
    ///
    /// # Errors
    /// If there are not so many left.
    pub(super) fn charge(&mut self, steps: u64) -> Result<(), OverBudget> {
        let (available, over) = self.available();
        self.spend(steps.min(available));
        if steps <= available { Ok(()) } else { Err(over) }
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
