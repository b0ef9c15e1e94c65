//! Where a suite violates its schema, and what it meant.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{ValidationError, Validator};
use serde_json::{Value, json};

use crate::syntax::{Kind, Member, Node, NodeId, Step};
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
    /// The value of a node, as the validator of the part reads it.
    fn value(self, node: Node<'_>) -> Value {
        match self {
            Part::Frame => frame_value(node),
            Part::Case => node.to_value(),
        }
    }
}

/// A value for each part and version of suites. If `version` is not the schema of a suite, it is the newest one.
struct Table<T>([[OnceLock<T>; 2]; 3]);

impl<T> Table<T> {
    const fn new() -> Self {
        Table([const { [const { OnceLock::new() }; 2] }; 3])
    }

    fn get(&self, version: SchemaName, part: Part, make: impl FnOnce(SchemaName) -> T) -> &T {
        let version = if SUITES.contains(&version) { version } else { LATEST };
        self.0[version as usize][part as usize].get_or_init(|| make(version))
    }
}

/// The compiled schema of a part.
fn validator(version: SchemaName, part: Part) -> &'static Validator {
    static VALIDATORS: Table<Validator> = Table::new();
    VALIDATORS.get(version, part, |version| {
        let mut schema: Value = serde_json::from_str(version.text()).expect("a bundled schema is JSON");
        leave_to_lints(&mut schema);
        if part == Part::Case {
            schema = json!({
                "$schema": schema["$schema"],
                "definitions": schema["definitions"],
                "allOf": [{ "$ref": "#/definitions/case" }]
            });
        }
        jsonschema::draft7::new(&schema).expect("a bundled schema compiles")
    })
}

/// Removes the bounds that lints report with a better message: one mistake is one finding. The bounds are for tools that
/// use the schemas without the lints.
fn leave_to_lints(schema: &mut Value) {
    strip(schema, &["pattern", "minLength", "minItems", "minProperties", "uniqueItems", "anyOf"]);
    if let Some(soft_score) = schema.pointer_mut("/definitions/soft_score") {
        strip(soft_score, &["minimum", "maximum"]);
    }
}

fn strip(schema: &mut Value, keywords: &[&str]) {
    match schema {
        Value::Object(map) => {
            if map.contains_key("type") {
                keywords.iter().for_each(|keyword| drop(map.shift_remove(*keyword)));
            }
            map.values_mut().for_each(|child| strip(child, keywords));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| strip(item, keywords)),
        _ => {}
    }
}

/// A violation of the newest schema is a mistake in every version. A violation of only older schemas is a newer key.
fn violations(node: Node<'_>, version: SchemaName, part: Part) -> Vec<Violation> {
    let value = part.value(node);
    if validator(version, part).is_valid(&value) {
        return Vec::new();
    }
    let mut index = Index::default();
    let mut refused = |version: SchemaName| -> Vec<Violation> {
        validator(version, part).iter_errors(&value).flat_map(|error| read(&error, node, &mut index)).collect()
    };
    let mut found = refused(LATEST);
    // A value of the wrong type is not in its list either. Only the type is reported.
    let of_wrong_type: HashSet<Span> =
        found.iter().filter(|violation| is_wrong_type(violation)).map(|violation| violation.span).collect();
    found.retain(|violation| is_wrong_type(violation) || !of_wrong_type.contains(&violation.span));
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

/// The violations of one error of the validator.
fn read<'a>(error: &ValidationError<'_>, root: Node<'a>, index: &mut Index<'a>) -> Vec<Violation> {
    let Some(node) = index.find(root, error.instance_path().as_str()) else { return Vec::new() };
    let is_required = matches!(error.kind(), ValidationErrorKind::Required { .. });
    let is_container = matches!(node.kind(), Kind::Object | Kind::Array);
    if node.kind() == Kind::Invalid || (node.is_broken() && (is_required || !is_container)) {
        return Vec::new();
    }
    let one = |span: Span, kind: ViolationKind| vec![Violation { span, kind }];
    match error.kind() {
        ValidationErrorKind::Type { kind } => one(
            place(node),
            ViolationKind::WrongType { expected: expected_types(kind), found: node.kind().described() },
        ),
        ValidationErrorKind::Required { property } => {
            let key = property.as_str().unwrap_or_default().to_owned();
            let before_members = node.members().next().is_some();
            let insert_at = node.span().start + 1;
            one(owner(node), ViolationKind::MissingKey { key, insert_at, before_members })
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            let known = known_keys(error);
            unexpected.iter().filter_map(|key| unknown_key(node, key, &known, index)).collect()
        }
        ValidationErrorKind::Enum { options } => node
            .as_str()
            .and_then(|value| unknown_value(&value, options))
            .map_or_else(Vec::new, |kind| one(node.span(), kind)),
        ValidationErrorKind::PropertyNames { error } => property_name(node, error, index).into_iter().collect(),
        ValidationErrorKind::Minimum { limit } => {
            one(node.span(), ViolationKind::OutOfBounds(format!("at least {limit}")))
        }
        ValidationErrorKind::Maximum { limit } => {
            one(node.span(), ViolationKind::OutOfBounds(format!("at most {limit}")))
        }
        ValidationErrorKind::ExclusiveMinimum { limit } => {
            one(node.span(), ViolationKind::OutOfBounds(format!("more than {limit}")))
        }
        ValidationErrorKind::ExclusiveMaximum { limit } => {
            one(node.span(), ViolationKind::OutOfBounds(format!("less than {limit}")))
        }
        _ => one(place(node), ViolationKind::OutOfBounds(error.to_string())),
    }
}

fn unknown_key<'a>(object: Node<'a>, key: &str, known: &[&str], index: &mut Index<'a>) -> Option<Violation> {
    let member = index.member(object, key)?;
    if member.key.is_broken() {
        return None;
    }
    let absent = known.iter().copied().filter(|name| index.member(object, name).is_none());
    let meant = match home(key) {
        Some(home) => Some(Meant::Within(home)),
        None => meant::key(key, absent, false).map(|name| Meant::Key(name.to_owned())),
    };
    Some(Violation { span: member.key.span(), kind: ViolationKind::UnknownKey { key: key.to_owned(), meant } })
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
    let known = match part {
        Part::Frame => Shape::suite(LATEST),
        Part::Case => Shape::case(LATEST),
    };
    let mut index = Index::default();
    let unread = object.members().filter(|member| member.key.kind() == Kind::String && !member.key.is_broken());
    unread
        .filter_map(|member| {
            let key = member.key.as_str()?;
            if known.key(&key).is_some() {
                return None;
            }
            let absent = known.keys().map(|key| key.name).filter(|name| index.member(object, name).is_none());
            let meant = match home(&key).filter(|_| part == Part::Case) {
                Some(home) => Meant::Within(home),
                None => Meant::Key(meant::key(&key, absent, true)?.to_owned()),
            };
            let kind = ViolationKind::UnknownKey { key: key.into_owned(), meant: Some(meant) };
            Some(Violation { span: member.key.span(), kind })
        })
        .collect()
}

/// The keys that are valid in the object with the additional key; none for the case itself, which may have any key.
fn known_keys(error: &ValidationError<'_>) -> Vec<&'static str> {
    let steps = error.instance_path().as_str().split('/').skip(1);
    let path: Vec<Step> = steps.map(|step| step.parse().map_or_else(|_| Step::Key(step.into()), Step::Index)).collect();
    let object = Shape::case(LATEST).descend(&path).filter(|_| !path.is_empty());
    object.iter().flat_map(|object| object.keys()).map(|key| key.name).collect()
}

fn unknown_value(value: &str, options: &Value) -> Option<ViolationKind> {
    let allowed: Vec<String> =
        options.as_array()?.iter().filter_map(|option| option.as_str().map(str::to_owned)).collect();
    let meant = meant::value(value, allowed.iter().map(String::as_str)).map(str::to_owned);
    Some(ViolationKind::UnknownValue { value: value.to_owned(), allowed, meant })
}

fn property_name<'a>(object: Node<'a>, error: &ValidationError<'_>, index: &mut Index<'a>) -> Option<Violation> {
    let ValidationErrorKind::Enum { options } = error.kind() else { return None };
    let name = error.instance().as_str()?;
    let key = index.member(object, name)?.key;
    Some(Violation { span: key.span(), kind: unknown_value(name, options)? })
}

/// The value of a document without its cases, if they are a list.
fn frame_value(root: Node<'_>) -> Value {
    if root.kind() != Kind::Object {
        return root.to_value();
    }
    let member = |key: &str, node: Node<'_>| match node.kind() {
        Kind::Array if key == "cases" => non_objects(node),
        _ => node.to_value(),
    };
    let members = root.members().filter(|member| member.key.kind() == Kind::String);
    members
        .filter_map(|found| {
            let key = found.key.as_str()?.into_owned();
            let value = found.value.map_or(Value::Null, |node| member(&key, node));
            Some((key, value))
        })
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// The elements of `cases` that are not objects. Objects are validated separately.
fn non_objects(cases: Node<'_>) -> Value {
    let placeholder = json!({ "id": "", "prompt": "", "expected": {} });
    let element = |node: Node<'_>| match node.kind() {
        Kind::Object => None,
        _ => Some(node.to_value()),
    };
    if cases.elements().all(|node| node.is_part() || node.kind() == Kind::Object) {
        return Value::Array(Vec::new());
    }
    cases.elements().map(|node| element(node).unwrap_or_else(|| placeholder.clone())).collect()
}

fn is_wrong_type(violation: &Violation) -> bool {
    matches!(violation.kind, ViolationKind::WrongType { .. })
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

fn expected_types(kind: &TypeKind) -> String {
    let name = |name: &str| match name {
        "object" => "an object",
        "array" => "a list",
        "string" => "a string",
        "number" => "a number",
        "integer" => "a whole number",
        "boolean" => "`true` or `false`",
        _ => "null",
    };
    match kind {
        TypeKind::Single(one) => name(one.as_str()).to_owned(),
        TypeKind::Multiple(several) => several.iter().map(|one| name(one.as_str())).collect::<Vec<_>>().join(" or "),
    }
}

/// A cache of the children of nodes. Many errors in one large list or object cost only one walk.
#[derive(Default)]
pub(super) struct Index<'a> {
    elements: HashMap<NodeId, Vec<Node<'a>>>,
    members: HashMap<NodeId, HashMap<Cow<'a, str>, Member<'a>>>,
}

impl<'a> Index<'a> {
    /// The node at a JSON Pointer below `root`.
    pub(super) fn find(&mut self, root: Node<'a>, pointer: &str) -> Option<Node<'a>> {
        pointer.split('/').skip(1).try_fold(root, |node, step| match node.kind() {
            Kind::Array => self.element(node, step.parse().ok()?),
            _ => self.member(node, &step.replace("~1", "/").replace("~0", "~"))?.value,
        })
    }

    /// An object's member; the last one if several have that key.
    pub(super) fn member(&mut self, object: Node<'a>, key: &str) -> Option<Member<'a>> {
        let read = || object.members().filter_map(|member| Some((member.key.as_str()?, member))).collect();
        self.members.entry(object.id()).or_insert_with(read).get(key).copied()
    }

    fn element(&mut self, array: Node<'a>, index: usize) -> Option<Node<'a>> {
        self.elements.entry(array.id()).or_insert_with(|| array.elements().collect()).get(index).copied()
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
    /// A key of this name.
    Key(String),
    /// The key as it is written, in the object of this name.
    Within(&'static str),
}
