use crate::text::Span;

use super::SchemaName;

/// A place in a suite that violates the schema.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Violation {
    /// The smallest text at fault. Its origin is that of the validated node's spans.
    pub(crate) span: Span,
    /// The kind of violation.
    pub(crate) kind: ViolationKind,
}

impl Violation {
    /// Whether it is a key or value that a later version of the schema has.
    pub(crate) fn is_of_later_version(&self) -> bool {
        matches!(self.kind, ViolationKind::FromLaterVersion { .. })
    }
}

/// The kinds of violations.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ViolationKind {
    /// A value of the wrong type.
    WrongType {
        /// The valid types, for example "a string or a number".
        expected: String,
        /// The type of the value, for example "an object".
        found: &'static str,
    },
    /// A number outside of its bounds, for example "at least 1".
    OutOfBounds(String),
    /// A required key is absent.
    MissingKey {
        /// The key.
        key: String,
        /// The offset at which the member can be inserted: after the opening brace.
        insert_at: usize,
        /// Whether other members follow.
        before_members: bool,
    },
    /// A key that is ignored.
    UnknownKey {
        /// The key.
        key: String,
        /// The most likely intention.
        meant: Option<Meant>,
    },
    /// A value, or a key from a closed list, that is not in its list.
    UnknownValue {
        /// The value.
        value: String,
        /// The list.
        allowed: Vec<String>,
        /// The most likely intended value of the list.
        meant: Option<String>,
    },
    /// A key, or a value of a list, that is newer than the suite's version.
    FromLaterVersion {
        /// The key or the value.
        name: String,
        /// The first version that has it.
        since: SchemaName,
    },
}

/// The most likely intention of an unknown key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meant {
    /// This key.
    Key(String),
    /// The same key, in the object of this name.
    Within(&'static str),
}
