use std::sync::{LazyLock, OnceLock};

use regex_automata::Input;
use regex_automata::nfa::thompson::pikevm::PikeVM;
use regex_automata::nfa::thompson::{Compiler, Config, WhichCaptures};
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind};

use super::{GaveUp, MAX_PROGRAM_BYTES, Searched};
use crate::text::Span;

/// Follows all threads of a pattern at once. Its cost is the length of the line times the size of the pattern.
#[derive(Debug)]
pub(super) struct Simulation {
    hir: Hir,
    /// Made at the first use. `None` if the pattern is too large.
    engine: OnceLock<Option<PikeVM>>,
}

impl Simulation {
    pub(super) fn of(hir: Hir) -> Simulation {
        Simulation { hir, engine: OnceLock::new() }
    }

    /// Finds the first match in `line` that starts at byte `from`, a character's start, or later.
    pub(super) fn find(&self, line: &str, from: usize) -> Searched {
        /// How many states, at one byte, cost as much as one step of PCRE2. Most states have no thread.
        const STATES_PER_STEP: usize = 16;
        if self.hir.properties().look_set().contains_word() && line.chars().any(is_disputed) {
            return Searched { found: Err(GaveUp), steps: line.len() as u64 };
        }
        let Some(engine) = self.engine.get_or_init(|| self.compile()) else {
            return Searched { found: Err(GaveUp), steps: 0 };
        };
        let found = engine.find(&mut engine.create_cache(), Input::new(line).span(from..line.len()));
        let states = engine.get_nfa().states().len();
        let steps = (1 + line.len() - from).saturating_mul(1 + states / STATES_PER_STEP);
        Searched { found: Ok(found.map(|found| Span::new(found.start(), found.end()))), steps: steps as u64 }
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
    let place = |range: &ClassUnicodeRange| match () {
        () if range.end() < c => std::cmp::Ordering::Less,
        () if range.start() > c => std::cmp::Ordering::Greater,
        () => std::cmp::Ordering::Equal,
    };
    !c.is_ascii() && DISPUTED.ranges().binary_search_by(place).is_ok()
}
