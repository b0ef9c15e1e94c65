use proptest::prelude::*;

use crate::pattern::{Case, Pattern};

#[test]
fn the_faulty_text_is_underlined() {
    // The pattern, the underlined text, PCRE2's message.
    let table = [
        ("(", "(", "missing closing parenthesis"),
        ("(a(b)", "(", "missing closing parenthesis"),
        ("a(b(c", "(", "missing closing parenthesis"),
        ("(?<name>a", "(", "missing closing parenthesis"),
        ("(?i", "(", "missing closing parenthesis"),
        ("a)", ")", "unmatched closing parenthesis"),
        ("*a", "*", "quantifier does not follow a repeatable item"),
        ("a**b", "*", "quantifier does not follow a repeatable item"),
        ("é|{2}?b", "{2}?", "quantifier does not follow a repeatable item"),
        ("a{3,1}", "{3,1}", "numbers out of order in {} quantifier"),
        ("a{65536}b", "{65536}", "number too big in {} quantifier"),
        ("[z-a]", "z-a", "range out of order in character class"),
        ("é[a-cz-ax]x", "z-a", "range out of order in character class"),
        (r"[\d-z]", r"\d-z", "invalid range in character class"),
        (r"[a-\d]", r"a-\d", "invalid range in character class"),
        ("x[a-", "[", "missing terminating ] for character class"),
        ("[[:foo:]]", "[:foo:]", "unknown POSIX class name"),
        ("a[:alpha:]b", "[:alpha:]", "POSIX named classes are supported only within a class"),
        (r"[a\Rb]", r"\R", "escape sequence is invalid in character class"),
        (r"a\p{Foo}b", r"\p{Foo}", r"unknown property after \P or \p"),
        (r"[\p{Foo}]b", r"\p{Foo}", r"unknown property after \P or \p"),
        (r"\p{L", r"\p{L", r"malformed \P or \p sequence"),
        ("a(*FOO)b", "(*FOO)", "(*VERB) not recognized or malformed"),
        ("(*UTF)a", "(*UTF)", "(*VERB) not recognized or malformed"),
        ("(*foo:a)", "(*foo", "(*alpha_assertion) not recognized"),
        (r"abc\", r"\", r"\ at end of pattern"),
        (r"é\c", r"\c", r"\c at end of pattern"),
        (r"a\yb", r"\y", r"unrecognized character follows \"),
        (r"\u0041", r"\u", r"PCRE2 does not support \F, \L, \l, \N{name}, \U, or \u"),
        (r"\x{110000}", r"\x{110000}", r"character code point value in \x{} or \o{} is too large"),
        (r"\x{41", r"\x{41", r"non-hex character in \x{} (closing brace missing?)"),
        (r"(a)\2", r"\2", "reference to non-existent subpattern"),
        (r"\k<foo>a", r"\k<foo>", "reference to non-existent subpattern"),
        ("a(?1)", "(?1)", "reference to non-existent subpattern"),
        ("(?<1a>x)", "(?<1a>", "subpattern name must start with a non-digit"),
        ("(?<a>x)(?<a>y)", "(?<a>", "two named subpatterns have the same name (PCRE2_DUPNAMES not set)"),
        ("a(?iz)b", "z", "unrecognized character after (? or (?-"),
        ("x(?#abc", "(?#", "missing ) after (?# comment"),
        ("(?(?a)b)", "(?a)", "atomic assertion expected after (?( or (?(?C)"),
        ("a(?<=b+c)d", "(?<=", "length of lookbehind assertion is not limited"),
        (r"(?=a\K)b", r"\K", r"\K is not allowed in lookarounds (but see PCRE2_EXTRA_ALLOW_LOOKAROUND_BSK)"),
        ("日本(", "(", "missing closing parenthesis"),
        ("a\0(\nb", "(", "missing closing parenthesis"),
        // These fail only because of the wrapper.
        (r"a\Qb", r"\Q", r"`\Q` without `\E` after it"),
        ("(?x) a # b", "# b", "comment without a line break after it"),
    ];
    for (source, underlined, message) in table {
        let error = Pattern::compile(source, Case::Ignored).expect_err(source);
        assert_eq!((&source[error.span.range()], error.message.as_str()), (underlined, message), "`{source}`");
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn the_right_one_of_two_candidates_is_underlined() {
    let start = |source| Pattern::compile(source, Case::Ignored).expect_err(source).span.start;
    assert_eq!(start("(a(b)"), 0, "the outer bracket is the open one");
    assert_eq!(start("(a)(b(c"), 5, "the innermost, where several are open");
    assert_eq!(start("a)b)c"), 1, "the first that closes nothing");
    assert_eq!(start("(?<a>x)(?<a>y)"), 7, "the second of two like names");
    assert_eq!(start(r"[(](\)"), 3, "what is quoted or in a class opens and closes nothing");
}

#[test]
fn large_patterns_are_rejected_quickly_and_underlined_as_a_whole() {
    let table = [
        ("(?:".repeat(300) + &")".repeat(300), "parentheses are too deeply nested"),
        ("(?:(?:(?:a{1,1000}){1,1000}){1,1000}){1,1000}".to_owned(), "regular expression is too large"),
        ("a".repeat(40_000), "regular expression is too large"),
        ("a".repeat(1 << 20), "pattern string is longer than the limit set by the application"),
        ("(?#".to_owned() + &"a".repeat(1 << 20), "pattern string is longer than the limit set by the application"),
    ];
    for (source, message) in table {
        let error = Pattern::compile(&source, Case::Ignored).expect_err(message);
        assert_eq!(error.message, message);
        if !message.contains("nested") {
            assert_eq!(error.span, (0..source.len()).into(), "{message}");
        }
    }
}

proptest! {
    #[test]
    fn an_error_always_underlines_whole_characters(
        source in prop_oneof![any::<String>(), r"[\[\](){}?*+|\\^$:<>!=#,'&CPRkgpxQEKa-c0-9é😀 \n-]{1,12}"],
    ) {
        if let Err(error) = Pattern::compile(&source, Case::Ignored) {
            prop_assert!(source.get(error.span.range()).is_some_and(|text| !text.is_empty()), "{:?}", error);
            prop_assert!(!error.message.is_empty());
        }
    }
}
