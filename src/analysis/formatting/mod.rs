//! Layout: the white space between what is written, and nothing else.
//!
//! A list or an object that stands on one line and fits there stays; of any other each entry has a line of its own, and
//! an empty line between two is kept. Within a list or object that has a fault nothing is moved, but what it holds is put
//! in order, from the indentation that it has.

mod gaps;
mod printer;
#[cfg(test)]
mod tests;
mod width;

use crate::diagnostic::Edit;
use crate::syntax::{Kind, Node};
use crate::text::{Span, Text};

use super::Document;
use printer::Printer;

/// How wide a line may be for a list or an object to stay on it, in code points.
const WIDTH: usize = 120;

/// What the editor wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// What a level is indented by.
    pub indent: String,
    /// Whether the text ends with a line break.
    pub final_newline: bool,
}

impl Default for Layout {
    fn default() -> Self {
        Layout { indent: "  ".to_owned(), final_newline: true }
    }
}

/// The edits that put a document in order: each replaces white space between two tokens by other white space.
pub fn format(document: &Document, layout: &Layout) -> Vec<Edit> {
    let text = document.text().as_str();
    let root = document.root();
    let mut printer = Printer::new(text, layout, Span::empty(0));
    printer.start(root);
    printer.value(root, false);
    printer.end(root);
    printer.into_edits()
}

/// The edits that put the lines of `range` in order, from the indentation that the text around them has.
pub fn format_range(document: &Document, range: Span, layout: &Layout) -> Vec<Edit> {
    let text = document.text();
    let lines = whole_lines(text, range);
    let Some(node) = innermost_around(document.root(), written(text, lines), lines.start) else {
        return format(document, layout);
    };
    let mut printer = Printer::new(text.as_str(), layout, Span::empty(node.span().start));
    printer.value(node, false);
    let mut edits = printer.into_edits();
    edits.retain(|edit| lines.start < edit.span.end && edit.span.start < lines.end);
    edits
}

/// The lines that a range touches, from the end of the line before to their own end. A range that ends where a line
/// starts does not touch that line.
fn whole_lines(text: &Text, range: Span) -> Span {
    let first = text.line_of(range.start);
    let last = text.line_of(range.end.max(range.start + 1) - 1).max(first);
    let start = first.checked_sub(1).map_or(0, |before| text.line_span(before).end);
    Span::new(start, text.line_span(last).end.max(start))
}

/// The span without the white space at its ends, and without a comma that parts what is in it from what follows.
fn written(text: &Text, span: Span) -> Span {
    let slice = text.slice(span);
    let start = span.start + (slice.len() - slice.trim_start().len());
    let end = slice.trim_end().trim_end_matches(',').trim_end().len();
    Span::new(start, (span.start + end).max(start))
}

/// The innermost list or object that holds all of a span and starts on a line before; `None` where only the document
/// does.
fn innermost_around(root: Node<'_>, span: Span, line_start: usize) -> Option<Node<'_>> {
    let mut around = None;
    let mut node = root;
    loop {
        let is_container = matches!(node.kind(), Kind::Object | Kind::Array);
        if is_container && node != root && node.span().start < line_start {
            around = Some(node);
        }
        match node.children().find(|child| child.span().covers(span)) {
            Some(child) => node = child,
            None => return around,
        }
    }
}
