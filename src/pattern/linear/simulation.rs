use std::sync::{LazyLock, OnceLock};

use regex_automata::Input;
use regex_automata::nfa::thompson::pikevm::PikeVM;
use regex_automata::nfa::thompson::{Compiler, Config, WhichCaptures};
use regex_syntax::hir::{Class, ClassUnicode, Hir, HirKind};

use crate::text::Span;

/// Follows all threads of a pattern at once. Its cost is the length of the line times the size of the pattern.
#[derive(Debug)]
pub(super) struct Simulation {
    hir: Hir,
    /// Made at the first use.
    engine: OnceLock<PikeVM>,
}

impl Simulation {
    pub(super) fn of(hir: Hir) -> Simulation {
        Simulation { hir, engine: OnceLock::new() }
    }

    /// Whether PCRE2 finds the same in `line`: the engines agree in what its characters are.
    pub(super) fn decides(&self, line: &str) -> bool {
        // `(?i)\p{L}` has U+0345 in one of them, because a letter folds to it.
        let is_word_disputed = || line.chars().any(is_disputed);
        !(line.contains('\u{345}') || self.hir.properties().look_set().contains_word() && is_word_disputed())
    }

    /// How many steps of PCRE2 the search of `line` from byte `from` on costs at most.
    pub(super) fn cost(&self, line: &str, from: usize) -> u64 {
        /// How many states, at one byte, cost as much as one step of PCRE2. Most states have no thread.
        const STATES_PER_STEP: usize = 16;
        let states = self.engine().get_nfa().states().len();
        (1 + line.len() - from).saturating_mul(1 + states / STATES_PER_STEP) as u64
    }

    /// Finds the first match in `line` that starts at byte `from`, a character's start, or later. Nothing stops it, so compare
    /// its [`cost`](Self::cost) with what it may cost first.
    pub(super) fn find(&self, line: &str, from: usize) -> Option<Span> {
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
