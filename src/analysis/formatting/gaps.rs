use crate::syntax::{Kind, Node};
use crate::text::Span;

/// The white space between the tokens of a list or object, in the order of the text. The tokens are single bytes or
/// children.
pub(super) struct Gaps {
    /// After the opening bracket. Without children: everything between the brackets.
    pub(super) opening: Span,
    /// Before and after each comma.
    pub(super) between: Vec<(Span, Span)>,
    /// Before the closing bracket.
    pub(super) closing: Span,
}

impl Gaps {
    /// The gaps of a list or object. `None` if there is anything but white space and commas between its children, or if a
    /// child is faulty: then the layout must not change.
    pub(super) fn of_container(node: Node<'_>, text: &str) -> Option<Gaps> {
        if !matches!(node.kind(), Kind::Object | Kind::Array) {
            return None;
        }
        if node.is_broken() || !is_closed(node) || node.children().any(|child| is_faulty(child, text)) {
            return None;
        }
        let mut gaps = Gaps { opening: Span::default(), between: Vec::new(), closing: Span::default() };
        let (inner_start, inner_end) = (node.span().start + 1, node.span().end - 1);
        let mut end = inner_start;
        for (index, child) in node.children().enumerate() {
            let start = child.span().start;
            if index == 0 {
                gaps.opening = white(text, Span::new(end, start))?;
            } else {
                gaps.between.push(split_at(text, Span::new(end, start), ',')?);
            }
            end = child.span().end;
        }
        let rest = white(text, Span::new(end, inner_end))?;
        let is_empty = node.children().next().is_none();
        *(if is_empty { &mut gaps.opening } else { &mut gaps.closing }) = rest;
        Some(gaps)
    }

    /// The gaps before and after the colon of a member.
    pub(super) fn of_member(key: Node<'_>, value: Node<'_>, text: &str) -> Option<(Span, Span)> {
        split_at(text, Span::new(key.span().end, value.span().start), ':')
    }
}

/// Whether a child of a list or object is faulty itself: it is not a value, or it is broken, or its key or value is.
/// Errors within a nested list or object do not count.
pub(super) fn is_faulty(child: Node<'_>, text: &str) -> bool {
    let is_fault = |node: Node<'_>| {
        let is_leaf = !matches!(node.kind(), Kind::Object | Kind::Array);
        let is_open = !is_leaf && !is_closed(node);
        node.kind() == Kind::Invalid || (is_leaf && node.is_broken()) || is_open
    };
    let Some(member) = child.as_member() else { return is_fault(child) };
    let Some(value) = member.value else { return true };
    let is_whole = Gaps::of_member(member.key, value, text).is_some();
    child.is_broken() || is_fault(member.key) || is_fault(value) || !is_whole
}

/// Whether a list or object has both brackets, the second one after its last child.
fn is_closed(node: Node<'_>) -> bool {
    let brackets = if node.kind() == Kind::Object { ['{', '}'] } else { ['[', ']'] };
    let text = node.text();
    let is_last = node.children().last().is_none_or(|child| child.span().end < node.span().end);
    text.len() >= 2 && text.starts_with(brackets[0]) && text.ends_with(brackets[1]) && is_last
}

fn white(text: &str, span: Span) -> Option<Span> {
    is_white(text.get(span.range())?).then_some(span)
}

/// The white space before and after `character`, which must be the only other text in the span.
fn split_at(text: &str, span: Span, character: char) -> Option<(Span, Span)> {
    let between = text.get(span.range())?;
    let (before, after) = between.split_once(character)?;
    let middle = span.start + before.len();
    let gaps = (Span::new(span.start, middle), Span::new(middle + 1, span.end));
    (is_white(before) && is_white(after)).then_some(gaps)
}

/// Whether a text has only white space of JSON.
pub(super) fn is_white(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'))
}
