//! Cuts distant elements out of a long text: a repair is searched in the short text that is left.

use crate::syntax::SyntaxError;
use crate::syntax::lexer::{Lexer, TokenKind};
use crate::text::Span;

/// The number of bytes on each side of an error that stay.
const REACH: usize = 4 * 1024;
/// The number of errors that stay. One mistake can cause an error in each case.
const MOST_ERRORS: usize = 6;

/// A text without elements that are whole and far from the errors.
pub(super) struct Window {
    pub(super) text: String,
    cuts: Vec<Cut>,
}

struct Cut {
    /// Its place in the short text.
    at: usize,
    /// Its length in the long text.
    length: usize,
}

impl Window {
    /// The window around the errors of `text`.
    pub(super) fn around(text: &str, errors: &[SyntaxError]) -> Window {
        let near = errors.iter().take(MOST_ERRORS).chain(errors.last());
        let spans = near.flat_map(|error| [Some(error.span), error.opened]).flatten();
        let kept: Vec<Span> =
            spans.map(|span| Span::new(span.start.saturating_sub(REACH), span.end.saturating_add(REACH))).collect();
        let is_kept = |cut: Span| kept.iter().any(|kept| kept.start < cut.end && cut.start < kept.end);
        let mut short = String::new();
        let mut cuts = Vec::new();
        let mut at = 0;
        for cut in elements(text, is_kept) {
            short.push_str(&text[at..cut.start]);
            cuts.push(Cut { at: short.len(), length: cut.len() });
            at = cut.end;
        }
        short.push_str(&text[at..]);
        Window { text: short, cuts }
    }

    /// The place in the long text of a place in the short one.
    pub(super) fn original(&self, offset: usize) -> usize {
        offset + self.cuts.iter().take_while(|cut| cut.at < offset).map(|cut| cut.length).sum::<usize>()
    }

    /// The place in the long text of a span in the short one.
    pub(super) fn original_span(&self, span: Span) -> Span {
        let start = self.original(span.start);
        Span::new(start, if span.is_empty() { start } else { self.original(span.end) })
    }
}

/// The largest elements of arrays that may be cut, each with its comma and the white space after it, in order.
fn elements(text: &str, is_kept: impl Fn(Span) -> bool) -> Vec<Span> {
    let mut lexer = Lexer::new(text);
    let mut found: Vec<Span> = Vec::new();
    // The start of each open container, if it is an element of an array.
    let mut open: Vec<Option<usize>> = Vec::new();
    let mut is_element = false;
    let (mut closed, mut ended) = (None, None);
    loop {
        let token = lexer.next();
        if let Some(start) = ended.take() {
            let cut = Span::new(start, token.span.start);
            if !is_kept(cut) {
                while found.last().is_some_and(|inner| inner.start >= start) {
                    found.pop();
                }
                found.push(cut);
            }
        }
        let before = closed.take();
        match token.kind {
            TokenKind::End => return found,
            TokenKind::OpenObject | TokenKind::OpenArray => open.push(is_element.then_some(token.span.start)),
            TokenKind::CloseObject | TokenKind::CloseArray => closed = open.pop().flatten(),
            TokenKind::Comma => ended = before,
            _ => {}
        }
        is_element = matches!(token.kind, TokenKind::OpenArray | TokenKind::Comma);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::misfits;
    use crate::syntax::{Mistake, mistakes, parse};

    /// A suite of this many cases, of which each is about 400 bytes long.
    fn suite(cases: usize) -> String {
        let case = |number: usize| {
            format!(
                "    {{\n      \"id\": \"A{number}\",\n      \"prompt\": \"{}\",\n      \"expected\": {{\n        \
                 \"tool_calls_any\": [\"find\", \"book\"],\n        \"must_say_any\": [\"x\"]\n      }}\n    }}",
                "Find it. ".repeat(30)
            )
        };
        let cases: Vec<_> = (0..cases).map(case).collect();
        format!(
            "{{\n  \"name\": \"long\",\n  \"integration_baseline\": {{\n    \"crm\": {{ \"open\": 12 }}\n  }},\n  \
             \"cases\": [\n{}\n  ],\n  \"description\": \"The last key.\"\n}}\n",
            cases.join(",\n")
        )
    }

    /// The mistakes of a long suite after one replacement, and the text after the first repair of each.
    fn repaired(from: &str, to: &str) -> (String, Vec<Mistake>, String) {
        let whole = suite(400);
        assert!(whole.len() > 100 * 1024 && whole.matches(from).count() == 1, "{from}");
        let broken = whole.replacen(from, to, 1);
        let found = mistakes(&broken, &parse(&broken).errors, &|root| misfits(root, false));
        let mut text = broken.clone();
        let mut edits: Vec<_> =
            found.iter().filter_map(|mistake| mistake.repairs.first()).flat_map(|it| &it.edits).collect();
        edits.sort_by_key(|(span, _)| *span);
        for (span, with) in edits.into_iter().rev() {
            text.replace_range(span.range(), with);
        }
        (broken, found, text)
    }

    #[test]
    fn a_mistake_outside_of_the_cases_of_a_long_suite_is_repaired() {
        for (from, to, at) in [
            ("12 }\n  },", "12 }\n  ,", "\n  ,"),
            ("\n  ],\n", "\n  ,\n", "\n  ,\n  \"desc"),
            ("\"cases\": [\n", "\"cases\": \n", "{\n      \"id\": \"A0\""),
            ("\"name\": \"long\"", "\"name\": \"long", "\"long"),
            ("\"name\": \"long\"", "\"name\": “long”", "“long”"),
            ("\"description\": ", "description\": ", "description\": "),
        ] {
            let (broken, found, text) = repaired(from, to);
            assert_eq!(found.len(), 1, "{to}: {found:?}");
            assert_eq!(parse(&text).errors, [], "{to}: {found:?}");
            let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
            assert_eq!(value(&text), value(&suite(400)), "{to}");
            let expected = broken.find(at).unwrap();
            let distance = found[0].span.start.abs_diff(expected);
            assert!(distance <= 24, "{to}: {} instead of {expected}", found[0].span.start);
        }
    }

    #[test]
    fn two_distant_mistakes_are_two_findings() {
        let whole = suite(400).replacen("\"name\": \"long\"", "\"name\": \"long", 1);
        let broken = whole.replacen("\n  ],\n", "\n  ,\n", 1);
        let found = mistakes(&broken, &parse(&broken).errors, &|root| misfits(root, false));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[1].span.start > 100_000, "{found:?}");
    }

    #[test]
    fn places_are_those_of_the_long_text() {
        let text = suite(400);
        let at = text.find("description").unwrap();
        let error = SyntaxError { span: Span::empty(at), ..parse("[").errors.remove(0) };
        let window = Window::around(&text, &[SyntaxError { opened: None, ..error }]);
        assert!(window.text.len() < 16 * 1024, "{}", window.text.len());
        assert_eq!(window.original(window.text.find("description").unwrap()), at);
        assert_eq!(window.original(4), 4);
        assert_eq!(parse(&window.text).errors, []);
    }
}
