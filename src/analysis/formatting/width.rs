use crate::syntax::{Kind, Node};

/// Whether a node stands on one line.
pub(super) fn is_on_one_line(node: Node<'_>) -> bool {
    !node.text().contains(['\n', '\r'])
}

/// Whether a node that stands on one line is no wider than `room` once it is in order. Looks at no more of it than that
/// takes.
pub(super) fn fits(node: Node<'_>, room: usize) -> bool {
    let mut width = 0;
    for inner in node.descendants() {
        let has_children = inner.children().next().is_some();
        width += match inner.kind() {
            Kind::Object if has_children => "{  }".len(),
            Kind::Object | Kind::Array => "[]".len(),
            Kind::Member => ": ".len(),
            _ => inner.text().chars().take(room + 1).count(),
        };
        let is_entry = inner != node && inner.parent().is_some_and(|parent| parent.kind() != Kind::Member);
        if is_entry && inner.previous().is_some() {
            width += ", ".len();
        }
        if width > room {
            return false;
        }
    }
    true
}
