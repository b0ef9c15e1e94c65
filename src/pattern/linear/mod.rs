//! A second engine, for lines on which backtracking is too expensive. It reads each byte of a line once, so it needs no limit
//! on backtracking. It makes the states of an automaton while it reads. If they are too many, or for `\b` in a line with
//! other characters than ASCII, it gives up. [`Simulation`] follows all threads of the pattern instead, which is slower.
//!
//! It accepts the patterns whose meaning it shares with PCRE2: no references, no look-around, no atomic groups, no repeats of
//! what can be empty. For these both engines find the same matches; tests compare them.

mod simulation;
mod translate;

use std::sync::{Arc, LazyLock};

use regex_automata::hybrid::dfa;
use regex_automata::hybrid::regex::{Builder, Cache, Regex};
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input};
use regex_syntax::hir::Hir;

pub(in crate::pattern) use simulation::Simulation;
pub(in crate::pattern) use translate::{needed_patterns, translate};

use super::memo::PatternMemo;
use super::program::Case;
use crate::text::Span;

/// A pattern compiled for the second engine.
#[derive(Debug)]
pub(super) struct Linear {
    regex: Regex,
    /// For lines on which `regex` gives up.
    simulation: Simulation,
}

/// A compiled pattern with the memory for its states. A new one is used for each line, so that its limits do not depend on
/// what was searched before.
#[derive(Debug)]
pub(super) struct LinearSearch {
    linear: Arc<Linear>,
    cache: Cache,
}

/// The result of one search.
#[derive(Debug)]
pub(super) struct Searched {
    /// The first match; `Err` if the engine cannot decide.
    pub(super) found: Result<Option<Span>, GaveUp>,
    /// The cost. One step of PCRE2 takes about as long as one of these.
    pub(super) steps: u64,
}

/// The engine gave up: it has too many states, or the line has a character next to which it cannot decide `\b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GaveUp;

/// The largest compiled pattern in bytes.
const MAX_PROGRAM_BYTES: usize = 4 << 20;
/// The memory for states in bytes, for each direction.
const CACHE_BYTES: usize = 1 << 20;
/// The number of bytes that cost as much as one step of PCRE2.
const BYTES_PER_STEP: u64 = 16;
/// How often the memory for states may fill up in one search.
const MAX_CACHE_CLEARS: usize = 8;

/// Prepares a search with `source`. Returns `None` if the pattern needs PCRE2. Compiled patterns are kept for the whole
/// program, within a limit.
pub(super) fn search(source: &str, case: Case) -> Option<LinearSearch> {
    static MEMO: LazyLock<PatternMemo<Option<Arc<Linear>>>> = LazyLock::new(PatternMemo::default);
    let linear = MEMO.get(source, case, || {
        let linear = Linear::compile(source, case).map(Arc::new);
        let weight = linear.as_ref().map_or(0, |linear| linear.weight());
        (linear, weight)
    })?;
    let cache = linear.regex.create_cache();
    Some(LinearSearch { linear, cache })
}

/// Prepares a search that finds a match wherever `source` matches, and maybe elsewhere. So `source` does not match a line on which
/// it finds none. Returns `None` if there is no such search, or if it would find a match everywhere.
pub(super) fn relaxed_search(source: &str, case: Case) -> Option<LinearSearch> {
    static MEMO: LazyLock<PatternMemo<Option<Arc<Linear>>>> = LazyLock::new(PatternMemo::default);
    let linear = MEMO.get(source, case, || {
        let linear = Linear::relaxed(source, case).map(Arc::new);
        let weight = linear.as_ref().map_or(0, |linear| linear.weight());
        (linear, weight)
    })?;
    let cache = linear.regex.create_cache();
    Some(LinearSearch { linear, cache })
}

fn syntax_of(case: Case) -> syntax::Config {
    syntax::Config::new().case_insensitive(case == Case::Ignored).multi_line(true)
}

impl Linear {
    fn compile(source: &str, case: Case) -> Option<Linear> {
        let translated = translate(source)?;
        let hir = syntax::parse_with(&translated, &syntax_of(case)).ok()?;
        if translate::repeats_what_can_be_empty(&hir) {
            return None;
        }
        Self::new(&translated, hir, case)
    }

    fn relaxed(source: &str, case: Case) -> Option<Linear> {
        let relaxed = translate::relax(source)?;
        let hir = syntax::parse_with(&relaxed, &syntax_of(case)).ok()?;
        Self::new(&relaxed, hir, case)
    }

    /// `translated` and what it means.
    fn new(translated: &str, hir: Hir, case: Case) -> Option<Linear> {
        if translate::can_be_empty(&hir) {
            return None;
        }
        let states = dfa::Config::new()
            .unicode_word_boundary(true)
            .cache_capacity(CACHE_BYTES)
            .minimum_cache_clear_count(Some(MAX_CACHE_CLEARS));
        let regex = Builder::new()
            .syntax(syntax_of(case))
            .thompson(thompson::Config::new().nfa_size_limit(Some(MAX_PROGRAM_BYTES)))
            .dfa(states)
            .build(translated);
        Some(Linear { regex: regex.ok()?, simulation: Simulation::of(hir) })
    }

    /// About how many bytes it takes in memory.
    fn weight(&self) -> usize {
        [self.regex.forward(), self.regex.reverse()].map(|dfa| dfa.get_nfa().memory_usage()).iter().sum()
    }
}

impl LinearSearch {
    /// Finds the first match in `line` that starts at byte `from`, a character's start, or later.
    pub(super) fn find(&mut self, line: &str, from: usize) -> Searched {
        let (end, bytes) = self.end_of_first_match(line.as_bytes(), from);
        let found = match end {
            Ok(Some(end)) => self.start_of_match(line.as_bytes(), from, end).map(|start| Some(Span::new(start, end))),
            Ok(None) => Ok(None),
            Err(gave_up) => Err(gave_up),
        };
        Searched { found, steps: 1 + bytes as u64 / BYTES_PER_STEP }
    }

    /// Whether there is a match in `line` that starts at byte `from`, a character's start, or later; with the cost.
    pub(super) fn has_match(&mut self, line: &str, from: usize) -> (Result<bool, GaveUp>, u64) {
        let (end, bytes) = self.end_of_first_match(line.as_bytes(), from);
        (end.map(|end| end.is_some()), 1 + bytes as u64 / BYTES_PER_STEP)
    }

    /// For a line on which [`LinearSearch::find`] gave up. It is slower.
    pub(super) fn simulation(&self) -> &Simulation {
        &self.linear.simulation
    }

    /// The end of the leftmost match that PCRE2 prefers, and the number of bytes read to find it.
    fn end_of_first_match(&mut self, line: &[u8], from: usize) -> (Result<Option<usize>, GaveUp>, usize) {
        let (dfa, cache) = (self.linear.regex.forward(), self.cache.as_parts_mut().0);
        let input = Input::new(line).span(from..line.len());
        let Ok(mut state) = dfa.start_state_forward(cache, &input) else { return (Err(GaveUp), 0) };
        // A match is known one byte after its end.
        let mut end = None;
        for (at, byte) in line.iter().enumerate().skip(from) {
            let Ok(next) = dfa.next_state(cache, state, *byte) else { return (Err(GaveUp), at - from) };
            state = next;
            if state.is_tagged() {
                if state.is_match() {
                    end = Some(at);
                } else if state.is_dead() {
                    return (Ok(end), at - from);
                } else if state.is_quit() {
                    return (Err(GaveUp), at - from);
                }
            }
        }
        let read = line.len() - from;
        match dfa.next_eoi_state(cache, state) {
            Ok(state) if state.is_match() => (Ok(Some(line.len())), read),
            Ok(state) if state.is_quit() => (Err(GaveUp), read),
            Ok(_) => (Ok(end), read),
            Err(_) => (Err(GaveUp), read),
        }
    }

    fn start_of_match(&mut self, line: &[u8], from: usize, end: usize) -> Result<usize, GaveUp> {
        let (dfa, cache) = (self.linear.regex.reverse(), self.cache.as_parts_mut().1);
        let input = Input::new(line).span(from..end).anchored(Anchored::Yes);
        match dfa.try_search_rev(cache, &input) {
            Ok(Some(start)) => Ok(start.offset()),
            Ok(None) | Err(_) => Err(GaveUp),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(source: &str, line: &str, from: usize) -> Result<Option<(usize, usize)>, GaveUp> {
        let mut search = search(source, Case::Ignored).unwrap_or_else(|| panic!("`{source}` is accepted"));
        search.find(line, from).found.map(|found| found.map(|span| (span.start, span.end)))
    }

    /// The same by the simulation, after the automaton gave up.
    fn simulated(source: &str, line: &str) -> Result<Option<(usize, usize)>, GaveUp> {
        assert_eq!(span(source, line, 0), Err(GaveUp));
        let search = search(source, Case::Ignored).unwrap();
        search.simulation().cost(line, 0).ok_or(GaveUp)?;
        Ok(search.simulation().find(line, 0).map(|span| (span.start, span.end)))
    }

    #[test]
    fn the_first_match_is_found_from_a_place_on() {
        assert_eq!(span("o+", "foo boo", 0), Ok(Some((1, 3))));
        assert_eq!(span("o+", "foo boo", 3), Ok(Some((5, 7))));
        assert_eq!(span("^f", "foo", 1), Ok(None));
        assert_eq!(span("b|boo", "FOO BOO", 0), Ok(Some((4, 5))), "the first alternative wins");
        assert_eq!(span("o$", "foo", 0), Ok(Some((2, 3))));
    }

    #[test]
    fn each_byte_is_read_once() {
        let line = "alpha ".repeat(1000);
        let searched = search("alpha.*omega", Case::Ignored).unwrap().find(&line, 0);
        assert_eq!((searched.found, searched.steps), (Ok(None), 1 + line.len() as u64 / 16));
    }

    #[test]
    fn word_boundaries_beside_wide_characters_are_decided() {
        assert_eq!(span(r"\bfox\b", "a fox runs", 0), Ok(Some((2, 5))));
        assert_eq!(simulated(r"\bfox\b", "é fox"), Ok(Some((3, 6))));
        assert_eq!(simulated(r"\bfox\b", "éfox"), Ok(None));
        assert_eq!(simulated(r"\bfox\b", "fox² ¼fox"), Err(GaveUp), "the engines differ in what `²` is");
    }

    #[test]
    fn a_pattern_with_many_states_is_decided() {
        let mut random = 1_u64;
        let mut letter = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            if random >> 63 == 0 { 'a' } else { 'b' }
        };
        let line: String = (0..400_000).map(|_| letter()).collect();
        assert_eq!(simulated("a[ab]{60}c", &line), Ok(None));
        let line = format!("{line} {}c", "a".repeat(61));
        assert_eq!(simulated("a[ab]{60}c", &line), Ok(Some((400_001, 400_063))));
    }

    #[test]
    fn what_needs_pcre2_is_refused() {
        for source in [
            r"(a)\1", "(?=a)b", "(?<=a)b", "a++", "(?>a)", "(?1)(a)", r"\Ka", r"a\R", r"\Xa", "(*SKIP)a", "a*",
            "(a?)*b", "(?x) a b", "a)(",
        ] {
            assert!(search(source, Case::Ignored).is_none(), "`{source}`");
        }
    }
}
