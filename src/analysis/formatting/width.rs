use crate::syntax::{Kind, Node};

/// Whether the text of a node is on one line.
pub(super) fn is_on_one_line(node: Node<'_>) -> bool {
    !node.text().contains(['\n', '\r'])
}

/// Whether a node fits in `room` code points after it is formatted on one line. Stops reading as soon as it does not.
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
