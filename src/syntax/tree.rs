//! The tree of a text, what to cut out of it and where to put something in, so that what is left is as well-formed as before, and the
//! values of its nodes.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Map, Number, Value};

use crate::text::Span;

use super::Node;
use super::string::encode;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `{…}`; its children are members.
    Object,
    /// `[…]`; its children are values.
    Array,
    /// `"key": value`; its first child is the key, its second, if there is one, the value.
    Member,
    /// `"…"`
    String,
    /// `12.5`
    Number,
    /// `true`
    True,
    /// `false`
    False,
    /// `null`
    Null,
    /// Invalid text in the place of a value or a key; empty if the value or key is missing.
    Invalid,
}

impl Kind {
    /// What it is in a message: `a list`.
    pub(crate) fn described(self) -> &'static str {
        match self {
            Kind::Object => "an object",
            Kind::Array => "a list",
            Kind::String => "a string",
            Kind::Number => "a number",
            Kind::True | Kind::False => "a boolean",
            Kind::Null => "null",
            Kind::Member | Kind::Invalid => "something else",
        }
    }
}

/// A node's place in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeId {
    /// The part; `None` for the nodes outside of parts.
    pub(super) part: Option<u32>,
    /// The index of its entry.
    pub(super) index: u32,
}

/// A syntax tree: the nodes in the order in which they start, each followed by its descendants.
///
/// `split` makes some nodes parts, which keep their entries themselves. Their offsets count from the start of the
/// part, so an edit changes the entries of one part only, and copies of a tree share the parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// The entries outside of parts, with one that stands for each part.
    pub(super) entries: Vec<Entry>,
    /// The parts, in the order of the text.
    pub(super) parts: Vec<Part>,
}

/// A node and its descendants, apart from the other nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// The offset of its first byte in the text.
    pub(super) start: u32,
    /// The index of the entry that stands for it.
    pub(super) holder: u32,
    /// The nodes. Offsets and indices count from its first.
    entries: Entries,
}

/// The entries of a part. Nearly all parts are short.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Entries {
    Short(Arc<[Entry<u16>]>),
    Long(Arc<[Entry]>),
}

impl From<Vec<Entry>> for Entries {
    fn from(entries: Vec<Entry>) -> Self {
        // No number is larger than these two.
        let is_short = entries[0].end.max(entries[0].after) <= u16::MAX.into();
        let short = |entry: &Entry| entry.with_numbers(|number| number as u16);
        if is_short { Entries::Short(entries.iter().map(short).collect()) } else { Entries::Long(entries.into()) }
    }
}

impl Part {
    /// The entry with that index.
    pub(super) fn entry(&self, index: u32) -> Entry {
        match &self.entries {
            Entries::Short(entries) => entries[index as usize].with_numbers(u32::from),
            Entries::Long(entries) => entries[index as usize],
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry<N = u32> {
    /// Of an entry that stands for a part, the number of the part.
    pub(super) start: N,
    pub(super) end: N,
    /// The parent's index; the root is its own.
    pub(super) parent: N,
    /// One past the index of the last descendant.
    pub(super) after: N,
    pub(super) kind: Kind,
    /// Whether the node's own text, its children's aside, has a syntax error.
    pub(super) broken: bool,
    /// Whether it stands for a part.
    pub(super) is_part: bool,
}

impl<N: Copy> Entry<N> {
    fn with_numbers<M>(&self, number: impl Fn(N) -> M) -> Entry<M> {
        let Entry { start, end, parent, after, kind, broken, is_part } = *self;
        let (start, end, parent, after) = (number(start), number(end), number(parent), number(after));
        Entry { start, end, parent, after, kind, broken, is_part }
    }
}

impl Entry {
    /// The place, counted from the start of its part.
    pub(super) fn span(&self) -> Span {
        Span::new(self.start as usize, self.end as usize)
    }
}

impl Tree {
    /// The document's value; `None` where there is nothing at all. `source` is the text that was parsed.
    pub fn root<'a>(&'a self, source: &'a str) -> Option<Node<'a>> {
        (!self.entries.is_empty()).then(|| Node::new(self, source, 0))
    }

    /// The root of the part with that number.
    pub(crate) fn part<'a>(&'a self, part: usize, source: &'a str) -> Option<Node<'a>> {
        Some(Node::new(self, source, self.parts.get(part)?.holder))
    }

    /// Makes these nodes parts. They must be in the order of the text, not in a part, not the root, and not within each
    /// other.
    pub(crate) fn split(&mut self, nodes: &[NodeId]) {
        let old = std::mem::take(&mut self.entries);
        let ranges: Vec<_> = nodes.iter().map(|node| node.index..old[node.index as usize].after).collect();
        // Each part loses all entries but one. The sums are those before each part.
        let mut sums = vec![0];
        for range in &ranges {
            sums.push(sums[sums.len() - 1] + range.len() as u32 - 1);
        }
        let renumbered = |index: u32| index - sums[ranges.partition_point(|range| range.start < index)];
        let (mut next, end) = (0, old.len() as u32);
        for range in ranges.iter().cloned().chain(std::iter::once(end..end)) {
            let between = old[next as usize..range.start as usize].iter();
            let between = between.map(|entry| Entry {
                parent: renumbered(entry.parent),
                after: renumbered(entry.after),
                ..*entry
            });
            self.entries.extend(between);
            next = range.end;
            let Some(first) = old.get(range.start as usize).filter(|_| !range.is_empty()) else { continue };
            let holder = self.entries.len() as u32;
            let part = self.parts.len() as u32;
            let entry = Entry { start: part, end: 0, parent: renumbered(first.parent), after: holder + 1, ..*first };
            self.entries.push(Entry { is_part: true, broken: false, ..entry });
            let inner = old[range.start as usize..range.end as usize].iter().map(|entry| Entry {
                start: entry.start - first.start,
                end: entry.end - first.start,
                parent: entry.parent.saturating_sub(range.start),
                after: entry.after - range.start,
                ..*entry
            });
            self.parts.push(Part { start: first.start, holder, entries: inner.collect::<Vec<_>>().into() });
        }
    }

    /// Replaces the nodes of a part by those of `subtree`, whose offsets count from its start. What follows moves, and what is around it grows.
    /// `subtree` must not be empty.
    pub(crate) fn replace_part(&mut self, part: usize, subtree: Tree) {
        let replaced = &mut self.parts[part];
        let grown = i64::from(subtree.entries[0].end) - i64::from(replaced.entry(0).end);
        let holder = replaced.holder as usize;
        replaced.entries = subtree.entries.into();
        for entry in self.entries[holder + 1..].iter_mut().filter(|entry| !entry.is_part) {
            entry.start = moved(entry.start, grown);
            entry.end = moved(entry.end, grown);
        }
        for part in &mut self.parts[part + 1..] {
            part.start = moved(part.start, grown);
        }
        let mut inner = holder;
        while inner != 0 {
            inner = self.entries[inner].parent as usize;
            self.entries[inner].end = moved(self.entries[inner].end, grown);
        }
    }
}

fn moved(value: u32, by: i64) -> u32 {
    u32::try_from(i64::from(value) + by).expect("a tree stays below 4 GiB")
}

impl Node<'_> {
    /// The text to delete in order to take this member, or this element of a list, out of its container: itself, one
    /// comma beside it, and the white space that would be left over.
    ///
    /// Of a node that is neither, its own text.
    pub fn removal(self) -> Span {
        let Some(container) = self.parent().filter(|parent| matches!(parent.kind(), Kind::Object | Kind::Array)) else {
            return self.span();
        };
        let own = self.span();
        match (self.previous(), self.next()) {
            (_, Some(next)) => Span::new(own.start, next.span().start),
            (Some(previous), None) => Span::new(previous.span().end, own.end),
            (None, None) => Span::new(container.span().start + 1, own.end.max(container.span().end.saturating_sub(1))),
        }
    }
}

/// What parts an element or member that starts at `offset` from the one before it, the comma aside: its line's break and
/// indentation, else a space.
pub(crate) fn separator_before(text: &str, offset: usize) -> &str {
    let before = text.get(..offset).unwrap_or_default();
    let space = &before[before.trim_end_matches([' ', '\t', '\r', '\n']).len()..];
    let line = space.trim_end_matches([' ', '\t']);
    let ending = if line.ends_with("\r\n") { 2 } else { line.len().min(1) };
    if line.is_empty() { " " } else { &space[line.len() - ending..] }
}

impl Node<'_> {
    /// The node as a value. Of duplicate keys the last one counts; what is not JSON is `null`.
    pub(crate) fn to_value(self) -> Value {
        // Recursion is bounded by the tree's depth, which the parser caps.
        match self.kind() {
            Kind::Object => {
                let members = self.members().filter(|member| member.key.kind() == Kind::String);
                Value::Object(members.fold(Map::new(), |mut map, member| {
                    let key = member.key.as_str().unwrap_or_default().into_owned();
                    map.insert(key, member.value.map_or(Value::Null, Node::to_value));
                    map
                }))
            }
            Kind::Array => Value::Array(self.elements().map(Node::to_value).collect()),
            Kind::String => Value::String(self.as_str().unwrap_or_default().into_owned()),
            Kind::Number => self.text().parse::<Number>().map_or(Value::Null, Value::Number),
            Kind::True => Value::Bool(true),
            Kind::False => Value::Bool(false),
            Kind::Null | Kind::Member | Kind::Invalid => Value::Null,
        }
    }

    /// The node as compact JSON with each number as it is written, if that differs from the text of [`to_value`](Self::to_value).
    pub(crate) fn to_compact(self) -> Option<String> {
        let is_short = |number: &str| number.len() <= 15 && number.bytes().all(|byte| byte.is_ascii_digit());
        let is_value = |number: &str| number.parse::<Number>().is_ok_and(|value| value.to_string() == number);
        let is_other = |node: Node<'_>| node.kind() == Kind::Number && !is_short(node.text()) && !is_value(node.text());
        if !self.descendants().any(is_other) {
            return None;
        }
        let mut text = String::new();
        self.write(&mut text);
        Some(text)
    }

    fn write(self, text: &mut String) {
        match self.kind() {
            Kind::Object => {
                // As in the value, the last of equal keys counts, at the place of the first.
                let named = || self.members().filter_map(|member| Some((member.key.as_str()?, member.value)));
                let mut last: HashMap<Cow<'_, str>, Option<Node<'_>>> = named().collect();
                let first = named().filter_map(|(key, _)| Some((last.remove(&key)?, key)));
                text.push('{');
                for (index, (value, key)) in first.enumerate() {
                    text.push_str(if index > 0 { "," } else { "" });
                    text.push_str(&encode(&key));
                    text.push(':');
                    match value {
                        Some(value) => value.write(text),
                        None => text.push_str("null"),
                    }
                }
                text.push('}');
            }
            Kind::Array => {
                text.push('[');
                for (index, element) in self.elements().enumerate() {
                    text.push_str(if index > 0 { "," } else { "" });
                    element.write(text);
                }
                text.push(']');
            }
            Kind::Number => text.push_str(self.text()),
            _ => text.push_str(&self.to_value().to_string()),
        }
    }
}
