//! Patterns that need a line break.

use crate::pattern::syntax::{Branch, Group, PartKind, PatternTree, TokenKind, class_tokens};
use crate::text::Span;

/// Returns the first line break that every match of the pattern `source` contains or touches.
pub(crate) fn needed_line_break(source: &str, tree: &PatternTree) -> Option<Span> {
    let mut needed: Vec<Option<Span>> = Vec::with_capacity(tree.parts.len());
    for part in &tree.parts {
        let of_part = match &part.kind {
            // A verb can end the match before the text that follows.
            PartKind::Word(TokenKind::Verb) => return None,
            PartKind::Word(word) => is_line_break(source, part.span, *word).then_some(part.span),
            PartKind::Repeat { min: 0, .. } => None,
            PartKind::Repeat { of, .. } => needed[*of],
            PartKind::Group { group, branches } if must_match(*group) => of_all(branches, &needed),
            PartKind::Group { .. } => None,
        };
        needed.push(of_part);
    }
    needed.pop().flatten()
}

fn is_line_break(source: &str, span: Span, word: TokenKind) -> bool {
    let is_newline = |kind| matches!(kind, TokenKind::Literal('\n') | TokenKind::Escape('\n'));
    match word {
        TokenKind::Class { negated: false } => {
            let mut members = class_tokens(source, span)
                .into_iter()
                .map(|token| token.kind)
                .filter(|kind| *kind != TokenKind::Bracket)
                .peekable();
            members.peek().is_some() && members.all(is_newline)
        }
        kind => is_newline(kind),
    }
}

/// Returns whether a match of the text around such a group is a match of the group.
fn must_match(group: Group) -> bool {
    match group {
        Group::LookAhead { negated } | Group::LookBehind { negated } => !negated,
        Group::Conditional | Group::Special => false,
        _ => true,
    }
}

fn of_all(branches: &[Branch], needed: &[Option<Span>]) -> Option<Span> {
    let of_branch = |branch: &Branch| branch.parts.iter().find_map(|part| needed[*part]);
    let first = of_branch(branches.first()?)?;
    branches[1..].iter().all(|branch| of_branch(branch).is_some()).then_some(first)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::lints::tests::fixture::check_marked;
    use crate::pattern::{Budget, Case, Pattern};

    #[test]
    fn only_patterns_that_need_a_line_break_are_reported() {
        let needed = |source: &str| needed_line_break(source, &PatternTree::new(source));
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

    fn words() -> impl Strategy<Value = String> {
        let words = [
            "a", r"\n", r"\R", r"\v", r"\s", r"\x0a", r"\r", "\n", ".", r"[\n]", r"[^\n]", "(?:", "(", ")", "|", "*",
            "?", "{2}", "{0}", "(?=", "(?!", "(?<=", "(?>", "^", "$", "(?x)", "(?(1)", "(?1)", r"\1", "+", "#",
        ];
        proptest::collection::vec(proptest::sample::select(words.to_vec()), 1..9).prop_map(|words| words.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn reported_patterns_match_no_line(source in words(), line in "[ab# \r\u{b}\u{c}\u{85}\u{2028}\u{2029}]{0,4}") {
            let Ok(pattern) = Pattern::compile(&source, Case::Ignored) else { return Ok(()) };
            if needed_line_break(&source, &PatternTree::new(&source)).is_some() {
                prop_assert!(!matches!(pattern.find(&line, 0, &Budget::default()), Ok(Some(_))));
            }
        }
    }
}
