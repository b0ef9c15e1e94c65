//! Lines that fit the repeats of a pattern again and again, and then fail.

use std::collections::HashMap;

use crate::pattern::syntax::{Group, PartKind, PatternTree, TokenKind, class_tokens};
use crate::pattern::{Budget, Pattern};
use crate::text::Span;

/// A line that can be made longer in its middle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// The repeat that it is made for, in bytes of the pattern, if that repeat alone can backtrack.
    pub(super) repeat: Option<Span>,
    before: String,
    repeated: String,
    after: String,
}

impl Line {
    /// The line with its middle so many times.
    pub(super) fn with(&self, times: usize) -> String {
        [self.before.as_str(), &self.repeated.repeat(times), &self.after].concat()
    }
}

/// How many lines there are at most.
pub(super) const MOST_LINES: usize = 64;
/// How many repeats lines are made for.
const MOST_REPEATS: usize = 4;
/// How many characters are tried in repeats.
const MOST_CHARACTERS: usize = 20;
/// How many classes are asked for their members.
const MOST_CLASSES: usize = 12;
/// How long the text for one part may be, in bytes.
const LONGEST_TEXT: usize = 48;
/// How often a repeat can at least go on if lines are made for it: as often as a hostile line wants. What ends before
/// counts as so many copies.
const MANY: u32 = super::hostile::SHORT as u32;
/// So many repeats in a row can use up a verdict's steps on a short line; fewer cannot.
const ENOUGH_IN_A_ROW: u32 = 5;
/// What a repeat counts that holds something which can be matched in several ways.
const NESTED: u32 = 1_000;

/// Lines on which `pattern` might backtrack; none for a pattern that surely does not.
pub(super) fn lines(pattern: &Pattern, tree: &PatternTree) -> Vec<Line> {
    let shapes = shapes(tree);
    if shapes.last().is_none_or(|whole| whole.in_a_row < ENOUGH_IN_A_ROW) {
        return Vec::new();
    }
    let maker = Maker::new(pattern, tree, &shapes);
    let is_repeat = |part: &usize| shapes[*part].is_many;
    // What holds other parts stands behind them: the outer repeats come first.
    let mut repeats: Vec<_> =
        (0..tree.parts.len()).rev().filter(|part| is_repeat(part) && shapes[*part].nested).collect();
    if repeats.is_empty() {
        repeats = (0..tree.parts.len()).filter(is_repeat).collect();
    }
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
    /// It is a repeat without end, or with one far off.
    is_many: bool,
    /// It is such a repeat of something that can itself be matched in several ways.
    nested: bool,
    /// How many such repeats can stand in a row in what it matches.
    in_a_row: u32,
    /// It can be matched in several ways.
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

/// Makes lines for the repeats of one pattern.
struct Maker<'p> {
    tree: &'p PatternTree,
    shapes: &'p [Shape],
    /// The characters that are tried.
    alphabet: Vec<char>,
    /// Which of the alphabet each word matches.
    members: HashMap<usize, Vec<char>>,
    /// The group and the alternative, or the repeat, around each part.
    parents: Vec<Option<(usize, usize)>>,
    /// For each part a text that it matches: a short one, and one for which each repeat is passed through.
    texts: Vec<[String; 2]>,
    /// What may stop a match.
    stops: Vec<char>,
}

const SHORT: usize = 0;
const FULL: usize = 1;

impl<'p> Maker<'p> {
    fn new(pattern: &Pattern, tree: &'p PatternTree, shapes: &'p [Shape]) -> Self {
        let (alphabet, stops) = characters(pattern.source(), tree);
        let members = members(pattern, tree, &alphabet);
        let texts = texts(tree, &members);
        Self { tree, shapes, alphabet, members, parents: parents(tree), texts, stops }
    }

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

    /// What to repeat for the part: single characters that most words in it take, and texts that it matches.
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

    /// Short texts for what the pattern has before and behind the part.
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

    /// Ends of a line that keep the pattern from matching, `after` being what would let it. PCRE2 gives up at once where a
    /// character that every match has is missing, so most hold it, in the wrong place.
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

/// The characters to try in repeats, and those that may stop a match.
fn characters(source: &str, tree: &PatternTree) -> (Vec<char>, Vec<char>) {
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

/// Which characters of the alphabet each word matches; a class or an escape is asked by matching it alone.
fn members(pattern: &Pattern, tree: &PatternTree, alphabet: &[char]) -> HashMap<usize, Vec<char>> {
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
                    let alone = Pattern::compile(text, pattern.case());
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
