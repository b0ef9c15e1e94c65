use proptest::prelude::*;

use super::lexer::capture_count;
use super::{Flags, Greed, Group, TokenKind, class_tokens, tokens};
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

const fn repeat(min: u32, max: Option<u32>, greed: Greed) -> TokenKind {
    TokenKind::Repeat { min, max, greed }
}

#[test]
fn every_kind_of_word_is_recognised() {
    use Greed::{Greedy, Lazy, Possessive};
    use Group as G;
    use TokenKind::{
        Alternation, Anchor, Call, Callout, Class, Close, Comment, Dot, Escape, Keep, LineBreak, Literal, Malformed,
        Open, Quote, Reference, Set, Space, Verb,
    };
    let ignore = Flags { ignore_case: Some(true), only_case: true };
    let table: &[(&str, &[(&str, TokenKind)])] = &[
        ("", &[]),
        ("aé😀", &[("a", Literal('a')), ("é", Literal('é')), ("😀", Literal('😀'))]),
        ("\n]}", &[("\n", Literal('\n')), ("]", Literal(']')), ("}", Literal('}'))]),
        (
            r"\n\.\x41\x{1F600}",
            &[(r"\n", Escape('\n')), (r"\.", Escape('.')), (r"\x41", Escape('A')), (r"\x{1F600}", Escape('😀'))],
        ),
        (
            r"\x4g\o{101}\0\012\N{U+e9}\cA\é",
            &[
                (r"\x4", Escape('\u{4}')),
                ("g", Literal('g')),
                (r"\o{101}", Escape('A')),
                (r"\0", Escape('\0')),
                (r"\012", Escape('\n')),
                (r"\N{U+e9}", Escape('é')),
                (r"\cA", Escape('\u{1}')),
                (r"\é", Escape('é')),
            ],
        ),
        (r"\\s", &[(r"\\", Escape('\\')), ("s", Literal('s'))]),
        (
            r"\d\pL\P{^Greek}\N\X\R\K\b",
            &[
                (r"\d", Set),
                (r"\pL", Set),
                (r"\P{^Greek}", Set),
                (r"\N", Set),
                (r"\X", Set),
                (r"\R", LineBreak),
                (r"\K", Keep),
                (r"\b", Anchor),
            ],
        ),
        ("^.$|[[:<:]]", &[("^", Anchor), (".", Dot), ("$", Anchor), ("|", Alternation), ("[[:<:]]", Anchor)]),
        (r"[a]b]", &[("[a]", Class { negated: false }), ("b", Literal('b')), ("]", Literal(']'))]),
        (r"[^]\]]", &[(r"[^]\]]", Class { negated: true })]),
        (r"[[:alpha:]]", &[("[[:alpha:]]", Class { negated: false })]),
        (r"[\Q]\E]", &[(r"[\Q]\E]", Class { negated: false })]),
        (r"(?[ [a-z] - [x] ])a", &[("(?[ [a-z] - [x] ])", Class { negated: false }), ("a", Literal('a'))]),
        ("a*+?", &[("a", Literal('a')), ("*+", repeat(0, None, Possessive)), ("?", repeat(0, Some(1), Greedy))]),
        (
            "a+?b??",
            &[
                ("a", Literal('a')),
                ("+?", repeat(1, None, Lazy)),
                ("b", Literal('b')),
                ("??", repeat(0, Some(1), Lazy)),
            ],
        ),
        (
            "a{2}b{2,}+c{,3}?d{ 1 , 2 }",
            &[
                ("a", Literal('a')),
                ("{2}", repeat(2, Some(2), Greedy)),
                ("b", Literal('b')),
                ("{2,}+", repeat(2, None, Possessive)),
                ("c", Literal('c')),
                ("{,3}?", repeat(0, Some(3), Lazy)),
                ("d", Literal('d')),
                ("{ 1 , 2 }", repeat(1, Some(2), Greedy)),
            ],
        ),
        (
            "a{}{,}",
            &[
                ("a", Literal('a')),
                ("{", Literal('{')),
                ("}", Literal('}')),
                ("{", Literal('{')),
                (",", Literal(',')),
                ("}", Literal('}')),
            ],
        ),
        (
            "()(?:)(?i:)",
            &[
                ("(", Open(G::Capturing)),
                (")", Close),
                ("(?:", Open(G::NonCapturing)),
                (")", Close),
                ("(?i:", Open(G::Flagged(ignore))),
                (")", Close),
            ],
        ),
        ("(?<n>(?'n'(?P<n>", &[("(?<n>", Open(G::Named)), ("(?'n'", Open(G::Named)), ("(?P<n>", Open(G::Named))]),
        (
            "(?>(?|(*atomic:(*sr:(*scs:(1,<n>)",
            &[
                ("(?>", Open(G::Atomic)),
                ("(?|", Open(G::BranchReset)),
                ("(*atomic:", Open(G::Atomic)),
                ("(*sr:", Open(G::Special)),
                ("(*scs:(1,<n>)", Open(G::Special)),
            ],
        ),
        (
            "(?=(?!(?<=(?<!(?*(*nlb:",
            &[
                ("(?=", Open(G::LookAhead { negated: false })),
                ("(?!", Open(G::LookAhead { negated: true })),
                ("(?<=", Open(G::LookBehind { negated: false })),
                ("(?<!", Open(G::LookBehind { negated: true })),
                ("(?*", Open(G::LookAhead { negated: false })),
                ("(*nlb:", Open(G::LookBehind { negated: true })),
            ],
        ),
        (
            "(?(1)(?(<n>)(?(R&n)(?(?=",
            &[
                ("(?(1)", Open(G::Conditional)),
                ("(?(<n>)", Open(G::Conditional)),
                ("(?(R&n)", Open(G::Conditional)),
                ("(?", Open(G::Conditional)),
                ("(?=", Open(G::LookAhead { negated: false })),
            ],
        ),
        (
            r"\1\g{-1}\k<n>(?P=n)",
            &[(r"\1", Reference), (r"\g{-1}", Reference), (r"\k<n>", Reference), ("(?P=n)", Reference)],
        ),
        (
            r"(?R)(?-1)(?&n)(?P>n)\g<n>",
            &[("(?R)", Call), ("(?-1)", Call), ("(?&n)", Call), ("(?P>n)", Call), (r"\g<n>", Call)],
        ),
        (
            r"()\1\2\12\81",
            &[
                ("(", Open(G::Capturing)),
                (")", Close),
                (r"\1", Reference),
                (r"\2", Reference),
                (r"\12", Escape('\n')),
                (r"\81", Reference),
            ],
        ),
        (
            "(*SKIP)(*MARK:a(b)(*:x)(?C1)(?C'a''b')",
            &[("(*SKIP)", Verb), ("(*MARK:a(b)", Verb), ("(*:x)", Verb), ("(?C1)", Callout), ("(?C'a''b')", Callout)],
        ),
        (
            r"\Q.\d\E.\Qa",
            &[
                (r"\Q", Quote),
                (".", Literal('.')),
                (r"\", Literal('\\')),
                ("d", Literal('d')),
                (r"\E", Quote),
                (".", Dot),
                (r"\Q", Quote),
                ("a", Literal('a')),
            ],
        ),
        ("a(?#b|c)# ", &[("a", Literal('a')), ("(?#b|c)", Comment), ("#", Literal('#')), (" ", Literal(' '))]),
        (
            "(?x: a+ + # b\nc) ",
            &[
                ("(?x:", Open(G::Flagged(Flags { ignore_case: None, only_case: false }))),
                (" ", Space),
                ("a", Literal('a')),
                ("+", repeat(1, None, Greedy)),
                (" ", Space),
                ("+", TokenKind::Greed(Possessive)),
                (" ", Space),
                ("# b\n", Comment),
                ("c", Literal('c')),
                (")", Close),
                (" ", Literal(' ')),
            ],
        ),
        (
            "(?n)(",
            &[("(?n)", TokenKind::Flags(Flags { ignore_case: None, only_case: false })), ("(", Open(G::NonCapturing))],
        ),
        ("(?", &[("(?", Malformed)]),
        (r"a\", &[("a", Literal('a')), (r"\", Malformed)]),
        (
            r"\y\p{\x{110000}\u",
            &[(r"\y", Malformed), (r"\p{", Malformed), (r"\x{110000}", Malformed), (r"\u", Malformed)],
        ),
        ("a[b(", &[("a", Literal('a')), ("[b(", Malformed)]),
        ("a(?#b", &[("a", Literal('a')), ("(?#b", Malformed)]),
        ("(?<n", &[("(?<", Malformed), ("n", Literal('n'))]),
    ];
    for (source, expected) in table {
        assert_eq!(words(source), *expected, "`{source}`");
    }
}

#[test]
fn flags_report_their_effect_on_case() {
    let table = [
        ("(?i)", Some(true), true),
        ("(?-i)", Some(false), true),
        ("(?i:", Some(true), true),
        ("(?im)", Some(true), false),
        ("(?m-i:", Some(false), false),
        ("(?i-i)", Some(false), false),
        ("(?^)", Some(false), false),
        ("(?^i)", Some(true), false),
        ("(?s)", None, false),
        ("(?aDJxx-U)", None, false),
    ];
    for (source, ignore_case, only_case) in table {
        let expected = Flags { ignore_case, only_case };
        match words(source)[..] {
            [(_, TokenKind::Flags(flags) | TokenKind::Open(Group::Flagged(flags)))] => {
                assert_eq!(flags, expected, "`{source}`");
            }
            ref other => panic!("`{source}`: {other:?}"),
        }
    }
}

#[test]
fn a_class_is_split_into_words() {
    use TokenKind::{Bracket, Escape, Literal, Quote, Range, Set};
    let table: &[(&str, &[(&str, TokenKind)])] = &[
        (
            "[a-z-]",
            &[
                ("[", Bracket),
                ("a", Literal('a')),
                ("-", Range),
                ("z", Literal('z')),
                ("-", Literal('-')),
                ("]", Bracket),
            ],
        ),
        (
            r"[^]\n\d[:alpha:]]",
            &[
                ("[", Bracket),
                ("^", Bracket),
                ("]", Literal(']')),
                (r"\n", Escape('\n')),
                (r"\d", Set),
                ("[:alpha:]", Set),
                ("]", Bracket),
            ],
        ),
        (
            r"[\b\1\8[:x]",
            &[
                ("[", Bracket),
                (r"\b", Escape('\u{8}')),
                (r"\1", Escape('\u{1}')),
                (r"\8", Escape('8')),
                ("[", Literal('[')),
                (":", Literal(':')),
                ("x", Literal('x')),
                ("]", Bracket),
            ],
        ),
        (
            r"[\Qa-\E-z]",
            &[
                ("[", Bracket),
                (r"\Q", Quote),
                ("a", Literal('a')),
                ("-", Literal('-')),
                (r"\E", Quote),
                ("-", Range),
                ("z", Literal('z')),
                ("]", Bracket),
            ],
        ),
    ];
    for (source, expected) in table {
        assert_eq!(class_words(source), *expected, "`{source}`");
    }
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
