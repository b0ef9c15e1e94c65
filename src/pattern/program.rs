use std::cell::RefCell;
use std::time::Duration;

use pcre2_sys as sys;

use super::budget::{HEAP_KIB, LineBudget};
use super::ffi::{Code, Refusal, Scratch};
use super::{Budget, Limits, OverBudget, PatternError};
use crate::text::Span;

/// Whether a pattern ignores case unless it contains `(?i)` or `(?-i)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Case {
    /// Case is ignored: `a` matches `A`.
    Ignored,
    /// Case matters.
    Matters,
}

/// A compiled pattern. Several threads may use it at the same time.
#[derive(Debug)]
pub(crate) struct Pattern {
    source: String,
    case: Case,
    code: Code,
    counted: Counted,
}

/// Where a program calls its meter.
#[derive(Debug)]
enum Counted {
    /// Before every item of the pattern.
    Items,
    /// Only before each place where a match may start. With a callout at each item the program would be larger than
    /// PCRE2 allows.
    Starts,
}

/// The longest pattern that is compiled, in bytes. A program cannot be larger than this either, so longer patterns
/// consist mostly of comments or of named groups, for which PCRE2 takes quadratic time.
pub(super) const MAX_PATTERN_BYTES: usize = 64 << 10;
/// The largest program, in bytes. This build of PCRE2 cannot make larger ones anyway.
pub(super) const MAX_PROGRAM_BYTES: usize = 128 << 10;

/// A callout before the wrapped pattern, and so before each place where a match may start.
const STOP: &str = "(?C)";

/// The options of ripgrep, except for case. There is no JIT, because machine code can be neither counted nor stopped.
const OPTIONS: u32 = sys::PCRE2_UTF | sys::PCRE2_UCP | sys::PCRE2_MULTILINE;

impl Pattern {
    /// Compiles `source` as ripgrep does: within `(?:…)`, with Unicode properties, and with `^` and `$` at the ends of
    /// the line.
    ///
    /// # Errors
    /// If PCRE2 does not compile it, because it is malformed or too large.
    pub(crate) fn compile(source: &str, case: Case) -> Result<Self, PatternError> {
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

    /// Returns the pattern as its author wrote it.
    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    /// Returns the case mode.
    pub(crate) fn case(&self) -> Case {
        self.case
    }

    /// Returns the approximate memory in bytes.
    pub(super) fn weight(&self) -> usize {
        size_of::<Self>() + self.source.len() + self.code.program_size()
    }

    /// Returns the first match in `line` that starts at byte `from` or later; it may be empty. `line` should not
    /// contain a line break. Look-behinds, `^` and `\b` see the text before `from`. A `from` within a character counts
    /// as the next character.
    ///
    /// # Errors
    /// If the search costs more than `budget` has.
    pub(crate) fn find(&self, line: &str, from: usize, budget: &Budget) -> Result<Option<Span>, OverBudget> {
        self.find_within(line, from, &mut budget.line(line.len()))
    }

    /// Returns the steps, as [`Limits::steps`] counts them, of a search for the first match in `line`, without a limit
    /// of time.
    ///
    /// # Errors
    /// If it takes more than `most` steps, or PCRE2 stops.
    pub(crate) fn steps(&self, line: &str, most: u64) -> Result<u64, OverBudget> {
        let (line_time, case_time) = (Duration::MAX, Duration::MAX);
        let budget = Budget::new(Limits { steps: most, steps_per_byte: 0, line_time, case_time });
        let mut budget = budget.line(line.len());
        self.find_within(line, 0, &mut budget)?;
        Ok(most - budget.steps_left())
    }

    /// Returns every match in `line` that is not empty, from left to right, without overlaps. After an empty match the
    /// search continues one character later, as in ripgrep.
    ///
    /// All of them together use the budget of one pattern on one line. The iterator ends with the first error.
    pub(crate) fn matches<'a>(&'a self, line: &'a str, budget: &'a Budget) -> Matches<'a> {
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

/// The matches of one pattern on one line; see [`Pattern::matches`].
#[derive(Debug)]
pub(crate) struct Matches<'a> {
    pattern: &'a Pattern,
    line: &'a str,
    next: Option<usize>,
    budget: LineBudget<'a>,
}

#[cfg(test)]
impl Matches<'_> {
    /// The remaining steps for this line.
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
                    // An empty match, or one that `\K` has shortened, must not be found again.
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

/// The wrapper can hide an error: in `(?:a\)` the last backslash escapes the bracket of the wrapper. So a rejected
/// pattern is compiled without the wrapper too, and the author sees that error.
fn explain(source: &str, options: u32, mut wrapped: Refusal) -> PatternError {
    match Code::compile(source, options) {
        Err(bare) => PatternError::new(source, &bare),
        Ok(_) => {
            wrapped.offset = wrapped.offset.saturating_sub(STOP.len() + "(?:".len()).min(source.len());
            PatternError::in_wrapper(source, &wrapped)
        }
    }
}

/// Returns PCRE2's match limit for a program that is counted only where a match may start. The limit is so low that the
/// program cannot take long between two of those places, even if every step reads the whole line.
fn match_limit_between_starts(line_len: usize) -> u32 {
    const BYTES_BETWEEN_STARTS: usize = 1 << 25;
    u32::try_from(BYTES_BETWEEN_STARTS / line_len.max(1)).unwrap_or(u32::MAX).clamp(32, 500_000)
}

/// Returns the span from `start` to `end` in the right order (`\K` may swap them), widened to whole characters (`\C`
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
