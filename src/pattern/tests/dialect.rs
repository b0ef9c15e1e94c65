use proptest::prelude::*;

use super::compile;
use crate::pattern::{Budget, Case, escape, pcre2_version};

/// Returns the matched texts that are not empty.
fn matches<'l>(source: &str, case: Case, line: &'l str) -> Vec<&'l str> {
    let (pattern, budget) = (compile(source, case), Budget::default());
    let spans = pattern.matches(line, &budget);
    spans.map(|span| &line[span.unwrap_or_else(|over| panic!("`{source}`: {over}")).range()]).collect()
}

#[test]
fn a_pattern_matches_as_in_ripgrep() {
    const I: Case = Case::Ignored;
    const M: Case = Case::Matters;
    let table: &[(&str, Case, &str, &[&str])] = &[
        // Case, and how a pattern changes it.
        ("deploy", I, "Deploy DEPLOY", &["Deploy", "DEPLOY"]),
        ("deploy", M, "Deploy deploy", &["deploy"]),
        ("(?-i)deploy", I, "Deploy deploy", &["deploy"]),
        ("(?i)deploy", M, "Deploy", &["Deploy"]),
        ("(?-i:d)eploy", I, "Deploy dEPLOY", &["dEPLOY"]),
        ("straße", I, "STRAßE STRASSE", &["STRAßE"]),
        ("ά", I, "Ά", &["Ά"]),
        ("k", I, "\u{212a}", &["\u{212a}"]),
        // The ends of the line.
        ("^a|b$", I, "aab bb", &["a", "b"]),
        (r"\Aa", I, "aa", &["a"]),
        (r"a\z", I, "aa", &["a"]),
        (r"a\Z", I, "aa", &["a"]),
        ("^.+$", I, "a\rb\r", &["a\rb\r"]),
        ("a$", I, "a\r", &[]),
        (r"a\r$", I, "a\r", &["a\r"]),
        (".+", I, "a\u{2028}b\u{85}c", &["a\u{2028}b\u{85}c"]),
        (r"\R", I, "a\rb\u{2028}c", &["\r", "\u{2028}"]),
        (r"\n", I, "a b", &[]),
        ("^", I, "a", &[]),
        (r"a\b", I, "a ab a", &["a", "a"]),
        // Characters.
        (".", I, "a😀é", &["a", "😀", "é"]),
        ("^..$", I, "😀é", &["😀é"]),
        (r"\w+", I, "naïve Ünï_9 ٣", &["naïve", "Ünï_9", "٣"]),
        (r"\d+", I, "12 ٣٤", &["12", "٣٤"]),
        (r"\s", I, "a\u{a0}b", &["\u{a0}"]),
        (r"\p{Lu}", M, "aÉ", &["É"]),
        (r"\p{Greek}+", I, "abc λόγος", &["λόγος"]),
        (r"[[:alpha:]]+", I, "é1a", &["é", "a"]),
        (r"\X", I, "e\u{301}a", &["e\u{301}", "a"]),
        (r"\x{1F600}", I, "😀", &["😀"]),
        (r"\x41", I, "a", &["a"]),
        ("\0", I, "a\0b", &["\0"]),
        (r"\Q.*\E", I, "a.*b", &[".*"]),
        // Repeats.
        ("a+?", I, "aa", &["a", "a"]),
        ("a++a", I, "aaa", &[]),
        ("(?>a+)b", I, "aab", &["aab"]),
        ("a{2}", I, "aaaaa", &["aa", "aa"]),
        ("a{,2}b", I, "aaab", &["aab"]),
        // Groups and look-around.
        (r"(?<year>\d{4})-\k<year>", I, "2024-2024 2024-2025", &["2024-2024"]),
        (r"(a)(?|b(c)|d(e))\2", I, "abcc adee", &["abcc", "adee"]),
        ("(?<=€)[0-9]+", I, "€12 $34", &["12"]),
        (r"(?<!\w)a", I, "ba a", &["a"]),
        ("(?<=a|bc)d", I, "ad bcd cd", &["d", "d"]),
        ("a(?=b)", I, "ab ac", &["a"]),
        ("a(?!b)", I, "ab ac", &["a"]),
        (r"\((?:[^()]|(?R))*\)", I, "x(a(b)c)", &["(a(b)c)"]),
        (r"(?(?=a)ab|cd)", I, "ab cd", &["ab", "cd"]),
        ("a(*SKIP)(*FAIL)|.", I, "ab", &["b"]),
        (r"foo\Kbar", I, "foobar bar", &["bar"]),
        (r"(?C1)a(?C'text')b", I, "ab", &["ab"]),
        // The effect of the wrapper.
        ("a|b", I, "ab", &["a", "b"]),
        ("a)(?:b", I, "ab", &["ab"]),
        ("a)|(?:b", I, "xb", &["b"]),
        ("(?x) a b # c\n", I, "ab", &["ab"]),
        ("", I, "a", &[]),
    ];
    for (source, case, line, expected) in table {
        assert_eq!(matches(source, *case, line), *expected, "`{source}`, {case:?}, on {line:?}");
    }
}

#[test]
fn empty_matches_are_skipped() {
    let table: &[(&str, &str, &[&str])] = &[
        ("aba", "ababa", &["aba"]),
        ("a*", "baac", &["aa"]),
        ("|a", "aa", &[]),
        ("a|", "aba", &["a", "a"]),
        ("a?", "éaé", &["a"]),
        (r"\b", "a b", &[]),
        (r"(?<=a)b?", "abab", &["b", "b"]),
        (r"a\K", "aaa", &[]),
        (r"\Ga", "aaba", &["a", "a"]),
        (r"\b\w", "ab cd", &["a", "c"]),
        ("^a", "aa", &["a"]),
        ("$", "", &[]),
    ];
    for (source, line, expected) in table {
        assert_eq!(matches(source, Case::Ignored, line), *expected, "`{source}` on {line:?}");
    }
}

#[test]
fn find_starts_at_the_offset_and_sees_the_text_before_it() {
    let find = |source, line, from| {
        compile(source, Case::Ignored).find(line, from, &Budget::default()).unwrap().map(|span| (span.start, span.end))
    };
    assert_eq!(find("a", "aba", 1), Some((2, 3)));
    assert_eq!(find("(?<=a)b", "ab", 1), Some((1, 2)));
    assert_eq!(find("^b", "ab", 1), None);
    assert_eq!(find("", "ab", 2), Some((2, 2)));
    assert_eq!(find("", "ab", 3), None, "past the line's end");
    assert_eq!(find(".", "éa", 1), Some((2, 3)), "within a character");
    assert_eq!(find("", "", 0), Some((0, 0)));
    assert_eq!(find("a?", "", usize::MAX), None);
}

#[test]
fn spans_cover_whole_characters_even_for_single_bytes() {
    assert_eq!(matches(r"\C", Case::Ignored, "é😀a"), ["é", "😀", "a"]);
    assert_eq!(matches(r"\C\C", Case::Ignored, "😀😀"), ["😀", "😀"]);
    assert_eq!(matches(r"a\C\K", Case::Ignored, "aéaé"), ["é", "é"]);
}

#[test]
fn large_programs_are_counted_at_every_start() {
    let source = format!("x(?:{})", "abcdefgh".repeat(2000));
    let pattern = compile(&source, Case::Ignored);
    assert!(format!("{pattern:?}").contains("counted: Starts"));
    let line = format!("..X{}", "ABCDEFGH".repeat(2000));
    assert_eq!(pattern.find(&line, 0, &Budget::default()), Ok(Some((2..line.len()).into())));
    assert_eq!(pattern.find(&line[..line.len() - 1], 0, &Budget::default()), Ok(None));
}

#[test]
fn many_threads_share_a_pattern() {
    fn shared<T: Send + Sync>(_: &T) {}
    let pattern = compile(r"(\d+) ms", Case::Ignored);
    shared(&pattern);
    std::thread::scope(|scope| {
        for number in 0..4 {
            let pattern = &pattern;
            scope.spawn(move || {
                let line = format!("took {number}00 MS");
                for _ in 0..200 {
                    assert_eq!(pattern.find(&line, 0, &Budget::default()), Ok(Some((5..11).into())));
                }
            });
        }
    });
}

#[test]
fn the_linked_pcre2_is_the_bundled_one() {
    // The version that `pcre2-sys` 0.2.10 bundles. An update of that crate changes this line; a PCRE2 from elsewhere
    // fails here.
    assert_eq!(pcre2_version(), "10.46 2025-08-27");
    #[cfg(target_os = "linux")]
    {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        assert!(maps.contains("[stack]"), "the list of what is loaded can be read");
        assert!(!maps.contains("libpcre2"), "a system PCRE2 is loaded:\n{maps}");
    }
}

proptest! {
    #[test]
    fn an_escaped_text_matches_itself_and_nothing_else(text in "[a-c.*(){}|\\[\\]\\\\^$?+#é -]{1,9}") {
        let pattern = escape(&text);
        prop_assert_eq!(matches(&format!("^{pattern}$"), Case::Matters, &text), [&text]);
        let other = format!("{text}x");
        prop_assert_eq!(matches(&format!("^{pattern}$"), Case::Matters, &other), [] as [&str; 0]);
    }
}
