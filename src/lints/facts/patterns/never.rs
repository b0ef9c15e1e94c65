//! Patterns that match every line, or none.

use crate::pattern::syntax::{Branch, Group, PartKind, PatternTree, TokenKind, class_tokens};
use crate::pattern::{Budget, Case, Pattern, compile_cached};
use crate::text::Span;

/// Why a pattern, or one of its alternatives, never matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Never {
    /// Whether the whole pattern never matches.
    pub(crate) is_whole: bool,
    /// The cause, with bytes of the pattern.
    pub(crate) cause: Cause,
}

/// The part that prevents a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The end of the line, before a part that needs a character.
    AfterEnd(Span),
    /// The start of the line, behind a part that needs a character.
    BeforeStart(Span),
    /// `(?!)`
    Impossible(Span),
    /// A line break, which no line has.
    LineBreak(Span),
}

/// Whether `source` never matches on a line, if that is certain.
pub(crate) fn never_matches(source: &str, tree: &PatternTree) -> Option<Never> {
    let traits = all_traits(source, tree)?;
    let branches = tree.branches();
    let causes: Vec<_> = branches.iter().map(|branch| sequence(&branch.parts, &traits, tree).never).collect();
    let is_whole = causes.iter().all(Option::is_some);
    // Patterns of other programs have an alternative for the break between lines, as in `^- |\n- `.
    let counts = |cause: &Cause| is_whole || !matches!(cause, Cause::LineBreak(_));
    causes.into_iter().flatten().find(counts).map(|cause| Never { is_whole, cause })
}

/// The control characters that a single backslash in JSON makes.
pub(crate) fn controls(tree: &PatternTree) -> Vec<Span> {
    let is_control = |kind: &PartKind| matches!(kind, PartKind::Word(TokenKind::Literal('\u{8}' | '\u{c}')));
    tree.parts.iter().filter(|part| is_control(&part.kind)).map(|part| part.span).collect()
}

/// What is known about a part.
#[derive(Clone, Default)]
struct Traits {
    never: Option<Cause>,
    /// Whether the part takes at least one character.
    consumes: bool,
    /// The anchor, if the part matches only at the end of the line.
    at_end: Option<Span>,
    /// The anchor, if the part matches only at the start of the line.
    at_start: Option<Span>,
}

fn all_traits(source: &str, tree: &PatternTree) -> Option<Vec<Traits>> {
    let mut traits: Vec<Traits> = Vec::with_capacity(tree.parts.len());
    for part in &tree.parts {
        let own = match &part.kind {
            PartKind::Word(TokenKind::Verb | TokenKind::Malformed) => return None,
            PartKind::Word(word) if is_line_break(source, part.span, *word) => {
                Traits { never: Some(Cause::LineBreak(part.span)), ..Traits::default() }
            }
            PartKind::Word(TokenKind::Literal(_) | TokenKind::Escape(_) | TokenKind::Dot | TokenKind::LineBreak) => {
                Traits { consumes: true, ..Traits::default() }
            }
            PartKind::Word(TokenKind::Set | TokenKind::Class { .. }) => Traits { consumes: true, ..Traits::default() },
            PartKind::Word(TokenKind::Anchor) => match &source[part.span.range()] {
                "$" | r"\z" | r"\Z" => Traits { at_end: Some(part.span), ..Traits::default() },
                "^" | r"\A" => Traits { at_start: Some(part.span), ..Traits::default() },
                _ => Traits::default(),
            },
            PartKind::Word(_) => Traits::default(),
            PartKind::Repeat { of, min, .. } if *min > 0 => traits[*of].clone(),
            PartKind::Repeat { .. } => Traits::default(),
            PartKind::Group { group, branches } => of_group(part.span, *group, branches, &traits, tree),
        };
        traits.push(own);
    }
    Some(traits)
}

fn of_group(span: Span, group: Group, branches: &[Branch], traits: &[Traits], tree: &PatternTree) -> Traits {
    match group {
        Group::LookAhead { negated: true } | Group::LookBehind { negated: true } => {
            let is_impossible = branches.iter().any(|branch| branch.parts.is_empty() && branch.span.is_empty());
            Traits { never: is_impossible.then_some(Cause::Impossible(span)), ..Traits::default() }
        }
        Group::Conditional | Group::Special => Traits::default(),
        _ => {
            let all: Vec<_> = branches.iter().map(|branch| sequence(&branch.parts, traits, tree)).collect();
            if all.iter().all(|branch| branch.never.is_some()) {
                return all.into_iter().next().unwrap_or_default();
            }
            if matches!(group, Group::LookAhead { .. } | Group::LookBehind { .. }) {
                return Traits::default();
            }
            let mut possible = all.iter().filter(|branch| branch.never.is_none());
            let first = possible.clone().next();
            Traits {
                never: None,
                consumes: possible.clone().all(|branch| branch.consumes),
                at_end: first.and_then(|first| first.at_end).filter(|_| possible.clone().all(|b| b.at_end.is_some())),
                at_start: first.and_then(|first| first.at_start).filter(|_| possible.all(|b| b.at_start.is_some())),
            }
        }
    }
}

fn is_line_break(source: &str, span: Span, word: TokenKind) -> bool {
    let is_newline = |kind| matches!(kind, TokenKind::Literal('\n') | TokenKind::Escape('\n'));
    match word {
        TokenKind::Class { negated: false } => {
            let members = class_tokens(source, span).into_iter().map(|token| token.kind);
            let mut members = members.filter(|kind| *kind != TokenKind::Bracket).peekable();
            members.peek().is_some() && members.all(is_newline)
        }
        kind => is_newline(kind),
    }
}

/// The traits of parts that follow each other.
fn sequence(parts: &[usize], traits: &[Traits], tree: &PatternTree) -> Traits {
    let mut whole = Traits::default();
    for part in parts {
        let own = &traits[*part];
        if let Some(never) = &own.never {
            return Traits { never: Some(never.clone()), ..Traits::default() };
        }
        if let Some(end) = whole.at_end.filter(|_| own.consumes) {
            return Traits { never: Some(Cause::AfterEnd(end)), ..Traits::default() };
        }
        if let Some(start) = own.at_start.filter(|_| whole.consumes) {
            return Traits { never: Some(Cause::BeforeStart(start)), ..Traits::default() };
        }
        let is_keep = tree.parts[*part].kind == PartKind::Word(TokenKind::Keep);
        whole.consumes |= own.consumes && !is_keep;
        whole.at_end = whole.at_end.or(own.at_end);
        whole.at_start = whole.at_start.or(own.at_start);
    }
    whole
}

/// The pattern between the slashes of JavaScript, if `source` has flags or the syntax of a pattern.
pub(crate) fn slashes(source: &str) -> Option<Span> {
    let end = source.rfind('/').filter(|end| *end > 1 && source.starts_with('/'))?;
    let (inner, flags) = (&source[1..end], &source[end + 1..]);
    let are_flags = !flags.is_empty() && flags.len() <= 4 && flags.bytes().all(|flag| b"gimsuy".contains(&flag));
    let has_syntax =
        ["\\d", "\\s", "\\w", "\\b", ".*", ".+", "[", "(", "^", "$", "|"].iter().any(|word| inner.contains(word));
    let is_path = inner.contains('/') && !inner.contains("\\/");
    (!is_path && (are_flags || (flags.is_empty() && has_syntax))).then_some(Span::new(1, end))
}

/// Whether no match of the pattern can have a digit, if that is certain.
pub(crate) fn lacks_digits(source: &str, tree: &PatternTree) -> bool {
    let budget = Budget::default();
    let takes_digit = |span: Span| {
        let alone = compile_cached(&source[span.range()], Case::Ignored);
        alone.is_ok_and(|alone: std::sync::Arc<Pattern>| {
            ('0'..='9').any(|digit| !matches!(alone.find(&digit.to_string(), 0, &budget), Ok(None)))
        })
    };
    !source.is_empty()
        && tree.parts.iter().all(|part| match &part.kind {
            PartKind::Word(TokenKind::Literal(c) | TokenKind::Escape(c)) => !c.is_ascii_digit(),
            PartKind::Word(TokenKind::Anchor) => true,
            PartKind::Word(TokenKind::Class { .. } | TokenKind::Set) => !takes_digit(part.span),
            PartKind::Word(_) => false,
            PartKind::Repeat { .. } | PartKind::Group { .. } => true,
        })
}

/// The part of a pattern that matches in every line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Always {
    /// The whole pattern.
    Whole,
    /// One of its alternatives.
    Branch(Span),
    /// An empty alternative beside this `|`.
    EmptyBranch(Span),
}

/// Returns the part of `pattern` that most likely matches in every line: it matches lines that have little in common.
pub(crate) fn always_matches(pattern: &Pattern, tree: &PatternTree) -> Option<Always> {
    let branches = tree.branches();
    if tree.tokens.iter().any(|token| can_exclude(token.kind)) || !matches_all_probes(pattern) {
        return None;
    }
    let is_enough = |branch: &Branch| {
        let alone = || compile_cached(&pattern.source()[branch.span.range()], Case::Ignored);
        branches.len() == 1 || alone().is_ok_and(|alone| matches_all_probes(&alone))
    };
    let index = branches.iter().position(is_enough)?;
    let span = branches[index].span;
    Some(match branches {
        [_] => Always::Whole,
        _ if !span.is_empty() => Always::Branch(span),
        _ if index == 0 => Always::EmptyBranch(Span::new(span.end, span.end + 1)),
        _ => Always::EmptyBranch(Span::new(span.start - 1, span.start)),
    })
}

/// Whether a word can exclude a few lines among all.
fn can_exclude(word: TokenKind) -> bool {
    use Group::{Atomic, Conditional, LookAhead, LookBehind, Special};
    use TokenKind::{Call, Malformed, Open, Reference, Repeat, Verb};
    matches!(
        word,
        Verb | Malformed
            | Reference
            | Call
            | Repeat { is_possessive: true, .. }
            | TokenKind::Greed { is_possessive: true }
            | Open(LookAhead { negated: true } | LookBehind { negated: true } | Atomic | Conditional | Special)
    )
}

/// Returns whether the pattern matches lines that have little in common.
fn matches_all_probes(pattern: &Pattern) -> bool {
    let ascii: String = (' '..='~').collect();
    let long = "spoke ".repeat(200);
    let probes =
        ["", "q", "a", "5", " ", "-", "The saddle costs 40.", " \t\r\u{1}\u{7f}é\u{202e}😀\u{fffd}", &ascii, &long];
    let budget = Budget::default();
    probes.iter().all(|line| matches!(pattern.find(line, 0, &budget), Ok(Some(_))))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::lints::tests::fixture::check_marked;

    #[test]
    fn only_what_surely_never_matches() {
        let is_found = |source: &str| {
            Pattern::compile(source, Case::Ignored).unwrap();
            never_matches(source, &PatternTree::new(source)).is_some()
        };
        let nothing = r"
            x$y a^b a\Ab a\zb (a$)b a(^b) (a$|b$)c (?:x|y)+^z (?!) a(?!)b x|a$b (x$y)+
        ";
        for source in nothing.split_whitespace().chain(["Total: $12"]) {
            assert!(is_found(source), "`{source}`");
        }
        let something = r"
            a$ ^a ^$ a?^b a$b? a$(b|) (a$|b)c (a$b)?c (a$b|c) \$12 [$]12 (?!x) a(?=$) a$(?!b) a\b a(*FAIL)
            (?(?=a)b$|c)d
        ";
        for source in something.split_whitespace().chain(["\u{8}foo", "[\u{8}]x", ""]) {
            assert!(!is_found(source), "`{source}`");
        }
    }

    #[test]
    fn only_patterns_that_need_a_line_break_are_reported() {
        let needed = |source: &str| match never_matches(source, &PatternTree::new(source))?.cause {
            Cause::LineBreak(span) => Some(span),
            _ => None,
        };
        let patterns = r"
            Booking:«\n»Thursday  a\r«\n»b  a«\x0a»b  a«\x{a}»b  a«\012»b  a«\cJ»b  «\N{U+0A}»  a«[\n]»b  a«\n»+b
            a(?:b|c\n){2,}  a(?:b«\n»|c\n){2,}  (a«\n»|b\x0a)c  a(?=«\n»)  (?<=«\n»)a  (?i)a(?>«\n»)  [^\n]*«\n»[^\n]*
            $«\n»^  \Qa\E«\n»
        ";
        check_marked(patterns, |source| needed(source).into_iter().collect());
        assert_eq!(needed("Booking:\nThursday"), Some(Span::new(8, 9)));
        // These can match in another way.
        let others = r"
            GitHub:[^\n]{0,60}[0-9]+ a[\s\n]b a[\r\n]b a\Rb a\vb (a\n|b\R)c a\sb a\n?b a\n*b a\n{0,2}b a(\n)?b
            a(?:\n|$) a\n|b a(?!\n) (?<!\n)a (?(?=\n)a|b) (\n){0}a(?1)? a\rb [\s\S]* a\\nb \Qa\n\E a(?#\n)b
            (*ACCEPT)\n (?(DEFINE)(\n))a
        ";
        for source in others.split_whitespace().chain([r"(?:^|\n)- a", "(?x) a \n b", r"(?x) a # \n", ""]) {
            assert_eq!(needed(source), None, "`{source}`");
        }
    }

    #[test]
    fn slashes_of_javascript() {
        let patterns = r"
            /«foo»/i  /«foo»/gi  /«\d+ bikes»/  /api/  /api/v1  /api/bikes/i  a/b/i  //i  /  /foo/x1
        ";
        check_marked(patterns, |source| slashes(source).into_iter().collect());
    }

    #[test]
    fn ages_need_digits() {
        let lacks_digits = |source: &&str| lacks_digits(source, &PatternTree::new(source));
        assert!(["minutes ago", r"updated\s+[a-z]+ ago"].iter().all(lacks_digits));
        for source in ["[0-9]+ min", r"\d+", r"\w+ min", ".+ min", "[^x] min", "5 min", ""] {
            assert!(!lacks_digits(&source), "{source}");
        }
    }

    fn words() -> impl Strategy<Value = String> {
        let words = [
            "a", "b", ".", "(?:", "(", ")", "|", "*", "?", "+", "{0,2}", "(?=", "(?!", "(?>", "^", "$", r"\b", r"\z",
            "(?i)", r"\R", r"\Z", r"\K", "$", "(?s)", "(?<=", "(?<!", r"\n", "[\n]", "(?(1)", "(?1)", "{0}",
        ];
        proptest::collection::vec(proptest::sample::select(words.to_vec()), 0..9).prop_map(|words| words.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_said_never_to_match_does_not(source in words(), line in "[ab \r\u{b}\u{85}\u{2028}]{0,6}") {
            let Ok(pattern) = Pattern::compile(&source, Case::Matters) else { return Ok(()) };
            if never_matches(&source, &PatternTree::new(&source)).is_some_and(|never| never.is_whole) {
                prop_assert!(matches!(pattern.find(&line, 0, &Budget::default()), Ok(None)), "`{}`", source);
            }
        }
    }
}

#[cfg(test)]
mod always_tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_patterns_that_match_every_line_are_reported() {
        let is_found = |source: &str| {
            let pattern = Pattern::compile(source, Case::Ignored).unwrap();
            always_matches(&pattern, &PatternTree::new(source)).is_some()
        };
        let all_lines = r"
            x* x? (?i)x{0,3}y* .* ^.* .*$ ^.*$ \A(.*)\z ^[\s\S]*$ ^[^\n]*?$ ^(?:.|x)*$ ^\s*.*$ (x*|y) (?:(?:^.*$))
            \b|\B|^ (x*)+ ^ $ ^x* x| (x|) x|(?#nothing) (?:)
        ";
        for source in all_lines.split_whitespace().chain([""]) {
            assert!(is_found(source), "`{source}`");
        }
        let some_lines = r"
            .+ x+ x \S*x ^$ ^\s*$ ^x*$ ^[^<]*$ ^[\x00-\x7f]*$ ^.{0,200}$ ^(?!.*sorry) ^(?!.*sorry).*$ (?=x)|y \b
            (?>x|.*)$ ^(?>x|.*)$ (x)?(?(1)y|z) (x*)\1y x*(*FAIL) ^\p{Latin}*$ ^[^\S\n]*$ ^[^\r\n]*$ a$^b*
        ";
        for source in some_lines.split_whitespace() {
            assert!(!is_found(source), "`{source}`");
        }
    }

    fn words() -> impl Strategy<Value = String> {
        let words = [
            "a", "b", ".", r"[^\n]", "[^a]", "(?:", "(", ")", "|", "*", "?", "{0,2}", "+", "*?", "*+", "(?=", "(?!",
            "(?>", "^", "$", r"\b", "(?(1)", "(?1)", r"\1", "(?i)", "(?s)", "(?-s)", r"\Z", r"\R", r"\N", r"[\s\S]",
            r"[^\r]", r"[\d\D]",
        ];
        proptest::collection::vec(proptest::sample::select(words.to_vec()), 0..8).prop_map(|words| words.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn reported_patterns_match_every_line(source in words(), line in "[ab ]{0,5}|[a\r\u{b}\u{c}\u{85}\u{2028}]{0,6}|.{0,40}") {
            let Ok(pattern) = Pattern::compile(&source, Case::Matters) else { return Ok(()) };
            if always_matches(&pattern, &PatternTree::new(&source)).is_some() {
                prop_assert!(matches!(pattern.find(&line, 0, &Budget::default()), Ok(Some(_))), "`{}`", source);
            }
        }
    }
}
