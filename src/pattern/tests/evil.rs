use super::compile;
use crate::pattern::{Budget, Case, Limits, OverBudget};

/// Enough steps for any sensible pattern, and few enough for a test that is not optimized.
const COUNTED: Limits = Limits { steps: 200_000, steps_per_byte: 1, case_steps: u64::MAX };

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
    let patterns = r"
        (a+)+$ (.*)*x ([a-z]+)*\d (?:a?){30}a{30} [^x]*[yz] (?:a(?=[^x]*[yz])|a)* (a*)*\1b (x+x+)+y (a|b|ab)*c
        ^(a|a?)+$ (?:(?:a*)*)*b (a(?1)?)*b (?:a|(?R))+b (?<=(?:a|aa){1,100})b (\w+\s+)+zoo \p{L}+\p{N} (?|(a)|(b))+c
        (?s).*(?:x|y) (?=(a+))a*b+ (?:(?:(?:a?){0,9}){0,9}){0,9}b (?(?=a*b)a|aa)+c \X+y . a*?b
    ";
    let lines = ["a", "ab ", "x", "é", "a\u{310}\u{310}"]
        .map(|unit| [40, 2_000, 100_000].map(|len| unit.repeat(len / unit.len()) + "!"));
    for source in patterns.split_whitespace() {
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
    for source in [
        "lazy",
        r"\d+ s\b",
        "(evidence|source|metric)",
        r"^.*12x$",
        r"[a-z]+ \d+ x",
        r"\bfoxes\b",
        "(?-i:THE)",
        r"(\w+) \1",
    ] {
        assert_eq!(compile(source, Case::Ignored).find(&words, 0, &Budget::default()).err(), None, "`{source}`");
    }
    assert_eq!(compile("fox.*cat", Case::Ignored).find(&words[..10_000], 0, &Budget::default()), Ok(None));
    let (found, over, _) = outcome("FOX", &words[..350_000], Limits::VERDICT);
    assert_eq!((found, over), (10_000, None));
}

#[test]
fn what_happens_between_two_callouts_is_counted() {
    let line = ("a".repeat(59_999) + "x").repeat(16);
    for source in ["[^x]{60000}", r"(a*)\1[xy][xy]", r"(a+)\1{1000}x"] {
        assert_eq!(outcome(source, &line, COUNTED).1, Some(OverBudget::Steps), "`{source}`");
    }
}

#[test]
fn the_patterns_of_a_case_share_its_steps() {
    let limits = Limits { steps: 1_000_000, case_steps: 1_500_000, ..Limits::VERDICT };
    let budget = Budget::new(limits);
    let hostile = compile(r"(a+)+\1$", Case::Ignored);
    let line = "a".repeat(60) + "!";
    let results = [(); 3].map(|()| hostile.find(&line, 0, &budget));
    assert_eq!(results, [OverBudget::Steps, OverBudget::CaseSteps, OverBudget::CaseSteps].map(Err));
    let long = "b".repeat(1_000);
    assert_eq!(compile("a", Case::Ignored).find(&long, 0, &budget), Ok(None), "what every line may take is left");
}

#[test]
fn deep_backtracking_is_stopped() {
    let line = "ab".repeat(200_000);
    assert_eq!(compile("^((a|b)*(?=[cd]))", Case::Ignored).find(&line, 0, &Budget::default()), Err(OverBudget::Heap));
    assert_eq!(
        compile("^((a|b)*(?=[cd]))", Case::Ignored).find(&line[..1000], 0, &Budget::default()),
        Ok(None),
        "the thread continues"
    );
    assert_eq!(compile("(?R)", Case::Ignored).find("a", 0, &Budget::default()), Err(OverBudget::Recursion));
}

#[test]
fn a_large_program_is_stopped_as_well() {
    let pattern = compile(&format!(r"(a+)+\1$|{}", "abcdefgh".repeat(1200)), Case::Ignored);
    assert!(format!("{pattern:?}").contains("counted: Starts"));
    for len in [40, 100_000, 1_000_000] {
        let line = "a".repeat(len) + "!";
        assert_eq!(pattern.find(&line, 0, &Budget::default()), Err(OverBudget::Steps), "{len}");
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
