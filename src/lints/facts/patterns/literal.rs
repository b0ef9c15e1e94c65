//! The literal text in each match of a pattern.

use crate::pattern::syntax::{Branch, Group, PartKind, PatternTree, TokenKind};

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
    let has_odd_flags = tree.tokens.iter().any(|token| match &token.kind {
        TokenKind::Flags { only_ignore_case } | TokenKind::Open(Group::Flagged { only_ignore_case }) => {
            !only_ignore_case
        }
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

    /// The alternative, followed by `other`.
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
    matches!(group, Group::Capturing | Group::NonCapturing | Group::Flagged { .. } | Group::Atomic)
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
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
}
