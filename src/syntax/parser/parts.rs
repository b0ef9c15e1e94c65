//! Parses the elements of a long list in several threads.

use std::sync::Arc;

use memchr::{memchr2, memchr3};
use rayon::prelude::*;

use crate::syntax::lexer::{Lexer, TokenKind};
use crate::syntax::tree::{Entry, Part};
use crate::syntax::{Container, Kind, Member, Node, NodeId, SyntaxErrorKind, Tree, string};
use crate::text::Span;

use super::{Parse, Parser, State, most_nodes, parse, parse_nested};

/// The containers around an element.
const AROUND: [Container; 2] = [Container::Object, Container::Array];

/// Fewer elements than this are not worth a second thread.
const FEW_ELEMENTS: usize = 32;

/// The most objects in a list that are read. Each takes much more memory than its nodes, because it is linted and judged.
const MOST_PARTS: usize = 50_000;

/// Parses a document as [`parse`] does, and makes the objects in the list of the root's member `list` parts of the tree, see
/// [`Tree::split`]. Several threads parse these objects if the text is valid JSON.
pub(crate) fn parse_in_parts(text: &str, list: &str) -> Parse {
    match well_formed_parts(text, list) {
        Some(tree) => Parse { tree, errors: Vec::new() },
        None => parse_and_split(text, list),
    }
}

/// What [`parse_in_parts`] does, in one thread.
pub(in crate::syntax) fn parse_and_split(text: &str, list: &str) -> Parse {
    let mut parsed = parse(text);
    let elements = parsed.tree.root(text).and_then(|root| root.get(list)).into_iter().flat_map(Node::elements);
    let objects: Vec<NodeId> = elements.filter(|node| node.kind() == Kind::Object).map(Node::id).collect();
    if objects.len() > MOST_PARTS {
        let span = parsed.tree.root(text).map_or(Span::empty(0), Node::span);
        return Parse::too_much(text, Span::empty(span.start), SyntaxErrorKind::TooMany("50,000 cases"));
    }
    parsed.tree.split(&objects);
    parsed
}

/// The tree with its parts. `None` if the text is not valid JSON, or if several members are called `list`.
fn well_formed_parts(text: &str, list: &str) -> Option<Tree> {
    let (mut tree, objects) = frame(text, list)?;
    // The whole is valid if the frame and each object are.
    let entries = |span: &Span| {
        let parsed = parse_nested(&text[span.range()], &AROUND)?;
        parsed.errors.is_empty().then(|| parsed.tree.entries.into())
    };
    let parsed = objects.par_iter().with_min_len(FEW_ELEMENTS).map(entries).collect::<Option<Vec<_>>>()?;
    let nodes: usize = parsed.iter().map(|entries: &Arc<[Entry]>| entries.len()).sum();
    if nodes + tree.entries.len() > most_nodes(text) {
        return None;
    }
    let holders = (0..).zip(&tree.entries).filter(|(_, entry)| entry.is_part).map(|(index, _)| index);
    let part = |((span, entries), holder): ((&Span, _), u32)| Part { start: span.start as u32, holder, entries };
    tree.parts = objects.iter().zip(parsed).zip(holders).map(part).collect();
    Some(tree)
}

/// Parses the document without the objects in the list. Returns the tree, in which an entry stands for each object, and
/// the places of the objects.
fn frame(text: &str, list: &str) -> Option<(Tree, Vec<Span>)> {
    let mut parser = Parser::reading(Lexer::new(text), 0);
    let mut objects = Vec::new();
    parser.root();
    while !parser.stack.is_empty() && parser.token.kind != TokenKind::End && parser.lexer.errors.is_empty() {
        if objects.len() > MOST_PARTS || parser.excess().is_some() {
            return None;
        }
        if parser.is_at_element() && parser.is_in_list(text, list) {
            let start = parser.token.span.start;
            let object = Span::new(start, object_end(text.as_bytes(), start)?);
            parser.part(objects.len() as u32, object.end);
            objects.push(object);
        } else {
            parser.step();
        }
    }
    let is_whole = parser.stack.is_empty() && parser.token.kind == TokenKind::End;
    let Parse { tree, errors } = parser.finish();
    let is_list = |member: &Member<'_>| member.key.as_str().is_some_and(|key| key == list);
    let lists = tree.root(text)?.members().filter(is_list).count();
    (is_whole && errors.is_empty() && lists <= 1).then_some((tree, objects))
}

impl Parser<'_> {
    /// Whether an object starts as an element of an array in the root.
    fn is_at_element(&self) -> bool {
        let is_element = matches!(self.top().state, State::Opened | State::Comma);
        let is_in_array = self.top().container == Container::Array && self.stack.len() == AROUND.len();
        is_element && is_in_array && self.token.kind == TokenKind::OpenObject
    }

    /// Whether the innermost array is the value of that member of the root.
    fn is_in_list(&self, text: &str, list: &str) -> bool {
        let key = self.stack[0].member.map(|member| self.tree[member as usize + 1].span());
        key.is_some_and(|key| string::decode(&text[key.range()]) == list)
    }

    /// Takes the object at this token, which ends at `end`, as a part with that number.
    fn part(&mut self, number: u32, end: usize) {
        let holder = self.push(Kind::Object, number as usize, false) as usize;
        self.tree[holder].end = 0;
        self.tree[holder].is_part = true;
        self.quiet = false;
        self.lexer.jump(end);
        self.token = self.lexer.next();
        self.previous_end = end;
        self.value_is_done();
    }
}

/// The end of the object that starts at `start`; `None` if its braces do not match. Sees nothing but braces and strings.
fn object_end(bytes: &[u8], start: usize) -> Option<usize> {
    let (mut at, mut open) = (start, 0_usize);
    loop {
        at += memchr3(b'{', b'}', b'"', &bytes[at..])? + 1;
        match bytes[at - 1] {
            b'{' => open += 1,
            b'}' if open == 1 => return Some(at),
            b'}' => open -= 1,
            _ => at = string_end(bytes, at)?,
        }
    }
}

/// The end of a string whose text starts at `at`.
fn string_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr2(b'"', b'\\', bytes.get(at..)?)? + 1;
        if bytes[at - 1] == b'"' {
            return Some(at);
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_read_what_one_parser_reads() {
        let texts = [
            r#"{"cases": [{"id": "a"}, 7, {"id": "}\"{", "x": [{}, [{}]]}], "z": {"cases": [{}]}}"#,
            r#" {"name": "n", "c\u0061ses": [{}] , "version": "0.2.0"} "#,
            r#"{"cases": [{}, {"a": [1, {}]}, []], "more": [{}, {"cases": [{}]}]}"#,
            r#"{"cases": []}"#,
            r#"{"cases": {"cases": [{}]}}"#,
            r#"[[{"cases": [{}]}]]"#,
            "7",
        ];
        for text in texts {
            let expected = parse_and_split(text, "cases");
            assert!(expected.errors.is_empty(), "{text}");
            assert_eq!(parse_in_parts(text, "cases"), expected, "{text}");
            assert_eq!(well_formed_parts(text, "cases"), Some(expected.tree), "{text}");
        }
    }

    #[test]
    fn one_parser_reads_what_is_broken_or_ambiguous() {
        let texts = [
            "",
            " ",
            r#"{"cases": [{}"#,
            r#"{"cases": [{"a": "}]}"#,
            r#"{"cases": [{]}]}"#,
            r#"{"cases": [{"a" "b"}, {}]}"#,
            r#"{"cases": [{} {}]}"#,
            r#"{"cases": [{},]}"#,
            r#"{"cases": [{}]} {}"#,
            r#"{"cases": [{/* } */}]}"#,
            r#"{"cases": [{"a": "\"#,
            r#"{"cases": [{}], "cases": [{"id": "a"}]}"#,
            r#"{"cases": [{}], "cases": 7}"#,
            r#"{"cases": [7, {}], "cases": [7, {}]}"#,
        ];
        for text in texts {
            assert_eq!(parse_in_parts(text, "cases"), parse_and_split(text, "cases"), "{text}");
        }
    }
}
