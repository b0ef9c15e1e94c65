//! Whether repeats of a pattern can divide a text among themselves in several ways. Backtracking is cheap if they cannot.

use std::collections::HashMap;

use crate::pattern::syntax::{Group, PartKind, PatternTree, TokenKind};
use crate::text::fold_char;

/// A pattern, and the characters that each of its parts matches if it is a word. Case is ignored.
pub(super) struct Ambiguity<'a> {
    tree: &'a PatternTree,
    /// `None` if they are not known, or if the part is not a word.
    members: Vec<Option<Characters>>,
}

/// A set of characters, a bit for each. From a certain number on, all others have the same bit.
type Characters = u64;

/// The endless repeats of a part that a text of some characters can pass one after the other.
#[derive(Clone, Copy, Default)]
struct Chain {
    /// Those of the whole part; `None` if it needs another character.
    whole: Option<u32>,
    /// The most from its start on.
    before: u32,
    /// The most up to its end.
    after: u32,
    /// The most of them.
    longest: u32,
}

impl<'a> Ambiguity<'a> {
    /// `members` has the characters that each word matches, by the index of its part. Words without an entry may match
    /// anything.
    pub(super) fn new(tree: &'a PatternTree, members: &HashMap<usize, Vec<char>>) -> Self {
        let mut known: Vec<char> = Vec::new();
        let mut bit = |c: &char| {
            let c = fold_char(*c);
            let place = known.iter().position(|other| *other == c).unwrap_or_else(|| {
                known.push(c);
                known.len() - 1
            });
            1 << place.min(Characters::BITS as usize - 1)
        };
        let mut of_word = |part| Some(members.get(&part)?.iter().map(&mut bit).fold(0, |all, bit| all | bit));
        Self { tree, members: (0..tree.parts.len()).map(&mut of_word).collect() }
    }

    /// Whether repeats of a part surely divide each text in one way: it starts with a character that is nowhere else in it, and
    /// no optional character of it can be mistaken for a later one.
    pub(super) fn divides_in_one_way(&self, part: usize) -> bool {
        let PartKind::Group { group, branches } = &self.tree.parts[part].kind else { return false };
        let is_simple = matches!(group, Group::Capturing | Group::Named | Group::NonCapturing | Group::Atomic);
        let [branch] = &branches[..] else { return false };
        let Some((first, rest)) = branch.parts.split_first().filter(|_| is_simple) else { return false };
        let is_character =
            matches!(self.tree.parts[*first].kind, PartKind::Word(TokenKind::Literal(_) | TokenKind::Escape(_)));
        let words = rest.iter().map(|part| match self.tree.parts[*part].kind {
            PartKind::Repeat { of, min, max } => Some((self.members[of]?, Some(min) != max)),
            _ => Some((self.members[*part]?, false)),
        });
        let (Some(first), Some(words)) = (self.members[*first], words.collect::<Option<Vec<_>>>()) else {
            return false;
        };
        let is_clear = |(index, (word, varies)): (usize, &(Characters, bool))| {
            first & word == 0 && (!varies || words[index + 1..].iter().all(|(later, _)| word & later == 0))
        };
        is_character && words.iter().enumerate().all(is_clear)
    }

    /// The most endless repeats that one text can pass one after the other. `repeats` has the parts that are endless.
    pub(super) fn longest_chain(&self, repeats: &[usize]) -> u32 {
        let all = self.members.iter().flatten().fold(0, |all, of| all | of);
        let single = (0..Characters::BITS).map(|bit| 1 << bit).filter(|bit| all & bit != 0);
        let of_repeat = |repeat: &usize| {
            let within = self.tree.parts[*repeat].span;
            let words = (0..=*repeat).filter(|part| within.covers(self.tree.parts[*part].span));
            words.filter_map(|part| self.members[part]).fold(0, |all, of| all | of)
        };
        let texts = single.chain(repeats.iter().map(of_repeat));
        texts.map(|characters| self.chain_in(characters, repeats)).max().unwrap_or(0)
    }

    fn chain_in(&self, characters: Characters, repeats: &[usize]) -> u32 {
        let mut chains: Vec<Chain> = Vec::with_capacity(self.tree.parts.len());
        for (index, part) in self.tree.parts.iter().enumerate() {
            let chain = match &part.kind {
                PartKind::Word(_) => {
                    let passes = self.members[index].is_none_or(|of| of & characters != 0);
                    Chain { whole: passes.then_some(0), ..Chain::default() }
                }
                PartKind::Repeat { of, min, max } => {
                    let times = if repeats.contains(&index) { None } else { *max };
                    chains[*of].repeated(*min, times)
                }
                PartKind::Group { group, branches } => {
                    let of_branch =
                        |parts: &Vec<usize>| parts.iter().fold(Chain::of(0), |all, part| all.then(chains[*part]));
                    let chains = branches.iter().map(|branch| of_branch(&branch.parts));
                    let either = chains.reduce(Chain::or).unwrap_or_default();
                    match group {
                        Group::LookAhead { .. } | Group::LookBehind { .. } => Chain { whole: Some(0), ..either },
                        _ => either,
                    }
                }
            };
            chains.push(chain);
        }
        chains.last().map_or(0, |whole| whole.longest)
    }
}

impl Chain {
    fn of(repeats: u32) -> Chain {
        Chain { whole: Some(repeats), before: repeats, after: repeats, longest: repeats }
    }

    /// This part, followed by `next`.
    fn then(self, next: Chain) -> Chain {
        let sum = |one: Option<u32>, other: u32| one.map_or(0, |one| one.saturating_add(other));
        Chain {
            whole: self.whole.zip(next.whole).map(|(one, other)| one.saturating_add(other)),
            before: self.before.max(sum(self.whole, next.before)),
            after: next.after.max(sum(next.whole, self.after)),
            longest: self.longest.max(next.longest).max(self.after.saturating_add(next.before)),
        }
    }

    /// This part or `other`.
    fn or(self, other: Chain) -> Chain {
        Chain {
            whole: self.whole.max(other.whole),
            before: self.before.max(other.before),
            after: self.after.max(other.after),
            longest: self.longest.max(other.longest),
        }
    }

    /// This part, at least `min` times; endless if `max` is `None`.
    fn repeated(self, min: u32, max: Option<u32>) -> Chain {
        match (self.whole, max) {
            (Some(_), None) => Chain::of(1).or(self),
            (Some(repeats), Some(max)) => Chain::of(repeats.saturating_mul(max)).or(self),
            (None, _) => {
                let skipped = (min == 0).then_some(0);
                Chain { whole: skipped, longest: self.longest.max(self.after.saturating_add(self.before)), ..self }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lints::facts::patterns::lines::{characters, endless_repeats, members};
    use crate::pattern::{Case, Pattern};

    fn with<T>(source: &str, ask: impl FnOnce(&Ambiguity<'_>, &[usize]) -> T) -> T {
        let (pattern, tree) = (Pattern::compile(source, Case::Ignored).unwrap(), PatternTree::new(source));
        let members = members(&pattern, &tree, &characters(source, &tree).0);
        ask(&Ambiguity::new(&tree, &members), &endless_repeats(&tree))
    }

    #[test]
    fn the_longest_chain_of_repeats() {
        for (source, longest) in [
            ("abc", 0),
            (r"\s*\s*\s*x", 3),
            (r"\s*x\s*\s*", 2),
            (r"\s*x?\s*\s*", 3),
            (r"\w+\W+(?:\w+\W+){0,5}done", 1),
            (r"x(\d+\s*){9}y", 9),
            (r"(a*|b*a*a*)a*", 3),
            (r"(?=a*a*)b", 2),
            (r"a*(b*)a*", 2),
            (r"[a-c]+[b-d]+[c-e]+", 3),
            (r"(?:ab)*(?:ab)*", 2),
        ] {
            assert_eq!(with(source, |ambiguity, repeats| ambiguity.longest_chain(repeats)), longest, "{source}");
        }
    }

    #[test]
    fn repeats_that_divide_in_one_way() {
        for (source, is_clear) in [
            (r"(?:item[ -]?b)+", true),
            (r"(?:,\s*\d+)*", true),
            (r"(?:;a?b)*", true),
            (r"(?:ia?a?)+", false),
            (r"(?:ia*bc*)+", true),
            (r"(?:ab?a)+", false),
            (r"(?:[a-z]x?)+", false),
            (r"(?:-\w*\d)+", false),
            (r"(?:i(?:a|b))+", false),
            (r"(?:ia|ib)+", false),
            (r"(?:Ix?i)+", false),
        ] {
            let divides = |ambiguity: &Ambiguity<'_>, repeats: &[usize]| {
                let PartKind::Repeat { of, .. } = ambiguity.tree.parts[*repeats.last().unwrap()].kind else {
                    unreachable!()
                };
                ambiguity.divides_in_one_way(of)
            };
            assert_eq!(with(source, divides), is_clear, "{source}");
        }
    }
}
