//! Lowers the syntax tree to the model. Values with a wrong type are left out; the schema reports them.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use crate::syntax::{Kind, Member, Node};

use super::{
    Case, Expected, Field, List, NumericItem, PlacedCase, Scoring, SoftScore, SourcePatterns, Spanned, Suite, Weight,
    Weights,
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
            name: string(&root, "name"),
            version: string(&root, "version"),
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
        let is_object = |node: Node<'_>| (node.kind() == Kind::Object).then_some(());
        let object = field(expected, is_object);
        let expected = match expected.and_then(|member| member.value) {
            Some(value) if object.is_some() => Expected { object, ..Expected::lower(value) },
            _ => Expected::default(),
        };
        let prompt = string(&node, "prompt");
        let preconditions = list(&node, "preconditions");
        let setup_prompts = list(&node, "setup_prompts");
        Case {
            len: node.node.span().len(),
            id: string(&node, "id"),
            category: string(&node, "category"),
            question: prompt.as_ref().and_then(|prompt| question(&prompt.value, &setup_prompts, &preconditions)),
            prompt,
            preconditions,
            setup_prompts,
            expected,
        }
    }
}

impl Case {
    /// Lowers the tools and sources that an element of `cases` names, and none of its other fields.
    pub(crate) fn lower_names(node: Node<'_>) -> Expected {
        let Some(expected) = node.get("expected") else { return Expected::default() };
        let node = Object::new(expected);
        Expected {
            tool_calls_any: list(&node, "tool_calls_any"),
            tool_calls_none: list(&node, "tool_calls_none"),
            telemetry: list(&node, "telemetry"),
            required_sources: list(&node, "required_sources"),
            ..Expected::default()
        }
    }
}

impl Expected {
    fn lower(node: Node<'_>) -> Expected {
        let node = Object::new(node);
        Expected {
            object: None,
            outcome: string(&node, "outcome"),
            tool_calls_any: list(&node, "tool_calls_any"),
            tool_calls_none: list(&node, "tool_calls_none"),
            must_not_say: list(&node, "must_not_say"),
            must_say_any: list(&node, "must_say_any"),
            ui: list(&node, "ui"),
            telemetry: list(&node, "telemetry"),
            required_sources: list(&node, "required_sources"),
            source_patterns: field(node.member("source_patterns"), source_patterns),
            must_ground_numbers: field(node.member("must_ground_numbers"), numeric_items),
            must_label_assumptions: field(node.member("must_label_assumptions"), Node::as_bool),
            assumption_markers_any: list(&node, "assumption_markers_any"),
            must_match_regex: list(&node, "must_match_regex"),
            must_not_match_regex: list(&node, "must_not_match_regex"),
            required_levers: field(node.member("required_levers"), Node::as_f64),
            claim_evidence_alignment: field(node.member("claim_evidence_alignment"), Node::as_bool),
            evidence_freshness_max_age_minutes: field(node.member("evidence_freshness_max_age_minutes"), Node::as_f64),
            must_allow_override_actions: list(&node, "must_allow_override_actions"),
            lever_regex: string(&node, "lever_regex"),
            claim_marker_regex: string(&node, "claim_marker_regex"),
            evidence_marker_regex: string(&node, "evidence_marker_regex"),
            alignment_marker_regex: string(&node, "alignment_marker_regex"),
            evidence_freshness_regex: string(&node, "evidence_freshness_regex"),
            scoring: field(node.member("scoring"), scoring),
        }
    }
}

/// The hash of what a case asks; `None` for an empty prompt.
fn question(prompt: &str, setup_prompts: &Option<List>, preconditions: &Option<List>) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    let texts = |list: &Option<List>| -> Vec<String> {
        list.iter().flat_map(List::entries).map(|entry| entry.value.trim().to_owned()).collect()
    };
    (prompt.trim(), texts(setup_prompts), texts(preconditions)).hash(&mut hasher);
    (!prompt.trim().is_empty()).then(|| hasher.finish())
}

/// An object with decoded keys, for looking up many of them.
struct Object<'a> {
    node: Node<'a>,
    members: Vec<(Cow<'a, str>, Member<'a>)>,
}

impl<'a> Object<'a> {
    /// The members of `node`; none if it is not an object.
    fn new(node: Node<'a>) -> Self {
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
}

fn scoring(node: Node<'_>) -> Option<Scoring> {
    object(node)?;
    let node = Object::new(node);
    Some(Scoring { hard_fail: list(&node, "hard_fail"), soft_score: field(node.member("soft_score"), soft_score) })
}

fn soft_score(node: Node<'_>) -> Option<SoftScore> {
    object(node)?;
    let node = Object::new(node);
    let threshold = field(node.member("threshold"), Node::as_f64);
    Some(SoftScore { threshold, weights: field(node.member("weights"), weights) })
}

fn weights(node: Node<'_>) -> Option<Weights> {
    object(node)?;
    let weight = |member: Member<'_>| {
        let group = Spanned { value: member.key.as_str()?.into_owned(), span: member.key.span() };
        Some(Weight { group, value: field(Some(member), Node::as_f64)? })
    };
    Some(of_children(node, |child| weight(child.as_member()?)))
}

fn source_patterns(node: Node<'_>) -> Option<Vec<SourcePatterns>> {
    object(node)?;
    let patterns = |member: Member<'_>| {
        let source = Spanned { value: member.key.as_str()?.into_owned(), span: member.key.span() };
        Some(SourcePatterns { source, patterns: field(Some(member), strings)? })
    };
    Some(of_children(node, |child| patterns(child.as_member()?)))
}

fn numeric_items(node: Node<'_>) -> Option<Vec<NumericItem>> {
    (node.kind() == Kind::Array).then(|| of_children(node, numeric_item))
}

fn numeric_item(node: Node<'_>) -> Option<NumericItem> {
    let bare = match node.kind() {
        Kind::Object => None,
        _ => Some(Field { value: string_or_number(node)?, span: node.span(), key: node.span() }),
    };
    let members = Object::new(node);
    Some(NumericItem {
        span: node.span(),
        is_object: bare.is_none(),
        label: string(&members, "label"),
        value: bare.or_else(|| field(members.member("value"), string_or_number)),
        regex: string(&members, "regex"),
        context_any: list(&members, "context_any"),
    })
}

fn string_or_number(node: Node<'_>) -> Option<String> {
    match node.kind() {
        Kind::String => node.as_str().map(Into::into),
        Kind::Number => Some(node.text().to_owned()),
        _ => None,
    }
}

fn string(node: &Object<'_>, key: &str) -> Option<Field<String>> {
    field(node.member(key), |value| value.as_str().map(Into::into))
}

fn list(node: &Object<'_>, key: &str) -> Option<List> {
    field(node.member(key), strings)
}

fn strings(node: Node<'_>) -> Option<Vec<Spanned<String>>> {
    let entry = |node: Node<'_>| Some(Spanned { value: node.as_str()?.into_owned(), span: node.span() });
    (node.kind() == Kind::Array).then(|| of_children(node, entry))
}

/// The items that `item` makes of the children of a node, without spare room after them: a suite has many short lists.
fn of_children<'a, T>(node: Node<'a>, item: impl Fn(Node<'a>) -> Option<T>) -> Vec<T> {
    let mut items = Vec::with_capacity(node.children().count());
    items.extend(node.children().filter_map(item));
    items.shrink_to_fit();
    items
}

fn object(node: Node<'_>) -> Option<()> {
    (node.kind() == Kind::Object).then_some(())
}

fn field<'a, T>(member: Option<Member<'a>>, value: impl FnOnce(Node<'a>) -> Option<T>) -> Option<Field<T>> {
    let member = member?;
    let node = member.value?;
    Some(Field { value: value(node)?, span: node.span(), key: member.key.span() })
}
