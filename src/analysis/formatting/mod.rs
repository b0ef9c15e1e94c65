//! Formatting: changes white space between tokens, and nothing else.
//!
//! A list or object that is on one line and fits there stays on one line. Otherwise each entry gets a separate line, and
//! one empty line between entries is kept. The white space of a list or object with an error does not change, but its
//! children are formatted, starting from their present indentation.

#[cfg(test)]
mod tests;

use crate::cancellation::checkpoint;
use crate::diagnostic::Edit;
use crate::syntax::{Kind, Member, Node, Parse, parse};
use crate::text::{Span, Text};

use super::Document;

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

/// Walks the text from start to end, tracks the position in the formatted text, and records the edits.
struct Printer<'a> {
    text: &'a str,
    layout: &'a Layout,
    /// The part of the text whose edits are wanted. Entries of several lines elsewhere are skipped.
    wanted: Span,
    line_break: &'static str,
    edits: Vec<Edit>,
    /// The indentation of the current line.
    indent: String,
    /// Whether the current line has only white space so far.
    is_at_indent: bool,
    /// The number of code points on the current line.
    column: usize,
}

impl<'a> Printer<'a> {
    /// A printer that starts at `place`.
    fn new(text: &'a str, layout: &'a Layout, place: Span, wanted: Span) -> Self {
        let mut printer = Printer {
            text,
            layout,
            wanted,
            line_break: line_break(text),
            edits: Vec::new(),
            indent: String::new(),
            is_at_indent: true,
            column: 0,
        };
        let line_start = text[..place.start].rfind(['\n', '\r']).map_or(0, |line_break| line_break + 1);
        printer.advance(&text[line_start..place.start]);
        printer
    }

    fn into_edits(self) -> Vec<Edit> {
        self.edits
    }

    /// The text before the root value.
    fn start(&mut self, root: Node<'_>) {
        let before = Span::new(0, root.span().start);
        if is_white(&self.text[before.range()]) && root.kind() != Kind::Invalid {
            self.gap(before, "");
        } else {
            self.keep(before);
        }
    }

    /// The text after the root value.
    fn end(&mut self, root: Node<'_>) {
        let after = Span::new(root.span().end, self.text.len());
        // An unclosed value includes the end of the text.
        let is_whole = match root.kind() {
            Kind::Object | Kind::Array => Gaps::of_container(root, self.text).is_some(),
            _ => !is_faulty(root, self.text),
        };
        if self.layout.final_newline && is_whole && is_white(&self.text[after.range()]) {
            self.gap(after, self.line_break);
        }
    }

    /// A value. If it is `inline`, the list or object around it is on one line, and so is the value.
    // Recursion is bounded by the tree's depth, which the parser caps.
    fn value(&mut self, node: Node<'_>, inline: bool) {
        match Gaps::of_container(node, self.text) {
            Some(gaps) => self.container(node, &gaps, inline),
            None => self.frozen(node, inline),
        }
    }

    fn container(&mut self, node: Node<'_>, gaps: &Gaps, inline: bool) {
        checkpoint();
        let span = node.span();
        let room = WIDTH.saturating_sub(self.column + usize::from(node.parent().is_some()));
        let inline = inline || (fits(node, room) && is_on_one_line(node));
        let is_empty = node.children().next().is_none();
        let padding = if node.kind() == Kind::Object { " " } else { "" };
        let outer = format!("{}{}", self.line_break, self.indent);
        let inner = format!("{outer}{}", self.layout.indent);

        self.keep(Span::new(span.start, span.start + 1));
        match (is_empty, inline) {
            (true, _) => self.gap(gaps.opening, ""),
            (false, true) => self.gap(gaps.opening, padding),
            (false, false) => self.gap(gaps.opening, &inner),
        }
        for (index, child) in node.children().enumerate() {
            if let Some((before, after)) = index.checked_sub(1).map(|index| gaps.between[index]) {
                self.gap(before, "");
                self.keep(Span::new(before.end, after.start));
                match inline {
                    true => self.gap(after, " "),
                    false if has_empty_line(&self.text[after.range()]) => {
                        self.gap(after, &format!("{}{inner}", self.line_break));
                    }
                    false => self.gap(after, &inner),
                }
            }
            let child_span = child.span();
            // On one line, the column decides how the next entry is written.
            let is_wanted = inline || (child_span.start <= self.wanted.end && self.wanted.start <= child_span.end);
            match child.as_member() {
                _ if !is_wanted => self.keep(child_span),
                Some(member) => self.member(member, inline),
                None => self.value(child, inline),
            }
        }
        match (is_empty, inline) {
            (true, _) => {}
            (false, true) => self.gap(gaps.closing, padding),
            (false, false) => self.gap(gaps.closing, &outer),
        }
        self.keep(Span::new(span.end - 1, span.end));
    }

    fn member(&mut self, member: Member<'_>, inline: bool) {
        let gaps = member.value.and_then(|value| Some((value, Gaps::of_member(member.key, value, self.text)?)));
        let Some((value, (before, after))) = gaps else { return self.frozen(member.node, inline) };
        self.keep(member.key.span());
        self.gap(before, "");
        self.keep(Span::new(before.end, after.start));
        self.gap(after, " ");
        self.value(value, inline);
    }

    /// A node whose white space does not change. Its children are formatted.
    fn frozen(&mut self, node: Node<'_>, inline: bool) {
        let mut end = node.span().start;
        for child in node.children() {
            self.keep(Span::new(end, child.span().start));
            match child.as_member().filter(|_| !is_faulty(child, self.text)) {
                Some(member) => self.member(member, inline),
                None => self.value(child, inline),
            }
            end = child.span().end;
        }
        self.keep(Span::new(end, node.span().end));
    }

    /// Replaces the white space of `span` by `white`.
    fn gap(&mut self, span: Span, white: &str) {
        if &self.text[span.range()] != white {
            self.edits.push(Edit::replace(span, white));
        }
        self.advance(white);
    }

    fn keep(&mut self, span: Span) {
        let text = self.text;
        self.advance(&text[span.range()]);
    }

    fn advance(&mut self, written: &str) {
        let line = match written.rfind(['\n', '\r']) {
            Some(line_break) => {
                self.indent.clear();
                self.is_at_indent = true;
                self.column = 0;
                &written[line_break + 1..]
            }
            None => written,
        };
        if self.is_at_indent {
            let rest = line.trim_start_matches([' ', '\t']);
            self.indent.push_str(&line[..line.len() - rest.len()]);
            self.is_at_indent = rest.is_empty();
        }
        self.column += line.chars().count();
    }
}

/// Whether the white space contains an empty line.
fn has_empty_line(white: &str) -> bool {
    let breaks = white.bytes().filter(|&b| b == b'\n').count();
    breaks.max(white.bytes().filter(|&b| b == b'\r').count()) > 1
}

/// The line break to use. If the text mixes several, the choice is one that stays the same after formatting.
fn line_break(text: &str) -> &'static str {
    // Most texts have no carriage return, and one fast search shows that.
    if memchr::memchr(b'\r', text.as_bytes()).is_none() {
        "\n"
    } else if text.contains("\r\n") {
        "\r\n"
    } else if !text.contains('\n') {
        "\r"
    } else {
        "\n"
    }
}

/// Whether the text of a node is on one line.
fn is_on_one_line(node: Node<'_>) -> bool {
    !node.text().contains(['\n', '\r'])
}

/// Whether a node fits in `room` code points after it is formatted on one line. Stops reading as soon as it does not.
fn fits(node: Node<'_>, room: usize) -> bool {
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

/// The white space between the tokens of a list or object, in the order of the text. The tokens are single bytes or
/// children.
struct Gaps {
    /// After the opening bracket. Without children: everything between the brackets.
    opening: Span,
    /// Before and after each comma.
    between: Vec<(Span, Span)>,
    /// Before the closing bracket.
    closing: Span,
}

impl Gaps {
    /// The gaps of a list or object. `None` if there is anything but white space and commas between its children, or if a
    /// child is faulty: then the layout must not change.
    fn of_container(node: Node<'_>, text: &str) -> Option<Gaps> {
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
    fn of_member(key: Node<'_>, value: Node<'_>, text: &str) -> Option<(Span, Span)> {
        split_at(text, Span::new(key.span().end, value.span().start), ':')
    }
}

/// Whether a child of a list or object is faulty itself: it is not a value, or it is broken, or its key or value is.
/// Errors within a nested list or object do not count.
fn is_faulty(child: Node<'_>, text: &str) -> bool {
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
fn is_white(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'))
}
