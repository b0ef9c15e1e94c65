use std::time::Duration;

use super::{compile, untimed};
use crate::pattern::{Budget, Case, Limits, OverBudget};

/// Enough steps for any sane pattern, and few enough for a test without optimization; there is no limit of time.
const COUNTED: Limits =
    Limits { steps: 200_000, steps_per_byte: 1, line_time: Duration::MAX, case_time: Duration::MAX };

/// The result of all matches of a pattern on a line: their number, the error that ended them, and the remaining steps.
fn outcome(source: &str, line: &str, limits: Limits) -> (usize, Option<OverBudget>, u64) {
    let (pattern, budget) = (compile(source, Case::Ignored), Budget::new(limits));
    let mut matches = pattern.matches(line, &budget);
    let (mut found, mut over) = (0, None);
    while let (None, Some(next)) = (over, matches.next()) {
        found += usize::from(next.is_ok());
        over = next.err();
    }
    assert_eq!(matches.next(), None, "an error ends it");
    (found, over, matches.steps_left())
}

#[test]
fn runaway_patterns_are_stopped_by_the_step_limit() {
    let patterns = [
        "(a+)+$",
        "(.*)*x",
        r"([a-z]+)*\d",
        "(?:a?){30}a{30}",
        "[^x]*[yz]",
        "(?:a(?=[^x]*[yz])|a)*",
        r"(a*)*\1b",
        "(x+x+)+y",
        "(a|b|ab)*c",
        "^(a|a?)+$",
        "(?:(?:a*)*)*b",
        "(a(?1)?)*b",
        "(?:a|(?R))+b",
        "(?<=(?:a|aa){1,100})b",
        r"(\w+\s+)+zoo",
        r"\p{L}+\p{N}",
        "(?|(a)|(b))+c",
        "(?s).*(?:x|y)",
        "(?=(a+))a*b+",
        "(?:(?:(?:a?){0,9}){0,9}){0,9}b",
        "(?(?=a*b)a|aa)+c",
        r"\X+y",
        ".",
        "a*?b",
    ];
    let lines = ["a", "ab ", "x", "é", "a\u{310}\u{310}"]
        .map(|unit| [40, 2_000, 100_000].map(|len| unit.repeat(len / unit.len()) + "!"));
    for source in patterns {
        for line in lines.as_flattened() {
            let (found, over, left) = outcome(source, line, COUNTED);
            let shown = format!("`{source}` on {} bytes: {found} matches, {over:?}", line.len());
            match over {
                None | Some(OverBudget::Heap | OverBudget::Recursion) => {}
                Some(OverBudget::Steps) => assert_eq!(left, 0, "{shown}"),
                Some(_) => panic!("{shown}"),
            }
            assert!(left <= COUNTED.steps + line.len() as u64, "{shown}");
        }
    }
}

#[test]
fn counts_are_deterministic() {
    for (source, line) in [("(a+)+$", "aaaaaaaaaaaa!"), ("[^x]*[yz]", "abcabcabc"), (r"(\w+)\s\1", "so so the the")] {
        let first = outcome(source, line, COUNTED);
        assert_eq!(first, outcome(source, line, COUNTED), "`{source}`");
        assert!(first.2 < COUNTED.steps + line.len() as u64, "`{source}` is counted");
    }
}

#[test]
fn ordinary_patterns_read_a_megabyte_within_the_limit() {
    let words = "the quick brown fox, 12 of 300 ms; ".repeat(30_000);
    for source in
        ["lazy", r"\d+ s\b", "(evidence|source|metric)", r"^.*12x$", r"[a-z]+ \d+ x", r"\bfoxes\b", "(?-i:THE)"]
    {
        let (found, over, _) =
            outcome(source, &words, Limits { line_time: Duration::MAX, case_time: Duration::MAX, ..Limits::VERDICT });
        assert_eq!((found, over), (0, None), "`{source}`");
    }
    let (found, over, _) = outcome(
        "FOX",
        &words[..350_000],
        Limits { line_time: Duration::MAX, case_time: Duration::MAX, ..Limits::VERDICT },
    );
    assert_eq!((found, over), (10_000, None));
}

#[test]
fn uncounted_work_is_stopped_by_the_clock() {
    // One item that reads 60 000 characters and then fails counts as one step, at each of a million places.
    let limits = Limits { line_time: Duration::from_millis(1), ..Limits::VERDICT };
    let line = ("a".repeat(59_999) + "x").repeat(16);
    assert_eq!(compile("[^x]{60000}", Case::Ignored).find(&line, 0, &Budget::new(limits)), Err(OverBudget::LineTime));
}

#[test]
fn a_case_without_time_left_matches_nothing() {
    let limits =
        Limits { steps: u64::MAX, line_time: Duration::MAX, case_time: Duration::from_millis(1), ..Limits::VERDICT };
    let budget = Budget::new(limits);
    let hostile = compile("(a+)+$", Case::Ignored);
    assert_eq!(hostile.find(&("a".repeat(60) + "!"), 0, &budget), Err(OverBudget::CaseTime));
    assert!(budget.spent() >= limits.case_time);
    assert_eq!(compile("a", Case::Ignored).find("a", 0, &budget), Err(OverBudget::CaseTime));
}

#[test]
fn deep_backtracking_is_stopped() {
    let line = "ab".repeat(200_000);
    assert_eq!(compile("^(a|b)*[cd]", Case::Ignored).find(&line, 0, &untimed()), Err(OverBudget::Heap));
    assert_eq!(
        compile("^(a|b)*[cd]", Case::Ignored).find(&line[..1000], 0, &untimed()),
        Ok(None),
        "the thread continues"
    );
    assert_eq!(compile("(?R)", Case::Ignored).find("a", 0, &untimed()), Err(OverBudget::Recursion));
}

#[test]
fn large_programs_are_stopped() {
    let pattern = compile(&format!("(a+)+$|{}", "abcdefgh".repeat(1200)), Case::Ignored);
    assert!(format!("{pattern:?}").contains("counted: Starts"));
    for len in [40, 100_000, 1_000_000] {
        let line = "a".repeat(len) + "!";
        assert_eq!(pattern.find(&line, 0, &untimed()), Err(OverBudget::Steps), "{len}");
    }
}

#[test]
fn the_deepest_pattern_uses_little_stack() {
    let deep = |open: &str, close: &str| format!("{}a{}", open.repeat(248), close.repeat(248));
    let chain: String = (1..5000).map(|group| format!("((?{}))", group + 1)).chain(["(a)".to_owned()]).collect();
    let patterns =
        [deep("(?:", ")*"), deep("(a*", ")+"), deep("(?=", ")"), deep("(?<=", ")"), deep("a*(?:b|", ")?"), chain];
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(move || {
        for source in patterns {
            let found = compile(&source, Case::Ignored).find("aaaa", 0, &Budget::new(COUNTED));
            assert!(
                matches!(found, Ok(_) | Err(OverBudget::Heap | OverBudget::Steps)),
                "{found:?} for `{}…`",
                &source[..20]
            );
        }
    });
    thread.unwrap().join().unwrap();
}

#[test]
fn every_limit_has_a_message() {
    let message = |over: OverBudget| over.to_string();
    assert_eq!(
        message(OverBudget::Heap),
        "the pattern exceeded its heap limit of 32 MiB on this line: it backtracks too deeply"
    );
    assert_eq!(
        message(OverBudget::Engine(pcre2_sys::PCRE2_ERROR_INTERNAL)),
        "PCRE2 gave up: internal error - pattern overwritten?"
    );
    assert!(message(OverBudget::Steps).contains("match limit"));
}
