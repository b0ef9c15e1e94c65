use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use super::{Case, Pattern, PatternError};

/// [`Pattern::compile`], remembered: a suite repeats its patterns from case to case, and an editor asks for all of them
/// at each keystroke. Holds the last few hundred patterns, for the whole program; may be called from any thread.
///
/// # Errors
/// As [`Pattern::compile`]; refusals are remembered too.
pub fn compile_cached(source: &str, case: Case) -> Result<Arc<Pattern>, PatternError> {
    static MEMO: LazyLock<Mutex<Memo>> = LazyLock::new(Mutex::default);
    // A memo is whole at every moment, so one that another thread left in a panic serves as well.
    let memo = || MEMO.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = memo().get(source, case) {
        return known;
    }
    let compiled = Pattern::compile(source, case).map(Arc::new);
    memo().put(source, case, compiled.clone());
    compiled
}

type Compiled = Result<Arc<Pattern>, PatternError>;

/// Two generations: what is asked for moves to the young one, and when that is full the old one is dropped.
#[derive(Default)]
struct Memo {
    young: Generation,
    old: Generation,
}

#[derive(Default)]
struct Generation {
    known: HashMap<(Case, Box<str>), Compiled>,
    weight: usize,
}

/// How many patterns one generation holds.
const MOST: usize = 512;
/// How many bytes its patterns may weigh, so that strangers' patterns cannot fill the memory.
const HEAVIEST: usize = 8 << 20;

impl Memo {
    fn get(&mut self, source: &str, case: Case) -> Option<Compiled> {
        let key = (case, source.into());
        if let Some(known) = self.young.known.get(&key) {
            return Some(known.clone());
        }
        let known = self.old.known.remove(&key)?;
        self.put(source, case, known.clone());
        Some(known)
    }

    fn put(&mut self, source: &str, case: Case, compiled: Compiled) {
        let weight = source.len() + compiled.as_ref().map_or(0, |pattern| pattern.weight());
        if self.young.known.len() >= MOST || self.young.weight + weight > HEAVIEST {
            self.old = mem::take(&mut self.young);
        }
        self.young.weight += weight;
        self.young.known.insert((case, source.into()), compiled);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remembered(memo: &mut Memo, source: &str) -> bool {
        memo.get(source, Case::Ignored).is_some()
    }

    fn put(memo: &mut Memo, source: &str) {
        memo.put(source, Case::Ignored, Pattern::compile(source, Case::Ignored).map(Arc::new));
    }

    #[test]
    fn a_pattern_is_compiled_once_for_each_way_of_taking_case() {
        let ignored = compile_cached("memo once", Case::Ignored).unwrap();
        assert!(Arc::ptr_eq(&ignored, &compile_cached("memo once", Case::Ignored).unwrap()));
        let matters = compile_cached("memo once", Case::Matters).unwrap();
        assert_eq!((ignored.case(), matters.case()), (Case::Ignored, Case::Matters));
    }

    #[test]
    fn a_refusal_is_remembered_whole() {
        let first = compile_cached("memo (", Case::Ignored).unwrap_err();
        assert_eq!(first, compile_cached("memo (", Case::Ignored).unwrap_err());
        assert_eq!(first, Pattern::compile("memo (", Case::Ignored).unwrap_err());
    }

    #[test]
    fn what_is_asked_for_stays_and_the_rest_goes() {
        let mut memo = Memo::default();
        put(&mut memo, "kept");
        put(&mut memo, "forgotten");
        for number in 0..3 * MOST {
            put(&mut memo, &format!("a{number}"));
            assert!(remembered(&mut memo, "kept"), "after {number}");
        }
        assert!(!remembered(&mut memo, "forgotten"));
        assert!(memo.young.known.len() <= MOST && memo.old.known.len() <= MOST);
    }

    #[test]
    fn heavy_patterns_push_each_other_out() {
        let mut memo = Memo::default();
        let heavy = |number: usize| format!("{number}{}", "a".repeat(8_000));
        let enough = HEAVIEST / 48_000 + 1;
        for number in 0..3 * enough {
            put(&mut memo, &heavy(number));
            assert!(memo.young.weight <= HEAVIEST && memo.old.weight <= HEAVIEST);
        }
        assert!(remembered(&mut memo, &heavy(3 * enough - 1)));
        assert!(!remembered(&mut memo, &heavy(0)));
    }
}
