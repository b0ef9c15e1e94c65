//! Lowers the syntax tree to the model. Values with a wrong type are left out; the schema reports them. The version decides which keys
//! count.

use std::borrow::Cow;
use std::fmt;
use std::hash::Hash;
use std::path::Path;
use std::sync::Arc;

use crate::syntax::{Kind, Member, Node};

use super::{
    Case, Expected, Field, NumericItem, PlacedCase, Scoring, SoftScore, SourcePatterns, Spanned, Suite, Weight, Weights,
};

impl Suite {
    /// Lowers a document.
    pub fn lower(root: Node<'_>) -> Suite {
        let cases = Suite::case_nodes(root);
        let lowered = |node: Node<'_>| PlacedCase { start: node.span().start, case: Arc::new(Case::lower(node)) };
        Suite { cases: cases.map(lowered).collect(), ..Suite::lower_frame(root) }
    }

    /// Lowers a document without its cases.
    pub(crate) fn lower_frame(root: Node<'_>) -> Suite {
        let root = Object::new(root);
        Suite {
            name: root.field("name"),
            version: root.field("version"),
            list: field(root.member("cases"), |node| (node.kind() == Kind::Array).then_some(())),
            cases: Vec::new(),
        }
    }

    /// The nodes of the cases of a document.
    pub(crate) fn case_nodes(root: Node<'_>) -> impl Iterator<Item = Node<'_>> {
        root.get("cases").into_iter().flat_map(Node::elements).filter(|case| case.kind() == Kind::Object)
    }
}

impl Case {
    /// Lowers an element of `cases`.
    pub(crate) fn lower(node: Node<'_>) -> Case {
        let node = Object::new(node.relative());
        let expected = node.member("expected");
        let object = field(expected, |node| object(node).map(drop));
        let expected = match expected.and_then(|member| member.value) {
            Some(value) if object.is_some() => Expected { object, ..Expected::lower(value) },
            _ => Expected::default(),
        };
        Case {
            len: node.node.span().len(),
            id: node.field("id"),
            category: node.field("category"),
            prompt: node.field("prompt"),
            preconditions: node.field("preconditions"),
            setup_prompts: node.field("setup_prompts"),
            expected,
        }
    }
}

impl Case {
    /// Lowers the tools that an element of `cases` names, and none of its other fields.
    pub(crate) fn lower_names(node: Node<'_>) -> Expected {
        let Some(expected) = node.get("expected") else { return Expected::default() };
        let node = Object::new(expected);
        Expected {
            tool_calls_any: node.field("tool_calls_any"),
            tool_calls_none: node.field("tool_calls_none"),
            telemetry: node.field("telemetry"),
            ..Expected::default()
        }
    }
}

/// An object with decoded keys, for looking up many of them.
pub(super) struct Object<'a> {
    node: Node<'a>,
    members: Vec<(Cow<'a, str>, Member<'a>)>,
}

impl<'a> Object<'a> {
    /// The members of `node`; none if it is not an object.
    pub(super) fn new(node: Node<'a>) -> Self {
        let mut members = Vec::new();
        if node.kind() == Kind::Object {
            members.reserve_exact(node.children().count());
        }
        members.extend(node.members().filter_map(|member| Some((member.key.as_str()?, member))));
        Self { node, members }
    }

    fn member(&self, key: &str) -> Option<Member<'a>> {
        self.members.iter().rev().find(|(name, _)| name == key).map(|(_, member)| *member)
    }

    /// The field of that key; `None` if its value has a wrong type.
    pub(super) fn field<T: Lower>(&self, key: &str) -> Option<Field<T>> {
        field(self.member(key), T::lower)
    }
}

/// What is lowered from the value of a key.
pub(super) trait Lower: Sized {
    /// The value; `None` if it has a wrong type.
    fn lower(node: Node<'_>) -> Option<Self>;
}

impl Lower for String {
    fn lower(node: Node<'_>) -> Option<Self> {
        node.as_str().map(Into::into)
    }
}

impl Lower for bool {
    fn lower(node: Node<'_>) -> Option<Self> {
        node.as_bool()
    }
}

impl Lower for f64 {
    fn lower(node: Node<'_>) -> Option<Self> {
        node.as_f64()
    }
}

impl Lower for Vec<Spanned<String>> {
    fn lower(node: Node<'_>) -> Option<Self> {
        let entry = |node: Node<'_>| Some(Spanned { value: node.as_str()?.into_owned(), span: node.span() });
        (node.kind() == Kind::Array).then(|| of_children(node, entry))
    }
}

impl Lower for Scoring {
    fn lower(node: Node<'_>) -> Option<Self> {
        let node = object(node)?;
        Some(Scoring { hard_fail: node.field("hard_fail"), soft_score: node.field("soft_score") })
    }
}

impl Lower for SoftScore {
    fn lower(node: Node<'_>) -> Option<Self> {
        let node = object(node)?;
        Some(SoftScore { threshold: node.field("threshold"), weights: node.field("weights") })
    }
}

impl Lower for Weights {
    fn lower(node: Node<'_>) -> Option<Self> {
        object(node)?;
        let weight = |member: Member<'_>| {
            let group = Spanned { value: member.key.as_str()?.into_owned(), span: member.key.span() };
            Some(Weight { group, value: Spanned { value: member.value?.as_f64()?, span: member.value?.span() } })
        };
        Some(of_children(node, |child| weight(child.as_member()?)))
    }
}

impl Lower for Vec<SourcePatterns> {
    fn lower(node: Node<'_>) -> Option<Self> {
        object(node)?;
        let patterns = |member: Member<'_>| {
            let source = Spanned { value: member.key.as_str()?.into_owned(), span: member.key.span() };
            Some(SourcePatterns { source, patterns: field(Some(member), Lower::lower)? })
        };
        Some(of_children(node, |child| patterns(child.as_member()?)))
    }
}

impl Lower for Vec<NumericItem> {
    fn lower(node: Node<'_>) -> Option<Self> {
        (node.kind() == Kind::Array).then(|| of_children(node, numeric_item))
    }
}

fn numeric_item(node: Node<'_>) -> Option<NumericItem> {
    let bare = match node.kind() {
        Kind::Object => None,
        _ => Some(Field::new(string_or_number(node)?, node.span(), node.span())),
    };
    let members = Object::new(node);
    Some(NumericItem {
        span: node.span(),
        is_object: bare.is_none(),
        label: members.field("label"),
        value: bare.or_else(|| field(members.member("value"), string_or_number)),
        regex: members.field("regex"),
        context_any: members.field("context_any"),
    })
}

fn string_or_number(node: Node<'_>) -> Option<String> {
    match node.kind() {
        Kind::String => node.as_str().map(Into::into),
        Kind::Number => Some(node.text().to_owned()),
        _ => None,
    }
}

/// The items that `item` makes of the children of a node, without spare room after them: a suite has many short lists.
fn of_children<'a, T>(node: Node<'a>, item: impl Fn(Node<'a>) -> Option<T>) -> Vec<T> {
    let mut items = Vec::with_capacity(node.children().count());
    items.extend(node.children().filter_map(item));
    items.shrink_to_fit();
    items
}

fn object(node: Node<'_>) -> Option<Object<'_>> {
    (node.kind() == Kind::Object).then(|| Object::new(node))
}

fn field<'a, T>(member: Option<Member<'a>>, value: impl FnOnce(Node<'a>) -> Option<T>) -> Option<Field<T>> {
    let member = member?;
    let node = member.value?;
    Some(Field::new(value(node)?, node.span(), member.key.span()))
}

/// A version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Version {
    /// 0.1
    V0_1,
    /// 0.2
    V0_2,
    /// 0.3
    V0_3,
}

/// The version of a suite, and the version in its file name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DetectedVersion {
    /// The version that applies.
    pub(crate) version: Version,
    /// The version in the file name.
    pub(crate) from_file_name: Option<Version>,
}

impl Version {
    /// All versions, oldest first.
    pub(crate) const ALL: [Version; 3] = [Version::V0_1, Version::V0_2, Version::V0_3];

    /// The newest version, which applies if neither the suite nor its file name has one.
    pub(crate) const LATEST: Version = Version::V0_3;

    /// `0.2`
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Version::V0_1 => "0.1",
            Version::V0_2 => "0.2",
            Version::V0_3 => "0.3",
        }
    }

    /// Parses `0.2`, or `0.2.0` with any patch number.
    pub(crate) fn parse(text: &str) -> Option<Version> {
        Version::ALL.into_iter().find(|version| {
            let rest = text.strip_prefix(version.as_str());
            let is_patch = |patch: &str| !patch.is_empty() && patch.bytes().all(|b| b.is_ascii_digit());
            rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix('.').is_some_and(is_patch))
        })
    }

    /// The version in a file name: `.v0.2.` in `brief.v0.2.json`.
    pub(crate) fn from_file_name(path: &Path) -> Option<Version> {
        let name = path.file_name()?.to_string_lossy();
        Version::ALL.into_iter().find(|version| name.contains(&format!(".v{version}.")))
    }
}

impl DetectedVersion {
    /// The version of a suite whose `version` is `declared` and whose file is `path`: the declared version, or else the one
    /// in the file name, or else the latest.
    pub(crate) fn detect(declared: Option<&str>, path: Option<&Path>) -> DetectedVersion {
        let from_file_name = path.and_then(Version::from_file_name);
        let version = declared.and_then(Version::parse).or(from_file_name).unwrap_or(Version::LATEST);
        DetectedVersion { version, from_file_name }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
