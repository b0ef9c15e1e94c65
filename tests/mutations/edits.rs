//! Replacements that make a mistake.

use eval_ls::testing::Span;
use eval_ls::testing::{Kind, Member, Node};

/// A mistake: the replaced text and its replacement. Several replacements are one mistake in several places.
pub(crate) type Mistake = Vec<(Span, String)>;

pub(crate) fn replace(span: Span, with: impl Into<String>) -> Mistake {
    vec![(span, with.into())]
}

pub(crate) fn insert(at: usize, text: impl Into<String>) -> Mistake {
    replace(Span::empty(at), text)
}

pub(crate) fn delete(start: usize, end: usize) -> Mistake {
    replace(Span::new(start, end), "")
}

/// Each of these members is removed.
pub(crate) fn removed<'a>(members: impl IntoIterator<Item = Member<'a>>) -> Vec<Mistake> {
    members.into_iter().map(|member| vec![(member.node.removal(), String::new())]).collect()
}

/// Each of these members is there twice.
pub(crate) fn repeated<'a>(members: impl IntoIterator<Item = Member<'a>>) -> Vec<Mistake> {
    members.into_iter().map(|m| insert(m.node.span().start, format!("{}, ", m.node.text()))).collect()
}

/// A text follows each of these nodes.
pub(crate) fn behind<'a>(nodes: Vec<Node<'a>>, text: impl Fn(Node<'a>) -> String) -> Vec<Mistake> {
    nodes.into_iter().map(|node| insert(node.span().end, text(node))).collect()
}

/// Another text is in the place of each of these nodes.
pub(crate) fn replaced<'a>(nodes: Vec<Node<'a>>, text: impl Fn(Node<'a>) -> String) -> Vec<Mistake> {
    nodes.into_iter().map(|node| replace(node.span(), text(node))).collect()
}

/// The value of `expected` around a node.
pub(crate) fn expected_of<'a>(node: Node<'a>) -> Option<Node<'a>> {
    let mut at = node;
    loop {
        at = at.parent()?;
        let key = at.as_member().and_then(|member| member.key.as_str());
        if key.as_deref() == Some("expected") {
            return at.as_member()?.value;
        }
    }
}

/// A string's literal without its quotes.
pub(crate) fn inner<'a>(node: Node<'a>) -> &'a str {
    let text = node.text();
    &text[1..text.len() - 1]
}

pub(crate) fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

pub(crate) fn has_next(node: Node<'_>) -> bool {
    node.next().is_some()
}

/// Returns the place of the comma after a member or element.
pub(crate) fn comma_after(node: Node<'_>, text: &str) -> Option<usize> {
    node.next()?;
    Some(node.span().end + text[node.span().end..].find(',')?)
}

pub(crate) fn colon_of(member: Member<'_>, text: &str) -> usize {
    member.key.span().end + text[member.key.span().end..].find(':').unwrap()
}

pub(crate) fn is_container(node: Node<'_>) -> bool {
    matches!(node.kind(), Kind::Object | Kind::Array)
}
