use proptest::prelude::*;

use super::compile;
use crate::pattern::{Budget, Case, escape, pcre2_version};

/// Returns the matched texts that are not empty.
fn matches<'l>(source: &str, case: Case, line: &'l str) -> Vec<&'l str> {
    let (pattern, budget) = (compile(source, case), Budget::default());
    let spans = pattern.matches(line, &budget);
    spans.map(|span| &line[span.unwrap_or_else(|over| panic!("`{source}`: {over}")).range()]).collect()
}

/// What letters match, ignoring case. Matches that are not empty are in `«»`.
const MATCHES: &str = r"
    # Case, and how a pattern changes it.
    deploy ⟶ «Deploy» «DEPLOY»  (?-i)deploy ⟶ Deploy «deploy»  (?-i:d)eploy ⟶ Deploy «dEPLOY»
    straße ⟶ «STRAßE» STRASSE  ά ⟶ «Ά»
    # The ends of the line.
    ^a|b$ ⟶ «a»ab b«b»  \Aa ⟶ «a»a  a\z ⟶ a«a»  a\Z ⟶ a«a»  \n ⟶ a b  ^ ⟶ a  a\b ⟶ «a» ab «a»
    # Characters.
    . ⟶ «a»«😀»«é»  ^..$ ⟶ «😀é»  \w+ ⟶ «naïve» «Ünï_9» «٣»  \d+ ⟶ «12» «٣٤»  \p{Greek}+ ⟶ abc «λόγος»
    [[:alpha:]]+ ⟶ «é»1«a»  \x{1F600} ⟶ «😀»  \x41 ⟶ «a»  \Q.*\E ⟶ a«.*»b
    # Repeats.
    a+? ⟶ «a»«a»  a++a ⟶ aaa  (?>a+)b ⟶ «aab»  a{2} ⟶ «aa»«aa»a  a{,2}b ⟶ a«aab»
    # Groups and look-around.
    (?<year>\d{4})-\k<year> ⟶ «2024-2024» 2024-2025  (a)(?|b(c)|d(e))\2 ⟶ «abcc» «adee»  (?<=€)[0-9]+ ⟶ €«12» $34
    (?<!\w)a ⟶ ba «a»  (?<=a|bc)d ⟶ a«d» bc«d» cd  a(?=b) ⟶ «a»b ac  a(?!b) ⟶ ab «a»c
    \((?:[^()]|(?R))*\) ⟶ x«(a(b)c)»  (?(?=a)ab|cd) ⟶ «ab» «cd»  a(*SKIP)(*FAIL)|. ⟶ a«b»  foo\Kbar ⟶ foo«bar» bar
    (?C1)a(?C'text')b ⟶ «ab»
    # The effect of the wrapper.
    a|b ⟶ «a»«b»  a)(?:b ⟶ «ab»  a)|(?:b ⟶ x«b»
    # Empty matches are skipped.
    aba ⟶ «aba»ba  a* ⟶ b«aa»c  |a ⟶ aa  a| ⟶ «a»b«a»  a? ⟶ é«a»é  \b ⟶ a b  (?<=a)b? ⟶ a«b»a«b»  a\K ⟶ aaa
    \Ga ⟶ «a»«a»ba  \b\w ⟶ «a»b «c»d  ^a ⟶ «a»a
";

#[test]
fn a_pattern_matches_as_in_ripgrep() {
    let entries = MATCHES.lines().filter(|line| !line.trim_start().starts_with("# ")).flat_map(|line| line.split("  "));
    for entry in entries.map(str::trim).filter(|entry| !entry.is_empty()) {
        let (source, marked) = entry.split_once(" ⟶ ").expect(entry);
        let line = marked.replace(['«', '»'], "");
        let found =
            compile(source, Case::Ignored).matches(&line, &Budget::default()).map(Result::unwrap).collect::<Vec<_>>();
        let shown = found.iter().rev().fold(line.clone(), |mut shown, span| {
            shown.replace_range(span.range(), &format!("«{}»", &line[span.range()]));
            shown
        });
        assert_eq!(shown, marked, "{entry}");
    }
    const I: Case = Case::Ignored;
    const M: Case = Case::Matters;
    let table: &[(&str, Case, &str, &[&str])] = &[
        ("deploy", M, "Deploy deploy", &["deploy"]),
        ("(?i)deploy", M, "Deploy", &["Deploy"]),
        ("k", I, "\u{212a}", &["\u{212a}"]),
        ("^.+$", I, "a\rb\r", &["a\rb\r"]),
        ("a$", I, "a\r", &[]),
        (r"a\r$", I, "a\r", &["a\r"]),
        (".+", I, "a\u{2028}b\u{85}c", &["a\u{2028}b\u{85}c"]),
        (r"\R", I, "a\rb\u{2028}c", &["\r", "\u{2028}"]),
        (r"\s", I, "a\u{a0}b", &["\u{a0}"]),
        (r"\p{Lu}", M, "aÉ", &["É"]),
        (r"\X", I, "e\u{301}a", &["e\u{301}", "a"]),
        ("\0", I, "a\0b", &["\0"]),
        ("(?x) a b # c\n", I, "ab", &["ab"]),
        ("", I, "a", &[]),
        ("$", I, "", &[]),
    ];
    for (source, case, line, expected) in table {
        assert_eq!(matches(source, *case, line), *expected, "`{source}`, {case:?}, on {line:?}");
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
