//! The memory for what is read of the files around suites. A suite's files come from anybody, so all of them together have a limit.

/// The memory for transcripts, answers of runs, baselines and the answers of `[challenge]`, of all open suites together, in
/// bytes.
pub(crate) const MAX_MEMORY: u64 = 256 << 20;
/// The same for a suite that is not open.
pub(crate) const MAX_CLOSED_MEMORY: u64 = 128 << 20;
/// The memory for one answer, in bytes. Four of them fill the memory of all.
pub(crate) const MAX_ANSWER_MEMORY: u64 = 64 << 20;

/// The memory for what was read of the files around a suite, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Memory {
    /// For transcripts.
    pub(crate) transcripts: u64,
    /// For kept runs and their answers.
    pub(crate) runs: u64,
    /// For baselines.
    pub(crate) baselines: u64,
    /// For the answers that `[challenge]` lists, and for samples.
    pub(crate) own: u64,
    /// For answers of this session.
    pub(crate) live: u64,
    /// How many files and answers are left out, because they are too large.
    pub(crate) left_out: usize,
}

impl Memory {
    /// All of it.
    pub(crate) fn sum(self) -> u64 {
        let Memory { transcripts, runs, baselines, own, live, left_out: _ } = self;
        transcripts + runs + baselines + own + live
    }
}

/// What is left of the memory while the files of a suite are read, and how much was not read.
#[derive(Clone, Debug)]
pub(crate) struct Allowance {
    left: u64,
    left_out: usize,
}

impl Allowance {
    /// An allowance of `left` bytes.
    pub(crate) fn new(left: u64) -> Allowance {
        Allowance { left, left_out: 0 }
    }

    /// What is left, in bytes.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// Takes so many bytes. Returns false, and counts one thing that is left out, if there are not enough.
    pub(crate) fn take(&mut self, bytes: u64) -> bool {
        let rest = self.left.checked_sub(bytes);
        self.left = rest.unwrap_or(self.left);
        self.left_out += usize::from(rest.is_none());
        rest.is_some()
    }

    /// Counts one thing that is left out for another reason.
    pub(crate) fn leave_out(&mut self) {
        self.left_out += 1;
    }

    /// How much was left out.
    pub(crate) fn left_out(&self) -> usize {
        self.left_out
    }
}
