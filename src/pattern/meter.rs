use std::time::{Duration, Instant};

/// Counts the cost of one attempt to match, and ends it at the limit.
///
/// A program that was compiled with callouts before every item calls the meter at each item that it tries. So every
/// step is counted, over all places where a match may start; PCRE2's own match limit starts from zero at each of them.
/// The distance that the position in the subject moved since the last item also counts, because `[^x]*` alone can read
/// a whole line. These counts do not depend on the machine. The clock is the second limit, for the few operations that
/// take PCRE2 long without passing an item.
#[derive(Debug)]
pub(super) struct Meter {
    steps_left: u64,
    steps_per_item: u64,
    last_at: usize,
    items_until_poll: u32,
    items_between_polls: u32,
    time_left: Duration,
    watch: Stopwatch,
    out_of_steps: bool,
}

/// How many bytes that are read count as one step.
const BYTES_PER_STEP: usize = 16;
/// How many bytes count as one step if PCRE2 only searches them for a byte, many at a time.
const BYTES_SEARCHED_PER_STEP: usize = 2048;
/// How many bytes of a backtracking frame, which PCRE2 copies at a choice, count as one step.
const FRAME_BYTES_PER_STEP: usize = 1024;

impl Meter {
    /// Creates the meter of an attempt with limits of steps and time. The frames of the program have `frame_size`
    /// bytes, and the line has `line_len` bytes.
    pub(super) fn new(steps: u64, time: Duration, frame_size: usize, line_len: usize) -> Self {
        let items_between_polls = polling_interval(line_len);
        Self {
            steps_left: steps,
            steps_per_item: 1 + (frame_size / FRAME_BYTES_PER_STEP) as u64,
            last_at: 0,
            items_until_poll: items_between_polls,
            items_between_polls,
            time_left: time,
            watch: Stopwatch::start(line_len),
            out_of_steps: false,
        }
    }

    /// Counts that the attempt starts at byte `at`. Before that, PCRE2 may search the remaining `rest` bytes of the
    /// line for a byte that every match has. Returns whether the attempt may be made.
    pub(super) fn start(&mut self, at: usize, rest: usize) -> bool {
        self.last_at = at;
        self.spend((rest / BYTES_SEARCHED_PER_STEP) as u64)
    }

    /// Counts one item tried at byte `at`. Returns whether the match may go on. Never panics: C calls it.
    #[inline]
    pub(super) fn step(&mut self, at: usize) -> bool {
        let moved = at.abs_diff(self.last_at) / BYTES_PER_STEP;
        self.last_at = at;
        if !self.spend(self.steps_per_item.saturating_add(moved as u64)) {
            return false;
        }
        self.items_until_poll = self.items_until_poll.wrapping_sub(1);
        if self.items_until_poll == 0 {
            self.items_until_poll = self.items_between_polls;
            return self.watch.lap() < self.time_left;
        }
        true
    }

    #[inline]
    fn spend(&mut self, steps: u64) -> bool {
        let left = self.steps_left.checked_sub(steps);
        self.out_of_steps |= left.is_none();
        self.steps_left = left.unwrap_or(0);
        left.is_some()
    }

    /// Returns whether the steps ran out, and not the time.
    pub(super) fn out_of_steps(&self) -> bool {
        self.out_of_steps
    }

    /// Ends the attempt. Returns the remaining steps and the time that it took.
    pub(super) fn stop(mut self) -> (u64, Duration) {
        (self.steps_left, self.watch.lap())
    }
}

/// Returns after how many items to read the clock. A single item may read the whole line, at some nanoseconds for each
/// byte, before the next item is counted. So the clock is read more often on longer lines.
fn polling_interval(line_len: usize) -> u32 {
    const BYTES_BETWEEN_POLLS: usize = 1 << 21;
    u32::try_from(BYTES_BETWEEN_POLLS / line_len.max(1)).unwrap_or(u32::MAX).clamp(1, 256)
}

/// A clock for the work of this thread, as far as it can be measured. The clock is read often. If much time passes
/// between two readings, the machine did something else, and that time does not count.
#[derive(Debug)]
struct Stopwatch {
    last: Instant,
    spent: Duration,
    most_between_looks: Duration,
}

impl Stopwatch {
    fn start(line_len: usize) -> Self {
        let nanos_for_the_line = 20_u64.saturating_mul(line_len as u64);
        let most_between_looks = Duration::from_millis(10).saturating_add(Duration::from_nanos(nanos_for_the_line));
        Self { last: Instant::now(), spent: Duration::ZERO, most_between_looks }
    }

    /// Returns the time spent so far.
    fn lap(&mut self) -> Duration {
        let now = Instant::now();
        let since = now.saturating_duration_since(self.last);
        self.last = now;
        self.spent = self.spent.saturating_add(since.min(self.most_between_looks));
        self.spent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOREVER: Duration = Duration::MAX;

    /// Returns the steps that items at these places cost.
    fn cost(frame_size: usize, places: &[usize]) -> u64 {
        let mut meter = Meter::new(1000, FOREVER, frame_size, 80);
        assert!(places.iter().all(|at| meter.step(*at)) && !meter.out_of_steps());
        1000 - meter.stop().0
    }

    #[test]
    fn items_distances_and_large_frames_cost_steps() {
        assert_eq!(cost(128, &[0, 1, 2]), 3);
        assert_eq!(cost(128, &[0, 160, 0]), 3 + 20, "forwards and backwards");
        assert_eq!(cost(10 * 1024, &[0, 1]), 2 * 11);
    }

    #[test]
    fn exhausted_steps_stay_exhausted() {
        let mut meter = Meter::new(2, FOREVER, 128, 80);
        assert_eq!([meter.step(0), meter.step(0), meter.step(0), meter.step(0)], [true, true, false, false]);
        assert!(meter.out_of_steps());
        assert_eq!(meter.stop().0, 0);
    }

    #[test]
    fn a_start_costs_a_search_of_the_rest() {
        let mut meter = Meter::new(1, FOREVER, 128, 10_000);
        assert!(meter.start(0, BYTES_SEARCHED_PER_STEP - 1) && meter.start(0, BYTES_SEARCHED_PER_STEP));
        assert!(!meter.start(0, BYTES_SEARCHED_PER_STEP) && meter.out_of_steps());
    }

    #[test]
    fn the_next_reading_of_the_clock_ends_an_attempt_without_time() {
        let mut meter = Meter::new(u64::MAX, Duration::ZERO, 128, 80);
        let items = (0..).take_while(|_| meter.step(0)).count();
        assert_eq!(items + 1, polling_interval(80) as usize);
        assert!(!meter.out_of_steps());
    }

    #[test]
    fn the_clock_is_read_more_often_on_longer_lines() {
        assert_eq!([0, 80, 100_000, 1 << 20, usize::MAX].map(polling_interval), [256, 256, 20, 2, 1]);
    }

    #[test]
    fn long_gaps_between_readings_are_capped() {
        let ago = |time| Stopwatch { last: Instant::now().checked_sub(time).unwrap(), ..Stopwatch::start(1_000_000) };
        let most = Duration::from_millis(10 + 20);
        assert_eq!(ago(Duration::from_secs(1)).lap(), most);
        assert!(ago(Duration::from_millis(1)).lap() >= Duration::from_millis(1));
    }
}
