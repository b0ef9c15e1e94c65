//! The linear engine finds what PCRE2 finds.

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use super::compile;
use crate::pattern::{Budget, Case, Limits, OverBudget};

/// Pieces of patterns of which the linear engine accepts most.
const PIECES: &str = r#"
    a b k é 😀 - ab . ^ $ | | ( (?: (?<n> ) ) (?i) (?-i) (?i: (?#c) [ab] [^a-c] []a] [^]a] [a&&b] [[a] [a~~b--c]
    [\w-] [\d\s] [^\W_] [\Q]\E] [\x41-K] * + ? {2} {1,2} {,2} {2,} { *? +? ?? {1,2}? \d \D \w \W \s \S \N \. \x41
    \x{e9} \b \B \A \z \Qa.\E \Z \R \h \H \v [\h\V] \p{L} \P{N} \pP [[:alpha:]] [^[:space:][:punct:]] [[:^digit:]]
    [[:<:]] [[:>:]] (?s) (?m) (?-m) (?x) (?U) (?^) (?^: (?si-m: (?ix-s) (?n) (?| # / &
"#;

type Found = Result<Vec<(usize, usize)>, OverBudget>;

/// All matches by PCRE2, whatever the length of the line.
fn by_pcre2(source: &str, case: Case, line: &str) -> Found {
    let budget = Budget::new(Limits { steps: 2_000_000, steps_per_byte: 1_000, case_steps: u64::MAX });
    let pattern = compile(source, case);
    pattern.matches_by_pcre2(line, &budget).map(|found| found.map(|span| (span.start, span.end))).collect()
}

/// All matches by the linear engine; `None` if it does not accept the pattern or the line, or if it costs too much.
fn by_linear_engine(source: &str, case: Case, line: &str) -> Option<Vec<(usize, usize)>> {
    let budget = Budget::new(Limits { steps: u64::MAX, steps_per_byte: 0, case_steps: u64::MAX });
    let pattern = compile(source, case);
    let found = pattern.matches_by_linear(line, &budget)?;
    Some(found.map(|found| found.expect("the budget has no end")).map(|span| (span.start, span.end)).collect())
}

/// Whether the linear engine took part.
fn agree(source: &str, case: Case, line: &str) -> bool {
    let Some(found) = by_linear_engine(source, case, line) else { return false };
    if let Ok(expected) = by_pcre2(source, case, line) {
        assert!(
            found == expected,
            "`{source}` ({case:?}) on {:.80?}: {:?}, PCRE2: {:?}",
            line,
            found.len(),
            expected.len()
        );
    }
    true
}

fn cases() -> impl Strategy<Value = (String, Case, Vec<String>)> {
    let pieces: Vec<_> = PIECES.split_whitespace().chain([" ", "# c"]).collect();
    let source = prop::collection::vec(prop::sample::select(pieces), 1..9).prop_map(|pieces| pieces.concat());
    let case = prop_oneof![Just(Case::Ignored), Just(Case::Matters)];
    (
        source,
        case,
        prop::collection::vec("[abAckKéÉ😀x12 #\r&/~²\u{301}\u{903}\u{b}\u{85}\u{a0}\u{2028}\u{345}-]{0,12}", 6),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, max_global_rejects: 1_000_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_engines_find_the_same((source, case, lines) in cases()) {
        fn compare(source: &str, case: Case, lines: &[String]) -> TestCaseResult {
            if crate::pattern::Pattern::compile(source, case).is_err() {
                return Err(TestCaseError::reject("PCRE2 does not compile it"));
            }
            for line in lines {
                agree(source, case, line);
            }
            Ok(())
        }
        compare(&source, case, &lines)?;
    }
}

#[test]
fn both_engines_agree_on_ordinary_patterns() {
    let line =
        "Total: 42 bikes, 3 booked for Ann-Marie at 9:30 (pm) -- see https://x.example/#12; \u{2019}ok\u{2019} é "
            .repeat(40);
    let sources = r"
        total:\s*42 [a-z]+@[a-z]+\.com (bike|bikes|booked) #[0-9]{1,3} \d{1,2}:\d{2}(?:\s*[ap]m)? alpha.*omega bike.*?see
        (?i)TOTAL (?-i)TOTAL https?://[^\s;]+ [^a-z]{3,} \w+-\w+ ok|o
    ";
    for source in sources.split_whitespace() {
        for case in [Case::Ignored, Case::Matters] {
            assert!(agree(source, case, &line), "the linear engine accepts `{source}`");
        }
    }
}

/// All characters that a line can hold.
fn all_characters() -> String {
    ('\0'..=char::MAX).filter(|c| !matches!(c, '\n' | '\u{345}')).collect()
}

#[test]
fn sets_hold_the_same_characters() {
    let all = all_characters();
    let sets = r"
        \d \D \s \S \w \W . \N [\w\s] [^\d] [^a-zé] \h \H \v \V [[:alpha:]] [[:digit:]] [[:alnum:]] [[:space:]]
        [[:blank:]] [[:word:]] [[:punct:]] [^[:alpha:]] [^[:punct:]] \pL
    ";
    let categories =
        ["L", "Lm", "Lo", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Pe", "Po", "Ps", "S", "Sc", "Z"];
    let categories = categories.into_iter().flat_map(|name| [format!(r"\p{{{name}}}"), format!(r"\P{{{name}}}")]);
    for source in sets.split_whitespace().map(str::to_owned).chain(categories) {
        for case in [Case::Ignored, Case::Matters] {
            assert!(agree(&format!("{source}+"), case, &all), "the linear engine accepts `{source}`");
        }
    }
}

#[test]
fn letters_have_the_same_other_cases() {
    let cased: Vec<char> =
        all_characters().chars().filter(|c| !c.to_lowercase().eq([*c]) || !c.to_uppercase().eq([*c])).collect();
    let line: String = cased.iter().collect();
    for few in cased.chunks(8) {
        let alternatives: Vec<String> = few.iter().map(|c| format!("{c}")).collect();
        assert!(agree(&format!("(?:{})", alternatives.join("|")), Case::Ignored, &line));
        assert!(agree(&format!("[{}]", alternatives.concat()), Case::Ignored, &line));
    }
}

#[test]
fn a_long_line_is_judged_whatever_flags_and_classes_a_pattern_has() {
    let line = format!("there {}", "some ordinary words, 12 of 300; ".repeat(2_000));
    let sources = r"
        (?s).+there (?s:.+)there (?m).+there (?sm-i:.+)there .+there\Z .+\hthere [[:alpha:][:punct:]].+there \p{L}.+there
        (?|.+there|.+therein)
    ";
    for source in sources.split_whitespace().chain(["(?x) .+ there"]) {
        let found = compile(source, Case::Ignored).find(&line, 0, &Budget::default());
        assert_eq!(found, Ok(None), "`{source}`");
    }
}

#[test]
fn a_long_line_has_a_verdict_where_backtracking_has_none() {
    let line = r#"{"alpha": "beta", "id": 1234567, "mail": "ann at example", "total": 41}, "#.repeat(16_000);
    for source in ["alpha.*omega", r"[a-z]+@[a-z]+\.com", r#""total":\s*42\b"#, "(a+)+$", r"(\w+\s?)+;", "^(a|a)*$"] {
        let found = compile(source, Case::Ignored).find(&line, 0, &Budget::default());
        assert_eq!(found, Ok(None), "`{source}`");
    }
    // Beside other characters than ASCII, the automaton does not know `\b`.
    let wide = format!("é {}", &line[..100_000]);
    for source in [r"\b.*(?-i:Alpha)\d{2,6}", r"\b[a-z]+\b.*\bomega\b", r".{0,60}\b€#"] {
        let found = compile(source, Case::Ignored).find(&wide, 0, &Budget::default());
        assert_eq!(found, Ok(None), "`{source}`");
    }
    // It would take minutes.
    let large = format!("é {}cx", "ab".repeat(500_000));
    let found = compile(r"(?:[ab]{1,3000}[cd]\b)+", Case::Ignored).find(&large, 0, &Budget::default());
    assert_eq!(found, Err(OverBudget::Steps), "a search beyond the limit does not start");
    let short = "a".repeat(60) + "!";
    assert_eq!(compile("(a+)+$", Case::Ignored).find(&short, 0, &Budget::default()), Ok(None), "on a short line, too");
}
