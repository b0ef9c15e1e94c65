use crate::text::Span;

use super::Node;

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
    /// Invalid text in the place of a value or a key; empty if there is none.
    Invalid,
}

/// A node's place in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeId(pub(super) u32);

/// A syntax tree: the nodes in the order in which they start, each followed by its descendants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    pub(super) entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) start: u32,
    pub(super) end: u32,
    /// The parent's index; the root is its own.
    pub(super) parent: u32,
    /// One past the index of the last descendant.
    pub(super) after: u32,
    pub(super) kind: Kind,
    /// Whether the node's own text, its children's aside, has a syntax error.
    pub(super) broken: bool,
}

impl Entry {
    pub(super) fn span(&self) -> Span {
        Span::new(self.start as usize, self.end as usize)
    }
}

impl Tree {
    /// The document's value; `None` where there is nothing at all. `source` is the text that was parsed.
    pub fn root<'a>(&'a self, source: &'a str) -> Option<Node<'a>> {
        (!self.entries.is_empty()).then(|| Node::new(self, source, NodeId(0)))
    }

    /// Puts the nodes of `subtree`, whose offsets count from where the node `id` starts, in that node's place, and
    /// moves all that follows by as many bytes as the replaced text grew. `subtree` must not be empty.
    pub(crate) fn replace(&mut self, id: NodeId, subtree: &Tree) {
        let at = id.0 as usize;
        let old = self.entries[at];
        let after = old.after as usize;
        let nodes = subtree.entries.len() as i64 - (after - at) as i64;
        let bytes = i64::from(subtree.entries[0].end) - i64::from(old.end - old.start);
        let moved = |value: u32, by: i64| u32::try_from(i64::from(value) + by).expect("a tree stays below 4 GiB");

        let mut inner = at;
        while inner != 0 {
            inner = self.entries[inner].parent as usize;
            let ancestor = &mut self.entries[inner];
            ancestor.end = moved(ancestor.end, bytes);
            ancestor.after = moved(ancestor.after, nodes);
        }
        for entry in &mut self.entries[after..] {
            entry.start = moved(entry.start, bytes);
            entry.end = moved(entry.end, bytes);
            entry.after = moved(entry.after, nodes);
            if entry.parent as usize >= after {
                entry.parent = moved(entry.parent, nodes);
            }
        }
        let placed = subtree.entries.iter().enumerate().map(|(index, entry)| Entry {
            start: entry.start + old.start,
            end: entry.end + old.start,
            parent: if index == 0 { old.parent } else { entry.parent + id.0 },
            after: entry.after + id.0,
            ..*entry
        });
        self.entries.splice(at..after, placed);
    }
}
