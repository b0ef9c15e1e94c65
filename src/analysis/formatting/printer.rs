use crate::cancellation::checkpoint;
use crate::diagnostic::Edit;
use crate::syntax::{Kind, Member, Node};
use crate::text::Span;

use super::gaps::{Gaps, is_faulty, is_white};
use super::width::{fits, is_on_one_line};
use super::{Layout, WIDTH};

/// Walks the text from start to end, tracks the position in the formatted text, and records the edits.
pub(super) struct Printer<'a> {
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
    pub(super) fn new(text: &'a str, layout: &'a Layout, place: Span, wanted: Span) -> Self {
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

    pub(super) fn into_edits(self) -> Vec<Edit> {
        self.edits
    }

    /// The text before the root value.
    pub(super) fn start(&mut self, root: Node<'_>) {
        let before = Span::new(0, root.span().start);
        if is_white(&self.text[before.range()]) && root.kind() != Kind::Invalid {
            self.gap(before, "");
        } else {
            self.keep(before);
        }
    }

    /// The text after the root value.
    pub(super) fn end(&mut self, root: Node<'_>) {
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
    pub(super) fn value(&mut self, node: Node<'_>, inline: bool) {
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
