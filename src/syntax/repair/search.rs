//! The search among the candidates of the strategies: the one that leaves the least is the repair. Text around the document, or in
//! its place, is the only mistake if there is some. Brackets that are lost, doubled, or of another kind.

use std::borrow::Cow;

use crate::syntax::lexer::{Lexer, Token, TokenKind};
use crate::syntax::repair::scene::Edited;
use crate::syntax::repair::{LONGEST_TEXT, STRATEGIES, plain};
use crate::syntax::{Container, Kind, Node, Parse, SyntaxError, SyntaxErrorKind, parse};
use crate::text::Span;

use super::scene::{Candidate, Scene, lines};
use super::{Mistake, Repair};

/// The mistakes of a text: the one that explains its first error best, and then the errors that are left without it.
pub(super) fn search(text: &str, errors: &[SyntaxError], misfits: &dyn Fn(Node<'_>) -> usize) -> Vec<Mistake> {
    let best = if text.len() > LONGEST_TEXT { None } else { best(text, errors, misfits) };
    let (mut found, current, errors, edited) = match best {
        Some(best) => (vec![best.candidate.into_mistake()], Cow::Owned(best.text), best.errors, best.edited),
        None => (Vec::new(), Cow::Borrowed(text), errors.to_vec(), Edited::default()),
    };
    let rest = errors.iter().map(|error| {
        let candidate = plain::candidate(&current, std::slice::from_ref(error), error);
        candidate.into_mistake().moved(|span| edited.original(span))
    });
    found.extend(rest);
    let is_readable = errors.iter().all(|error| plain::is_safe(&error.kind));
    if !is_readable || !found.iter().all(|mistake| mistake.is_harmless || is_safe(mistake)) {
        found.iter_mut().flat_map(|mistake| &mut mistake.repairs).for_each(|repair| repair.is_safe = false);
    }
    found
}

/// What is wrong with a repaired text; the least is the best.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    errors: usize,
    /// Departures from the suite's shape, and strings that seem to have swallowed structure.
    misfits: usize,
    /// Lines whose indentation does not fit the brackets.
    layout: usize,
}

impl Rank {
    fn of(text: &str, parse: &Parse, misfits: &dyn Fn(Node<'_>) -> usize) -> Rank {
        match parse.tree.root(text).filter(|_| parse.errors.is_empty()) {
            Some(root) => Rank { errors: 0, misfits: misfits(root) + odd_strings(root), layout: faults(text) },
            None => Rank { errors: parse.errors.len(), misfits: 0, layout: 0 },
        }
    }
}

fn is_safe(mistake: &Mistake) -> bool {
    mistake.repairs.first().is_some_and(|repair| repair.is_safe)
}

/// A candidate that was tried, and what it leaves.
#[derive(Clone)]
struct Tried {
    candidate: Candidate,
    text: String,
    edited: Edited,
    errors: Vec<SyntaxError>,
    rank: Rank,
}

impl Tried {
    /// Whether what is left are the last of the errors that were there before, so that no new ones came.
    fn explains(&self, before: &[SyntaxError]) -> bool {
        let rest = &before[before.len() - self.errors.len()..];
        self.errors.iter().map(|error| &error.kind).eq(rest.iter().map(|error| &error.kind))
    }

    fn rank(&self) -> (Rank, usize) {
        (self.rank, self.candidate.cost)
    }
}

/// The candidate that explains the first error best.
fn best(text: &str, errors: &[SyntaxError], misfits: &dyn Fn(Node<'_>) -> usize) -> Option<Tried> {
    let first = errors.first()?;
    let plain = attempt(text, errors, plain::candidate(text, errors, first), misfits);
    if plain.as_ref().is_some_and(|plain| plain.rank == Rank::default() || plain.candidate.is_harmless) {
        return plain;
    }
    let scene = Scene::new(text, first);
    let all = STRATEGIES.into_iter().flat_map(|candidates| candidates(&scene));
    let tried = all.filter_map(|candidate| attempt(text, errors, candidate, misfits));
    let best = tried.chain(plain.clone()).min_by_key(Tried::rank)?;
    // A comma explains its error by itself, unless something else explains all of them.
    let explains_itself = first.kind.is_local() && !best.errors.is_empty();
    if explains_itself { plain } else { best.explains(errors).then_some(best) }
}

/// Tries a candidate; `None` if it does not leave fewer errors.
fn attempt(
    text: &str,
    errors: &[SyntaxError],
    mut candidate: Candidate,
    misfits: &dyn Fn(Node<'_>) -> usize,
) -> Option<Tried> {
    if candidate.edits.is_empty() {
        return None;
    }
    let (edited_text, edited) = Edited::of(text, &candidate.edits);
    let parse = parse(&edited_text);
    if parse.errors.len() >= errors.len() {
        return None;
    }
    let rank = Rank::of(&edited_text, &parse, misfits);
    if let Some(container) = candidate.closes {
        candidate.opened = opener(parse.tree.root(&edited_text)?, container, &candidate);
    }
    Some(Tried { candidate, text: edited_text, edited, errors: parse.errors, rank })
}

/// Where the container opens that a candidate closes.
fn opener(root: Node<'_>, container: Container, candidate: &Candidate) -> Option<Span> {
    let (span, with) = candidate.edits.first()?;
    let at = span.start + with.find(container.closer())?;
    let is_container = |node: &Node<'_>| matches!(node.kind(), Kind::Object | Kind::Array);
    let mut containers = root.descendants().filter(is_container);
    let closed = containers.find(|node| node.span().end == at + 1 && node.text().ends_with(container.closer()))?;
    Some(Span::new(closed.span().start, closed.span().start + 1))
}

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

/// A conflict that a merge left.
pub(super) fn conflict(text: &str) -> Option<Mistake> {
    if !text.contains("<<<<<<<") {
        return None;
    }
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let mut first = None;
    let mut state = 0;
    for line in lines(text) {
        let content = &text[line.range()];
        let is_marker = |mark: &str| content.starts_with(mark);
        let delete = (line, String::new());
        match state {
            0 if is_marker("<<<<<<<") => {
                first.get_or_insert(Span::new(line.start, line.start + content.trim_end().len()));
                state = 1;
            }
            1 if is_marker("|||||||") => state = 2,
            1 | 2 if is_marker("=======") => state = 3,
            3 if is_marker(">>>>>>>") => state = 0,
            0 => continue,
            side => {
                if side != 1 {
                    ours.push(delete.clone());
                }
                if side != 3 {
                    theirs.push(delete);
                }
                continue;
            }
        }
        ours.push((line, String::new()));
        theirs.push((line, String::new()));
    }
    let repair = |title: &str, edits| Repair { title: title.to_owned(), edits, is_safe: false };
    let is_whole = state == 0;
    first.map(|span| Mistake {
        span,
        message: "unresolved merge conflict; keep one side and remove the markers".to_owned(),
        opened: None,
        repairs: if is_whole {
            vec![repair("keep our side", ours), repair("keep their side", theirs)]
        } else {
            Vec::new()
        },
        is_harmless: false,
    })
}

/// A Markdown fence around the document.
pub(super) fn fence(text: &str) -> Option<Mistake> {
    let start = text.len() - text.trim_start().len();
    if !text[start..].starts_with("```") {
        return None;
    }
    let fences = lines(text).filter(|line| text[line.range()].trim_start().starts_with("```"));
    let edits = fences.map(|line| (line, String::new())).collect();
    let end = start + text[start..].find(['\n', '\r']).unwrap_or(text.len() - start);
    Some(Mistake {
        span: Span::new(start, end),
        message: "a Markdown fence is not part of JSON".to_owned(),
        opened: None,
        repairs: vec![Repair { title: "remove the fence".to_owned(), edits, is_safe: false }],
        is_harmless: false,
    })
}

/// A pointer of Git LFS in place of the file.
pub(super) fn pointer(text: &str) -> Option<Mistake> {
    let first = lines(text).next().filter(|_| text.starts_with("version https://git-lfs.github.com/spec/"))?;
    Some(Mistake {
        span: Span::new(0, text[first.range()].trim_end().len()),
        message: "a pointer of Git LFS, not the file; `git lfs pull` fetches the file".to_owned(),
        opened: None,
        repairs: Vec::new(),
        is_harmless: false,
    })
}

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
