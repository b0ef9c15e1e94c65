//! Brackets that are lost, doubled, or of another kind.

use crate::syntax::lexer::{Token, TokenKind};
use crate::syntax::{Container, SyntaxErrorKind};
use crate::text::Span;

use super::scene::{Candidate, Scene};
use super::search::{indent_at, line_indent};

/// How many tokens before an error a bracket may be lost. Each is tried by parsing again.
const BEFORE: usize = 10;
/// How many lines between an open bracket and an error are places for its end. Each is tried by parsing again.
const MOST_LINES: usize = 24;

const BOTH: [Container; 2] = [Container::Object, Container::Array];

pub(super) fn candidates(scene: &Scene<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for token in scene.around(BEFORE, 3) {
        other(scene, token, &mut found);
        lost_opener(token, &mut found);
        for container in BOTH {
            close_behind(scene, token.span.end, container, 8, &mut found);
        }
    }
    value_before(scene).into_iter().for_each(|token| lost_opener(token, &mut found));
    let opener = scene.error.opened.and_then(|opened| scene.tokens.iter().find(|token| token.span == opened));
    opener.into_iter().for_each(|token| other(scene, token, &mut found));
    lost_closer(scene, &mut found);
    found
}

/// A bracket that should be another one, or none.
fn other(scene: &Scene<'_>, token: &Token, found: &mut Vec<Candidate>) {
    use TokenKind::*;
    let shown = scene.str(token.span);
    let meant: &[&str] = match token.kind {
        CloseArray | CloseObject | Stray(')' | '>' | '］' | '｝') => &["]", "}"],
        OpenArray | OpenObject | Stray('(' | '<' | '［' | '｛') => &["[", "{"],
        _ => return,
    };
    for bracket in meant.iter().filter(|bracket| **bracket != shown) {
        let message = format!("expected `{bracket}`, found `{shown}`");
        let candidate = Candidate::new(token.span, message, format!("replace with `{bracket}`"));
        found.push(candidate.replace(token.span, *bracket).cost(4));
    }
    let message = format!("unexpected `{shown}`");
    found.push(Candidate::new(token.span, message, "remove the bracket").replace(token.span, "").cost(6));
}

/// The opening bracket of the value before the error, if a comma is between them: a list without its `[` reads like the
/// value of a key, and the error is at its second element.
fn value_before<'a>(scene: &'a Scene<'_>) -> Option<&'a Token> {
    let comma = scene.index.checked_sub(1)?;
    let before = scene.tokens.get(..comma).filter(|_| scene.tokens[comma].kind == TokenKind::Comma)?;
    let mut depth = 0_usize;
    before.iter().rev().find(|token| {
        match token.kind {
            TokenKind::CloseObject | TokenKind::CloseArray => depth += 1,
            TokenKind::OpenObject | TokenKind::OpenArray => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })
}

/// An opening bracket before this token.
fn lost_opener(token: &Token, found: &mut Vec<Candidate>) {
    if matches!(token.kind, TokenKind::Comma | TokenKind::Colon) {
        return;
    }
    let at = token.span.start;
    for container in BOTH {
        let opener = container.opener();
        let message = format!("expected `{opener}` before this");
        let candidate = Candidate::new(token.span, message, format!("insert `{opener}`"));
        found.push(candidate.insert(at, opener).cost(7));
    }
}

/// A closing bracket at `at`, with the comma that the next member or element needs.
fn close_behind(scene: &Scene<'_>, at: usize, container: Container, cost: usize, found: &mut Vec<Candidate>) {
    let closer = container.closer();
    let candidate = || {
        let kind = SyntaxErrorKind::Unclosed(container);
        Candidate::of(&kind, Span::empty(at), format!("insert `{closer}`")).closes(container)
    };
    found.push(candidate().insert(at, closer).cost(cost));
    let next = scene.text[at..].trim_start();
    if next.starts_with(['"', '{', '[']) {
        found.push(candidate().insert(at, format!("{closer},")).cost(cost + 1));
    }
    if let Some(rest) = next.strip_prefix(',')
        && rest.trim_start().starts_with([']', '}'])
    {
        let comma = scene.text.len() - next.len();
        found.push(candidate().insert(at, closer).replace(Span::new(comma, comma + 1), "").cost(cost + 3));
    }
}

/// The ends of lines behind which indentation goes back: where a container that is open may have ended.
fn lost_closer(scene: &Scene<'_>, found: &mut Vec<Candidate>) {
    let mut stack: Vec<(Container, Span)> = Vec::new();
    let upto = scene.tokens.iter().take_while(|token| token.span.start <= scene.at().max(scene.error.span.end));
    let mut ends: Vec<(usize, Container)> = Vec::new();
    let mut previous: Option<Token> = None;
    for token in upto.copied().chain([end_of(scene)]) {
        let is_first = token.on_new_line || token.kind == TokenKind::End;
        let indent = if token.kind == TokenKind::End { 0 } else { indent_at(scene.text, token.span.start) };
        if let (true, Some(previous)) = (is_first, previous) {
            let closes = matches!(token.kind, TokenKind::CloseObject | TokenKind::CloseArray);
            // The containers that are open although a line goes back to their own indentation.
            let open = stack.iter().rev().enumerate().filter(|(_, (_, opener))| {
                let own = line_indent(scene.text, opener.start);
                indent < own || (indent == own && !closes)
            });
            let last = open.map(|(_, (container, opener))| (*container, *opener)).next();
            if let Some((container, _)) = last {
                let end = if previous.kind == TokenKind::Comma { previous.span.start } else { previous.span.end };
                ends.push((end, container));
            }
        }
        match token.kind {
            TokenKind::OpenObject => stack.push((Container::Object, token.span)),
            TokenKind::OpenArray => stack.push((Container::Array, token.span)),
            TokenKind::CloseObject | TokenKind::CloseArray => {
                stack.pop();
            }
            _ => {}
        }
        previous = Some(token);
    }
    ends.dedup();
    for (at, container) in ends.into_iter().take(MOST_LINES) {
        close_behind(scene, at, container, 5, found);
    }
}

fn end_of(scene: &Scene<'_>) -> Token {
    Token {
        kind: TokenKind::End,
        span: Span::empty(scene.text.len()),
        broken: false,
        unclosed: false,
        on_new_line: true,
    }
}
