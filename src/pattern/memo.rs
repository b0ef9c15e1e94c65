//! Compiled patterns that are kept, and what becomes of a pattern for a whole text if each line is tried alone, as suites try it.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use regex_syntax::ast::{self, Ast};
use regex_syntax::hir::{Class, Hir, HirKind};

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

/// The answers for each [`Case`], and their memory. If it is full, it starts again.
#[derive(Debug)]
struct Memo<A> {
    known: [HashMap<Box<str>, A>; 2],
    weight: usize,
}

/// How many patterns are kept. A suite of a thousand cases has fewer different patterns.
const MOST: usize = 1024;
/// How many bytes they may use, so that hostile patterns cannot exhaust the memory.
const HEAVIEST: usize = 16 << 20;

impl<A: Clone> Memo<A> {
    fn get(&self, source: &str, case: Case) -> Option<A> {
        self.known[case as usize].get(source).cloned()
    }

    fn put(&mut self, source: &str, case: Case, answer: A, weight: usize) {
        let total = source.len() + weight;
        if self.known.iter().map(HashMap::len).sum::<usize>() >= MOST || self.weight + total > HEAVIEST {
            *self = Memo::default();
        }
        self.weight += total;
        self.known[case as usize].insert(source.into(), answer);
    }
}

impl<A> Default for Memo<A> {
    fn default() -> Self {
        Self { known: Default::default(), weight: 0 }
    }
}

/// How far a pattern of another program reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reach {
    /// Whether a line break can be in what it matches.
    pub(crate) breaks: bool,
    /// Whether it looks at the start or end of the text.
    pub(crate) is_anchored: bool,
}

/// How far a pattern reaches. One with syntax that is not read here, such as a look-ahead, is judged by its signs.
pub(crate) fn reach(pattern: &str) -> Reach {
    let has = |signs: &[&str]| signs.iter().any(|sign| pattern.contains(sign));
    match regex_syntax::parse(pattern) {
        Ok(parsed) => {
            Reach { breaks: can_break(&parsed), is_anchored: parsed.properties().look_set().contains_anchor_haystack() }
        }
        Err(_) => Reach {
            // `s)` is the end of `(?s)`.
            breaks: has(&[r"\n", r"\r", r"\R", "\n", r"\s", r"\W", r"\D", "[^", "s)", "s:"]),
            is_anchored: has(&["^", "$", r"\A", r"\Z", r"\z"]),
        },
    }
}

/// The parts of a pattern that match within a line, if the pattern is a sequence: each is in every text that the pattern matches. None if
/// flags or other syntax may mean something else.
pub(crate) fn within_lines(pattern: &str) -> Vec<&str> {
    let parsed = ast::parse::Parser::new().parse(pattern);
    let Ok(Ast::Concat(sequence)) = &parsed else { return Vec::new() };
    if sequence.asts.iter().any(|part| matches!(part, Ast::Flags(_))) {
        return Vec::new();
    }
    let (mut parts, mut start) = (Vec::new(), None);
    for part in &sequence.asts {
        let span = part.span().start.offset..part.span().end.offset;
        if regex_syntax::parse(&pattern[span.clone()]).is_ok_and(|part| !can_break(&part)) {
            start.get_or_insert(span.start);
        } else if let Some(start) = start.take() {
            parts.push(&pattern[start..span.start]);
        }
    }
    parts.extend(start.map(|start| &pattern[start..]));
    let is_in_each = |part: &&str| regex_syntax::parse(part).is_ok_and(|it| it.properties().minimum_len() == Some(0));
    parts.retain(|part| !is_in_each(part));
    parts
}

/// Whether a line break can be in what the pattern matches.
fn can_break(pattern: &Hir) -> bool {
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Literal(literal) => literal.0.iter().any(|byte| matches!(byte, b'\n' | b'\r')),
        HirKind::Class(Class::Unicode(class)) => class.iter().any(|range| range.start() <= '\r' && '\n' <= range.end()),
        HirKind::Class(Class::Bytes(_)) => true,
        HirKind::Repetition(repetition) => can_break(&repetition.sub),
        HirKind::Capture(capture) => can_break(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(can_break),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use regex::Regex;

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
    fn a_full_memo_starts_again() {
        let mut memo = Memo::default();
        for number in 0..3 * MOST {
            memo.put(&number.to_string(), Case::Ignored, (), if number < MOST { 0 } else { HEAVIEST / 8 });
            assert!(memo.get(&number.to_string(), Case::Ignored).is_some());
            assert!(memo.known[0].len() <= MOST && memo.weight <= HEAVIEST, "{number}");
        }
        assert!(memo.get("0", Case::Ignored).is_none());
    }

    #[test]
    fn a_pattern_is_split_where_a_line_break_fits() {
        for (pattern, parts) in [
            (r"Total:\s*\$[0-9]+", &["Total:", r"\$[0-9]+"][..]),
            (r"a[^,]*b\W", &["a", "b"]),
            (r"(?:a\sb)c(d|e)?", &["c(d|e)?"]),
            (r"a\s?$", &["a"]),
            (r"a|b\s", &[]),
            (r"(?i)a\sb", &[]),
            (r"[\s\S]", &[]),
        ] {
            assert_eq!(within_lines(pattern), parts, "{pattern}");
        }
    }

    proptest! {
        /// Each part is on a line of what the pattern matches.
        #[test]
        fn each_part_is_in_each_match(pattern in r"[ab]?(\\s\*|\[\^a\]|\\W\+|\\n)[ab]{1,2}(\\D|\\b|\$)?b?", text in "[ab \n-]{0,12}") {
            let (whole, parts) = (Regex::new(&pattern).unwrap(), within_lines(&pattern));
            if whole.is_match(&text) {
                for part in parts {
                    let part = Regex::new(part).unwrap();
                    prop_assert!(text.lines().any(|line| part.is_match(line)), "{pattern} {text:?} {part}");
                }
            }
        }
    }
}
