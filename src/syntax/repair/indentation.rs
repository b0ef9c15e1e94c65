//! Brackets that are never closed, all at once, by the indentation alone: a container ends before the first line that is
//! not indented more than the line on which it opens.

use crate::syntax::lexer::{Lexer, Token, TokenKind};
use crate::syntax::{Container, MAX_DEPTH, SyntaxErrorKind};
use crate::text::Span;

use super::candidate::Candidate;
use super::layout::indent_at;

/// The repairs for the containers that are open where the indentation ends them, in the order of the text. Empty if the
/// brackets do not follow the indentation, if there are more than `most`, or if too many are open at once.
pub(super) fn unclosed(text: &str, most: usize) -> Vec<Candidate> {
    let mut brackets = Brackets { text, open: Vec::new(), lost: Vec::new(), previous: None, indent: 0 };
    let mut lexer = Lexer::new(text);
    loop {
        let token = lexer.next();
        if !brackets.take(token) || brackets.lost.len() > most {
            return Vec::new();
        }
        if token.kind == TokenKind::End {
            return brackets.lost;
        }
    }
}

struct Open {
    container: Container,
    opener: Span,
    /// The indentation of the opener's line.
    indent: usize,
}

struct Brackets<'a> {
    text: &'a str,
    open: Vec<Open>,
    lost: Vec<Candidate>,
    previous: Option<Token>,
    /// The indentation of the current line.
    indent: usize,
}

impl Brackets<'_> {
    /// Takes the next token. Returns false if it contradicts the indentation.
    fn take(&mut self, token: Token) -> bool {
        let is_first = token.on_new_line || token.span.start == 0;
        let mut fits = self.open.len() <= MAX_DEPTH;
        if is_first {
            self.indent = indent_at(self.text, token.span.start);
        }
        match token.kind {
            TokenKind::End => {
                // A text that ends within several containers is cut off, which is one mistake.
                fits &= self.open.len() < 2;
                self.end_all_but(0, token);
            }
            TokenKind::CloseObject => fits &= self.close(Container::Object, token),
            TokenKind::CloseArray => fits &= self.close(Container::Array, token),
            TokenKind::Comma | TokenKind::Colon => {}
            _ if is_first => {
                self.end_all_but(self.open.partition_point(|open| open.indent < self.indent), token);
            }
            _ => {}
        }
        let container = match token.kind {
            TokenKind::OpenObject => Some(Container::Object),
            TokenKind::OpenArray => Some(Container::Array),
            _ => None,
        };
        if let Some(container) = container {
            self.open.push(Open { container, opener: token.span, indent: self.indent });
        }
        self.previous = Some(token);
        fits
    }

    /// Closes the container that this bracket belongs to. Those within it are lost.
    fn close(&mut self, container: Container, token: Token) -> bool {
        let is_kind = |open: &Open| open.container == container;
        let is_here = |open: &Open| is_kind(open) && open.indent == self.indent;
        let by_indent = || token.on_new_line.then(|| self.open.iter().rposition(is_here)).flatten();
        let by_kind = || self.open.iter().rposition(is_kind);
        let Some(closed) = by_indent().or_else(by_kind) else { return false };
        self.end_all_but(closed + 1, token);
        self.open.pop();
        true
    }

    /// Ends all open containers but the outermost `count`, before `next`.
    fn end_all_but(&mut self, count: usize, next: Token) {
        let Some(previous) = self.previous else { return };
        let closes = matches!(next.kind, TokenKind::CloseObject | TokenKind::CloseArray | TokenKind::End);
        let has_comma = previous.kind == TokenKind::Comma;
        let at = if has_comma { previous.span.start } else { previous.span.end };
        while self.open.len() > count {
            let Some(Open { container, opener, .. }) = self.open.pop() else { return };
            let is_outermost = self.open.len() == count;
            let comma = if is_outermost && !closes && !has_comma { "," } else { "" };
            let closer = container.closer();
            let kind = SyntaxErrorKind::Unclosed(container);
            let candidate = Candidate::of(&kind, Span::empty(at), format!("insert `{closer}`"));
            let candidate = candidate.insert(at, format!("{closer}{comma}"));
            self.lost.push(Candidate { opened: Some(opener), ..candidate });
        }
    }
}

#[cfg(test)]
#[test]
fn example() {
    super::tests::repairs("[\n  [\n    1,\n    [\n      2\n  3\n]", "[\n  [\n    1,\n    [\n      2]],\n  3\n]");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without limits on time: with quadratic work this would take minutes.
    #[test]
    fn deep_nesting_on_one_line_takes_linear_time() {
        for text in ["[".repeat(2_000_000), "[".repeat(1_000_000) + &"]".repeat(1_000_000)] {
            assert!(unclosed(&text, 6).is_empty());
        }
        let wide = format!("{{\n  \"a\": {}\n", "[]".repeat(500_000));
        assert_eq!(unclosed(&wide, 6).len(), 1);
    }
}
