use std::borrow::Cow;
use std::collections::HashMap;

use crate::syntax::{Kind, Member, Node, NodeId};

/// A cache of the children of nodes. Many errors in one large list or object cost only one walk.
#[derive(Default)]
pub(super) struct Index<'a> {
    elements: HashMap<NodeId, Vec<Node<'a>>>,
    members: HashMap<NodeId, HashMap<Cow<'a, str>, Member<'a>>>,
}

impl<'a> Index<'a> {
    /// The node at a JSON Pointer below `root`.
    pub(super) fn find(&mut self, root: Node<'a>, pointer: &str) -> Option<Node<'a>> {
        pointer.split('/').skip(1).try_fold(root, |node, step| match node.kind() {
            Kind::Array => self.element(node, step.parse().ok()?),
            _ => self.member(node, &step.replace("~1", "/").replace("~0", "~"))?.value,
        })
    }

    /// An object's member; the last one if several have that key.
    pub(super) fn member(&mut self, object: Node<'a>, key: &str) -> Option<Member<'a>> {
        let read = || object.members().filter_map(|member| Some((member.key.as_str()?, member))).collect();
        self.members.entry(object.id()).or_insert_with(read).get(key).copied()
    }

    fn element(&mut self, array: Node<'a>, index: usize) -> Option<Node<'a>> {
        self.elements.entry(array.id()).or_insert_with(|| array.elements().collect()).get(index).copied()
    }
}
