use std::borrow::Cow;
use std::fmt;

use crate::text::Span;

use super::{Kind, NodeId, Tree, string, tree::Entry};

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
    pub(super) fn new(tree: &'a Tree, source: &'a str, id: NodeId) -> Self {
        Self { tree, source, id, origin: 0 }
    }

    /// The same node; it and all that is reached from it count their spans from where this one starts.
    #[must_use]
    pub(crate) fn relative(self) -> Self {
        Self { origin: self.entry().start as usize, ..self }
    }

    /// Its place in the tree.
    pub(crate) fn id(self) -> NodeId {
        self.id
    }

    /// What it is.
    pub fn kind(self) -> Kind {
        self.entry().kind
    }

    /// Its text's place, in bytes; quotes and brackets included.
    pub fn span(self) -> Span {
        self.entry().span().relative_to(self.origin)
    }

    /// Its text.
    pub fn text(self) -> &'a str {
        &self.source[self.entry().span().range()]
    }

    /// Whether its own text, its children's aside, has a syntax error.
    pub(crate) fn is_broken(self) -> bool {
        self.entry().broken
    }

    /// The node around it; `None` for the root.
    pub fn parent(self) -> Option<Node<'a>> {
        (self.id.0 != 0).then(|| self.at(self.entry().parent))
    }

    /// The nodes directly within it, in order.
    pub fn children(self) -> impl Iterator<Item = Node<'a>> {
        let end = self.entry().after;
        let mut next = self.id.0 + 1;
        std::iter::from_fn(move || {
            let child = (next < end).then(|| self.at(next))?;
            next = child.entry().after;
            Some(child)
        })
    }

    /// The node before this one in the same container.
    pub(crate) fn previous(self) -> Option<Node<'a>> {
        let parent = self.parent()?;
        let mut before = self.at(self.id.0 - 1);
        if before == parent {
            return None;
        }
        while before.entry().parent != parent.id.0 {
            before = self.at(before.entry().parent);
        }
        Some(before)
    }

    /// The node after this one in the same container.
    pub fn next(self) -> Option<Node<'a>> {
        let after = self.entry().after;
        (after < self.parent()?.entry().after).then(|| self.at(after))
    }

    /// This node and all within it, in the order of their text.
    pub fn descendants(self) -> impl Iterator<Item = Node<'a>> {
        (self.id.0..self.entry().after).map(move |index| self.at(index))
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

    /// This node as a member, where it is one.
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
        while let Some(inner) = found.children().filter(|child| child.span().touches(offset)).last() {
            found = inner;
        }
        Some(found)
    }

    /// The innermost node, this one included, whose text is exactly at `span`.
    pub(crate) fn find(self, span: Span) -> Option<Node<'a>> {
        let sought = span.shifted_by(self.origin);
        let first = self.id.0 as usize;
        let within = &self.tree.entries[first..self.entry().after as usize];
        // The nodes are sorted by their start, so few of them are visited.
        let start = within.partition_point(|entry| (entry.start as usize) < sought.start);
        let here = within[start..].iter().take_while(|entry| entry.start as usize == sought.start);
        let index = here.enumerate().filter(|(_, entry)| entry.span() == sought).last()?.0;
        Some(self.at(u32::try_from(first + start + index).expect("a tree's indices are 32 bits wide")))
    }

    fn at(self, index: u32) -> Node<'a> {
        Node { id: NodeId(index), ..self }
    }

    fn entry(self) -> &'a Entry {
        &self.tree.entries[self.id.0 as usize]
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
