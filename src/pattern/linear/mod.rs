//! The engine without backtracking, for lines on which PCRE2 takes too many steps. It reads each byte of a line once: it makes the
//! states of an automaton while it reads. If they are too many, or for `\b` in a line with other characters than ASCII, it follows
//! all threads of the pattern instead, which is slower, see [`Simulation`].
//!
//! It accepts the patterns whose meaning it shares with PCRE2: no references, no look-around, no atomic groups, no repeats of
//! what can be empty. For these both engines find the same matches; tests compare them.

mod translate;

use std::sync::{Arc, LazyLock, OnceLock};

use regex_automata::Input;
use regex_automata::hybrid::dfa;
use regex_automata::hybrid::regex::{Builder, Cache, Regex};
use regex_automata::nfa::thompson::pikevm::PikeVM;
use regex_automata::nfa::thompson::{self, Compiler, Config, WhichCaptures};
use regex_automata::util::syntax;
use regex_syntax::hir::{Class, ClassUnicode, Hir, HirKind};

use crate::text::Span;

use super::OverBudget;
use super::budget::LineBudget;
use super::memo::PatternMemo;
use super::program::Case;

/// A pattern compiled for this engine.
#[derive(Debug)]
pub(super) struct Linear {
    regex: Regex,
    /// For lines on which `regex` gives up.
    simulation: Simulation,
}

/// A compiled pattern with the memory for its states. Each line has a new one, so that its limits do not depend on what was searched
/// before.
#[derive(Debug)]
pub(super) struct LinearSearch {
    linear: Arc<Linear>,
    /// `None` once the automaton gave up.
    cache: Option<Box<Cache>>,
}

/// The largest compiled pattern in bytes.
const MAX_PROGRAM_BYTES: usize = 4 << 20;
/// The memory for states in bytes, for each direction.
const CACHE_BYTES: usize = 1 << 20;
/// The number of bytes that cost as much as one step of PCRE2.
const BYTES_PER_STEP: usize = 16;
/// How often the memory for states may fill up in one search.
const MAX_CACHE_CLEARS: usize = 8;

fn syntax_of(case: Case) -> syntax::Config {
    syntax::Config::new().case_insensitive(case == Case::Ignored).multi_line(true)
}

impl Linear {
    /// Caches [`Linear::compile`] for the whole program, within a limit.
    pub(super) fn compile_cached(source: &str, case: Case) -> Option<Arc<Linear>> {
        static MEMO: LazyLock<PatternMemo<Option<Arc<Linear>>>> = LazyLock::new(PatternMemo::default);
        MEMO.get(source, case, || {
            let linear = Linear::compile(source, case).map(Arc::new);
            let weight = linear.as_ref().map_or(0, |linear| linear.weight());
            (linear, weight)
        })
    }

    /// Compiles `source`; `None` if the pattern needs PCRE2.
    fn compile(source: &str, case: Case) -> Option<Linear> {
        let translated = translate::translate(source)?;
        let hir = syntax::parse_with(&translated, &syntax_of(case)).ok()?;
        // Otherwise this engine may find other matches than PCRE2.
        if translate::repeats_what_can_be_empty(&hir) || translate::can_be_empty(&hir) {
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
            .build(&translated);
        Some(Linear { regex: regex.ok()?, simulation: Simulation::of(hir) })
    }

    /// Prepares the search of a line. `None` if the engines may differ on it.
    pub(super) fn search(self: Arc<Self>, line: &str) -> Option<LinearSearch> {
        if !self.simulation.decides(line) {
            return None;
        }
        let cache = Some(Box::new(self.regex.create_cache()));
        Some(LinearSearch { linear: self, cache })
    }

    /// About how many bytes it takes in memory. The simulation may need as much as the automaton.
    fn weight(&self) -> usize {
        let states: usize =
            [self.regex.forward(), self.regex.reverse()].map(|dfa| dfa.get_nfa().memory_usage()).iter().sum();
        2 * states
    }
}

impl LinearSearch {
    /// Finds the first match in `line` that starts at byte `from`, a character's start, or later.
    ///
    /// # Errors
    /// If reading the rest of the line costs more than `budget` has.
    pub(super) fn find(
        &mut self,
        line: &str,
        from: usize,
        budget: &mut LineBudget<'_>,
    ) -> Result<Option<Span>, OverBudget> {
        if let Some(cache) = &mut self.cache {
            budget.charge(1 + ((line.len() - from) / BYTES_PER_STEP) as u64)?;
            match self.linear.regex.try_search(cache, &Input::new(line).span(from..line.len())) {
                Ok(found) => return Ok(found.map(|found| Span::new(found.start(), found.end()))),
                Err(_) => self.cache = None,
            }
        }
        // First, because nothing stops it.
        budget.charge(self.linear.simulation.cost(line, from))?;
        Ok(self.linear.simulation.find(line, from))
    }
}

/// Follows all threads of a pattern at once. Its cost is the length of the line times the size of the pattern.
#[derive(Debug)]
struct Simulation {
    hir: Hir,
    /// Made at the first use.
    engine: OnceLock<PikeVM>,
}

impl Simulation {
    fn of(hir: Hir) -> Simulation {
        Simulation { hir, engine: OnceLock::new() }
    }

    /// Whether PCRE2 finds the same in `line`: the engines agree in what its characters are.
    fn decides(&self, line: &str) -> bool {
        // `(?i)\p{L}` has U+0345 in one of them, because a letter folds to it.
        let is_word_disputed = || line.chars().any(is_disputed);
        !(line.contains('\u{345}') || self.hir.properties().look_set().contains_word() && is_word_disputed())
    }

    /// How many steps of PCRE2 the search of `line` from byte `from` on costs at most.
    fn cost(&self, line: &str, from: usize) -> u64 {
        /// How many states, at one byte, cost as much as one step of PCRE2. Most states have no thread.
        const STATES_PER_STEP: usize = 16;
        let states = self.engine().get_nfa().states().len();
        (1 + line.len() - from).saturating_mul(1 + states / STATES_PER_STEP) as u64
    }

    /// Finds the first match in `line` that starts at byte `from`, a character's start, or later. Nothing stops it, so compare
    /// its [`cost`](Self::cost) with what it may cost first.
    fn find(&self, line: &str, from: usize) -> Option<Span> {
        let engine = self.engine();
        let found = engine.find(&mut engine.create_cache(), Input::new(line).span(from..line.len()))?;
        Some(Span::new(found.start(), found.end()))
    }

    fn engine(&self) -> &PikeVM {
        self.engine.get_or_init(|| {
            let config = Config::new().which_captures(WhichCaptures::Implicit);
            let nfa = Compiler::new().configure(config).build_from_hir(&self.hir);
            PikeVM::new_from_nfa(nfa.expect("the automaton has the same states")).expect("it needs no captures")
        })
    }
}

/// Whether the engines differ in whether this is a word character, so that they may differ in `\b` beside it.
fn is_disputed(c: char) -> bool {
    static DISPUTED: LazyLock<ClassUnicode> = LazyLock::new(|| {
        let both = format!(r"[\w~~{}]", translate::WORD);
        match regex_syntax::parse(&both).expect("it is a class").into_kind() {
            HirKind::Class(Class::Unicode(class)) => class,
            other => unreachable!("it is a class: {other:?}"),
        }
    });
    let ranges = DISPUTED.ranges();
    let next = ranges.partition_point(|range| range.end() < c);
    !c.is_ascii() && ranges.get(next).is_some_and(|range| range.start() <= c)
}

#[cfg(test)]
mod tests {
    use crate::pattern::Budget;

    use super::*;

    /// The first match from byte `from` on, and whether the automaton found it.
    fn span(source: &str, line: &str, from: usize) -> (Option<(usize, usize)>, bool) {
        let linear = Linear::compile_cached(source, Case::Ignored).unwrap_or_else(|| panic!("`{source}` is accepted"));
        let mut search = linear.search(line).expect("the engines agree on the line");
        let found = search.find(line, from, &mut Budget::default().line(line.len())).expect("it costs little");
        (found.map(|span| (span.start, span.end)), search.cache.is_some())
    }

    #[test]
    fn the_first_match_is_found_from_a_place_on() {
        assert_eq!(span("o+", "foo boo", 0), (Some((1, 3)), true));
        assert_eq!(span("o+", "foo boo", 3), (Some((5, 7)), true));
        assert_eq!(span("^f", "foo", 1), (None, true));
        assert_eq!(span("b|boo", "FOO BOO", 0), (Some((4, 5)), true), "the first alternative wins");
        assert_eq!(span("o$", "foo", 0), (Some((2, 3)), true));
    }

    #[test]
    fn word_boundaries_beside_wide_characters_are_decided() {
        assert_eq!(span(r"\bfox\b", "a fox runs", 0), (Some((2, 5)), true));
        assert_eq!(span(r"\bfox\b", "é fox", 0), (Some((3, 6)), false));
        assert_eq!(span(r"\bfox\b", "éfox", 0), (None, false));
        let linear = Linear::compile_cached(r"\bfox\b", Case::Ignored).unwrap();
        assert!(linear.search("fox² ¼fox").is_none(), "the engines differ in what `²` is");
    }

    #[test]
    fn a_pattern_with_many_states_is_decided() {
        let mut random = 1_u64;
        let mut letter = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            if random >> 63 == 0 { 'a' } else { 'b' }
        };
        let line: String = (0..400_000).map(|_| letter()).collect();
        assert_eq!(span("a[ab]{60}c", &line, 0), (None, false));
        let line = format!("{line} {}c", "a".repeat(61));
        assert_eq!(span("a[ab]{60}c", &line, 0), (Some((400_001, 400_063)), false));
    }

    #[test]
    fn what_needs_pcre2_is_refused() {
        let sources = r"
            (a)\1 (?=a)b (?<=a)b a++ (?>a) (?1)(a) \Ka \Ga \Xa \Ca a\R (*SKIP)a a* (a?)*b (?aD)a \p{Lu} [[:upper:]] [[:<:]]a
            (?U)a+ (?(1)a|b)(c) a)(
        ";
        for source in sources.split_whitespace().chain(["(?xx)[a b]"]) {
            assert!(Linear::compile(source, Case::Ignored).is_none(), "`{source}`");
        }
    }
}
