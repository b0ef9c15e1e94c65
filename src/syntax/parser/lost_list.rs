//! A list without its `[`: `"hard_fail": "a", "b" ]`. Its first element reads like the value of a key. When the second one or the `]`
//! comes, the list is opened after all, so that everything behind it is read as if the bracket were there.

use crate::text::Span;

use super::{Frame, Parser, State};
use crate::syntax::lexer::TokenKind;
use crate::syntax::tree::Entry;
use crate::syntax::{Container, Kind, SyntaxErrorKind};

/// How many strings are looked at up to the `]`: more than a person writes, and few enough for a text full of such errors.
const MOST_STRINGS: usize = 200;

impl Parser<'_> {
    /// Whether the string that was just read as a key is an element of such a list: strings and commas follow up to a `]`, behind which
    /// the object goes on. Then the list is open, and has the string.
    pub(super) fn key_is_in_lost_list(&mut self) -> bool {
        if !matches!(self.token.kind, TokenKind::Comma | TokenKind::CloseArray) || !self.strings_end_in_list() {
            return false;
        }
        let member = self.open_member_index();
        let Some(before) = self.member_before(member, Kind::String) else { return false };
        let key = &self.tree[member + 1];
        let (span, broken) = (key.span(), key.broken);
        self.tree.truncate(member);
        self.open_list_at(before);
        self.leaf(Kind::String, span, broken);
        true
    }

    /// Whether this `{` is the second element of such a list. Then the list is open.
    pub(super) fn object_is_in_lost_list(&mut self) -> bool {
        let is_next = self.top().state == State::Comma && !self.is_array_below();
        let before = if is_next { self.member_before(self.tree.len(), Kind::Object) } else { None };
        let Some(before) = before else { return false };
        self.open_list_at(before);
        self.top_mut().state = State::Comma;
        true
    }

    /// Whether this `]` ends such a list with one element: it is on a separate line, below the key and with its indentation. Then
    /// the list is open.
    pub(super) fn closer_ends_lost_list(&mut self) -> bool {
        let before = self.member_before(self.tree.len(), Kind::String);
        let Some(before) = before.filter(|_| self.token.on_new_line && self.goes_on_behind(self.token.span.end)) else {
            return false;
        };
        let text = self.lexer_text();
        let indent = |at: usize| {
            let line = &text[text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1)..at];
            line.bytes().all(|b| matches!(b, b' ' | b'\t')).then_some(line)
        };
        let key = self.tree[before].start as usize;
        let is_below = indent(key).is_some() && indent(key) == indent(self.token.span.start);
        if is_below {
            self.open_list_at(before);
        }
        is_below
    }

    /// The index of the member that ends where the node `next` starts, if its value is whole and of this kind.
    fn member_before(&self, next: usize, kind: Kind) -> Option<usize> {
        let object = self.top().node as usize;
        let mut at = object + 1;
        while at < next && (self.tree[at].after as usize) < next {
            at = self.tree[at].after as usize;
        }
        let (key, value) = (self.tree.get(at + 1)?, self.tree.get(at + 2)?);
        let is_member = at + 2 < next && self.tree[at].kind == Kind::Member && key.kind == Kind::String;
        (is_member && value.kind == kind && !value.broken).then_some(at)
    }

    /// Opens a list around the value of this member, which is the last one.
    fn open_list_at(&mut self, member: usize) {
        let list = member + 2;
        let start = self.tree[list].start;
        for entry in &mut self.tree[list..] {
            entry.parent = if entry.parent as usize == member { list as u32 } else { entry.parent + 1 };
            entry.after += 1;
        }
        let after = self.tree.len() as u32 + 1;
        let (parent, kind) = (member as u32, Kind::Array);
        self.tree.insert(list, Entry { start, end: start, parent, after, kind, broken: true, is_part: false });
        self.quiet = false;
        self.report(self.tree[member + 1].span(), SyntaxErrorKind::NeverOpened(Container::Array));
        let object = self.top_mut();
        (object.member, object.state) = (Some(member as u32), State::Colon);
        let opener = Span::empty(start as usize);
        let node = list as u32;
        self.stack.push(Frame {
            container: Container::Array,
            state: State::Value,
            node,
            opener,
            member: None,
            last_child: None,
        });
    }

    /// Whether nothing but strings and commas comes up to a `]`, and the object goes on behind it.
    fn strings_end_in_list(&self) -> bool {
        let mut at = self.token.span.start;
        for _ in 0..MOST_STRINGS {
            match self.lexer.peek(at) {
                Some((closer, b']')) => return self.goes_on_behind(closer + 1),
                Some((comma, b',')) => match self.lexer.peek(comma + 1) {
                    Some((quote, b'"')) => match self.string_end(quote + 1) {
                        Some(end) => at = end,
                        None => return false,
                    },
                    _ => return false,
                },
                _ => return false,
            }
        }
        false
    }

    /// The end of a string whose text starts at `at`, within its line.
    fn string_end(&self, mut at: usize) -> Option<usize> {
        let bytes = self.lexer_text().as_bytes();
        loop {
            match bytes.get(at)? {
                b'"' => return Some(at + 1),
                b'\\' => at += 2,
                b'\n' | b'\r' => return None,
                _ => at += 1,
            }
        }
    }

    /// Whether an object goes on at `at`, behind one of its values: another key comes, or its `}`.
    fn goes_on_behind(&self, at: usize) -> bool {
        match self.lexer.peek(at) {
            Some((_, b'}')) => true,
            Some((comma, b',')) => self.lexer.peek(comma + 1).is_some_and(|(_, b)| b == b'"'),
            _ => false,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::{Value, json};

    use crate::syntax::{Kind, Node, parse};

    /// How many cases the suite has.
    pub(in crate::syntax::parser) const CASES: usize = 9;

    /// A suite with lists and objects on several levels.
    pub(in crate::syntax::parser) fn suite() -> Value {
        let case = |number: usize| {
            let numbers = json!([{ "value": "1", "context_any": ["a", "b"] }, { "value": "2" }]);
            let expected =
                json!({ "must_say_any": ["one", "two, three"], "ui": ["A \"list\"."], "must_ground_numbers": numbers });
            json!({ "id": format!("C{number}"), "setup_prompts": ["a", "b", "c"], "prompt": "p", "expected": expected })
        };
        json!({ "version": "0.2.0", "cases": (0..CASES).map(case).collect::<Vec<_>>() })
    }

    /// The ids of the cases that can be read.
    fn cases(text: &str) -> Vec<String> {
        let parse = parse(text);
        let cases = parse.tree.root(text).and_then(|root| root.get("cases"));
        let cases = cases.filter(|cases| cases.kind() == Kind::Array);
        let ids =
            cases.into_iter().flat_map(Node::elements).filter_map(|case| Some(case.get("id")?.as_str()?.into_owned()));
        ids.collect()
    }

    #[test]
    fn no_lost_bracket_hides_a_case() {
        for text in [serde_json::to_string(&suite()).unwrap(), serde_json::to_string_pretty(&suite()).unwrap()] {
            let all = cases(&text);
            assert_eq!(all.len(), CASES);
            for (at, _) in text.match_indices('[') {
                let without = format!("{}{}", &text[..at], &text[at + 1..]);
                let (found, place) = (cases(&without), &text[at.saturating_sub(30)..at]);
                assert_eq!(found, all, "{place}");
                let count = parse(&without).errors.len();
                assert_eq!(count, 1, "{place}");
            }
        }
    }

    #[test]
    fn what_only_looks_like_such_a_list() {
        for (text, message) in [
            (r#"{"a": "b", "c" }"#, "expected `:` and a value after this key"),
            (r#"{"a": "b", "c", "d": 1}"#, "expected `:` and a value after this key"),
            (r#"{"a": "b", "c", "d"]"#, "expected `:` and a value after this key"),
            (r#"[{"a": "b", "c"], 1]"#, "expected `:` and a value after this key"),
            (r#"{"a": 1, "c"]}"#, "expected `:` and a value after this key"),
            (r#"{"a": "b", "c"]}"#, "expected `[` after this key: its list is never opened"),
            (r#"{"a": {}, {}]}"#, "expected `[` after this key: its list is never opened"),
            (r#"{"a": "b", {}]}"#, "expected a key in double quotes"),
        ] {
            let first = parse(text).errors.first().map(|error| error.kind.to_string());
            assert_eq!(first.as_deref(), Some(message), "{text}");
        }
    }
}
