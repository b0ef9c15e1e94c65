//! The literal text in each match of a pattern.

use crate::pattern::syntax::{Branch, Flags, Group, PartKind, PatternTree, Token, TokenKind, class_tokens, tokens};
use crate::pattern::{Case, compile_cached};
use crate::text::Span;

/// What is known of the text that a pattern matches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LiteralText {
    /// Alternatives: each match has all texts of one of them, in some case of letters. Empty if nothing is known.
    pub(crate) alternatives: Vec<Vec<String>>,
    /// Whether a match within a text stays one if text is added around it.
    pub(crate) is_free: bool,
}

/// More alternatives are not followed. The product of alternatives grows fast.
const MOST: usize = 32;

/// The literal text in each match of a pattern whose case is ignored.
pub(crate) fn literal_text(tree: &PatternTree) -> LiteralText {
    let is_plain = |flags: &Flags| flags.only_case && flags.ignore_case != Some(false);
    let has_odd_flags = tree.tokens.iter().any(|token| match &token.kind {
        TokenKind::Flags(flags) | TokenKind::Open(Group::Flagged(flags)) => !is_plain(flags),
        TokenKind::Verb | TokenKind::Malformed => true,
        _ => false,
    });
    if has_odd_flags {
        return LiteralText::default();
    }
    let is_bound = |kind: &PartKind| match kind {
        PartKind::Word(TokenKind::Anchor | TokenKind::Call | TokenKind::Reference) => true,
        PartKind::Group { group, .. } => !is_simple(*group),
        _ => false,
    };
    let is_free = !tree.parts.iter().any(|part| is_bound(&part.kind));
    let alternatives = of_branches(tree.branches(), tree).unwrap_or_default();
    let alternatives: Vec<Vec<String>> = alternatives.into_iter().map(Open::closed).collect();
    LiteralText { alternatives, is_free }
}

/// The texts of an alternative; the last one may go on.
#[derive(Clone, Debug, Default)]
struct Open {
    texts: Vec<String>,
    last: String,
    /// Whether something else stood between the start and `last`.
    has_gap: bool,
}

impl Open {
    fn close(&mut self) {
        if !self.last.is_empty() {
            self.texts.push(std::mem::take(&mut self.last));
        }
        self.has_gap = true;
    }

    fn closed(mut self) -> Vec<String> {
        self.close();
        self.texts
    }

    /// This alternative, followed by `other`.
    fn followed_by(&self, other: &Open) -> Open {
        let mut joined = self.clone();
        let mut texts = other.texts.iter();
        if other.has_gap {
            // It is not kept whether the first text of `other` is at its start.
            joined.close();
            joined.texts.extend(texts.by_ref().cloned());
            joined.last.clone_from(&other.last);
        } else {
            joined.last.push_str(&other.last);
        }
        joined
    }
}

fn is_simple(group: Group) -> bool {
    matches!(group, Group::Capturing | Group::Named | Group::NonCapturing | Group::Flagged(_) | Group::Atomic)
}

/// The alternatives of branches; `None` if they are too many.
fn of_branches(branches: &[Branch], tree: &PatternTree) -> Option<Vec<Open>> {
    let mut all = Vec::new();
    for branch in branches {
        all.extend(of_parts(&branch.parts, tree)?);
        if all.len() > MOST {
            return None;
        }
    }
    Some(all)
}

fn of_parts(parts: &[usize], tree: &PatternTree) -> Option<Vec<Open>> {
    let mut all = vec![Open::default()];
    for part in parts {
        match &tree.parts[*part].kind {
            PartKind::Word(TokenKind::Literal(c) | TokenKind::Escape(c)) => {
                all.iter_mut().for_each(|open| open.last.push(*c));
            }
            PartKind::Word(TokenKind::Anchor | TokenKind::Keep) => {}
            PartKind::Group { group, branches } if is_simple(*group) => {
                let inner = of_branches(branches, tree)?;
                if all.len() * inner.len() > MOST {
                    all.iter_mut().for_each(Open::close);
                } else {
                    all = all.iter().flat_map(|open| inner.iter().map(move |next| open.followed_by(next))).collect();
                }
            }
            PartKind::Repeat { of, min, .. } if *min > 0 => {
                let inner = of_parts(&[*of], tree)?;
                if all.len() * inner.len() <= MOST {
                    all = all.iter().flat_map(|open| inner.iter().map(move |next| open.followed_by(next))).collect();
                }
                all.iter_mut().for_each(Open::close);
            }
            _ => all.iter_mut().for_each(Open::close),
        }
    }
    Some(all)
}

/// Where a pattern has one level of backslashes too many; bytes of the pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OverEscaped {
    /// The first escaped backslash and the letter after it. With one level less, the two are an escape.
    pub(crate) first: Span,
    /// The backslashes to remove in the whole pattern; empty if the pattern does not compile without them.
    pub(crate) excess: Vec<Span>,
}

/// How many backslashes a fix removes at most. A pattern with more was not written by hand.
const MOST_BACKSLASHES: usize = 64;

/// Returns where `source` most likely has one level too many. A backslash before a letter can be intended, for example
/// in `C:\\data` or `\\sum`. So the letter must not be the start of a longer name.
pub(crate) fn over_escaped(source: &str, case: Case) -> Option<OverEscaped> {
    if !source.contains(r"\\") {
        return None;
    }
    let words = Words::new(source);
    let all = 0..words.list.len();
    all.clone().find(|index| words.is_over_escaped(*index))?;
    let is_excess = |index: &usize| {
        words.is_over_escaped(*index) || words.opens_a_word(*index) || words.escapes_punctuation(*index)
    };
    let first = all.clone().find(|index| words.is_over_escaped(*index) || words.opens_a_word(*index))?;
    let first = words.list[first].span.join(words.list[first + 1].span);
    let starts = all.filter(is_excess).map(|index| words.list[index].span.start).take(MOST_BACKSLASHES + 1);
    let mut excess: Vec<_> = starts.map(|start| Span::new(start, start + 1)).collect();
    if excess.len() > MOST_BACKSLASHES || compile_cached(&without(source, &excess), case).is_err() {
        excess.clear();
    }
    Some(OverEscaped { first, excess })
}

fn without(source: &str, spans: &[Span]) -> String {
    let mut kept = String::with_capacity(source.len());
    let mut at = 0;
    for span in spans {
        kept.push_str(&source[at..span.start]);
        at = span.end;
    }
    kept + &source[at..]
}

/// The words of a pattern. A class is replaced by the words in it.
struct Words<'s> {
    source: &'s str,
    list: Vec<Token>,
}

impl<'s> Words<'s> {
    fn new(source: &'s str) -> Self {
        let mut list = Vec::new();
        for token in tokens(source) {
            match token.kind {
                TokenKind::Class { .. } => list.extend(class_tokens(source, token.span)),
                _ => list.push(token),
            }
        }
        Self { source, list }
    }

    fn kind(&self, index: usize) -> Option<TokenKind> {
        self.list.get(index).map(|token| token.kind)
    }

    /// Returns whether the word is an escaped backslash that does not follow another one.
    fn is_backslash(&self, index: usize) -> bool {
        let is = |index: usize| self.list.get(index).is_some_and(|token| &self.source[token.span.range()] == r"\\");
        is(index) && !index.checked_sub(1).is_some_and(is)
    }

    /// Returns the letter after an escaped backslash if the two would be an escape with one level less.
    fn letter(&self, index: usize) -> Option<char> {
        match self.kind(index + 1)? {
            TokenKind::Literal(c) if self.is_backslash(index) && "sdwbSDWB".contains(c) => Some(c),
            _ => None,
        }
    }

    fn is_over_escaped(&self, index: usize) -> bool {
        self.letter(index).is_some()
            && match self.kind(index + 2) {
                Some(TokenKind::Literal(c)) => !c.is_alphanumeric() && c != '_',
                _ => true,
            }
    }

    /// Returns whether this is the first `\\b` of `\\bbike\\b`.
    fn opens_a_word(&self, index: usize) -> bool {
        let before = index.checked_sub(1).and_then(|before| self.kind(before));
        self.letter(index) == Some('b')
            && matches!(
                before,
                None | Some(
                    TokenKind::Open(Group::Capturing | Group::NonCapturing)
                        | TokenKind::Alternation
                        | TokenKind::Literal(' ')
                )
            )
    }

    /// Returns whether the pattern escapes a character that has a special meaning without a backslash.
    fn escapes_punctuation(&self, index: usize) -> bool {
        let next = self.list.get(index + 1).map(|token| &self.source[token.span.range()]);
        self.is_backslash(index) && next.is_some_and(|next| next.starts_with(|c: char| ".()[]{}+*?|^$/-".contains(c)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::lints::tests::fixture::{check_marked, listed};
    use crate::pattern::{Budget, Case, Pattern};
    use crate::text::fold;

    fn alternatives(source: &str) -> Vec<Vec<String>> {
        literal_text(&PatternTree::new(source)).alternatives
    }

    #[test]
    fn the_texts_of_each_alternative() {
        for (source, expected) in [
            ("GitHub:\\s*[0-9]+", &[&["GitHub:"][..]][..]),
            ("(conflict|tension)", &[&["conflict"], &["tension"]]),
            ("a(b|c)d", &[&["abd"], &["acd"]]),
            ("ab+c", &[&["ab", "c"]]),
            ("ab*c", &[&["a", "c"]]),
            ("^Total\\.$", &[&["Total."]]),
            ("(ab.)c", &[&["ab", "c"]]),
            (".*", &[&[]]),
            ("(?-i)a", &[]),
            ("(?=ab)c", &[&["c"]]),
        ] {
            let expected: Vec<Vec<_>> =
                expected.iter().map(|texts| texts.iter().map(|text| (*text).to_owned()).collect()).collect();
            assert_eq!(alternatives(source), expected, "{source}");
        }
    }

    fn words() -> impl Strategy<Value = String> {
        let words = ["a", "b", ".", "(", "(?:", ")", "|", "*", "?", "+", "{2}", "[ab]", "^", "$", "(?i)", "(?="];
        proptest::collection::vec(proptest::sample::select(words.to_vec()), 0..9).prop_map(|words| words.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn each_match_has_the_texts_of_an_alternative(source in words(), line in "[abAB ]{0,8}") {
            let Ok(pattern) = Pattern::compile(&source, Case::Ignored) else { return Ok(()) };
            let texts = alternatives(&source);
            if texts.is_empty() {
                return Ok(());
            }
            if let Ok(Some(found)) = pattern.find(&line, 0, &Budget::default()) {
                let matched = fold(&line[found.range()]);
                let holds = |texts: &Vec<String>| texts.iter().all(|text| matched.contains(&*fold(text)));
                prop_assert!(texts.iter().any(holds), "`{}` on `{}`: {:?}", source, line, texts);
            }
        }
    }

    #[test]
    fn only_single_letters_are_reported() {
        let excess = |source: &str| over_escaped(source, Case::Ignored).map(|over| over.excess.to_vec());
        let patterns = r"
            Total:«\»\s*«\»\d+ bikes  «\»\d{2}  bike«\»\b  «\»\bbike«\»\b  («\»\bbike|«\»\bframe)«\»\b
            «\»\S+@«\»\w+«\»\.de  [«\»\s«\»\S]*  [^«\»\W]  «\»\D\s«\»\B  «\»\d:«\»\d  («\»\d|«\»\w)  «\»\(«\»\d«\»\)
        ";
        check_marked(patterns, |source| excess(source).unwrap_or_default());
        let intended = r"
            \s*\d+  C:\\data  \\\\server\\share  \\\\s*  App\\Services  \\sum|\\begin\{bike\}
            \\bike  \\n|\\t|\\.  \\  \\ d  [\\/]  a\\|b  \Q\\s\E
        ";
        for source in listed(intended) {
            assert_eq!(excess(source), None, "`{source}`");
        }
    }

    #[test]
    fn fixes_that_do_not_compile_are_not_offered() {
        let is_mended = |source| !over_escaped(source, Case::Ignored).unwrap().excess.is_empty();
        assert!(is_mended(r"[\\w-]"));
        assert!(!is_mended(r"[\\w-z]"));
        assert!(!is_mended(&r"\\d".repeat(MOST_BACKSLASHES + 1)));
    }
}
