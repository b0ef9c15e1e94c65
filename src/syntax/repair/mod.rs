//! What the author of broken JSON most likely meant: one [`Mistake`] for each slip, with the edits that undo it.
//!
//! `around` looks for text around the document: that is then the only mistake. `plain` is the repair that an error
//! suggests by itself. `near` looks for a sign, a quote or a bracket near the first error that is lost or wrong. Each is tried in this
//! order, and the first one that leaves the fewest errors, and no new one, explains the error. The number of edits that are tried is
//! bounded, so the cost is linear in the text.

mod around;
mod near;
mod plain;

use crate::text::Span;

use super::{SyntaxError, SyntaxErrorKind, parse};
use near::Scene;

/// In a longer text each error has only the repair that it suggests by itself: each edit that is tried costs a parse.
const LONGEST_TEXT: usize = 64 * 1024;

/// One slip of an author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    /// The smallest text at fault, in bytes; empty if something is missing.
    pub(crate) span: Span,
    /// What is wrong, in one sentence without a full stop.
    pub(crate) message: String,
    /// The bracket that is never closed.
    pub(crate) opened: Option<Span>,
    /// What undoes it, the best first.
    pub(crate) repairs: Vec<Repair>,
    /// Whether everything else of the text can be read as if the mistake were not there.
    is_harmless: bool,
}

/// Edits that undo a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Repair {
    /// What they do, as a command.
    pub(crate) title: String,
    /// What to replace, in bytes of the text, and with what.
    pub(crate) edits: Vec<(Span, String)>,
    /// Whether they change only commas or the spelling of a character, and nothing else in the text is in doubt.
    pub(crate) is_safe: bool,
}

impl Mistake {
    fn new(span: Span, message: impl Into<String>) -> Mistake {
        Mistake { span, message: message.into(), opened: None, repairs: Vec::new(), is_harmless: false }
    }

    /// The mistake with a repair, whose edits follow.
    fn titled(mut self, title: &str) -> Mistake {
        self.repairs.push(Repair { title: title.to_owned(), edits: Vec::new(), is_safe: false });
        self
    }

    fn replace(mut self, span: Span, with: impl Into<String>) -> Mistake {
        if let Some(repair) = self.repairs.last_mut() {
            repair.edits.push((span, with.into()));
        }
        self
    }

    fn insert(self, at: usize, text: impl Into<String>) -> Mistake {
        self.replace(Span::empty(at), text)
    }
}

/// The mistakes behind the errors of `text`, in its order.
pub(crate) fn mistakes(text: &str, errors: &[SyntaxError]) -> Vec<Mistake> {
    if errors.is_empty() {
        return Vec::new();
    }
    if let Some(around) = around::conflict(text).or_else(|| around::fence(text)) {
        return vec![around];
    }
    let (mut found, rest) = match explained(text, errors) {
        Some((left, mistake)) => (vec![mistake], &errors[errors.len() - left..]),
        None => (Vec::new(), errors),
    };
    found.extend(rest.iter().map(|error| plain::mistake(text, rest, error)));
    let is_safe = |mistake: &Mistake| mistake.repairs.first().is_some_and(|repair| repair.is_safe);
    if !found.iter().all(|mistake| mistake.is_harmless || is_safe(mistake)) {
        found.iter_mut().flat_map(|mistake| &mut mistake.repairs).for_each(|repair| repair.is_safe = false);
    }
    found
}

/// The mistake behind the first error, and how many of the last errors it leaves.
fn explained(text: &str, errors: &[SyntaxError]) -> Option<(usize, Mistake)> {
    let first = errors.first()?;
    let own = plain::mistake(text, errors, first);
    let tried = |mistake: Mistake| Some((left(text, errors, &mistake.repairs.first()?.edits)?, mistake));
    let is_clear = match &first.kind {
        SyntaxErrorKind::TooMany(_) | SyntaxErrorKind::TextBeforeStart => true,
        SyntaxErrorKind::InvalidNumber(_) => {
            let shown = &text[first.span.range()];
            shown.contains("..") || !shown.ends_with(['.', '-'])
        }
        _ => errors.iter().all(|SyntaxError { kind, .. }| {
            kind.is_local() || matches!(kind, SyntaxErrorKind::InvalidLiteral(Some(_)))
        }),
    };
    if text.len() > LONGEST_TEXT {
        return None;
    }
    if is_clear {
        return tried(own);
    }
    let mut best: Option<(usize, Mistake)> = None;
    for (left, mistake) in Scene::new(text, first).candidates(own.clone()).into_iter().filter_map(tried) {
        if best.as_ref().is_none_or(|(least, _)| left < *least) {
            best = Some((left, mistake));
        }
        if left == 0 {
            return best;
        }
    }
    // A comma explains its error by itself, unless something else explains all of them.
    if first.kind.is_local() { tried(own) } else { best }
}

/// How many errors edits leave; `None` if they leave a new one, or all.
fn left(text: &str, errors: &[SyntaxError], edits: &[(Span, String)]) -> Option<usize> {
    let edited = edited(text, edits);
    let left = parse(&edited).errors;
    let before = errors.len().checked_sub(left.len()).filter(|before| *before > 0)?;
    let from_end = |error: &SyntaxError, text: &str| (error.kind.clone(), text.len().saturating_sub(error.span.start));
    let are_old = left.iter().zip(&errors[before..]).all(|(now, old)| from_end(now, &edited) == from_end(old, text));
    are_old.then_some(left.len())
}

/// The text after edits, which are in order and apart.
fn edited(text: &str, edits: &[(Span, String)]) -> String {
    let mut edited = text.to_owned();
    edits.iter().rev().for_each(|(span, with)| edited.replace_range(span.range(), with));
    edited
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Mistake, edited, mistakes};
    use crate::syntax::parse;
    use crate::text::Span;

    /// The text after the first repair of each mistake.
    fn repaired(text: &str, found: &[Mistake]) -> String {
        let repairs = found.iter().filter_map(|mistake| mistake.repairs.first());
        let mut edits: Vec<&(Span, String)> = repairs.flat_map(|repair| &repair.edits).collect();
        edits.sort_by_key(|(span, _)| *span);
        edited(text, &edits.into_iter().cloned().collect::<Vec<_>>())
    }

    /// Each text is repaired so.
    #[test]
    fn each_strategy_has_an_example() {
        for (text, meant) in [
            ("[\n<<<<<<< HEAD\n1\n=======\n2\n>>>>>>> main\n]", "[\n1\n]"),
            ("```json\n[1]\n```\n", "[1]\n"),
            ("export default [1]", " [1]"),
            ("[1, 2] # both\n", "[1, 2] \n"),
            (r#"{ "a": [1, 2 }"#, r#"{ "a": [1, 2] }"#),
            (r#"{ "a: 1 }"#, r#"{ "a": 1 }"#),
            (r#"{ "a"; 1 }"#, r#"{ "a": 1 }"#),
            ("[1 2]", "[1, 2]"),
        ] {
            let found = mistakes(text, &parse(text).errors);
            assert_eq!(repaired(text, &found), meant, "{found:?}");
            assert_eq!(parse(meant).errors, []);
        }
    }

    proptest! {
        #[test]
        fn each_place_is_one_of_the_text(
            slips in prop::collection::vec((0usize..200, prop::sample::select(vec!["", ",", "]", "}", "[", "{", "\"", "x", "1 "])), 1..12),
        ) {
            let mut text = String::from(
                "{\n  \"evals\": [\n    { \"id\": \"A\", \"prompt\": \"How many?\" },\n    { \"id\": \"B\", \"expected\": { \"must_say_any\": [\"12\"] } }\n  ]\n}\n",
            );
            for (at, with) in slips {
                let at = at % text.len();
                text.replace_range(at..=at, with);
            }
            for mistake in mistakes(&text, &parse(&text).errors) {
                prop_assert!(text.get(mistake.span.start..mistake.span.end).is_some(), "{mistake:?} in {text}");
                if let Some(opened) = mistake.opened {
                    let bracket = text.get(opened.start..opened.end);
                    prop_assert!(matches!(bracket, Some("{" | "[")), "{bracket:?} of {mistake:?} in {text}");
                }
                for (span, _) in mistake.repairs.iter().flat_map(|repair| &repair.edits) {
                    prop_assert!(text.get(span.start..span.end).is_some(), "{mistake:?} in {text}");
                }
            }
        }
    }
}
