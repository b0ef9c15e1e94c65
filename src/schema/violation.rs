use std::collections::HashSet;

use crate::syntax::{Kind, Node};
use crate::text::Span;

use super::SchemaName;
use super::shape::Shape;

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

/// The number of violations of the newest schema in a suite or, if `is_case`, in a case. This is faster and coarser than the
/// validator: it ranks the candidates of a repair.
pub(crate) fn misfits(root: Node<'_>, is_case: bool) -> usize {
    let version = SchemaName::V0_3;
    let shape = if is_case { Shape::case(version) } else { Shape::suite(version) };
    let elsewhere: HashSet<&str> = [Shape::case(version), Shape::suite(version)]
        .into_iter()
        .chain(Shape::case(version).key("expected"))
        .flat_map(|shape| shape.keys().map(|key| key.name))
        .collect();
    count(root, shape, &elsewhere)
}

fn count(node: Node<'_>, shape: Shape, elsewhere: &HashSet<&str>) -> usize {
    if !shape.accepts_type_of(node) {
        return 2;
    }
    match node.kind() {
        Kind::Array => {
            let Some(element) = shape.element() else { return 0 };
            node.elements().map(|node| count(node, element, elsewhere)).sum()
        }
        Kind::Object => members(node, shape, elsewhere),
        Kind::String if shape.values().next().is_some() => {
            let text = node.as_str().unwrap_or_default();
            usize::from(!shape.values().any(|(value, _)| value == text))
        }
        _ => 0,
    }
}

fn members(object: Node<'_>, shape: Shape, elsewhere: &HashSet<&str>) -> usize {
    let mut keys = HashSet::new();
    let mut found = 0;
    for member in object.members() {
        let Some(key) = member.key.as_str() else { continue };
        let known = shape.key(&key);
        let is_misplaced = known.is_none() && (shape.is_closed() || elsewhere.contains(&*key) || !is_plain(&key));
        found += usize::from(is_misplaced && shape.keys().next().is_some());
        if let (Some(shape), Some(value)) = (known, member.value) {
            found += count(value, shape, elsewhere);
        }
        found += usize::from(!keys.insert(key));
    }
    found + shape.keys().filter(|key| key.is_required && !keys.contains(key.name)).count()
}

/// Whether a key looks like a name rather than like text.
fn is_plain(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.'))
}
