use std::cell::RefCell;
use std::time::Duration;

use pcre2_sys as sys;

use super::budget::{HEAP_KIB, LineBudget};
use super::ffi::{Code, Refusal, Scratch};
use super::{Budget, Limits, OverBudget, PatternError};
use crate::text::Span;

/// Whether upper and lower case are told apart where the pattern itself does not say, with `(?i)` or `(?-i)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Case {
    /// They are not: `a` matches `A`.
    Ignored,
    /// They are.
    Matters,
}

/// A compiled pattern. May be used by several threads at once.
#[derive(Debug)]
pub struct Pattern {
    source: String,
    case: Case,
    code: Code,
    counted: Counted,
}

/// Where a program asks its meter whether to go on.
#[derive(Debug)]
enum Counted {
    /// Before every item of the pattern.
    Items,
    /// Only before each place where a match may start: with a callout at each item the program would have been larger than
    /// PCRE2 allows.
    Starts,
}

/// The longest pattern that is looked at, in bytes. A program cannot be larger than this either, so what it refuses is mostly
/// comment, or groups with names, for which PCRE2 takes time in proportion to their number squared.
pub(super) const MAX_PATTERN_BYTES: usize = 64 << 10;
/// The largest program, in bytes. PCRE2 as it is built here cannot make one of more than 64 KiB; this says it once more.
pub(super) const MAX_PROGRAM_BYTES: usize = 128 << 10;

/// A callout before the wrapped pattern, and so before each place where a match may start.
const STOP: &str = "(?C)";

/// What ripgrep sets, but for case. It asks for no JIT here: machine code can be neither counted nor stopped.
const OPTIONS: u32 = sys::PCRE2_UTF | sys::PCRE2_UCP | sys::PCRE2_MULTILINE;

impl Pattern {
    /// Compiles `source` as ripgrep does: within `(?:…)`, with Unicode's properties, `^` and `$` at the line's ends.
    ///
    /// # Errors
    /// Where PCRE2 does not compile it, be it malformed or too large.
    pub fn compile(source: &str, case: Case) -> Result<Self, PatternError> {
        let options = OPTIONS | if case == Case::Ignored { sys::PCRE2_CASELESS } else { 0 };
        let wrapped = format!("{STOP}(?:{source})");
        let (code, counted) = match Code::compile(&wrapped[STOP.len()..], options | sys::PCRE2_AUTO_CALLOUT) {
            Ok(code) => (code, Counted::Items),
            Err(_) => match Code::compile(&wrapped, options) {
                Ok(code) => (code, Counted::Starts),
                Err(refusal) => return Err(explain(source, options, refusal)),
            },
        };
        Ok(Self { source: source.to_owned(), case, code, counted })
    }

    /// The pattern as its author wrote it.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The case it was compiled with.
    pub fn case(&self) -> Case {
        self.case
    }

    /// About how many bytes it takes in memory.
    pub(super) fn weight(&self) -> usize {
        size_of::<Self>() + self.source.len() + self.code.program_size()
    }

    /// The first match in `line`, which should hold no line break, that starts at byte `from` or later; it may be
    /// empty. What stands before `from` is seen by look-behinds, `^` and `\b`. A `from` within a character counts as the
    /// next character.
    ///
    /// # Errors
    /// Where finding out costs more than `budget` has.
    pub fn find(&self, line: &str, from: usize, budget: &Budget) -> Result<Option<Span>, OverBudget> {
        self.find_within(line, from, &mut budget.line(line.len()))
    }

    /// How many steps it takes, as [`Limits::steps`] counts them, to look for the first match in `line`, in whatever time.
    ///
    /// # Errors
    /// Where it takes more than `most`, or cannot be told.
    pub fn steps(&self, line: &str, most: u64) -> Result<u64, OverBudget> {
        let (line_time, case_time) = (Duration::MAX, Duration::MAX);
        let budget = Budget::new(Limits { steps: most, steps_per_byte: 0, line_time, case_time });
        let mut budget = budget.line(line.len());
        self.find_within(line, 0, &mut budget)?;
        Ok(most - budget.steps_left())
    }

    /// Every match in `line` that is not empty, from left to right, none overlapping another. After an empty match the
    /// search goes on one character later, as ripgrep's does.
    ///
    /// All of them together have the budget of one pattern on one line. The iterator ends with the first error.
    pub fn matches<'a>(&'a self, line: &'a str, budget: &'a Budget) -> Matches<'a> {
        Matches { pattern: self, line, next: Some(0), budget: budget.line(line.len()) }
    }

    fn find_within(&self, line: &str, from: usize, budget: &mut LineBudget<'_>) -> Result<Option<Span>, OverBudget> {
        thread_local! {
            static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch::new(HEAP_KIB));
        }
        if from > line.len() {
            return Ok(None);
        }
        let from = ceil_char(line, from);
        let match_limit = match self.counted {
            Counted::Items => u32::MAX,
            Counted::Starts => match_limit_between_starts(line.len()),
        };
        let found = SCRATCH.with_borrow_mut(|scratch| budget.run(scratch, &self.code, match_limit, line, from))?;
        Ok(found.map(|(start, end)| whole_characters(line, start, end)))
    }
}

/// The matches of one pattern on one line. Made by [`Pattern::matches`].
#[derive(Debug)]
pub struct Matches<'a> {
    pattern: &'a Pattern,
    line: &'a str,
    next: Option<usize>,
    budget: LineBudget<'a>,
}

#[cfg(test)]
impl Matches<'_> {
    /// The steps that this line may still take.
    pub(super) fn steps_left(&self) -> u64 {
        self.budget.steps_left()
    }
}

impl Iterator for Matches<'_> {
    type Item = Result<Span, OverBudget>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(from) = self.next.take() {
            match self.pattern.find_within(self.line, from, &mut self.budget) {
                Err(over) => return Some(Err(over)),
                Ok(None) => return None,
                Ok(Some(span)) => {
                    // An empty match, or one that `\K` has shrunk, must not be found again.
                    let next = if span.end > from && !span.is_empty() { span.end } else { span.end.max(from) + 1 };
                    // At the line's end there are only empty matches.
                    self.next = Some(next).filter(|next| *next < self.line.len());
                    if !span.is_empty() {
                        return Some(Ok(span));
                    }
                }
            }
        }
        None
    }
}

/// The wrapper can hide what is wrong: in `(?:a\)` the last backslash takes the wrapper's own bracket. So what is refused
/// within it is tried without, and what PCRE2 says then is what the author needs to know.
fn explain(source: &str, options: u32, mut wrapped: Refusal) -> PatternError {
    match Code::compile(source, options) {
        Err(bare) => PatternError::new(source, &bare),
        Ok(_) => {
            wrapped.offset = wrapped.offset.saturating_sub(STOP.len() + "(?:".len()).min(source.len());
            PatternError::in_wrapper(source, &wrapped)
        }
    }
}

/// PCRE2's match limit for a program that is counted only where a match may start: so low that between two of those places
/// it cannot take long, even if every step goes over the whole line.
fn match_limit_between_starts(line_len: usize) -> u32 {
    const BYTES_BETWEEN_STARTS: usize = 1 << 25;
    u32::try_from(BYTES_BETWEEN_STARTS / line_len.max(1)).unwrap_or(u32::MAX).clamp(32, 500_000)
}

/// The span from `start` to `end`, whichever comes first (`\K` may turn them round), widened to whole characters (`\C`
/// matches a single byte).
fn whole_characters(line: &str, start: usize, end: usize) -> Span {
    Span::new(floor_char(line, start.min(end)), ceil_char(line, start.max(end)))
}

fn floor_char(line: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0)
}

fn ceil_char(line: &str, at: usize) -> usize {
    (at..line.len()).find(|at| line.is_char_boundary(*at)).unwrap_or(line.len())
}
