//! The search among the candidates of the strategies: the one that leaves the least is the repair.

use std::borrow::Cow;

use crate::syntax::{Container, Kind, Node, Parse, SyntaxError, parse};
use crate::text::Span;

use super::candidate::Candidate;
use super::edited::Edited;
use super::scene::Scene;
use super::{MOST_MISTAKES, Mistake, STRATEGIES, indentation, layout, plain};

/// In a longer text that no short one can stand for, indentation is not read, because that takes several parses.
const LONGEST_INDENTED: usize = 4 << 20;

/// The mistakes of a text. Repairs are searched for the first `most` of them, one after the other; if that leaves errors
/// or finds several, all brackets that the indentation closes are tried as well.
pub(super) fn search(
    text: &str,
    errors: &[SyntaxError],
    most: usize,
    misfits: &dyn Fn(Node<'_>) -> usize,
) -> Vec<Mistake> {
    let one_by_one = search_one_by_one(text, errors, most, misfits);
    let rank = |found: &[Mistake]| {
        let repaired = repaired(text, found);
        Rank::of(&repaired, &parse(&repaired), misfits)
    };
    if one_by_one.len() == 1 && rank(&one_by_one).errors == 0 {
        return one_by_one;
    }
    match by_indentation(text, errors, most, misfits) {
        Some(all) if (rank(&all), all.len()) < (rank(&one_by_one), one_by_one.len()) => all,
        _ => one_by_one,
    }
}

/// The brackets that the indentation closes, and the mistakes that are left then; `None` if they leave as many errors.
fn by_indentation(
    text: &str,
    errors: &[SyntaxError],
    most: usize,
    misfits: &dyn Fn(Node<'_>) -> usize,
) -> Option<Vec<Mistake>> {
    if text.len() > LONGEST_INDENTED {
        return None;
    }
    let lost: Vec<_> = indentation::unclosed(text, MOST_MISTAKES).into_iter().map(|it| it.into_mistake()).collect();
    if lost.is_empty() {
        return None;
    }
    let (closed, edited) = after_repairs(text, &lost);
    let left = parse(&closed).errors;
    if left.len() >= errors.len() {
        return None;
    }
    let rest = search_one_by_one(&closed, &left, most, misfits);
    let rest = rest.into_iter().map(|mistake| mistake.moved(|span| edited.original(span)));
    let mut found: Vec<_> = lost.iter().cloned().chain(rest).collect();
    found.sort_by_key(|mistake| mistake.span);
    found.iter_mut().flat_map(|mistake| &mut mistake.repairs).for_each(|repair| repair.is_safe = false);
    Some(found)
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
            Some(root) => {
                Rank { errors: 0, misfits: misfits(root) + layout::odd_strings(root), layout: layout::faults(text) }
            }
            None => Rank { errors: parse.errors.len(), misfits: 0, layout: 0 },
        }
    }
}

/// The text after the first repair of each mistake.
pub(super) fn repaired(text: &str, found: &[Mistake]) -> String {
    after_repairs(text, found).0
}

fn after_repairs(text: &str, found: &[Mistake]) -> (String, Edited) {
    let repairs = found.iter().filter_map(|mistake| mistake.repairs.first());
    let mut edits: Vec<&(Span, String)> = repairs.flat_map(|repair| &repair.edits).collect();
    edits.sort_by_key(|(span, _)| *span);
    Edited::of(text, edits)
}

/// The mistakes of a text, each searched in the text without those before it.
fn search_one_by_one(
    text: &str,
    errors: &[SyntaxError],
    most: usize,
    misfits: &dyn Fn(Node<'_>) -> usize,
) -> Vec<Mistake> {
    let mut found = Vec::new();
    let mut current = Cow::Borrowed(text);
    let mut errors = Cow::Borrowed(errors);
    // Edits go from left to right, so each leaves the places before it.
    let mut edited = Edited::default();
    while found.len() < most && !errors.is_empty() {
        let Some(best) = best(&current, &errors, edited.end(), misfits) else { break };
        found.push(best.candidate.into_mistake().moved(|span| edited.original(span)));
        edited.then(&best.edited);
        current = Cow::Owned(best.text);
        errors = Cow::Owned(best.errors);
    }
    let rest = errors.iter().map(|error| {
        let candidate = plain::candidate(&current, std::slice::from_ref(error), error);
        candidate.into_mistake().moved(|span| edited.original(span))
    });
    found.extend(rest);
    let is_readable = errors.is_empty() || errors.iter().all(|error| plain::is_safe(&error.kind));
    if !is_readable || !found.iter().all(|mistake| mistake.is_harmless || is_safe(mistake)) {
        found.iter_mut().flat_map(|mistake| &mut mistake.repairs).for_each(|repair| repair.is_safe = false);
    }
    found
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
fn best(text: &str, errors: &[SyntaxError], floor: usize, misfits: &dyn Fn(Node<'_>) -> usize) -> Option<Tried> {
    let first = errors.first()?;
    let plain = attempt(text, errors, floor, plain::candidate(text, errors, first), misfits);
    if plain.as_ref().is_some_and(|plain| plain.is_perfect() || plain.candidate.is_harmless) {
        return plain;
    }
    let scene = Scene::new(text, first);
    let all = STRATEGIES.into_iter().flat_map(|candidates| candidates(&scene));
    let tried = all.filter_map(|candidate| attempt(text, errors, floor, candidate, misfits));
    let best = tried.chain(plain.clone()).min_by_key(Tried::rank)?;
    // A comma explains its error by itself, unless something else explains all of them.
    let explains_itself = first.kind.is_local() && !best.errors.is_empty();
    if explains_itself { plain } else { best.explains(errors).then_some(best) }
}

/// Tries a candidate; `None` if it does not leave fewer errors, or edits what is before `floor`, where earlier edits end.
fn attempt(
    text: &str,
    errors: &[SyntaxError],
    floor: usize,
    mut candidate: Candidate,
    misfits: &dyn Fn(Node<'_>) -> usize,
) -> Option<Tried> {
    if candidate.edits.is_empty() || candidate.edits.iter().any(|(span, _)| span.start < floor) {
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
