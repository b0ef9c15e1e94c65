use crate::syntax::{Kind, Node};
use crate::text::Span;

/// What is between the tokens of a list, an object or a member, its children aside: the spans of white space in the order
/// of the text. The tokens between them are single bytes or children.
pub(super) struct Gaps {
    /// Behind the opening bracket; of a list or object without children, all that is within.
    pub(super) opening: Span,
    /// Before and behind each comma.
    pub(super) between: Vec<(Span, Span)>,
    /// Before the closing bracket.
    pub(super) closing: Span,
}

impl Gaps {
    /// Those of a list or object; `None` where anything but white space and commas stands between its children, or one of
    /// those is at fault: then its layout is left alone.
    pub(super) fn of_container(node: Node<'_>, text: &str) -> Option<Gaps> {
        let brackets = match node.kind() {
            Kind::Object => ['{', '}'],
            Kind::Array => ['[', ']'],
            _ => return None,
        };
        let own = node.text();
        let is_closed = own.len() >= 2 && own.starts_with(brackets[0]) && own.ends_with(brackets[1]);
        if node.is_broken() || !is_closed || node.children().any(|child| is_faulty(child, text)) {
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
                gaps.between.push(around(text, Span::new(end, start), ',')?);
            }
            end = child.span().end;
        }
        let rest = white(text, Span::new(end, inner_end))?;
        let is_empty = node.children().next().is_none();
        *(if is_empty { &mut gaps.opening } else { &mut gaps.closing }) = rest;
        Some(gaps)
    }

    /// Those before and behind the colon of a member.
    pub(super) fn of_member(key: Node<'_>, value: Node<'_>, text: &str) -> Option<(Span, Span)> {
        around(text, Span::new(key.span().end, value.span().start), ':')
    }
}

/// Whether a child of a list or object, or the key or the value of one that is a member, is no value at all or is broken
/// by itself. What a list or object within it holds is its own matter.
pub(super) fn is_faulty(child: Node<'_>, text: &str) -> bool {
    let is_fault = |node: Node<'_>| {
        let is_leaf = !matches!(node.kind(), Kind::Object | Kind::Array);
        // One that is not closed takes the white space behind it for its own.
        let is_open = node.text().ends_with([' ', '\t', '\n', '\r']);
        node.kind() == Kind::Invalid || (is_leaf && node.is_broken()) || is_open
    };
    let Some(member) = child.as_member() else { return is_fault(child) };
    let Some(value) = member.value else { return true };
    let is_whole = Gaps::of_member(member.key, value, text).is_some();
    child.is_broken() || is_fault(member.key) || is_fault(value) || !is_whole
}

fn white(text: &str, span: Span) -> Option<Span> {
    is_white(text.get(span.range())?).then_some(span)
}

/// The white space before and behind the one character that else stands in a span.
fn around(text: &str, span: Span, character: char) -> Option<(Span, Span)> {
    let between = text.get(span.range())?;
    let (before, behind) = between.split_once(character)?;
    let place = span.start + before.len();
    let gaps = (Span::new(span.start, place), Span::new(place + 1, span.end));
    (is_white(before) && is_white(behind)).then_some(gaps)
}

/// Whether it is nothing but the white space of JSON.
pub(super) fn is_white(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'))
}
