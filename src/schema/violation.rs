use crate::text::Span;

use super::SchemaName;

/// A place at which a suite does not have the shape that its schema asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// The smallest text at fault, counted as the node's spans are that was validated.
    pub span: Span,
    /// What is wrong with it.
    pub kind: ViolationKind,
}

/// What can be wrong with a shape.
#[derive(Clone, Debug, PartialEq)]
pub enum ViolationKind {
    /// A value of another type than `expected`, which reads "a string or a number".
    WrongType {
        /// What may stand here.
        expected: String,
        /// What stands here, "an object" for instance.
        found: &'static str,
    },
    /// A number outside of its bounds; says which: "at least 1".
    OutOfBounds(String),
    /// A required key is absent.
    MissingKey {
        /// The key.
        key: String,
        /// Where its member may be inserted: behind the opening brace.
        insert_at: usize,
        /// Whether other members follow there.
        before_members: bool,
    },
    /// A key that nothing reads.
    UnknownKey {
        /// The key.
        key: String,
        /// What was most likely meant.
        meant: Option<Meant>,
    },
    /// A value, or a key that is chosen from a list, that is not in its list.
    UnknownValue {
        /// The value.
        value: String,
        /// The list.
        allowed: Vec<String>,
        /// Which of them was most likely meant.
        meant: Option<String>,
    },
    /// A key, or a value of a list, that the suite's version does not have yet.
    FromLaterVersion {
        /// The key or the value.
        name: String,
        /// The first version that has it.
        since: SchemaName,
    },
}

/// What an unknown key was most likely meant to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meant {
    /// This key.
    Key(String),
    /// The same key, but within the object of this name.
    Within(&'static str),
}
