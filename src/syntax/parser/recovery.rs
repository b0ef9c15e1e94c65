//! How the parser goes on after an error: what it skips, and where it takes a container as ended.
//!
//! Cases are landmarks: after an error in a case, `{ "id":` begins the next one, however many brackets are open, and no bracket ends the
//! list of cases while cases follow. So one wrong bracket hides no other case.

use crate::syntax::lexer::TokenKind;
use crate::syntax::{Container, Kind, SyntaxError, SyntaxErrorKind};
use crate::text::Span;

use super::{LIST_DEPTH, MAX_DEPTH, Parser, State};

impl Parser<'_> {
    /// Reads text in the place of a value that is not a value.
    pub(super) fn no_value(&mut self) {
        let token = self.token;
        let kind = match token.kind {
            TokenKind::Word => SyntaxErrorKind::InvalidLiteral(meant_literal(&self.lexer_text()[token.span.range()])),
            TokenKind::SingleQuoted => SyntaxErrorKind::SingleQuotes,
            TokenKind::Stray(c) => return self.stray_value(c),
            TokenKind::Colon => return self.stray_value(':'),
            TokenKind::Comma => return self.stray_value(','),
            TokenKind::CloseObject => return self.unexpected_closer('}'),
            TokenKind::CloseArray => return self.unexpected_closer(']'),
            _ => SyntaxErrorKind::ExpectedValue,
        };
        self.report(token.span, kind);
        self.quiet = true;
        self.leaf(Kind::Invalid, token.span, true);
        self.advance();
        self.value_is_done();
    }

    pub(super) fn stray_value(&mut self, c: char) {
        self.report(self.token.span, SyntaxErrorKind::UnexpectedCharacter(c));
        self.mark_broken();
        self.advance();
    }

    pub(super) fn unexpected_closer(&mut self, closer: char) {
        self.report(self.token.span, SyntaxErrorKind::UnexpectedCloser(closer));
        self.mark_broken();
        self.advance();
    }

    pub(super) fn skip_too_deep(&mut self) {
        let opener = self.token.span;
        self.report(opener, SyntaxErrorKind::TooDeep);
        let mark = self.lexer.errors.len();
        let mut open = 0_usize;
        loop {
            match self.token.kind {
                TokenKind::OpenObject | TokenKind::OpenArray => open += 1,
                TokenKind::CloseObject | TokenKind::CloseArray => open -= 1,
                TokenKind::End => break,
                _ => {}
            }
            self.advance();
            if open == 0 {
                break;
            }
        }
        self.lexer.errors.truncate(mark);
        self.leaf(Kind::Invalid, Span::new(opener.start, self.previous_end), true);
        self.value_is_done();
        // Where the text ended in there, all that was open still is; that has been said.
        self.quiet = open > 0;
    }

    /// Skips invalid text after a member or an element, up to a token at which parsing can continue.
    pub(super) fn skip_junk(&mut self, container: Container) {
        self.report(self.token.span, SyntaxErrorKind::ExpectedCommaOrEnd(container));
        self.mark_broken();
        let mark = self.lexer.errors.len();
        let mut open = 0_usize;
        loop {
            match self.token.kind {
                TokenKind::OpenObject | TokenKind::OpenArray => open += 1,
                TokenKind::CloseObject | TokenKind::CloseArray if open > 0 => open -= 1,
                TokenKind::End => break,
                TokenKind::Comma | TokenKind::CloseObject | TokenKind::CloseArray if open == 0 => break,
                TokenKind::String if open == 0 && self.is_key() => break,
                _ => {}
            }
            self.advance();
        }
        self.lexer.errors.truncate(mark);
        self.quiet = true;
    }

    pub(super) fn skip_to_next_line(&mut self) {
        self.mark_broken();
        let mark = self.lexer.errors.len();
        loop {
            self.advance();
            if self.token.on_new_line || self.token.kind == TokenKind::End {
                break;
            }
        }
        self.lexer.errors.truncate(mark);
        self.quiet = true;
    }

    /// `]` where an object is open: either the object's `}` is missing, or the bracket is one too many.
    pub(super) fn array_closer_in_object(&mut self) {
        let after = self.lexer.peek(self.token.span.end);
        let goes_on = match after {
            Some((at, b',')) => self.lexer.peek(at + 1).is_some_and(|(_, b)| b == b'"'),
            Some((_, next)) => next == b'}' && self.token.span.end != after.map_or(0, |(at, _)| at),
            None => false,
        };
        self.foreign_closer(Container::Array, ']', !self.token.on_new_line && goes_on);
    }

    /// `}` where an array is open: either the array's `]` is missing, or the brace is one too many.
    pub(super) fn object_closer_in_array(&mut self) {
        let after = self.lexer.peek(self.token.span.end);
        let goes_on = match after {
            Some((at, b',')) => self.lexer.peek(at + 1).is_some_and(|(_, b)| b == b'{'),
            Some((_, next)) => next == b']',
            None => false,
        };
        self.foreign_closer(Container::Object, '}', goes_on);
    }

    /// The closer of a `container` that is not the innermost one.
    fn foreign_closer(&mut self, container: Container, closer: char, is_superfluous: bool) {
        let place = self.stack.iter().rposition(|frame| frame.container == container);
        let Some(place) = place.filter(|_| !is_superfluous) else { return self.unexpected_closer(closer) };
        if self.closer_hides_cases(place, closer) {
            return;
        }
        self.unclosed_before_token();
        while self.top().container != container {
            self.close_unclosed(self.token.span.start);
        }
    }

    /// The innermost container should have ended before this token.
    pub(super) fn unclosed_before_token(&mut self) {
        let frame = self.top();
        let (container, opener) = (frame.container, frame.opener);
        if frame.state == State::Colon {
            self.invalid_value_is_missing();
        }
        self.report_unclosed(container, opener);
        self.close_unclosed(self.token.span.start);
    }

    pub(super) fn report_unclosed(&mut self, container: Container, opener: Span) {
        if !self.quiet {
            let kind = SyntaxErrorKind::Unclosed(container);
            let span = Span::empty(self.previous_end);
            let opened = Some(opener).filter(|opener| !opener.is_empty());
            self.lexer.errors.push(SyntaxError { span, kind, opened });
        }
        self.quiet = true;
    }

    /// Closes the innermost container without its bracket; the white space before `end` is still within it.
    pub(super) fn close_unclosed(&mut self, end: usize) {
        self.previous_end = end;
        self.close_member(true);
        let frame = self.stack.pop().expect("a container is open");
        let after = self.tree.len() as u32;
        let entry = &mut self.tree[frame.node as usize];
        entry.broken = true;
        entry.end = end as u32;
        entry.after = after;
        if !self.stack.is_empty() {
            self.value_is_done();
        }
    }

    /// Whether this `{` begins a case although an earlier case, which has an error, is still open. Then that case is closed.
    pub(super) fn case_begins(&mut self) -> bool {
        let is_possible = self.token.kind == TokenKind::OpenObject && self.stack.len() > LIST_DEPTH;
        if !is_possible || self.top().state == State::Colon || !self.is_in_list_of_cases() {
            return false;
        }
        let case = self.stack[LIST_DEPTH].opener.start;
        let has_error = self.lexer.errors.last().is_some_and(|error| error.span.start >= case);
        if !has_error || !is_case(self.lexer_text().as_bytes(), self.token.span.start) {
            return false;
        }
        self.unclosed_before_token();
        while self.stack.len() > LIST_DEPTH {
            self.close_unclosed(self.token.span.start);
        }
        true
    }

    /// Whether this bracket, taken as the end of the containers from the place `frame` of the stack on, would end the list of cases
    /// although cases follow. Then it is skipped.
    pub(super) fn closer_hides_cases(&mut self, frame: usize, closer: char) -> bool {
        let hides = frame < LIST_DEPTH && self.is_in_list_of_cases() && self.cases_follow();
        if hides {
            self.unexpected_closer(closer);
        }
        hides
    }

    /// Whether a case follows this `]` of the list of cases, which is then not its end: `]}}, { "id":`. No JSON has this.
    pub(super) fn list_goes_on(&self) -> bool {
        if !self.is_at_case() {
            return false;
        }
        let mut at = self.token.span.end;
        for _ in 0..MOST_PASSED {
            match self.lexer.peek(at) {
                Some((next, b']' | b'}' | b',')) => at = next + 1,
                Some((next, b'{')) => return is_case(self.lexer_text().as_bytes(), next),
                _ => return false,
            }
        }
        false
    }

    /// Whether this string, where an element is expected, is a key of an object without its `{`: it is the first key of the element
    /// before, or cases follow.
    pub(super) fn is_in_lost_object(&mut self) -> bool {
        if self.top().state != State::Comma || self.stack.len() >= MAX_DEPTH || !self.is_key() {
            return false;
        }
        let Some(before) = self.top().last_child else { return false };
        if self.is_at_case() && self.cases_follow() {
            return true;
        }
        let at = before as usize;
        let is_object = self.tree[at].kind == Kind::Object && self.tree[at].after as usize > at + 2;
        is_object && self.lexer_text()[self.tree[at + 2].span().range()] == self.lexer_text()[self.token.span.range()]
    }

    /// Opens the object that begins with this key.
    pub(super) fn open_lost_object(&mut self) {
        let start = self.token.span.start;
        self.report(self.token.span, SyntaxErrorKind::NeverOpened);
        self.open(Container::Object, Span::empty(start));
        self.mark_broken();
    }

    /// Whether a case is expected here, or a comma between cases.
    pub(super) fn is_at_case(&self) -> bool {
        self.stack.len() == LIST_DEPTH && self.is_in_list_of_cases()
    }

    fn is_in_list_of_cases(&self) -> bool {
        let container = |at: usize| self.stack.get(at).map(|frame| frame.container);
        container(0) == Some(Container::Object) && container(1) == Some(Container::Array)
    }

    /// Whether a case begins behind this token.
    pub(super) fn cases_follow(&self) -> bool {
        let bytes = self.lexer_text().as_bytes();
        let last = self.last_case.get_or_init(|| {
            memchr::memmem::rfind_iter(bytes, FIRST_KEY)
                .filter_map(|key| bytes[..key].iter().rposition(|byte| !byte.is_ascii_whitespace()))
                .find(|&before| is_case(bytes, before))
                .unwrap_or(0)
        });
        *last > self.token.span.end
    }
}

/// The literal of JSON that a word most likely stands for.
fn meant_literal(word: &str) -> Option<&'static str> {
    match word.to_ascii_lowercase().as_str() {
        "true" | "yes" | "tru" | "ture" => Some("true"),
        "false" | "no" | "fals" | "flase" => Some("false"),
        "null" | "none" | "nil" | "undefined" | "nul" => Some("null"),
        _ => None,
    }
}

/// The first key of a case, with its quotes.
const FIRST_KEY: &[u8] = br#""id""#;

/// How many brackets and commas are passed to find the next case. A case has fewer levels. Without a limit, a long row of brackets
/// would be read again for each of them.
const MOST_PASSED: usize = 16;

/// Whether a case begins at that byte.
fn is_case(bytes: &[u8], at: usize) -> bool {
    let after = |at: usize| bytes[at..].trim_ascii_start();
    bytes[at] == b'{'
        && after(at + 1).strip_prefix(FIRST_KEY).is_some_and(|rest| rest.trim_ascii_start().starts_with(b":"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::syntax::{Node, parse};

    use super::*;

    /// How many cases the suite has.
    const CASES: usize = 9;

    /// A suite with lists and objects on several levels.
    fn suite() -> Value {
        let case = |number: usize| {
            let numbers = json!([{ "value": "1", "context_any": ["a", "b"] }, { "value": "2" }]);
            let expected =
                json!({ "must_say_any": ["one", "two, three"], "ui": ["A \"list\"."], "must_ground_numbers": numbers });
            json!({ "id": format!("C{number}"), "setup_prompts": ["a", "b", "c"], "prompt": "p", "expected": expected })
        };
        json!({ "version": "0.2.0", "cases": (0..CASES).map(case).collect::<Vec<_>>() })
    }

    fn cases(text: &str) -> usize {
        let parse = parse(text);
        let cases = parse.tree.root(text).and_then(|root| root.get("cases"));
        cases
            .into_iter()
            .flat_map(Node::elements)
            .filter(|case| case.kind() == Kind::Object && case.get("id").is_some())
            .count()
    }

    #[test]
    fn one_wrong_bracket_hides_no_other_case() {
        let pretty = serde_json::to_string_pretty(&suite()).unwrap();
        let dense: String = pretty.lines().map(str::trim).collect();
        for text in [pretty, dense] {
            assert_eq!(cases(&text), CASES);
            let first = text.find("[").expect("there is a list") + 1;
            let brackets =
                text.match_indices(['[', ']', '{', '}']).filter(|(at, _)| (first..text.len() - 1).contains(at));
            for (at, bracket) in brackets {
                let (before, after) = text.split_at(at);
                let without = format!("{before}{}", &after[1..]);
                let more = ["[", "]", "{", "}"].map(|more| format!("{before}{more}{after}"));
                for broken in more.iter().chain([&without]) {
                    // Then the cases that follow are JSON, in a list within the list.
                    let next = after.trim_start_matches('[').trim_start();
                    let is_nested = broken[at..].starts_with('[') && is_case(next.as_bytes(), 0);
                    let expected = if is_nested { 0 } else { CASES - 1 };
                    let found = cases(broken);
                    let place = &broken[at.saturating_sub(30)..(at + 30).min(broken.len())];
                    assert!(found >= expected, "{found} cases with a wrong bracket near {bracket}: {place}");
                }
            }
        }
    }

    /// The test takes minutes if the row is read again for each of its brackets.
    #[test]
    fn a_long_row_of_brackets_is_read_once() {
        let row = "]".repeat(1 << 20);
        for text in [
            format!(r#"{{"cases": [{{"id": "a"}}{row}, {{"id": "b"}}]}}"#),
            format!(r#"{{"cases": [{{"id": "a", {row}, {{"id": "b"}}]}}"#),
        ] {
            assert!(!parse(&text).errors.is_empty());
        }
    }

    #[test]
    fn what_is_no_landmark() {
        for (text, errors) in [
            // Valid JSON, and an object with an `id` in a case that has an error.
            (r#"{"cases": [{"id": "a", "x": [{"id": "b"}]}, [{"id": "c"}]]}"#, &[][..]),
            (r#"{"cases": [{"id": "a", "x": {"id": "b"}, }, {"id": "c"}]}"#, &["trailing comma before `}`"]),
            // No case follows.
            (r#"{"cases": [{"id": "a"]}"#, &["expected `}`: the `{` is never closed"]),
            (r#"{"cases": [{"id": "a"}}"#, &["expected `]`: the `[` is never closed"]),
        ] {
            let found: Vec<String> = parse(text).errors.iter().map(|error| error.kind.to_string()).collect();
            assert_eq!(found, errors, "{text}");
        }
    }

    #[test]
    fn an_object_without_its_brace() {
        let text = r#"{"cases": [{"id": "a", "numbers": [{"value": 1}, "value": 2}]}, "id": "b"}]}"#;
        let parse = parse(text);
        let found: Vec<_> = parse.errors.iter().map(|error| (error.kind.to_string(), error.span)).collect();
        let message = "expected `{` before this key: its object is never opened".to_owned();
        assert_eq!(found, [(message.clone(), Span::new(49, 56)), (message, Span::new(64, 68))]);
        assert_eq!(cases(text), 2);
    }
}
