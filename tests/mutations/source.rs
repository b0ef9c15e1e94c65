//! The clean suites, and the places for mistakes in them.

use std::path::PathBuf;

use eval_ls::testing::{Kind, Member, Node, Tree, parse};
use serde_json::Value;

pub(crate) struct Source {
    pub path: PathBuf,
    pub text: &'static str,
    pub value: Value,
    tree: Tree,
}

pub(crate) fn sources() -> Vec<Source> {
    let source = |name: &str, text: &'static str| Source {
        path: PathBuf::from("evals").join(name),
        text,
        value: serde_json::from_str(text).unwrap(),
        tree: parse(text).tree,
    };
    vec![
        source("library.v0.1.json", include_str!("suites/library.v0.1.json")),
        source("workshop.v0.2.json", include_str!("suites/workshop.v0.2.json")),
        source("morning.v0.3.json", include_str!("suites/morning.v0.3.json")),
        source("reise.v0.2.json", include_str!("suites/reise.v0.2.json")),
        source("compact.v0.3.json", include_str!("suites/compact.v0.3.json")),
    ]
}

impl Source {
    pub(crate) fn root(&self) -> Node<'_> {
        self.tree.root(self.text).unwrap()
    }

    pub(crate) fn cases(&self) -> Vec<Node<'_>> {
        self.root().get("cases").unwrap().elements().collect()
    }

    pub(crate) fn nodes(&self, is_wanted: impl Fn(Node<'_>) -> bool) -> Vec<Node<'_>> {
        self.root().descendants().filter(|node| is_wanted(*node)).collect()
    }

    /// Returns all members of objects, or those with one of these keys.
    pub(crate) fn members(&self, keys: &[&str]) -> Vec<Member<'_>> {
        let members = self.nodes(|node| node.kind() == Kind::Member).into_iter().filter_map(Node::as_member);
        members.filter(|member| keys.is_empty() || keys.contains(&&*member.key.as_str().unwrap())).collect()
    }

    /// Returns the members of each object under that key: `cases` for the cases, and an empty key for the suite.
    pub(crate) fn members_of(&self, owner: &str) -> Vec<Member<'_>> {
        match owner {
            "" => self.root().members().collect(),
            "cases" => self.cases().into_iter().flat_map(Node::members).collect(),
            _ => self.values(&[owner]).into_iter().flat_map(objects).flat_map(Node::members).collect(),
        }
    }

    pub(crate) fn values(&self, keys: &[&str]) -> Vec<Node<'_>> {
        self.members(keys).into_iter().filter_map(|member| member.value).collect()
    }

    /// Returns the entries of the lists under those keys.
    pub(crate) fn entries(&self, keys: &[&str]) -> Vec<Node<'_>> {
        self.values(keys).into_iter().flat_map(Node::elements).collect()
    }
}

fn objects(node: Node<'_>) -> Vec<Node<'_>> {
    match node.kind() {
        Kind::Array => node.elements().collect(),
        _ => vec![node],
    }
}

pub(crate) fn is_key(node: Node<'_>) -> bool {
    node.parent().and_then(Node::as_member).is_some_and(|member| member.key == node)
}
