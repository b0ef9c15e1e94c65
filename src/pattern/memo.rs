use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use super::{Case, Pattern, PatternError};

/// Caches [`Pattern::compile`]. A suite repeats its patterns in many cases, and an editor asks for all of them at each
/// keystroke. The cache has the last few hundred patterns of the whole program. Any thread may call this function.
///
/// # Errors
/// See [`Pattern::compile`]; errors are cached too.
pub(crate) fn compile_cached(source: &str, case: Case) -> Result<Arc<Pattern>, PatternError> {
    static MEMO: LazyLock<PatternMemo<Result<Arc<Pattern>, PatternError>>> = LazyLock::new(PatternMemo::default);
    MEMO.get(source, case, || {
        let compiled = Pattern::compile(source, case).map(Arc::new);
        let weight = compiled.as_ref().map_or(0, |pattern| pattern.weight());
        (compiled, weight)
    })
}

/// A cache of answers about the last few hundred patterns. Any thread may use it.
#[derive(Debug)]
pub(crate) struct PatternMemo<A> {
    memo: Mutex<Memo<A>>,
}

impl<A: Clone> PatternMemo<A> {
    /// Returns the cached answer for the pattern `source`. If there is none, calls `answer`, which also returns the
    /// approximate memory in bytes.
    pub(crate) fn get(&self, source: &str, case: Case, answer: impl FnOnce() -> (A, usize)) -> A {
        // A memo is consistent at every moment, so one from a thread that panicked is usable.
        let memo = || self.memo.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = memo().get(source, case) {
            return known;
        }
        let (answer, weight) = answer();
        memo().put(source, case, answer.clone(), weight);
        answer
    }
}

impl<A> Default for PatternMemo<A> {
    fn default() -> Self {
        Self { memo: Mutex::default() }
    }
}

/// Two generations: a requested pattern moves to the young one. If the young one is full, the old one is dropped.
#[derive(Debug)]
struct Memo<A> {
    young: Generation<A>,
    old: Generation<A>,
}

#[derive(Debug)]
struct Generation<A> {
    /// For each [`Case`].
    known: [HashMap<Box<str>, (A, usize)>; 2],
    weight: usize,
}

/// How many patterns one generation holds. A suite of a thousand cases has fewer different patterns.
const MOST: usize = 512;
/// How many bytes its patterns may use, so that hostile patterns cannot exhaust the memory.
const HEAVIEST: usize = 8 << 20;

impl<A: Clone> Memo<A> {
    fn get(&mut self, source: &str, case: Case) -> Option<A> {
        if let Some((known, _)) = self.young.known(case).get(source) {
            return Some(known.clone());
        }
        let (known, weight) = self.old.known(case).remove(source)?;
        self.put(source, case, known.clone(), weight);
        Some(known)
    }

    fn put(&mut self, source: &str, case: Case, answer: A, weight: usize) {
        let total = source.len() + weight;
        if self.young.len() >= MOST || self.young.weight + total > HEAVIEST {
            self.old = mem::take(&mut self.young);
        }
        self.young.weight += total;
        self.young.known(case).insert(source.into(), (answer, weight));
    }
}

impl<A> Generation<A> {
    fn known(&mut self, case: Case) -> &mut HashMap<Box<str>, (A, usize)> {
        &mut self.known[case as usize]
    }

    fn len(&self) -> usize {
        self.known.iter().map(HashMap::len).sum()
    }
}

impl<A> Default for Memo<A> {
    fn default() -> Self {
        Self { young: Generation::default(), old: Generation::default() }
    }
}

impl<A> Default for Generation<A> {
    fn default() -> Self {
        Self { known: Default::default(), weight: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remembered(memo: &mut Memo<Arc<Pattern>>, source: &str) -> bool {
        memo.get(source, Case::Ignored).is_some()
    }

    fn put(memo: &mut Memo<Arc<Pattern>>, source: &str) {
        let pattern = Arc::new(Pattern::compile(source, Case::Ignored).unwrap());
        let weight = pattern.weight();
        memo.put(source, Case::Ignored, pattern, weight);
    }

    #[test]
    fn a_pattern_is_compiled_once_for_each_case_mode() {
        let ignored = compile_cached("memo once", Case::Ignored).unwrap();
        assert!(Arc::ptr_eq(&ignored, &compile_cached("memo once", Case::Ignored).unwrap()));
        let matters = compile_cached("memo once", Case::Matters).unwrap();
        assert!(!Arc::ptr_eq(&ignored, &matters));
    }

    #[test]
    fn errors_are_cached() {
        let first = compile_cached("memo (", Case::Ignored).unwrap_err();
        assert_eq!(first, compile_cached("memo (", Case::Ignored).unwrap_err());
        assert_eq!(first, Pattern::compile("memo (", Case::Ignored).unwrap_err());
    }

    #[test]
    fn requested_patterns_stay_and_others_are_dropped() {
        let mut memo = Memo::default();
        put(&mut memo, "kept");
        put(&mut memo, "forgotten");
        for number in 0..3 * MOST {
            put(&mut memo, &format!("a{number}"));
            assert!(remembered(&mut memo, "kept"), "after {number}");
        }
        assert!(!remembered(&mut memo, "forgotten"));
        assert!(memo.young.len() <= MOST && memo.old.len() <= MOST);
    }

    #[test]
    fn large_patterns_replace_each_other() {
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
