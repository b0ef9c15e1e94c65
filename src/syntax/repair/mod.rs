//! What the author of broken JSON most likely meant: one [`Mistake`] for each slip, with the edits that undo it.
//!
//! [`mistakes`] is the one entry. Each kind of slip is a strategy, with an example in the tests:
//!
//! 1. `around` looks for text around the document, or in its place. What it finds is the only mistake.
//! 2. `plain` is the repair that the error suggests by itself. If it leaves nothing wrong, it is taken.
//! 3. [`STRATEGIES`] propose edits near the first error. `search` tries each, and takes the one that leaves the fewest errors, the
//!    fewest departures from the suite's shape and the cleanest indentation. The errors that it removes belong to one mistake.
//!    Each error that is left has the repair that it suggests by itself, until it is the first one.
//!
//! A strategy knows nothing of the others and of the search. The number of edits that are tried is bounded, so the cost is linear in the text.

mod plain;
mod quotes;
mod scene;
mod search;

use crate::text::Span;

use super::{Node, SyntaxError, SyntaxErrorKind};
use scene::{Candidate, Scene};
use search::search;

/// What proposes edits that may undo the slip behind an error.
type Strategy = fn(&Scene<'_>) -> Vec<Candidate>;

/// The strategies that look near an error. Of two equal repairs, that of the earlier one is taken.
const STRATEGIES: [Strategy; 7] = [
    plain::comments,
    quotes::numbers,
    quotes::words,
    plain::prose,
    plain::candidates,
    quotes::candidates,
    search::candidates,
];

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
    pub(crate) is_harmless: bool,
}

impl Mistake {
    /// The same mistake, each of its spans moved.
    fn moved(mut self, to: impl Fn(Span) -> Span) -> Mistake {
        self.span = to(self.span);
        // A bracket that a repair inserted has no place in the text before.
        self.opened = self.opened.map(&to).filter(|opened| !opened.is_empty());
        for (span, _) in self.repairs.iter_mut().flat_map(|repair| &mut repair.edits) {
            *span = to(*span);
        }
        self
    }
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

/// The mistakes behind the errors of `text`, in its order. `misfits` counts the departures from the shape that the
/// text should have.
pub(crate) fn mistakes(text: &str, errors: &[SyntaxError], misfits: &dyn Fn(Node<'_>) -> usize) -> Vec<Mistake> {
    if errors.is_empty() {
        return Vec::new();
    }
    if let [error @ SyntaxError { kind: SyntaxErrorKind::TooMany(_), .. }] = errors {
        return vec![plain::candidate(text, errors, error).into_mistake()];
    }
    // A number beyond a double is one of JSON's, so nothing else is meant.
    if errors.iter().all(|error| error.kind == SyntaxErrorKind::NumberTooLarge) {
        return errors.iter().map(|error| plain::candidate(text, errors, error).into_mistake()).collect();
    }
    if let Some(around) = search::conflict(text).or_else(|| search::fence(text)).or_else(|| search::pointer(text)) {
        return vec![around];
    }
    search(text, errors, misfits)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::scene::Edited;
    use super::{Mistake, mistakes};
    use crate::syntax::parse;
    use crate::text::Span;

    /// The text after the first repair of each mistake.
    fn repaired(text: &str, found: &[Mistake]) -> String {
        let repairs = found.iter().filter_map(|mistake| mistake.repairs.first());
        let mut edits: Vec<&(Span, String)> = repairs.flat_map(|repair| &repair.edits).collect();
        edits.sort_by_key(|(span, _)| *span);
        Edited::of(text, edits).0
    }

    /// Each text is repaired so.
    #[test]
    fn each_strategy_has_an_example() {
        for (text, meant) in [
            ("[\n<<<<<<< HEAD\n1\n=======\n2\n>>>>>>> main\n]", "[\n1\n]"),
            ("```json\n[1]\n```\n", "[1]\n"),
            ("export default [1];", "[1]"),
            ("[\n+ 1\n]", "[\n 1\n]"),
            ("[1, 2] # both\n", "[1, 2]\n"),
            (r#"{ "a": 1, "b": None }"#, r#"{ "a": 1 }"#),
            (r#"{ "a": 08 }"#, r#"{ "a": 8 }"#),
            (r#"{ "a": [1, 2 }"#, r#"{ "a": [1, 2] }"#),
            (r#"{ "a: 1 }"#, r#"{ "a": 1 }"#),
            (r#"{ "a"; 1 }"#, r#"{ "a": 1 }"#),
            ("[1 2]", "[1, 2]"),
        ] {
            let found = mistakes(text, &parse(text).errors, &|_| 0);
            assert_eq!(repaired(text, &found), meant, "{found:?}");
            assert_eq!(parse(meant).errors, []);
        }
    }

    #[test]
    fn a_pointer_of_git_lfs_is_the_only_mistake() {
        let text = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n";
        let found = mistakes(text, &parse(text).errors, &|_| 0);
        let [mistake] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((mistake.span, mistake.repairs.len()), (Span::new(0, 42), 0), "{mistake:?}");
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
            for mistake in mistakes(&text, &parse(&text).errors, &|_| 0) {
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
