//! Parts of patterns that change nothing, and digits beside which more digits are possible.

use crate::pattern::syntax::{Greed, PartKind, PatternTree, Token, TokenKind, tokens};
use crate::text::Span;

/// The `.*` at the start and at the end of `source`, as bytes of it. None if it is only at the end of one of several
/// alternatives, or if nothing else is in the pattern.
pub(crate) fn open_ends(source: &str) -> Vec<Span> {
    if !source.contains(".*") {
        return Vec::new();
    }
    let tokens: Vec<Token> = tokens(source).collect();
    let mut depth = 0_usize;
    for token in &tokens {
        match token.kind {
            TokenKind::Open(_) => depth += 1,
            // A bracket too many ends the group in which PCRE2 compiles the pattern: `.*)*+[ab](`.
            TokenKind::Close if depth == 0 => return Vec::new(),
            TokenKind::Close => depth -= 1,
            TokenKind::Alternation if depth == 0 => return Vec::new(),
            // What these do can depend on where a match starts. PCRE2 finds `.*\R` in no line, because it does not give back what `.*` has.
            TokenKind::Keep | TokenKind::Verb | TokenKind::Call | TokenKind::Quote | TokenKind::LineBreak => {
                return Vec::new();
            }
            _ => {}
        }
    }
    let is_any = |dot: &Token, star: &Token| {
        let is_all = matches!(star.kind, TokenKind::Repeat { min: 0, max: None, greed } if greed != Greed::Possessive);
        dot.kind == TokenKind::Dot && is_all
    };
    let pair = |dot: &Token, star: &Token| dot.span.join(star.span);
    let mut found = Vec::new();
    let flags = tokens.iter().take_while(|token| matches!(token.kind, TokenKind::Flags(_))).count();
    let mut inner = &tokens[flags..];
    while let [dot, star, rest @ ..] = inner
        && is_any(dot, star)
        && !rest.is_empty()
    {
        found.push(pair(dot, star));
        inner = rest;
    }
    let before_end = found.len();
    while let [rest @ .., dot, star] = inner
        && is_any(dot, star)
        && !rest.is_empty()
    {
        found.insert(before_end, pair(dot, star));
        inner = rest;
    }
    let has_more = inner.iter().any(|token| !matches!(token.kind, TokenKind::Dot | TokenKind::Repeat { .. }));
    if has_more && found.len() <= MOST { found } else { Vec::new() }
}

/// The backslashes in `source`, as bytes of it, in front of characters that mean themselves in every place. `\<` and `\>` are left
/// out: elsewhere they are the ends of a word, and an author may mean that.
pub(crate) fn needless_escapes(source: &str) -> Vec<Span> {
    if !source.as_bytes().windows(2).any(|pair| pair[0] == b'\\' && PLAIN.contains(char::from(pair[1]))) {
        return Vec::new();
    }
    let is_needless = |token: &Token| {
        let text = &source[token.span.range()];
        text.strip_prefix('\\').is_some_and(|c| c.len() == 1 && (PLAIN.contains(c) || c == "-"))
    };
    let escapes = tokens(source).filter(is_needless).map(|token| Span::new(token.span.start, token.span.start + 1));
    let found: Vec<_> = escapes.take(MOST + 1).collect();
    if found.len() > MOST { Vec::new() } else { found }
}

/// Characters that never mean anything but themselves.
const PLAIN: &str = "\"'/:;,!@%&=~`_";

/// The limit of reported parts in one pattern: a pattern with more was not written by hand.
const MOST: usize = 16;

/// Digits of a limited count beside which more digits are possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OpenNumber {
    /// The first such digits, in bytes of the pattern.
    pub(crate) digits: Span,
    /// Where boundaries are missing.
    pub(crate) boundaries: Vec<usize>,
}

/// The first digits of a limited count at the end or the start of an alternative of the pattern, without a boundary.
pub(crate) fn open_number(source: &str, tree: &PatternTree) -> Option<OpenNumber> {
    let is_limited = |part: usize| match tree.parts[part].kind {
        PartKind::Repeat { of, min, max: Some(max) } => min > 0 && max > 1 && is_digit(source, tree, of),
        _ => false,
    };
    let mut open: Option<OpenNumber> = None;
    for branch in tree.branches() {
        let (first, last) = (branch.parts.first(), branch.parts.last());
        for (part, at) in [(first, false), (last, true)] {
            let Some(span) = part.filter(|part| is_limited(**part)).map(|part| tree.parts[*part].span) else {
                continue;
            };
            let open = open.get_or_insert_with(|| OpenNumber { digits: span, boundaries: Vec::new() });
            // The span of a repeat ends before a `?` or `+` that defines how it repeats.
            let greed = usize::from(source[span.end..].starts_with(['?', '+']));
            open.boundaries.push(if at { span.end + greed } else { span.start });
        }
    }
    open
}

fn is_digit(source: &str, tree: &PatternTree, part: usize) -> bool {
    let part = &tree.parts[part];
    matches!(part.kind, PartKind::Word(TokenKind::Set | TokenKind::Class { negated: false }))
        && matches!(&source[part.span.range()], "[0-9]" | r"\d" | r"[\d]" | "[[:digit:]]" | "[1-9]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lints::tests::fixture::check_marked;
    use crate::pattern::{Budget, Case, compile_cached};

    #[test]
    fn open_ends_are_found_where_a_search_makes_them_needless() {
        let patterns = r"
            «.*»booked«.*»  .*)*+[ab](  «.*?»booked«.*?»  (?i)«.*»booked  «.*»«.*»booked  ^.*booked.*$  a.*b  .+booked
            .*+booked  .*a|b.*  «.*»(a|b)  (.*)booked  .*  .*.*  \.*booked  [.*]  .*\Kbooked
        ";
        check_marked(patterns, |source| open_ends(source).to_vec());
    }

    #[test]
    fn needless_backslashes_are_found() {
        let patterns = r"
            Total«\»: 3  a«\»-b«\»/c  [a\-z]  \.\*\(\)\[\]\{\}\^\$\|\?\+\\  \d\s\b\<a\>  \Qa\:b\E  \\:
        ";
        check_marked(patterns, |source| needless_escapes(source).to_vec());
    }

    proptest::proptest! {
        #[test]
        fn nothing_changes_without_them(source in r"(\.\*\??){0,2}[ab.(|)*\\:-]{1,6}(\.\*){0,2}", line in "[ab:.-]{0,8}") {
            let without = |parts: &[Span]| {
                let mut text = source.clone();
                parts.iter().rev().for_each(|part| text.replace_range(part.range(), ""));
                text
            };
            let finds = |source: &str| compile_cached(source, Case::Ignored).ok().and_then(|pattern| Some(pattern.find(&line, 0, &Budget::default()).ok()?.is_some()));
            if let Some(is_found) = finds(&source) {
                proptest::prop_assert_eq!(finds(&without(&open_ends(&source))), Some(is_found), "{}", source);
                proptest::prop_assert_eq!(finds(&without(&needless_escapes(&source))), Some(is_found), "{}", source);
            }
        }
    }

    #[test]
    fn limited_digits_at_an_end() {
        let patterns = r"
            Score: «[0-9]{1,3}»  #«\d{2,6}»  «[0-9]{4}» bikes  a|b «[0-9]{1,2}?»  Score: [0-9]{1,3}\b
            Score: [0-9]{1,3}%  Score: [0-9]+  Score: [0-9]  ^[0-9]{4}$  [A-Z]{3}
        ";
        let digits = |source: &str| open_number(source, &PatternTree::new(source)).map(|open| open.digits);
        check_marked(patterns, |source| digits(source).into_iter().collect());
    }
}
