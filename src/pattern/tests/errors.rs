use proptest::prelude::*;

use crate::pattern::{Case, Pattern};

#[test]
fn the_faulty_text_is_underlined() {
    let patterns = r"
        (  (a(b)  a(b(c  (a)(b(c  a)b)c  [(](\)  (?<name>a  (?i  a)  *a  a**b  é|{2}?b  a{3,1}  a{65536}b  [z-a]
        é[a-cz-ax]x  [\d-z]  [a-\d]  x[a-  [[:foo:]]  a[:alpha:]b  [a\Rb]  a\p{Foo}b  [\p{Foo}]b  \p{L  a(*FOO)b  (*UTF)a  (*foo:a)  abc\  é\c
        a\yb  \u0041  \x{110000}  \x{41  (a)\2  \k<foo>a  a(?1)  (?<1a>x)  (?<a>x)(?<a>y)  a(?iz)b  x(?#abc  (?(?a)b)
        a(?<=b+c)d  (?=a\K)b  日本(  a\Qb
    ";
    // The two with `\Q` and `(?x)` fail only because of the wrapper.
    let others = ["a\0(\nb", "(?x) a # b"];
    let shown = |source: &str| {
        let error = Pattern::compile(source, Case::Ignored).expect_err(source);
        assert_eq!(error.to_string(), error.message);
        let (before, after) = (&source[..error.span.start], &source[error.span.end..]);
        format!("{before:?} {:?} {after:?}: {}\n", &source[error.span.range()], error.message)
    };
    insta::assert_snapshot!(patterns.split_whitespace().chain(others).map(shown).collect::<String>());
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
