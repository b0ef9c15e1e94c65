//! Lines that match the repeats of a pattern many times, and then fail.

use std::collections::HashMap;

use crate::pattern::syntax::{Group, PartKind, PatternTree, TokenKind, class_tokens};
use crate::pattern::{Budget, Pattern, compile_cached};
use crate::text::Span;

use super::ambiguity::Ambiguity;

/// A line whose middle can be repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// The repeat that the line is made for, in bytes of the pattern, if this repeat alone can backtrack.
    pub(super) repeat: Option<Span>,
    before: String,
    repeated: String,
    after: String,
}

impl Line {
    /// Returns the line with that many copies of its middle.
    pub(super) fn with(&self, times: usize) -> String {
        [self.before.as_str(), &self.repeated.repeat(times), &self.after].concat()
    }
}

/// The limit of lines.
pub(super) const MOST_LINES: usize = 64;
/// The limit of repeats that get lines.
const MOST_REPEATS: usize = 4;
/// The limit of characters that are tried in repeats.
const MOST_CHARACTERS: usize = 20;
/// The limit of classes whose members are looked up.
const MOST_CLASSES: usize = 12;
/// The limit of the text for one part, in bytes.
const LONGEST_TEXT: usize = 48;
/// The smallest maximum of a repeat that counts as endless: the number of copies in a hostile line. A repeat with a
/// smaller maximum counts as that many copies.
const MANY: u32 = super::hostile::SHORT as u32;
/// This many repeats in a row can use up the steps of a verdict on a short line; fewer cannot.
const ENOUGH_IN_A_ROW: u32 = 5;
/// The count of a repeat whose content can match in several ways.
const NESTED: u32 = 1_000;

/// Returns lines on which `pattern` might backtrack; none if it certainly does not.
pub(super) fn lines(pattern: &Pattern, tree: &PatternTree) -> Vec<Line> {
    let shapes = shapes(tree);
    if shapes.last().is_none_or(|whole| whole.in_a_row < ENOUGH_IN_A_ROW) {
        return Vec::new();
    }
    let (alphabet, stops) = characters(pattern.source(), tree);
    let members = members(pattern, tree, &alphabet);
    let is_repeat = |part: &usize| shapes[*part].is_many;
    let ambiguity = Ambiguity::new(tree, &members);
    let is_nested = |part: &usize| match tree.parts[*part].kind {
        PartKind::Repeat { of, .. } => shapes[*part].nested && !ambiguity.divides_in_one_way(of),
        _ => false,
    };
    // Parts come after their children, so the reversed order has the outer repeats first.
    let mut repeats: Vec<_> = (0..tree.parts.len()).rev().filter(is_nested).collect();
    if repeats.is_empty() {
        repeats = (0..tree.parts.len()).filter(is_repeat).collect();
        if ambiguity.longest_chain(&repeats) < ENOUGH_IN_A_ROW {
            return Vec::new();
        }
    }
    let texts = texts(tree, &members);
    let maker = Maker { tree, shapes: &shapes, alphabet, members, parents: parents(tree), texts, stops };
    let mut lines = Vec::new();
    for repeat in repeats.into_iter().take(MOST_REPEATS) {
        maker.add_lines(repeat, &mut lines);
    }
    lines.truncate(MOST_LINES);
    lines
}

/// How a part can be repeated.
#[derive(Clone, Copy, Default)]
struct Shape {
    /// Whether it is a repeat without a maximum, or with a large one.
    is_many: bool,
    /// Whether it is such a repeat, and its content can match in several ways.
    nested: bool,
    /// How many such repeats can follow each other in its matches.
    in_a_row: u32,
    /// Whether it can match in several ways.
    varies: bool,
}

fn shapes(tree: &PatternTree) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = Vec::with_capacity(tree.parts.len());
    for part in &tree.parts {
        let shape = match &part.kind {
            PartKind::Word(_) => Shape::default(),
            PartKind::Repeat { of, min, max } => {
                let of = shapes[*of];
                let is_many = max.is_none_or(|max| max >= MANY);
                let nested = is_many && of.varies;
                let in_a_row = match max {
                    _ if nested => NESTED,
                    _ if is_many => 1,
                    max => of.in_a_row.saturating_mul(max.unwrap_or(MANY)),
                };
                let varies = Some(*min) != *max || of.varies;
                Shape { is_many, nested, in_a_row, varies }
            }
            PartKind::Group { branches, .. } => {
                let mut parts = branches.iter().flat_map(|branch| &branch.parts).map(|part| shapes[*part]);
                let of_branch =
                    |parts: &[usize]| parts.iter().fold(0_u32, |sum, part| sum.saturating_add(shapes[*part].in_a_row));
                Shape {
                    in_a_row: branches.iter().map(|branch| of_branch(&branch.parts)).max().unwrap_or(0),
                    varies: branches.len() > 1 || parts.any(|part| part.varies),
                    ..Shape::default()
                }
            }
        };
        shapes.push(shape);
    }
    shapes
}

/// Makes the lines for one pattern.
struct Maker<'p> {
    tree: &'p PatternTree,
    shapes: &'p [Shape],
    /// The characters that are tried.
    alphabet: Vec<char>,
    /// The characters of the alphabet that each word matches.
    members: HashMap<usize, Vec<char>>,
    /// The group and its alternative, or the repeat, around each part.
    parents: Vec<Option<(usize, usize)>>,
    /// Two texts for each part that match it: a short one, and one in which each repeat has at least one copy.
    texts: Vec<[String; 2]>,
    /// The characters that may prevent a match.
    stops: Vec<char>,
}

const SHORT: usize = 0;
const FULL: usize = 1;

impl Maker<'_> {
    fn add_lines(&self, repeat: usize, lines: &mut Vec<Line>) {
        let PartKind::Repeat { of, .. } = self.tree.parts[repeat].kind else { return };
        let (before, after) = self.around(repeat);
        let blamed = self.shapes[repeat].nested.then_some(self.tree.parts[repeat].span);
        for repeated in self.bodies(of) {
            for after in self.endings(&after) {
                let (before, repeated) = (before.clone(), repeated.clone());
                lines.push(Line { repeat: blamed, before, repeated, after });
            }
        }
    }

    /// Returns the texts to repeat for the part: single characters that most of its words match, and texts that match
    /// it.
    fn bodies(&self, of: usize) -> Vec<String> {
        let within = self.tree.parts[of].span;
        let words = || (0..=of).filter(|part| within.covers(self.tree.parts[*part].span));
        let takers = |c: &char| words().filter(|word| self.members.get(word).is_some_and(|of| of.contains(c))).count();
        let mut characters: Vec<_> = self.alphabet.iter().map(|c| (takers(c), *c)).filter(|(n, _)| *n > 0).collect();
        characters.sort_by_key(|(takers, _)| std::cmp::Reverse(*takers));
        let mut bodies: Vec<String> = characters.iter().take(3).map(|(_, c)| c.to_string()).collect();
        let mut texts = vec![self.texts[of][FULL].clone()];
        if let PartKind::Group { branches, .. } = &self.tree.parts[of].kind {
            texts.extend(branches.iter().take(3).map(|branch| sequence(&branch.parts, &self.texts, FULL)));
        }
        for text in texts {
            if !text.is_empty() && !bodies.contains(&text) {
                bodies.push(text);
            }
        }
        bodies
    }

    /// Returns short texts for the pattern before and after the part.
    fn around(&self, part: usize) -> (String, String) {
        let (mut before, mut after) = (String::new(), String::new());
        let mut at = part;
        while let Some((parent, branch)) = self.parents[at] {
            if let PartKind::Group { branches, .. } = &self.tree.parts[parent].kind {
                let parts = &branches[branch].parts;
                let here = parts.iter().position(|sibling| *sibling == at).unwrap_or(0);
                before.insert_str(0, &sequence(&parts[..here], &self.texts, SHORT));
                after.push_str(&sequence(&parts[here + 1..], &self.texts, SHORT));
            }
            at = parent;
        }
        truncate(&mut before);
        truncate(&mut after);
        (before, after)
    }

    /// Returns ends of a line that prevent a match. With `after` alone the line would match. PCRE2 stops at once if a
    /// character that every match needs is missing, so most ends contain `after` in the wrong place.
    fn endings(&self, after: &str) -> Vec<String> {
        let mut endings = Vec::new();
        for stop in &self.stops {
            endings.push(format!("{stop}{after}"));
            if !after.is_empty() {
                endings.push(format!("{after}{stop}"));
            }
        }
        endings
    }
}

/// Returns the repeats without a maximum, or with a large one.
#[cfg(test)]
pub(super) fn endless_repeats(tree: &PatternTree) -> Vec<usize> {
    let shapes = shapes(tree);
    (0..tree.parts.len()).filter(|part| shapes[*part].is_many).collect()
}

/// Returns the characters to try in repeats, and those that may prevent a match.
pub(super) fn characters(source: &str, tree: &PatternTree) -> (Vec<char>, Vec<char>) {
    let mut alphabet = vec!['a', '0', ' '];
    let mut stops = vec!['!', '\u{1}'];
    let add = |list: &mut Vec<char>, c: char, most: usize| {
        if list.len() < most && !list.contains(&c) && c != '\n' {
            list.push(c);
        }
    };
    for part in &tree.parts {
        match part.kind {
            PartKind::Word(TokenKind::Literal(c) | TokenKind::Escape(c)) => add(&mut alphabet, c, MOST_CHARACTERS),
            PartKind::Word(TokenKind::Class { negated }) => {
                for token in class_tokens(source, part.span) {
                    if let TokenKind::Literal(c) | TokenKind::Escape(c) = token.kind {
                        add(&mut alphabet, c, MOST_CHARACTERS);
                        if negated {
                            add(&mut stops, c, 4);
                        }
                    }
                }
            }
            _ => {}
        }
    }
    (alphabet, stops)
}

/// Returns the characters of the alphabet that each word matches. A class or an escape is compiled and tried alone.
pub(super) fn members(pattern: &Pattern, tree: &PatternTree, alphabet: &[char]) -> HashMap<usize, Vec<char>> {
    let budget = Budget::default();
    let mut known: HashMap<&str, Vec<char>> = HashMap::new();
    let mut members = HashMap::new();
    for (index, part) in tree.parts.iter().enumerate() {
        let of_word = match part.kind {
            PartKind::Word(TokenKind::Literal(c) | TokenKind::Escape(c)) => vec![c],
            PartKind::Word(TokenKind::Dot) => alphabet.to_vec(),
            PartKind::Word(TokenKind::Class { .. } | TokenKind::Set) => {
                let text = &pattern.source()[part.span.range()];
                if !known.contains_key(text) && known.len() < MOST_CLASSES {
                    let alone = compile_cached(text, pattern.case());
                    let is_member = |c: &char| {
                        alone.as_ref().is_ok_and(|alone| matches!(alone.find(&c.to_string(), 0, &budget), Ok(Some(_))))
                    };
                    known.insert(text, alphabet.iter().copied().filter(is_member).collect());
                }
                known.get(text).cloned().unwrap_or_default()
            }
            _ => continue,
        };
        members.insert(index, of_word);
    }
    members
}

fn parents(tree: &PatternTree) -> Vec<Option<(usize, usize)>> {
    let mut parents = vec![None; tree.parts.len()];
    for (index, part) in tree.parts.iter().enumerate() {
        match &part.kind {
            PartKind::Word(_) => {}
            PartKind::Repeat { of, .. } => parents[*of] = Some((index, 0)),
            PartKind::Group { branches, .. } => {
                for (number, branch) in branches.iter().enumerate() {
                    for part in &branch.parts {
                        parents[*part] = Some((index, number));
                    }
                }
            }
        }
    }
    parents
}

fn texts(tree: &PatternTree, members: &HashMap<usize, Vec<char>>) -> Vec<[String; 2]> {
    let mut texts: Vec<[String; 2]> = Vec::with_capacity(tree.parts.len());
    for (index, part) in tree.parts.iter().enumerate() {
        let text = [SHORT, FULL].map(|how| match &part.kind {
            PartKind::Word(_) => members.get(&index).and_then(|of| of.first()).map(char::to_string).unwrap_or_default(),
            PartKind::Repeat { of, min, .. } => {
                let times = if how == SHORT { *min as usize } else { (*min as usize).max(1) };
                let mut text = texts[*of][how].repeat(times.min(LONGEST_TEXT));
                truncate(&mut text);
                text
            }
            PartKind::Group { group: Group::LookAhead { .. } | Group::LookBehind { .. }, .. } => String::new(),
            PartKind::Group { branches, .. } => {
                branches.first().map(|branch| sequence(&branch.parts, &texts, how)).unwrap_or_default()
            }
        });
        texts.push(text);
    }
    texts
}

fn sequence(parts: &[usize], texts: &[[String; 2]], how: usize) -> String {
    let mut text = String::new();
    for part in parts {
        text.push_str(&texts[*part][how]);
        if text.len() > LONGEST_TEXT {
            break;
        }
    }
    truncate(&mut text);
    text
}

fn truncate(text: &mut String) {
    text.truncate(text.floor_char_boundary(LONGEST_TEXT));
}
