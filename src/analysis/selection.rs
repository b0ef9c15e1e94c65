//! Expanding a selection step by step.

use super::Document;
use crate::syntax::{Kind, Node, raw_span};
use crate::text::Span;

/// The spans around `offset`, from small to large, each within the next: a string's text, the string, the member, the
/// content of the brackets, and so on to the whole document. The list is never empty.
pub(crate) fn selections(document: &Document, offset: usize) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut grow = |span: Span| {
        if spans.last().is_none_or(|last| *last != span && span.covers(*last)) {
            spans.push(span);
        }
    };
    let mut next = document.root().at_offset(offset);
    while let Some(node) = next {
        let span = node.span();
        let inner = inner(node);
        if inner.touches(offset) {
            grow(inner);
        }
        grow(span);
        next = node.parent();
    }
    grow(Span::new(0, document.text().len()));
    spans
}

/// The content of a node's quotes or brackets, without white space at both ends. Other nodes return their own span.
fn inner(node: Node<'_>) -> Span {
    let span = node.span();
    match node.kind() {
        Kind::String => {
            let value = node.as_str().map_or(0, |value| value.len());
            let text = raw_span(node.text(), Span::new(0, value));
            if value == 0 { Span::empty(span.start + 1) } else { text.shifted_by(span.start) }
        }
        Kind::Object | Kind::Array => {
            let mut children = node.children();
            let Some(first) = children.next() else { return span };
            first.span().join(children.last().unwrap_or(first).span())
        }
        _ => span,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;

    fn grown(text: &str, at: &str) -> Vec<String> {
        let document = Document::new(Text::new(text), None);
        let spans = selections(&document, text.find(at).unwrap() + 1);
        spans.into_iter().map(|span| text[span.range()].to_owned()).collect()
    }

    #[test]
    fn selection_grows_from_string_to_document() {
        assert_eq!(
            grown(" { \"a\": [ \"x y\", 2 ], \"b\": 1 }\n", "x y"),
            [
                "x y",
                "\"x y\"",
                "\"x y\", 2",
                "[ \"x y\", 2 ]",
                "\"a\": [ \"x y\", 2 ]",
                "\"a\": [ \"x y\", 2 ], \"b\": 1",
                "{ \"a\": [ \"x y\", 2 ], \"b\": 1 }",
                " { \"a\": [ \"x y\", 2 ], \"b\": 1 }\n"
            ]
        );
    }

    #[test]
    fn selections_nest_in_broken_text() {
        let text = "{ \"a\": [ \"x\\\"\", { \"b\": \"\" ] ";
        for end in 0..=text.len() {
            let document = Document::new(Text::new(&text[..end]), None);
            for offset in 0..=end {
                let spans = selections(&document, offset);
                assert!(
                    spans.windows(2).all(|pair| pair[1].covers(pair[0])),
                    "{spans:?} at {offset} of {}",
                    &text[..end]
                );
                assert!(spans.last() == Some(&Span::new(0, end)) && spans[0].touches(offset));
            }
        }
    }
}
