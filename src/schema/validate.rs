//! Where a suite violates its schema, and what it meant.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::syntax::{Kind, Member, Node};
use crate::text::Span;

use super::shape::Shape;
use super::{SchemaName, meant};

/// The violations of the schema of `version` in an element of `cases`.
///
/// Nodes with a syntax error in their text are ignored: the error is reported already.
pub(crate) fn case_violations(case: Node<'_>, version: SchemaName) -> Vec<Violation> {
    part_violations(case, version, Part::Case)
}

/// The violations of the schema of `version` in a document, without those in its cases.
pub(crate) fn frame_violations(root: Node<'_>, version: SchemaName) -> Vec<Violation> {
    part_violations(root, version, Part::Frame)
}

fn part_violations(node: Node<'_>, version: SchemaName, part: Part) -> Vec<Violation> {
    let mut violations = violations(node, version, part);
    violations.extend(unread_keys(node, part));
    in_order(without_misspelt(violations))
}

/// A misspelt required key is not missing too.
fn without_misspelt(mut violations: Vec<Violation>) -> Vec<Violation> {
    let meant = |violation: &Violation| match &violation.kind {
        ViolationKind::UnknownKey { meant: Some(Meant::Key(key)), .. } => Some(key.clone()),
        _ => None,
    };
    let misspelt: HashSet<String> = violations.iter().filter_map(meant).collect();
    violations.retain(|violation| match &violation.kind {
        ViolationKind::MissingKey { key, .. } => !misspelt.contains(key),
        _ => true,
    });
    violations
}

/// The schemas of suites, the oldest version first.
const SUITES: [SchemaName; 3] = [SchemaName::V0_1, SchemaName::V0_2, SchemaName::V0_3];
const LATEST: SchemaName = SchemaName::V0_3;

/// A part of a suite that is validated alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The suite without its cases.
    Frame,
    /// One case.
    Case,
}

impl Part {
    fn shape(self, version: SchemaName) -> Shape {
        match self {
            Part::Frame => Shape::suite(version),
            Part::Case => Shape::case(version),
        }
    }
}

/// A violation of the newest schema is a mistake in every version. A violation of only older schemas is a newer key.
fn violations(node: Node<'_>, version: SchemaName, part: Part) -> Vec<Violation> {
    let refused = |version: SchemaName| -> Vec<Violation> { Walk::of(node, part.shape(version), part == Part::Frame) };
    if refused(version).is_empty() {
        return Vec::new();
    }
    let mut found = refused(LATEST);
    let mut seen: HashSet<Span> = found.iter().map(|violation| violation.span).collect();
    for older in SUITES.into_iter().filter(|&older| version as usize <= older as usize && older != LATEST).rev() {
        let newer = SUITES[older as usize + 1];
        for violation in refused(older) {
            if !seen.insert(violation.span) {
                continue;
            }
            if let ViolationKind::UnknownKey { key: name, .. } | ViolationKind::UnknownValue { value: name, .. } =
                violation.kind
            {
                let kind = ViolationKind::FromLaterVersion { name, since: newer };
                found.push(Violation { span: violation.span, kind });
            }
        }
    }
    found
}

/// Whether a value is valid at a place in a suite. Broken text is assumed to be valid.
pub(super) fn is_valid(node: Node<'_>, shape: Shape) -> bool {
    Walk::of(node, shape, false).is_empty()
}

/// A walk through a value beside its schema. It ignores what lints report with a better message, because one mistake is one finding:
/// empty texts and lists, repeated entries, and the bounds of a soft score.
struct Walk {
    /// Whether elements that are cases are left out.
    is_frame: bool,
    found: Vec<Violation>,
    /// How many keys occur again, or look out of place.
    odd_keys: usize,
}

impl Walk {
    fn of(node: Node<'_>, shape: Shape, is_frame: bool) -> Vec<Violation> {
        let mut walk = Walk { is_frame, found: Vec::new(), odd_keys: 0 };
        walk.value(node, shape, true);
        walk.found
    }

    fn add(&mut self, span: Span, kind: ViolationKind) {
        self.found.push(Violation { span, kind });
    }

    // The schema is not recursive, so its depth bounds this recursion.
    fn value(&mut self, node: Node<'_>, shape: Shape, has_bounds: bool) {
        let is_container = matches!(node.kind(), Kind::Object | Kind::Array);
        match node.kind() {
            Kind::Invalid => {}
            _ if node.is_broken() && !is_container => {}
            kind if !shape.is_of_type(node) => {
                let expected = expected_types(&shape.schema["type"]);
                self.add(place(node), ViolationKind::WrongType { expected, found: kind.described() });
            }
            Kind::Object => self.object(node, shape, has_bounds),
            Kind::Array => {
                let is_case = |node: Node<'_>| node.is_part() || node.kind() == Kind::Object;
                let Some(shape) = shape.element() else { return };
                for element in node.elements() {
                    if !(self.is_frame && is_case(element)) {
                        self.value(element, shape, has_bounds);
                    }
                }
            }
            Kind::String => {
                let kind = node.as_str().and_then(|value| unknown_value(&value, shape));
                kind.into_iter().for_each(|kind| self.add(node.span(), kind));
            }
            Kind::Number => {
                if let Some(least) = shape.minimum().filter(|least| has_bounds && node.as_f64() < Some(*least)) {
                    self.add(node.span(), ViolationKind::OutOfBounds(format!("at least {least}")));
                }
            }
            _ => {}
        }
    }

    fn object(&mut self, object: Node<'_>, shape: Shape, has_bounds: bool) {
        // If a key occurs twice, its last value counts.
        let members: HashMap<Cow<'_, str>, Member<'_>> =
            object.members().filter_map(|member| Some((member.key.as_str()?, member))).collect();
        let missing = shape.keys().filter(|key| key.is_required && !members.contains_key(key.name));
        for key in missing.filter(|_| !object.is_broken()) {
            let before_members = !members.is_empty();
            let (key, insert_at) = (key.name.to_owned(), object.span().start + 1);
            self.add(owner(object), ViolationKind::MissingKey { key, insert_at, before_members });
        }
        self.odd_keys += object.members().filter(|member| member.key.kind() == Kind::String).count() - members.len();
        for (key, member) in &members {
            let span = member.key.span();
            let kind = match (shape.key(key), shape.of_keys()) {
                (Some(value), _) => {
                    let has_bounds = has_bounds && key != "soft_score";
                    member.value.into_iter().for_each(|node| self.value(node, value, has_bounds));
                    None
                }
                (None, Some(names)) => unknown_value(key, names),
                (None, None) if shape.is_closed() && !member.key.is_broken() => {
                    let absent = shape.keys().map(|key| key.name).filter(|name| !members.contains_key(*name));
                    let meant = match home(key) {
                        Some(home) => Some(Meant::Within(home)),
                        None => meant::key(key, absent, false).map(|name| Meant::Key(name.to_owned())),
                    };
                    Some(ViolationKind::UnknownKey { key: key.to_string(), meant })
                }
                (None, None) => {
                    self.odd_keys += usize::from(!shape.is_closed() && shape.keys().next().is_some() && is_odd(key));
                    None
                }
            };
            kind.into_iter().for_each(|kind| self.add(span, kind));
        }
    }
}

/// The object that a key of `expected` or of its scoring belongs in.
fn home(key: &str) -> Option<&'static str> {
    match key {
        "threshold" | "weights" => Some("soft_score"),
        "hard_fail" | "soft_score" => Some("scoring"),
        _ => Shape::case(LATEST).key("expected")?.key(key).map(|_| "expected"),
    }
}

/// Keys of a suite or a case that the schema accepts, because people keep notes there, but that resemble a known key.
fn unread_keys(object: Node<'_>, part: Part) -> Vec<Violation> {
    let known = part.shape(LATEST);
    let unread = object.members().filter(|member| member.key.kind() == Kind::String && !member.key.is_broken());
    unread
        .filter_map(|member| {
            let key = member.key.as_str()?;
            if known.key(&key).is_some() {
                return None;
            }
            let absent = known.keys().map(|key| key.name).filter(|name| object.member(name).is_none());
            let meant = match home(&key).filter(|_| part == Part::Case) {
                Some(home) => Meant::Within(home),
                None => Meant::Key(meant::key(&key, absent, true)?.to_owned()),
            };
            let kind = ViolationKind::UnknownKey { key: key.into_owned(), meant: Some(meant) };
            Some(Violation { span: member.key.span(), kind })
        })
        .collect()
}

fn unknown_value(value: &str, shape: Shape) -> Option<ViolationKind> {
    let allowed: Vec<&str> = shape.values().map(|(value, _)| value).collect();
    if allowed.is_empty() || allowed.contains(&value) {
        return None;
    }
    let meant = meant::value(value, allowed.iter().copied()).map(str::to_owned);
    let allowed = allowed.into_iter().map(str::to_owned).collect();
    Some(ViolationKind::UnknownValue { value: value.to_owned(), allowed, meant })
}

/// The span of a finding about a whole value: the value if it is one token, or else its key or bracket.
fn place(node: Node<'_>) -> Span {
    match node.kind() {
        Kind::Object | Kind::Array => owner(node),
        _ => node.span(),
    }
}

/// The key of an object or array, or its opening bracket if it is an element.
fn owner(node: Node<'_>) -> Span {
    let member = node.parent().and_then(Node::as_member);
    let bracket = Span::new(node.span().start, node.span().start + 1);
    member.map_or(bracket, |member| member.key.span())
}

fn in_order(mut violations: Vec<Violation>) -> Vec<Violation> {
    violations.sort_by_key(|violation| violation.span);
    violations
}

/// The types of a schema: "a string or a number".
fn expected_types(types: &Value) -> String {
    let name = |name: &Value| match name.as_str() {
        Some("object") => "an object",
        Some("array") => "a list",
        Some("string") => "a string",
        Some("number") => "a number",
        Some("integer") => "a whole number",
        Some("boolean") => "`true` or `false`",
        _ => "null",
    };
    match types {
        Value::Array(several) => several.iter().map(name).collect::<Vec<_>>().join(" or "),
        one => name(one).to_owned(),
    }
}

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

/// The number of violations of the newest schema in a suite or, if `is_case`, in a case, and of other keys that look out of place. It
/// ranks the candidates of a repair. A wrong type counts twice.
pub(crate) fn misfits(root: Node<'_>, is_case: bool) -> usize {
    let shape = if is_case { Shape::case(LATEST) } else { Shape::suite(LATEST) };
    let mut walk = Walk { is_frame: false, found: Vec::new(), odd_keys: 0 };
    walk.value(root, shape, true);
    let weight = |violation: &Violation| 1 + usize::from(matches!(violation.kind, ViolationKind::WrongType { .. }));
    walk.found.iter().map(weight).sum::<usize>() + walk.odd_keys
}

/// Whether a key of a suite or a case that the schema does not name is one of another object, or no name at all.
fn is_odd(key: &str) -> bool {
    let is_elsewhere = [Shape::suite(LATEST), Shape::case(LATEST)].iter().any(|shape| shape.key(key).is_some());
    is_elsewhere || home(key) == Some("expected") || !is_plain(key)
}

/// Whether a key looks like a name rather than like text.
fn is_plain(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.'))
}
