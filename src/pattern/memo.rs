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
type Generation = HashMap<Box<str>, Compiled>;

/// Two generations: what is asked for moves to the young one, and when that is full the old one is dropped.
#[derive(Default)]
struct Memo {
    young: [Generation; 2],
    old: [Generation; 2],
}

/// How many patterns one generation holds, for each way of taking case.
const GENERATION: usize = 256;
/// A longer pattern, in bytes, is not remembered, so that strangers' patterns cannot fill the memory.
const LONGEST: usize = 4 << 10;

impl Memo {
    fn get(&mut self, source: &str, case: Case) -> Option<Compiled> {
        if let Some(known) = self.young[case as usize].get(source) {
            return Some(known.clone());
        }
        let known = self.old[case as usize].remove(source)?;
        self.put(source, case, known.clone());
        Some(known)
    }

    fn put(&mut self, source: &str, case: Case, compiled: Compiled) {
        if source.len() > LONGEST {
            return;
        }
        let young = &mut self.young[case as usize];
        if young.len() >= GENERATION {
            self.old[case as usize] = mem::take(young);
        }
        self.young[case as usize].insert(source.into(), compiled);
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
        for number in 0..3 * GENERATION {
            put(&mut memo, &format!("a{number}"));
            assert!(remembered(&mut memo, "kept"), "after {number}");
        }
        assert!(!remembered(&mut memo, "forgotten"));
        assert!(memo.young[0].len() + memo.old[0].len() <= 2 * GENERATION);
    }

    #[test]
    fn a_very_long_pattern_is_compiled_but_not_kept() {
        let long = "a".repeat(LONGEST + 1);
        let first = compile_cached(&long, Case::Ignored).unwrap();
        assert!(!Arc::ptr_eq(&first, &compile_cached(&long, Case::Ignored).unwrap()));
    }
}
