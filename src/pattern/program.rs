use std::cell::RefCell;

use pcre2_sys as sys;

use crate::text::Span;

use super::budget::{Cost, HEAP_KIB, LineBudget};
use super::ffi::{Code, Refusal, Scratch};
use super::syntax::{TokenKind, tokens};
use super::{Budget, OverBudget, PatternError};

/// Whether a pattern ignores case unless it contains `(?i)` or `(?-i)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Case {
    /// Case is ignored: `a` matches `A`.
    Ignored,
    /// Case matters.
    Matters,
}

impl Case {
    /// The options of PCRE2 for a pattern.
    pub(super) fn options(self) -> u32 {
        OPTIONS | if self == Case::Ignored { sys::PCRE2_CASELESS } else { 0 }
    }
}

/// A compiled pattern. Several threads may use it at the same time.
#[derive(Debug)]
pub(crate) struct Pattern {
    source: String,
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

/// What ripgrep sets, except for case. There is no JIT: machine code can be neither counted nor stopped.
const OPTIONS: u32 = sys::PCRE2_UTF | sys::PCRE2_UCP | sys::PCRE2_MULTILINE;

impl Pattern {
    /// Compiles `source` as ripgrep does: within `(?:…)`, with Unicode properties, and with `^` and `$` at the ends of
    /// the line.
    ///
    /// # Errors
    /// If PCRE2 does not compile it, because it is malformed or too large.
    pub(crate) fn compile(source: &str, case: Case) -> Result<Self, PatternError> {
        let options = case.options();
        let wrapped = format!("{STOP}(?:{source})");
        let cost = |frame_size| cost(source, frame_size);
        let (code, counted) = match Code::compile(&wrapped[STOP.len()..], options | sys::PCRE2_AUTO_CALLOUT, cost) {
            Ok(code) => (code, Counted::Items),
            Err(_) => match Code::compile(&wrapped, options, |_| BETWEEN_STARTS) {
                Ok(code) => (code, Counted::Starts),
                Err(refusal) => return Err(explain(source, options, refusal)),
            },
        };
        Ok(Self { source: source.to_owned(), code, counted })
    }

    /// Returns the pattern as its author wrote it.
    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    /// About how many bytes it takes in memory.
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
        LineSearch::new(self, line, budget).find(from)
    }

    /// Returns every match in `line` that is not empty, from left to right, without overlaps. After an empty match the
    /// search continues one character later, as in ripgrep.
    ///
    /// All of them together use the budget of one pattern on one line. The iterator ends with the first error.
    pub(crate) fn matches<'a>(&'a self, line: &'a str, budget: &'a Budget) -> Matches<'a> {
        Matches { search: LineSearch::new(self, line, budget), next: Some(0) }
    }
}

/// The search of one pattern on one line.
#[derive(Debug)]
struct LineSearch<'a> {
    pattern: &'a Pattern,
    line: &'a str,
    budget: LineBudget<'a>,
}

impl<'a> LineSearch<'a> {
    fn new(pattern: &'a Pattern, line: &'a str, budget: &'a Budget) -> Self {
        Self { pattern, line, budget: budget.line(line.len()) }
    }

    fn find(&mut self, from: usize) -> Result<Option<Span>, OverBudget> {
        thread_local! {
            static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch::new(HEAP_KIB));
        }
        if from > self.line.len() {
            return Ok(None);
        }
        let from = self.line.ceil_char_boundary(from);
        let Self { pattern, line, budget } = self;
        let match_limit = match pattern.counted {
            Counted::Items => u32::MAX,
            Counted::Starts => match_limit_between_starts(line.len()),
        };
        let run = |scratch: &mut Scratch| budget.run(scratch, &pattern.code, match_limit, line, from);
        let found = SCRATCH.with_borrow_mut(run)?;
        Ok(found.map(|(start, end)| whole_characters(line, start, end)))
    }
}

/// The matches of one pattern on one line; see [`Pattern::matches`].
#[derive(Debug)]
pub(crate) struct Matches<'a> {
    search: LineSearch<'a>,
    next: Option<usize>,
}

impl Iterator for Matches<'_> {
    type Item = Result<Span, OverBudget>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(from) = self.next.take() {
            match self.search.find(from) {
                Err(over) => return Some(Err(over)),
                Ok(None) => return None,
                Ok(Some(span)) => {
                    // An empty match, or one that `\K` has shortened, must not be found again.
                    let next = if span.end > from && !span.is_empty() { span.end } else { span.end.max(from) + 1 };
                    // At the line's end there are only empty matches.
                    self.next = Some(next).filter(|next| *next < self.search.line.len());
                    if !span.is_empty() {
                        return Some(Ok(span));
                    }
                }
            }
        }
        None
    }
}

/// What PCRE2 may do between two callouts of a program with a callout before every item.
fn cost(source: &str, frame_size: usize) -> Cost {
    let (mut longest, mut compares_groups) = (0, false);
    for token in tokens(source) {
        match token.kind {
            TokenKind::Repeat { min, .. } => longest = longest.max(min),
            TokenKind::Reference => compares_groups = true,
            _ => {}
        }
    }
    Cost::new(frame_size, source.len(), longest, compares_groups)
}

/// The wrapper can hide what is wrong: in `(?:a\)` the last backslash takes the wrapper's own bracket. So what is refused
/// within it is tried without, and what PCRE2 says then is what the author needs to know.
fn explain(source: &str, options: u32, mut wrapped: Refusal) -> PatternError {
    match Code::compile(source, options, |_| BETWEEN_STARTS) {
        Err(bare) => PatternError::new(source, &bare),
        Ok(_) => {
            wrapped.offset = wrapped.offset.saturating_sub(STOP.len() + "(?:".len()).min(source.len());
            PatternError::in_wrapper(source, &wrapped)
        }
    }
}

/// The cost of each start of a program that is counted only there.
const BETWEEN_STARTS: Cost = Cost { item: 2_000, compares_groups: false };

/// PCRE2's match limit for a program that is counted only where a match may start: so low that it cannot take long between
/// two of those places, even if every step passes the whole line.
fn match_limit_between_starts(line_len: usize) -> u32 {
    const BYTES_BETWEEN_STARTS: usize = 1 << 22;
    u32::try_from(BYTES_BETWEEN_STARTS / line_len.max(1)).unwrap_or(u32::MAX).clamp(32, 10_000)
}

/// Returns the span from `start` to `end` in the right order (`\K` may swap them), widened to whole characters (`\C`
/// matches a single byte).
fn whole_characters(line: &str, start: usize, end: usize) -> Span {
    Span::new(line.floor_char_boundary(start.min(end)), line.ceil_char_boundary(start.max(end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Matches<'_> {
        /// The remaining steps for this line.
        pub(in crate::pattern) fn steps_left(&self) -> u64 {
            self.search.budget.steps_left()
        }
    }
}
