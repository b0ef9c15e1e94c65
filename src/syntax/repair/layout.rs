//! How well a text's indentation fits its brackets.

use crate::syntax::lexer::{Lexer, TokenKind};
use crate::syntax::{Kind, Node};

/// An open container: the indentation of its line, of its first line of content, and whether it goes over lines.
struct Open {
    indent: usize,
    content: Option<usize>,
}

/// How many lines are not indented as their brackets would have it.
pub(super) fn faults(text: &str) -> usize {
    let mut lexer = Lexer::new(text);
    let mut open: Vec<Open> = Vec::new();
    let mut faults = 0;
    let mut indent = 0;
    loop {
        let token = lexer.next();
        let is_first = token.on_new_line || token.span.start == 0;
        if is_first {
            indent = indent_at(text, token.span.start);
        }
        let closes = matches!(token.kind, TokenKind::CloseObject | TokenKind::CloseArray);
        match (open.last_mut(), closes) {
            _ if token.kind == TokenKind::End => return faults,
            (Some(container), true) => {
                let is_alone = container.content.is_some();
                faults += usize::from(is_first && indent != container.indent)
                    + usize::from(!is_first && is_alone && indent < container.indent);
                open.pop();
            }
            (Some(container), false) if is_first && token.kind != TokenKind::Comma => {
                let expected = *container.content.get_or_insert(indent);
                faults += usize::from(indent <= container.indent || indent != expected);
            }
            _ => {}
        }
        if matches!(token.kind, TokenKind::OpenObject | TokenKind::OpenArray) {
            open.push(Open { indent, content: None });
        }
    }
}

/// The width of the white space before the line's first token.
pub(super) fn indent_at(text: &str, offset: usize) -> usize {
    let before = &text[..offset];
    before.len() - before.rfind(['\n', '\r']).map_or(0, |at| at + 1)
}

/// The indentation of the line that `offset` is on.
pub(super) fn line_indent(text: &str, offset: usize) -> usize {
    let start = text[..offset].rfind(['\n', '\r']).map_or(0, |at| at + 1);
    text[start..].len() - text[start..].trim_start_matches([' ', '\t']).len()
}

/// Strings that look as if they had swallowed structure, or hold nothing but it.
pub(super) fn odd_strings(root: Node<'_>) -> usize {
    let strings = root.descendants().filter(|node| node.kind() == Kind::String);
    let is_odd = |node: &Node<'_>| {
        let text = node.text();
        let text = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
        let inner = text.trim();
        let brackets = |open: char, close: char| inner.matches(open).count() < inner.matches(close).count();
        inner.starts_with([',', ':', ']', '}'])
            || inner.ends_with([',', '[', '{'])
            || inner.contains("\\\": ")
            || inner.contains("\\\", \\\"")
            || inner.contains("\\\":[")
            || (inner.ends_with([']', '}']) && (brackets('[', ']') || brackets('{', '}')))
            || (text != inner && inner.is_empty())
    };
    strings.filter(is_odd).count()
}
