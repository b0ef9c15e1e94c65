use std::cell::RefCell;
use std::mem;

use pcre2_sys as sys;

use super::budget::{HEAP_KIB, LineBudget};
use super::ffi::{Code, Refusal, Scratch, Starts};
use super::linear::{self, LinearSearch};
use super::meter::Cost;
use super::syntax::{TokenKind, tokens};
use super::{Budget, Limits, OverBudget, PatternError, compile_cached, suffixes};
use crate::text::Span;

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

/// The length in bytes from which the second engine reads a line first, if it accepts the pattern. On a long line,
/// backtracking can be expensive for an ordinary pattern too.
const LONG_LINE: usize = 4 << 10;

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

    /// Whether only backtracking can match it, so that there is no verdict on a line on which that is too expensive.
    pub(crate) fn needs_backtracking(&self) -> bool {
        linear::search(&self.source, self.case).is_none()
    }

    /// Whether a part of it has no counterpart in the second engine, so that only backtracking can match it. Unlike
    /// [`needs_backtracking`](Self::needs_backtracking), this compiles nothing, and misses patterns that the second engine refuses.
    pub(crate) fn has_no_linear_form(&self) -> bool {
        linear::translate(&self.source).is_none()
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

    /// How many steps PCRE2 takes to look for the first match in `line`, as [`Limits::steps`] counts them.
    ///
    /// # Errors
    /// If it takes more than `most`, or if that is unknown.
    pub(crate) fn steps(&self, line: &str, most: u64) -> Result<u64, OverBudget> {
        self.steps_from(Starts::From(0), line, most)
    }

    /// How many steps PCRE2 takes to look for a match at the start of `line`.
    ///
    /// # Errors
    /// See [`Pattern::steps`].
    pub(crate) fn steps_at_start(&self, line: &str, most: u64) -> Result<u64, OverBudget> {
        self.steps_from(Starts::Only(0), line, most)
    }

    fn steps_from(&self, starts: Starts, line: &str, most: u64) -> Result<u64, OverBudget> {
        let budget = Budget::new(Limits { steps: most, steps_per_byte: 0, case_steps: u64::MAX });
        let mut left = budget.line(line.len());
        backtrack(self, line, starts, &mut left)?;
        Ok(most - left.steps_left())
    }

    /// Returns every match in `line` that is not empty, from left to right, without overlaps. After an empty match the
    /// search continues one character later, as in ripgrep.
    ///
    /// All of them together use the budget of one pattern on one line. The iterator ends with the first error.
    pub(crate) fn matches<'a>(&'a self, line: &'a str, budget: &'a Budget) -> Matches<'a> {
        Matches { search: LineSearch::new(self, line, budget), next: Some(0) }
    }
}

/// The search of one pattern on one line. It asks PCRE2, or the second engine if the line is long or PCRE2 gives up.
#[derive(Debug)]
struct LineSearch<'a> {
    pattern: &'a Pattern,
    line: &'a str,
    budget: LineBudget<'a>,
    second: SecondEngine,
    refutation: Refutation,
}

#[derive(Debug)]
enum SecondEngine {
    /// It is used if PCRE2 gives up.
    InReserve,
    Automaton(Box<LinearSearch>),
    /// The automaton gave up. The simulation is used if PCRE2 gives up as well, because it is slower.
    SimulationInReserve(Box<LinearSearch>),
    Simulation(Box<LinearSearch>),
    /// It does not accept the pattern.
    Excluded,
}

/// The ways that are left to show that a pattern does not match, although PCRE2 gives up.
#[derive(Debug)]
enum Refutation {
    Possible,
    /// The automaton was tried, or is excluded.
    BySuffixes,
    #[cfg_attr(not(test), expect(dead_code, reason = "for comparisons"))]
    Off,
}

impl<'a> LineSearch<'a> {
    fn new(pattern: &'a Pattern, line: &'a str, budget: &'a Budget) -> Self {
        let budget = budget.line(line.len());
        let mut search =
            Self { pattern, line, budget, second: SecondEngine::InReserve, refutation: Refutation::Possible };
        if line.len() >= LONG_LINE {
            search.use_second_engine();
        }
        search
    }

    fn use_second_engine(&mut self) {
        self.second = match linear::search(&self.pattern.source, self.pattern.case) {
            Some(search) => SecondEngine::Automaton(Box::new(search)),
            None => SecondEngine::Excluded,
        };
    }

    fn find(&mut self, from: usize) -> Result<Option<Span>, OverBudget> {
        if from > self.line.len() {
            return Ok(None);
        }
        let from = ceil_char(self.line, from);
        if let Some(found) = self.linear(from) {
            return found;
        }
        if matches!(self.second, SecondEngine::Excluded)
            && self.line.len() >= LONG_LINE
            && self.is_refuted_by_automaton(from)?
        {
            return Ok(None);
        }
        let mut found = self.backtracking(from);
        while matches!(found, Err(OverBudget::Steps | OverBudget::Heap)) && self.has_reserve() {
            self.use_reserve();
            self.budget.start_again();
            found = self.linear(from).unwrap_or(found);
        }
        let gave_up = matches!(found, Err(OverBudget::Steps | OverBudget::Heap));
        if !gave_up || matches!(self.refutation, Refutation::Off) {
            return found;
        }
        self.budget.start_again();
        let is_refuted = self.is_refuted_by_automaton(from) == Ok(true) || self.is_refuted_by_suffixes(from);
        if is_refuted { Ok(None) } else { found }
    }

    /// Whether there is no match from byte `from` on, because a pattern that matches whenever this one does has none: what is left
    /// without look-arounds, or what one of them looks for. It is tried once on each line: each try may read the whole line.
    fn is_refuted_by_automaton(&mut self, from: usize) -> Result<bool, OverBudget> {
        if !matches!(self.refutation, Refutation::Possible) {
            return Ok(false);
        }
        self.refutation = Refutation::BySuffixes;
        let Pattern { source, case, .. } = self.pattern;
        let whole = linear::relaxed_search(source, *case).map(|search| (search, from));
        let parts = linear::needed_patterns(source).into_iter().filter_map(|needed| {
            let start = if needed.may_be_before { 0 } else { from };
            Some((linear::relaxed_search(&needed.source, *case)?, start))
        });
        for (mut search, start) in whole.into_iter().chain(parts) {
            let (has_match, steps) = search.has_match(self.line, start);
            self.budget.charge(steps)?;
            if has_match == Ok(false) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The same with patterns that PCRE2 reads. All of them share the steps of the line.
    fn is_refuted_by_suffixes(&mut self, from: usize) -> bool {
        suffixes::refute(&self.pattern.source, |suffix| {
            let Ok(pattern) = compile_cached(suffix, self.pattern.case) else { return Some(true) };
            Some(backtrack(&pattern, self.line, Starts::From(from), &mut self.budget).ok()?.is_some())
        })
    }

    fn has_reserve(&self) -> bool {
        matches!(self.second, SecondEngine::InReserve | SecondEngine::SimulationInReserve(_))
    }

    fn use_reserve(&mut self) {
        match mem::replace(&mut self.second, SecondEngine::Excluded) {
            SecondEngine::InReserve => self.use_second_engine(),
            SecondEngine::SimulationInReserve(search) => self.second = SecondEngine::Simulation(search),
            other => self.second = other,
        }
    }

    /// What the second engine finds; `None` if it is not in use or cannot decide.
    fn linear(&mut self, from: usize) -> Option<Result<Option<Span>, OverBudget>> {
        let searched = match &mut self.second {
            SecondEngine::Automaton(search) => search.find(self.line, from),
            SecondEngine::Simulation(search) => {
                let simulation = search.simulation();
                let steps = simulation.cost(self.line, from)?;
                // First, because nothing stops it.
                let charged = self.budget.charge(steps);
                return Some(charged.map(|()| simulation.find(self.line, from)));
            }
            SecondEngine::InReserve | SecondEngine::SimulationInReserve(_) | SecondEngine::Excluded => return None,
        };
        if let Err(over) = self.budget.charge(searched.steps) {
            return Some(Err(over));
        }
        if searched.found.is_err() {
            self.second = match mem::replace(&mut self.second, SecondEngine::Excluded) {
                SecondEngine::Automaton(search) => SecondEngine::SimulationInReserve(search),
                _ => SecondEngine::Excluded,
            };
        }
        searched.found.ok().map(Ok)
    }

    fn backtracking(&mut self, from: usize) -> Result<Option<Span>, OverBudget> {
        backtrack(self.pattern, self.line, Starts::From(from), &mut self.budget)
    }
}

/// Finds the first match in `line` with PCRE2.
fn backtrack(
    pattern: &Pattern,
    line: &str,
    starts: Starts,
    budget: &mut LineBudget<'_>,
) -> Result<Option<Span>, OverBudget> {
    thread_local! {
        static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch::new(HEAP_KIB));
    }
    let match_limit = match pattern.counted {
        Counted::Items => u32::MAX,
        Counted::Starts => match_limit_between_starts(line.len()),
    };
    let run = |scratch: &mut Scratch| budget.run(scratch, &pattern.code, match_limit, line, starts);
    let found = SCRATCH.with_borrow_mut(run)?;
    Ok(found.map(|(start, end)| whole_characters(line, start, end)))
}

/// The matches of one pattern on one line; see [`Pattern::matches`].
#[derive(Debug)]
pub(crate) struct Matches<'a> {
    search: LineSearch<'a>,
    next: Option<usize>,
}

#[cfg(test)]
impl Pattern {
    /// [`Pattern::matches`] without the second engine.
    pub(super) fn matches_by_pcre2<'a>(&'a self, line: &'a str, budget: &'a Budget) -> Matches<'a> {
        let mut matches = self.matches(line, budget);
        matches.search.second = SecondEngine::Excluded;
        matches.search.refutation = Refutation::Off;
        matches
    }
}

#[cfg(test)]
impl Matches<'_> {
    /// The first match that starts at byte `from` or later; it may be empty.
    pub(super) fn find_by_pcre2(mut self, from: usize) -> Result<Option<Span>, OverBudget> {
        self.search.backtracking(from)
    }

    /// The remaining steps for this line.
    pub(super) fn steps_left(&self) -> u64 {
        self.search.budget.steps_left()
    }
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
    Span::new(floor_char(line, start.min(end)), ceil_char(line, start.max(end)))
}

fn floor_char(line: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0)
}

fn ceil_char(line: &str, at: usize) -> usize {
    (at..line.len()).find(|at| line.is_char_boundary(*at)).unwrap_or(line.len())
}
