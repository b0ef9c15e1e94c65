use std::sync::{LazyLock, OnceLock};

use regex_automata::Input;
use regex_automata::nfa::thompson::pikevm::PikeVM;
use regex_automata::nfa::thompson::{Compiler, Config, WhichCaptures};
use regex_syntax::hir::{Class, ClassUnicode, Hir, HirKind};

use super::MAX_PROGRAM_BYTES;
use crate::text::Span;

/// Follows all threads of a pattern at once. Its cost is the length of the line times the size of the pattern.
#[derive(Debug)]
pub(in crate::pattern) struct Simulation {
    hir: Hir,
    /// Made at the first use. `None` if the pattern is too large.
    engine: OnceLock<Option<PikeVM>>,
}

impl Simulation {
    pub(super) fn of(hir: Hir) -> Simulation {
        Simulation { hir, engine: OnceLock::new() }
    }

    /// How many steps of PCRE2 the search of `line` from byte `from` on costs at most. `None` if it cannot decide the line.
    pub(in crate::pattern) fn cost(&self, line: &str, from: usize) -> Option<u64> {
        /// How many states, at one byte, cost as much as one step of PCRE2. Most states have no thread.
        const STATES_PER_STEP: usize = 16;
        if self.hir.properties().look_set().contains_word() && line.chars().any(is_disputed) {
            return None;
        }
        let states = self.engine()?.get_nfa().states().len();
        Some((1 + line.len() - from).saturating_mul(1 + states / STATES_PER_STEP) as u64)
    }

    /// Finds the first match in `line` that starts at byte `from`, a character's start, or later. Nothing stops it, so compare
    /// its [`cost`](Self::cost) with what it may cost first.
    pub(in crate::pattern) fn find(&self, line: &str, from: usize) -> Option<Span> {
        let engine = self.engine()?;
        let found = engine.find(&mut engine.create_cache(), Input::new(line).span(from..line.len()))?;
        Some(Span::new(found.start(), found.end()))
    }

    fn engine(&self) -> Option<&PikeVM> {
        self.engine.get_or_init(|| self.compile()).as_ref()
    }

    fn compile(&self) -> Option<PikeVM> {
        let config = Config::new().nfa_size_limit(Some(MAX_PROGRAM_BYTES)).which_captures(WhichCaptures::Implicit);
        let nfa = Compiler::new().configure(config).build_from_hir(&self.hir).ok()?;
        PikeVM::new_from_nfa(nfa).ok()
    }
}

/// Whether the engines differ in whether this is a word character, so that they may differ in `\b` beside it.
fn is_disputed(c: char) -> bool {
    static DISPUTED: LazyLock<ClassUnicode> = LazyLock::new(|| {
        let both = format!(r"[\w~~{}]", super::translate::WORD);
        match regex_syntax::parse(&both).expect("it is a class").into_kind() {
            HirKind::Class(Class::Unicode(class)) => class,
            other => unreachable!("it is a class: {other:?}"),
        }
    });
    let ranges = DISPUTED.ranges();
    let next = ranges.partition_point(|range| range.end() < c);
    !c.is_ascii() && ranges.get(next).is_some_and(|range| range.start() <= c)
}
