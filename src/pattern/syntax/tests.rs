use proptest::prelude::*;

use super::lexer::capture_count;
use super::{Group, TokenKind, class_tokens, tokens};
use crate::pattern::Case;
use crate::pattern::tests::arbitrary::patterns;
use crate::pattern::tests::plain::Plain;

/// Returns the words of `source`, each with its text.
fn words(source: &str) -> Vec<(&str, TokenKind)> {
    tokens(source).map(|token| (&source[token.span.range()], token.kind)).collect()
}

fn class_words(source: &str) -> Vec<(&str, TokenKind)> {
    let class = (0..source.len()).into();
    class_tokens(source, class).into_iter().map(|token| (&source[token.span.range()], token.kind)).collect()
}

/// Each pattern, and below it its words with their kinds.
fn listed<'a>(patterns: impl Iterator<Item = &'a str>, words: fn(&str) -> Vec<(&str, TokenKind)>) -> String {
    let line = |(text, kind): (&str, TokenKind)| format!("    {} {kind:?}\n", text.replace('\n', "⏎"));
    let listed = |source: &str| {
        format!("`{}`\n{}", source.replace('\n', "⏎"), words(source).into_iter().map(line).collect::<String>())
    };
    patterns.map(listed).collect()
}

#[test]
fn every_kind_of_word_is_recognised() {
    let patterns = r"
        aé😀 \n\.\x41\x{1F600} \x4g\o{101}\0\012\N{U+e9}\cA\é \\s \d\pL\P{^Greek}\N\X\R\K\b ^.$|[[:<:]] [a]b] [^]\]]
        [[:alpha:]] [\Q]\E] a*+? a+?b?? a{}{,} ()(?:)(?i:) (?<n>(?'n'(?P<n> (?>(?|(*atomic:(*sr:(*scs:(1,<n>)
        (?=(?!(?<=(?<!(?*(*nlb: (?(1)(?(<n>)(?(R&n)(?(?= \1\g{-1}\k<n>(?P=n) (?R)(?-1)(?&n)(?P>n)\g<n> ()\1\2\12\81
        (*SKIP)(*MARK:a(b)(*:x)(?C1)(?C'a''b') \Q.\d\E.\Qa (?n)( (? a\ \y\p{\x{110000}\u a[b( a(?#b (?<n
    ";
    let spaced = ["", "\n]}", "(?[ [a-z] - [x] ])a", "a{2}b{2,}+c{,3}?d{ 1 , 2 }", "a(?#b|c)# ", "(?x: a+ + # b\nc) "];
    insta::assert_snapshot!(listed(patterns.split_whitespace().chain(spaced), words));
}

#[test]
fn flags_that_only_ignore_case_are_known() {
    for (source, expected) in [("(?i)", true), ("(?i:", true), ("(?-i)", false), ("(?im)", false), ("(?^i)", false)] {
        let [(_, kind)] = words(source)[..] else { panic!("`{source}`") };
        let (TokenKind::Flags { only_ignore_case } | TokenKind::Open(Group::Flagged { only_ignore_case })) = kind
        else {
            panic!("`{source}`: {kind:?}")
        };
        assert_eq!(only_ignore_case, expected, "`{source}`");
    }
}

#[test]
fn a_class_is_split_into_words() {
    let classes = r"[a-z-] [^]\n\d[:alpha:]] [\b\1\8[:x] [\Qa-\E-z]";
    insta::assert_snapshot!(listed(classes.split_whitespace(), class_words));
    assert_eq!(class_tokens("a[b]", (1..4).into())[1].span, (2..3).into(), "spans count from the pattern's start");
    assert_eq!(class_words("(?[ [a] ])").len(), 1);
    assert_eq!(class_tokens("a", (3..9).into()), [], "outside the pattern");
}

#[test]
fn hostile_patterns_take_linear_time() {
    for piece in ["(", "[", "[[:", "(?C\"", "(?C''", "{1,", r"\x{", r"\p{a", "(?<a", "(*a", "(?[", "(?|(", "(?#", r"\Q"]
    {
        let source = piece.repeat(20_000);
        let covered: usize = tokens(&source).map(|token| token.span.len()).sum();
        assert_eq!(covered, source.len(), "`{piece}`, many times");
    }
}

/// Writes the pattern from its words: each character by its number, and without ignored text.
fn spelt_out(source: &str) -> String {
    let character = |c: char| format!("\\x{{{:x}}}", u32::from(c));
    let words = tokens(source).map(|token| match token.kind {
        TokenKind::Literal(c) | TokenKind::Escape(c) => character(c),
        TokenKind::Comment | TokenKind::Space | TokenKind::Quote => String::new(),
        TokenKind::Class { .. } if !source[token.span.range()].starts_with('(') => class_tokens(source, token.span)
            .into_iter()
            .map(|token| match token.kind {
                // A blank may be one that the flag `xx` ignores, which `class_tokens` does not support.
                TokenKind::Literal(c) if !c.is_whitespace() => character(c),
                TokenKind::Escape(c) => character(c),
                TokenKind::Quote => String::new(),
                _ => source[token.span.range()].to_owned(),
            })
            .collect(),
        _ => source[token.span.range()].to_owned(),
    });
    words.collect()
}

proptest! {
    #[test]
    fn words_cover_any_text_without_a_gap(source in prop_oneof![patterns(), any::<String>()]) {
        let mut at = 0;
        for token in tokens(&source) {
            prop_assert_eq!(token.span.start, at);
            prop_assert!(!token.span.is_empty() && source.is_char_boundary(token.span.end));
            at = token.span.end;
        }
        prop_assert_eq!(at, source.len());
    }

    #[test]
    fn words_of_valid_patterns_agree_with_pcre2(
        source in patterns(),
        lines in prop::collection::vec("[abéAx12 #\n\u{1}-]{0,6}", 4),
    ) {
        let Some(original) = Plain::compile(&source, Case::Matters) else { return Ok(()) };
        prop_assert!(tokens(&source).all(|token| token.kind != TokenKind::Malformed), "{:?}", words(&source));
        prop_assert_eq!(capture_count(&source), original.captures());
        let rewritten_source = spelt_out(&source);
        let Some(rewritten) = Plain::compile(&rewritten_source, Case::Matters) else { return Err(TestCaseError::fail(format!("`{rewritten_source}` does not compile"))) };
        for line in lines {
            prop_assert_eq!(original.find(&line, 0), rewritten.find(&line, 0), "`{}` on {:?}", rewritten_source, line);
        }
    }
}
