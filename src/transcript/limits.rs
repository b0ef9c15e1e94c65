//! What a transcript and an answer of a program may have: a text of a few bytes can take a hundred times as much memory.

use std::collections::HashSet;

use crate::diagnostic::quoted;
use crate::syntax::{Kind, Node};
use crate::text::Span;

/// The most events of an answer. A chatty agent logs some thousands.
const MOST_EVENTS: usize = 100_000;

/// The most values of an answer, those within others included. Five for each event, and a value takes about 100 bytes: 50 MB.
const MOST_VALUES: usize = 500_000;

/// Why an answer that is JSON is not read: a fragment without its subject.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Excess {
    /// It has too many values.
    #[error("has more than {MOST_VALUES} values; shorten its telemetry")]
    Values,
    /// It has too many events.
    #[error("has more than {MOST_EVENTS} events; shorten its telemetry")]
    Events,
    /// Readers of JSON disagree on which of two equal keys counts.
    #[error("has the key {} twice in one object; name each key once", quoted(.0))]
    RepeatedKey(String),
}

/// Checks an answer, and returns where it has too much.
///
/// # Errors
/// If it has too many values or events, or an object with two equal keys.
pub(crate) fn within_limits(root: Node<'_>) -> Result<(), (Span, Excess)> {
    let start = Span::empty(root.span().start);
    let values = root.descendants().filter(|node| node.kind() != Kind::Member).take(MOST_VALUES + 1);
    if values.count() > MOST_VALUES {
        return Err((start, Excess::Values));
    }
    let events = root.get("telemetry").into_iter().flat_map(Node::elements).take(MOST_EVENTS + 1);
    if events.count() > MOST_EVENTS {
        return Err((start, Excess::Events));
    }
    for object in root.descendants().filter(|node| node.kind() == Kind::Object) {
        let mut keys = HashSet::new();
        for member in object.members() {
            let Some(key) = member.key.as_str() else { continue };
            if let Some(key) = keys.replace(key) {
                return Err((member.key.span(), Excess::RepeatedKey(key.into_owned())));
            }
        }
    }
    Ok(())
}
