//! A pattern is refuted only on lines that it does not match.

use proptest::prelude::*;

use super::compile;
use crate::pattern::suffixes::suffixes;
use crate::pattern::{Budget, Case, Limits, OverBudget, Pattern, linear};

/// Pieces of patterns that only backtracking can match, and of ordinary ones.
const PIECES: &[&str] = &[
    "a",
    "b",
    "1",
    "é",
    "-",
    "ab",
    ".",
    "^",
    "$",
    "|",
    "(",
    "(?:",
    "(?<n>",
    "(?>",
    "(?=",
    "(?!",
    "(?<=",
    "(?<!",
    ")",
    ")",
    ")",
    "(?i)",
    "(?-i)",
    "(?i:",
    "[ab]",
    "[^a]",
    "*",
    "+",
    "?",
    "{2}",
    "{,2}",
    "*?",
    "++",
    "?+",
    r"\d",
    r"\w",
    r"\s",
    r"\b",
    r"\B",
    r"\1",
    r"\2",
    r"\g{-1}",
    r"\k<n>",
    r"\K",
    r"\R",
    r"\X",
    r"\A",
    r"\Qa.\E",
    "(?|",
    "(?(1)",
    "(*SKIP)",
    "(*ACCEPT)",
    "(?1)",
    "(*COMMIT)",
];

fn cases() -> impl Strategy<Value = (String, Case, Vec<String>)> {
    let source = prop::collection::vec(prop::sample::select(PIECES), 1..10).prop_map(|pieces| pieces.concat());
    let case = prop_oneof![Just(Case::Ignored), Just(Case::Matters)];
    (source, case, prop::collection::vec("[abAéÉ1 -]{0,12}", 6))
}

fn find(pattern: &Pattern, line: &str) -> Result<bool, OverBudget> {
    let budget = Budget::new(Limits { steps: 2_000_000, steps_per_byte: 0, case_steps: u64::MAX });
    pattern.matches_by_pcre2(line, &budget).find_by_pcre2(0).map(|found| found.is_some())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, max_global_rejects: 300_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn relaxed_patterns_and_suffixes_match_where_the_pattern_does((source, case, lines) in cases()) {
        let Ok(pattern) = Pattern::compile(&source, case) else {
            return Err(TestCaseError::reject("PCRE2 does not compile it"));
        };
        for line in lines {
            if find(&pattern, &line) != Ok(true) {
                continue;
            }
            if let Some(mut relaxed) = linear::relaxed_search(&source, case) {
                let has_match = relaxed.has_match(&line, 0).0;
                prop_assert!(has_match != Ok(false), "`{source}` relaxed on {line:?}");
            }
            for needed in linear::needed_patterns(&source) {
                let has_match = linear::relaxed_search(&needed.source, case).map(|mut search| search.has_match(&line, 0).0);
                prop_assert!(has_match != Some(Ok(false)), "`{}` of `{source}` on {line:?}", needed.source);
            }
            let Some(alternatives) = suffixes(&source) else { continue };
            // One of the alternatives matches, so all its suffixes do.
            let matches = |suffix: &String| Pattern::compile(suffix, case).map_or(true, |suffix| find(&suffix, &line) != Ok(false));
            prop_assert!(alternatives.iter().any(|suffixes| suffixes.iter().all(matches)), "suffixes of `{source}` on {line:?}");
        }
    }
}

#[test]
fn a_costly_pattern_is_refuted_on_a_long_line() {
    let words = r#"alpha aaaaab: "12", x.e, beta-total, name@example.com, Total #id; "#;
    for len in [300, 12_000, 1_200_000] {
        let line = words.repeat(len / words.len() + 1);
        for source in [
            r"(?=.*e)x#(?-i:Total)",
            r"-(?=.*e)é",
            r"(?>a+)[^,].*total\d+",
            r".{0,60}a++(?<n>\d)\k<n>\.",
            r#"[^"]*[^,]\s*(\w)\1q"#,
            r"(a+)+[^,].{0,60}(?<n>\d)\k<n>\w+[a-z]+",
            r"[^;]*[a-z]+\s[a-z]+(?<=\d)",
            r".*(?=.*e)€|.*(?!x)€",
            r"(?=.*alpha)(?=.*omega)",
            r"(?=.*omega)alpha",
            r"alpha(?=.*omega)",
            r"(?=[^,]*omega)\w+",
            r"(?i)(?=.*€)[^;]*\w(?-i)(?<=ALPHA)",
        ] {
            let found = compile(source, Case::Ignored).find(&line, 0, &Budget::default());
            assert_eq!(found, Ok(None), "`{source}` on {len} bytes");
        }
    }
}

#[test]
fn look_arounds_that_every_match_needs_are_known() {
    let needed = |source: &str| {
        let needed = linear::needed_patterns(source).into_iter();
        needed.map(|needed| (needed.source, needed.may_be_before)).collect::<Vec<_>>()
    };
    let all = |patterns: &[(&str, bool)]| {
        patterns.iter().map(|(source, before)| ((*source).to_owned(), *before)).collect::<Vec<_>>()
    };
    assert_eq!(needed("(?=.*a)(?=.*b)c"), all(&[("(?:.*a)", false), ("(?:.*b)", false)]));
    assert_eq!(needed("(?i)x(?<=a|b)(?-i)(?=c)"), all(&[("(?i)(?:a|b)", true), ("(?i)(?-i)(?:c)", false)]));
    for source in [
        "(?!a)b",
        "(?<!a)b",
        "(?=a)?b",
        "(?=a){0}b",
        "(?=a)b|c",
        "(?:(?=a)b|c)",
        "(?=a)b\\K",
        "(?x)(?=a)",
        "(*ACCEPT)(?=a)",
    ] {
        assert_eq!(needed(source), [], "`{source}`");
    }
}
