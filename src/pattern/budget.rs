use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::ffi::{Code, Outcome, Scratch};
use super::meter::Meter;

/// The limits of matching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// The steps that one pattern may take on one line of any length. Trying an item of the pattern is one step (more
    /// if the pattern has very many groups), and so is reading 16 bytes.
    pub(crate) steps: u64,
    /// Additional steps for each byte of the line, so that a pattern can read a long line to its end.
    pub(crate) steps_per_byte: u64,
    /// The time that one pattern may take on one line, for all matches together. Time in which the thread waited for a
    /// busy machine does not count, as far as it can be measured.
    pub(crate) line_time: Duration,
    /// The time that all matching of one case may take.
    pub(crate) case_time: Duration,
}

impl Limits {
    /// The limits for a verdict.
    pub(crate) const VERDICT: Limits = Limits {
        steps: 1_000_000,
        steps_per_byte: 4,
        line_time: Duration::from_millis(100),
        case_time: Duration::from_secs(2),
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::VERDICT
    }
}

/// The remaining budget of the patterns of one case. Create one for each case and pass it to every match; a time limit
/// counts only the time spent matching.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    limits: Limits,
    spent_nanos: AtomicU64,
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
    /// [`Limits::line_time`].
    #[error("the pattern exceeded its time limit on this line")]
    LineTime,
    /// [`Limits::case_time`].
    #[error("the patterns of this case exceeded their combined time limit")]
    CaseTime,
    /// The pattern calls itself at the same place in the line without end.
    #[error("the pattern calls itself without advancing in the line")]
    Recursion,
    /// Another of PCRE2's errors, by its number.
    #[error("PCRE2 gave up: {}", super::ffi::error_message(*.0))]
    Engine(i32),
}

/// The memory for backtracking in one match, in KiB. It is the same for every budget, so that one scratch memory of a
/// thread serves all of them.
pub(super) const HEAP_KIB: u32 = 32 << 10;

impl Budget {
    /// Creates a budget with other limits.
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, spent_nanos: AtomicU64::new(0) }
    }

    /// Returns the time spent matching so far.
    pub(crate) fn spent(&self) -> Duration {
        Duration::from_nanos(self.spent_nanos.load(Ordering::Relaxed))
    }

    /// Returns the budget of one pattern for one line of `line_len` bytes.
    pub(super) fn line(&self, line_len: usize) -> LineBudget<'_> {
        let steps_left = self.limits.steps.saturating_add(self.limits.steps_per_byte.saturating_mul(line_len as u64));
        LineBudget { budget: self, steps_left, time_left: self.limits.line_time }
    }
}

/// The remaining budget of one pattern on one line.
#[derive(Debug)]
pub(super) struct LineBudget<'b> {
    budget: &'b Budget,
    steps_left: u64,
    time_left: Duration,
}

impl OverBudget {
    fn from_pcre2(number: i32) -> Self {
        match number {
            pcre2_sys::PCRE2_ERROR_MATCHLIMIT | pcre2_sys::PCRE2_ERROR_DEPTHLIMIT => Self::Steps,
            pcre2_sys::PCRE2_ERROR_HEAPLIMIT | pcre2_sys::PCRE2_ERROR_NOMEMORY => Self::Heap,
            pcre2_sys::PCRE2_ERROR_RECURSELOOP => Self::Recursion,
            other => Self::Engine(other),
        }
    }
}

impl LineBudget<'_> {
    /// Returns the remaining steps.
    pub(super) fn steps_left(&self) -> u64 {
        self.steps_left
    }

    /// Runs a program on a line within this budget, and subtracts its cost. `from` must be the start of a character.
    pub(super) fn run(
        &mut self,
        scratch: &mut Scratch,
        code: &Code,
        match_limit: u32,
        line: &str,
        from: usize,
    ) -> Result<Option<(usize, usize)>, OverBudget> {
        let case_left = self.budget.limits.case_time.saturating_sub(self.budget.spent());
        let (time_left, out_of_time) = if case_left < self.time_left {
            (case_left, OverBudget::CaseTime)
        } else {
            (self.time_left, OverBudget::LineTime)
        };
        if time_left.is_zero() {
            return Err(out_of_time);
        }
        let mut meter = Meter::new(self.steps_left, time_left, code.frame_size(), line.len());
        let outcome = if meter.start(from, line.len() - from) {
            scratch.run(code, line, from, match_limit, &mut meter)
        } else {
            Outcome::Stopped
        };
        let out_of_steps = meter.out_of_steps();
        self.charge(meter.stop());
        match outcome {
            Outcome::Match(start, end) => Ok(Some((start, end))),
            Outcome::NoMatch => Ok(None),
            Outcome::Stopped => Err(if out_of_steps { OverBudget::Steps } else { out_of_time }),
            Outcome::Error(number) => Err(OverBudget::from_pcre2(number)),
        }
    }

    fn charge(&mut self, (steps_left, time): (u64, Duration)) {
        self.steps_left = steps_left;
        self.time_left = self.time_left.saturating_sub(time);
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.budget.spent_nanos.fetch_add(nanos, Ordering::Relaxed);
    }
}
