//! The search among the candidates of the strategies: the one that leaves the least is the repair. Text around the document, or in
//! its place, is the only mistake if there is some.

use std::borrow::Cow;

use crate::syntax::lexer::{Lexer, TokenKind};
use crate::syntax::repair::scene::{Candidate, Edited, Scene};
use crate::syntax::repair::{LONGEST_TEXT, STRATEGIES, plain};
use crate::syntax::{Container, Kind, Node, Parse, SyntaxError, parse};
use crate::text::Span;

use super::scene::lines;
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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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
    fn is_perfect(&self) -> bool {
        self.rank == Rank { errors: 0, misfits: 0, layout: 0 }
    }

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
    if plain.as_ref().is_some_and(|plain| plain.is_perfect() || plain.candidate.is_harmless) {
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
