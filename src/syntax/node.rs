use std::borrow::Cow;
use std::fmt;

use memchr::memchr3;

use crate::text::Span;

use super::tree::Entry;
use super::{Kind, NodeId, Tree, string};

/// A node with the text it was parsed from. Copying one costs nothing.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    tree: &'a Tree,
    source: &'a str,
    id: NodeId,
    origin: usize,
}

/// A key and its value.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// Both, and what is between them.
    pub node: Node<'a>,
    /// The key; its kind is [`Kind::Invalid`] if something else is in its place.
    pub key: Node<'a>,
    /// The value; `None` where even its `:` is missing.
    pub value: Option<Node<'a>>,
}

impl<'a> Node<'a> {
    /// The node of an entry outside of parts. If it stands for a part, the first node of that.
    pub(super) fn new(tree: &'a Tree, source: &'a str, index: u32) -> Self {
        let outside = NodeId { part: None, index };
        Self { tree, source, id: outside, origin: 0 }.at(index)
    }

    /// The node with relative spans: it and all that is reached from it count their spans from where this one starts.
    #[must_use]
    pub(crate) fn relative(self) -> Self {
        Self { origin: self.absolute().start, ..self }
    }

    /// The place in the tree.
    pub(crate) fn id(self) -> NodeId {
        self.id
    }

    /// What it is.
    pub fn kind(self) -> Kind {
        self.entry().kind
    }

    /// The text's place, in bytes; quotes and brackets included.
    pub fn span(self) -> Span {
        self.absolute().relative_to(self.origin)
    }

    /// The text.
    pub fn text(self) -> &'a str {
        &self.source[self.absolute().range()]
    }

    /// Whether it is a part of its tree, see [`Tree::split`]. Fast.
    pub(crate) fn is_part(self) -> bool {
        self.id.part.is_some() && self.id.index == 0
    }

    /// Whether its own text, its children's aside, has a syntax error.
    pub(crate) fn is_broken(self) -> bool {
        self.entry().broken
    }

    /// The node around it; `None` for the root.
    pub fn parent(self) -> Option<Node<'a>> {
        let (siblings, index) = self.among_siblings();
        (index != 0).then(|| siblings.at(siblings.entry_at(index).parent))
    }

    /// The nodes directly within it, in order.
    pub fn children(self) -> impl Iterator<Item = Node<'a>> {
        let end = self.entry().after;
        let mut next = self.id.index + 1;
        std::iter::from_fn(move || {
            let child = (next < end).then(|| self.at(next))?;
            next = self.entry_at(next).after;
            Some(child)
        })
    }

    /// The node before this one in the same container.
    pub(crate) fn previous(self) -> Option<Node<'a>> {
        let (siblings, index) = self.among_siblings();
        let parent = (index != 0).then(|| siblings.entry_at(index).parent)?;
        let mut before = index - 1;
        if before == parent {
            return None;
        }
        while siblings.entry_at(before).parent != parent {
            before = siblings.entry_at(before).parent;
        }
        Some(siblings.at(before))
    }

    /// The node after this one in the same container.
    pub fn next(self) -> Option<Node<'a>> {
        let (siblings, index) = self.among_siblings();
        let entry = siblings.entry_at(index);
        let is_within = index != 0 && entry.after < siblings.entry_at(entry.parent).after;
        is_within.then(|| siblings.at(entry.after))
    }

    /// The node and all within it, in the order of their text.
    pub fn descendants(self) -> impl Iterator<Item = Node<'a>> {
        (self.id.index..self.entry().after).flat_map(move |index| {
            let node = self.at(index);
            let end = if node.id.part == self.id.part { index + 1 } else { node.entry().after };
            (node.id.index..end).map(move |index| node.at(index))
        })
    }

    /// An object's members in order, duplicates included; nothing for other nodes.
    pub fn members(self) -> impl Iterator<Item = Member<'a>> {
        let object = (self.kind() == Kind::Object).then_some(self);
        object.into_iter().flat_map(Node::children).filter_map(Node::as_member)
    }

    /// An array's elements in order; nothing for other nodes.
    pub fn elements(self) -> impl Iterator<Item = Node<'a>> {
        let array = (self.kind() == Kind::Array).then_some(self);
        array.into_iter().flat_map(Node::children)
    }

    /// The member of this object with that key; the last one where several have it, as JSON readers take it.
    pub fn member(self, key: &str) -> Option<Member<'a>> {
        self.members().filter(|member| member.key.as_str().is_some_and(|name| name == key)).last()
    }

    /// The value of the member with that key.
    pub fn get(self, key: &str) -> Option<Node<'a>> {
        self.member(key)?.value
    }

    /// The node as a member, if it is one.
    pub fn as_member(self) -> Option<Member<'a>> {
        if self.kind() != Kind::Member {
            return None;
        }
        let mut children = self.children();
        Some(Member { node: self, key: children.next()?, value: children.next() })
    }

    /// A string's value, escapes resolved; an invalid escape becomes U+FFFD.
    pub fn as_str(self) -> Option<Cow<'a, str>> {
        (self.kind() == Kind::String).then(|| string::decode(self.text()))
    }

    /// A number's value.
    pub fn as_f64(self) -> Option<f64> {
        if self.kind() == Kind::Number { self.text().parse().ok() } else { None }
    }

    /// A boolean's value.
    pub(crate) fn as_bool(self) -> Option<bool> {
        match self.kind() {
            Kind::True => Some(true),
            Kind::False => Some(false),
            _ => None,
        }
    }

    /// The innermost node, this one included, that a cursor at `offset` touches. Between two neighbours the later one
    /// is meant.
    pub(crate) fn at_offset(self, offset: usize) -> Option<Node<'a>> {
        let mut found = self.span().touches(offset).then_some(self)?;
        while let Some(inner) = found.child_from(offset).filter(|child| child.span().touches(offset)) {
            found = inner;
        }
        Some(found)
    }

    /// The last child that starts at `offset` or before it.
    pub(crate) fn child_from(self, offset: usize) -> Option<Node<'a>> {
        let mut child = self.last_before(offset + 1)?;
        while child > 0 && self.entry_at(child).parent != self.id.index {
            child = self.entry_at(child).parent;
        }
        Some(self.at(child))
    }

    /// The innermost node, this one included, whose text is exactly at `span`.
    pub(crate) fn find(self, span: Span) -> Option<Node<'a>> {
        let sought = span.shifted_by(self.origin);
        let last = self.last_before(span.start + 1).unwrap_or(self.id.index);
        let mut here =
            (self.id.index..=last).rev().take_while(|index| self.at(*index).absolute().start == sought.start);
        match here.find(|index| self.at(*index).absolute() == sought) {
            Some(index) => Some(self.at(index)),
            None => self.entry_at(last).is_part.then(|| self.at(last).find(span)).flatten(),
        }
    }

    /// The last entry within this node, of the same part, that starts before `offset`.
    fn last_before(self, offset: usize) -> Option<u32> {
        let offset = offset + self.origin;
        // The nodes are sorted by their start, so few of them are visited.
        let (mut low, mut high) = (self.id.index + 1, self.entry().after);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.at(middle).absolute().start < offset { low = middle + 1 } else { high = middle }
        }
        (low > self.id.index + 1).then(|| low - 1)
    }

    fn absolute(self) -> Span {
        let start = self.id.part.map_or(0, |part| self.tree.parts[part as usize].start);
        self.entry().span().shifted_by(start as usize)
    }

    /// The node from which its siblings are reached: the entry that stands for its part, if it is the first of a part.
    fn among_siblings(self) -> (Node<'a>, u32) {
        match self.id.part.filter(|_| self.id.index == 0) {
            None => (self, self.id.index),
            Some(part) => {
                let index = self.tree.parts[part as usize].holder;
                let id = NodeId { part: None, index };
                (Node { id, ..self }, index)
            }
        }
    }

    /// The node of an entry beside its own.
    fn at(self, index: u32) -> Node<'a> {
        let entry = self.entry_at(index);
        let id = NodeId { part: Some(entry.start), index: 0 };
        Node { id: if entry.is_part { id } else { NodeId { index, ..self.id } }, ..self }
    }

    fn entry(self) -> Entry {
        self.entry_at(self.id.index)
    }

    /// The entry with that index: of its part, or outside of parts.
    fn entry_at(self, index: u32) -> Entry {
        match self.id.part {
            Some(part) => self.tree.parts[part as usize].entry(index),
            None => self.tree.entries[index as usize],
        }
    }
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && std::ptr::eq(self.tree, other.tree)
    }
}

impl Eq for Node<'_> {}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?} {:?}", self.kind(), self.span(), self.text())
    }
}

/// The way from the root to a node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Path(pub(crate) Vec<Step>);

/// One step down.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    /// To the value of this key.
    Key(String),
    /// To the element with this index, from 0.
    Index(usize),
}

impl<'a> Node<'a> {
    /// The way here from the root. A member, and its key, have the path of their value.
    pub(crate) fn path(self) -> Path {
        let mut steps = Vec::new();
        let mut node = self;
        while let Some(parent) = node.parent() {
            match parent.kind() {
                Kind::Array => steps.push(Step::Index(parent.children().take_while(|child| *child != node).count())),
                Kind::Object => {
                    let key = node.as_member().and_then(|member| member.key.as_str());
                    steps.push(Step::Key(key.unwrap_or_default().into_owned()));
                }
                _ => {}
            }
            node = parent;
        }
        steps.reverse();
        Path(steps)
    }
}

impl fmt::Display for Path {
    /// As a JSON Pointer (RFC 6901).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|step| match step {
            Step::Key(key) => write!(f, "/{}", key.replace('~', "~0").replace('/', "~1")),
            Step::Index(index) => write!(f, "/{index}"),
        })
    }
}

/// No fewer than the number of nodes in the tree of valid JSON; a broken text has at most three times as many. Counting is much
/// cheaper than building the tree.
pub(crate) fn most_nodes(text: &str) -> usize {
    let bytes = text.as_bytes();
    // Before a document may be other text, in which the document can begin behind any quote.
    let begins = text.trim_start_matches('\u{feff}').trim_ascii_start().starts_with(['{', '[']);
    let (mut count, mut at, mut is_in_word) = (1, 0, false);
    while let Some(byte) = bytes.get(at) {
        let is_word = !matches!(byte, b'{' | b'[' | b',' | b':' | b'"' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t');
        match byte {
            b'{' | b'[' | b',' | b':' | b'"' => count += 1,
            _ if is_word && !is_in_word => count += 1,
            _ => {}
        }
        is_in_word = is_word;
        at = if *byte == b'"' && begins { end_of_string(bytes, at) } else { at + 1 };
    }
    count
}

/// The place after the string that begins at `start`. A string that is not closed ends with its line.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr3(b'"', b'\\', b'\n', rest)) {
        match bytes[at + found] {
            b'\\' => at += found + 2,
            _ => return at + found + 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::syntax::parse;

    use super::*;

    proptest! {
        #[test]
        fn no_tree_has_more_nodes_than_are_counted(text in r#"[\[\]{}:,"\\\n 1xé'/]{0,40}"#) {
            let parsed = parse(&text);
            let nodes = parsed.tree.root(&text).map_or(0, |root| root.descendants().count());
            let most = if parsed.errors.is_empty() { most_nodes(&text) } else { 3 * most_nodes(&text) };
            prop_assert!(nodes <= most, "{} > {}", nodes, most);
        }
    }

    #[test]
    fn strings_before_a_document_are_searched() {
        assert_eq!(3 * most_nodes("]\"{{{"), 3 * 5);
    }

    #[test]
    fn strings_are_not_searched() {
        assert_eq!(most_nodes(r#"{"a": "1,2:3 [\", {"}"#), 1 + 1 + 3);
        assert_eq!(most_nodes("[1, 22, x]"), 1 + 1 + 5);
    }
}
