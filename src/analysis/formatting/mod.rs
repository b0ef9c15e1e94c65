//! Formatting: changes white space between tokens, and nothing else.
//!
//! A list or object that is on one line and fits there stays on one line. Otherwise each entry gets a separate line, and
//! one empty line between entries is kept. The white space of a list or object with an error does not change, but its
//! children are formatted, starting from their present indentation.

mod gaps;
mod printer;
#[cfg(test)]
mod tests;
mod width;

use crate::diagnostic::Edit;
use crate::syntax::{Kind, Node, Parse, parse};
use crate::text::{Span, Text};

use super::Document;
use printer::Printer;

/// The maximum width of a line for a list or object to stay on it, in code points.
const WIDTH: usize = 120;

/// The settings of the editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// One level of indentation.
    pub indent: String,
    /// Whether the text must end with a line break.
    pub final_newline: bool,
}

impl Default for Layout {
    fn default() -> Self {
        Layout { indent: "  ".to_owned(), final_newline: true }
    }
}

/// The edits that format a document. Each replaces white space between two tokens. None if the document is broken, and its
/// line breaks decide how it is read: then it would be read otherwise, or a second formatting would change it again.
pub fn format(document: &Document, layout: &Layout) -> Vec<Edit> {
    let edits = edits(document, layout);
    let rests = |text: &str| self::edits(&Document::new(Text::new(text), None), layout).is_empty();
    if keeps_reading(document, &edits, rests) { edits } else { Vec::new() }
}

/// Whether edits of white space leave the values of a document, and its text meets a condition after them. They always leave those of a
/// text without errors. Which bracket an error names may change: indentation shows which one is missing.
fn keeps_reading(document: &Document, edits: &[Edit], meets: impl Fn(&str) -> bool) -> bool {
    if document.is_well_formed() || edits.is_empty() {
        return true;
    }
    let text = document.text().as_str();
    let after = Edit::apply_all(text, edits);
    let (before, read) = (parse(text), parse(&after));
    values(&before, text).eq(values(&read, &after)) && meets(&after)
}

/// The nodes of a text in order, each with its kind, and its text if it has no child.
fn values<'a>(parsed: &'a Parse, text: &'a str) -> impl Iterator<Item = (Kind, &'a str)> {
    let nodes = parsed.tree.root(text).into_iter().flat_map(Node::descendants);
    nodes.map(|node| match node.kind() {
        Kind::Object | Kind::Array => (node.kind(), ""),
        kind if node.children().next().is_some() => (kind, ""),
        kind => (kind, node.text()),
    })
}

fn edits(document: &Document, layout: &Layout) -> Vec<Edit> {
    let text = document.text().as_str();
    let root = document.root();
    let mut printer = Printer::new(text, layout, Span::empty(0), Span::new(0, text.len()));
    printer.start(root);
    printer.value(root, false);
    printer.end(root);
    printer.into_edits()
}

/// The edits that format the lines of `range`, starting from the indentation of the text around them.
pub(crate) fn format_range(document: &Document, range: Span, layout: &Layout) -> Vec<Edit> {
    let text = document.text();
    let lines = whole_lines(text, range);
    let Some(node) = innermost_around(document.root(), written(text, lines), lines.start) else {
        return format(document, layout);
    };
    let mut printer = Printer::new(text.as_str(), layout, Span::empty(node.span().start), lines);
    printer.value(node, false);
    let mut edits = printer.into_edits();
    edits.retain(|edit| lines.start < edit.span.end && edit.span.start < lines.end);
    if keeps_reading(document, &edits, |_| true) { edits } else { Vec::new() }
}

/// The lines that a range touches, from the end of the previous line to the end of the last. A range that ends at the start
/// of a line does not touch that line.
fn whole_lines(text: &Text, range: Span) -> Span {
    let first = text.line_of(range.start);
    let last = text.line_of(range.end.max(range.start + 1) - 1).max(first);
    let start = first.checked_sub(1).map_or(0, |before| text.line_span(before).end);
    Span::new(start, text.line_span(last).end.max(start))
}

/// The span without white space at its ends, and without a comma at its end.
fn written(text: &Text, span: Span) -> Span {
    let slice = text.slice(span);
    let start = span.start + (slice.len() - slice.trim_start().len());
    let end = slice.trim_end().trim_end_matches(',').trim_end().len();
    Span::new(start, (span.start + end).max(start))
}

/// The innermost list or object that covers a span and starts on an earlier line; `None` if only the root does.
fn innermost_around(root: Node<'_>, span: Span, line_start: usize) -> Option<Node<'_>> {
    let mut innermost = None;
    let mut node = root;
    loop {
        let is_container = matches!(node.kind(), Kind::Object | Kind::Array);
        if is_container && node != root && node.span().start < line_start {
            innermost = Some(node);
        }
        match node.child_from(span.start).filter(|child| child.span().covers(span)) {
            Some(child) => node = child,
            None => return innermost,
        }
    }
}
