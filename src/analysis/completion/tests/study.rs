//! The completion half of the mutation study: at each place of clean suites whose text can be known, the text is removed
//! and completed again. `INSTA_UPDATE=always cargo test --lib completion::tests::study` writes the table.
//!
//! A text can be known if it is a key, a value of a closed list, a weight, or a name or number that the suite has in
//! another place too. The rest is free text.

use std::collections::BTreeMap;

use super::*;
use crate::syntax::{Kind, Member, Node, parse};

const SUITES: [(&str, &str); 9] = [
    ("library.v0.1.json", include_str!("../../../../tests/mutations/suites/library.v0.1.json")),
    ("workshop.v0.2.json", include_str!("../../../../tests/mutations/suites/workshop.v0.2.json")),
    ("morning.v0.3.json", include_str!("../../../../tests/mutations/suites/morning.v0.3.json")),
    ("reise.v0.2.json", include_str!("../../../../tests/mutations/suites/reise.v0.2.json")),
    ("compact.v0.3.json", include_str!("../../../../tests/mutations/suites/compact.v0.3.json")),
    ("board.v0.1.json", include_str!("suites/board.v0.1.json")),
    ("week.v0.2.json", include_str!("suites/week.v0.2.json")),
    ("brief.v0.3.json", include_str!("suites/brief.v0.3.json")),
    ("levers.v0.3.json", include_str!("suites/levers.v0.3.json")),
];

/// The targets of the study, in percent.
const TOP_1: usize = 70;
const TOP_5: usize = 90;

/// The number of items that are accepted at each place.
const ACCEPTED: usize = 12;

/// A place: the removed span, the remaining text with `|` at the cursor, and the label that completes it.
struct Place {
    kind: &'static str,
    span: Span,
    rest: &'static str,
    label: String,
}

#[derive(Default)]
struct Row {
    made: usize,
    offered: usize,
    top_1: usize,
    top_5: usize,
}

#[test]
fn removed_texts_are_completed_again() {
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    for (file, text) in SUITES {
        let world = World { file: Some(file), workspace: Workspace::default(), ..World::default() };
        for place in places(text) {
            let (rank, shown) = try_at(&world, text, &place);
            if rank.is_none_or(|rank| rank > 0) && std::env::var_os("SHOW_MISSES").is_some() {
                eprintln!("{file} {} {}: {rank:?} of {shown:?}", place.kind, place.label);
            }
            let row = rows.entry(place.kind).or_default();
            row.made += 1;
            row.offered += usize::from(rank.is_some());
            row.top_1 += usize::from(rank == Some(0));
            row.top_5 += usize::from(rank.is_some_and(|rank| rank < 5));
        }
    }
    let all = rows.values().fold(Row::default(), |all, row| Row {
        made: all.made + row.made,
        offered: all.offered + row.offered,
        top_1: all.top_1 + row.top_1,
        top_5: all.top_5 + row.top_5,
    });
    let share = |part: usize| part * 100 / all.made;
    let mut table = String::from("place | made | offered | first | in the first 5\n");
    for (kind, row) in rows.iter().map(|(kind, row)| (*kind, row)).chain([("all", &all)]) {
        writeln!(table, "{kind} | {} | {} | {} | {}", row.made, row.offered, row.top_1, row.top_5).unwrap();
    }
    writeln!(table, "share | | {} % | {} % | {} %", share(all.offered), share(all.top_1), share(all.top_5)).unwrap();
    insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!("study", table) });
    assert!(share(all.top_1) >= TOP_1, "{table}");
    assert!(share(all.top_5) >= TOP_5, "{table}");
}

/// The rank of the right item, and the offered labels. Fails if an accepted item breaks the document.
fn try_at(world: &World, text: &str, place: &Place) -> (Option<usize>, Vec<String>) {
    let before = &text[..place.span.start];
    let (left, right) = place.rest.split_once('|').unwrap();
    let broken = format!("{before}{left}{right}{}", &text[place.span.end..]);
    let offset = before.len() + left.len();
    let Completions { items, layout } = world.complete(&broken, offset, None);
    for item in items.iter().take(ACCEPTED) {
        let after = accepted(&broken, offset, item, &layout, "");
        let errors = parse(&after).errors;
        assert!(errors.is_empty(), "{}: {} breaks the document: {errors:?}\n{after}", place.label, item.label);
    }
    let labels: Vec<String> = items.iter().map(|item| item.label.clone()).collect();
    // A version may be completed with its patch number.
    let is_right = |label: &String| match place.kind {
        "version" => label.starts_with(&place.label),
        _ => *label == place.label,
    };
    (labels.iter().position(is_right), labels.into_iter().take(5).collect())
}

fn places(text: &str) -> Vec<Place> {
    let parsed = parse(text);
    assert!(parsed.errors.is_empty());
    let root = parsed.tree.root(text).unwrap();
    let mut found = Vec::new();
    for node in root.descendants() {
        if let Some(member) = node.as_member() {
            keys(text, member, &mut found);
        } else if let Some(kind) = kind(node) {
            let can_be_known = kind == "weight" || kind == "outcome" || kind == "group" || is_elsewhere(root, node);
            let label = node.as_str().map_or_else(|| node.text().to_owned(), |text| text.into_owned());
            let rest = if node.kind() == Kind::String { "\"|\"" } else { "|" };
            if can_be_known {
                found.push(Place { kind, span: node.span(), rest, label });
            }
        }
    }
    found
}

/// A key, without its value and with it.
fn keys(text: &str, member: Member<'_>, found: &mut Vec<Place>) {
    let key = member.key.as_str().unwrap().into_owned();
    let path: Vec<String> = owners(member.node);
    let is_of_author = path.iter().any(|key| key == "integration_baseline");
    if is_of_author {
        return;
    }
    let node = member.node;
    let kind = match path.last().map(String::as_str) {
        None => "key of the suite",
        Some("cases") => "key of a case",
        Some("expected") => "key of expected",
        Some("source_patterns") => "source with patterns",
        Some("weights") => "group with a weight",
        _ => "key of scoring or a number",
    };
    let mut span = node.span();
    let after = &text[span.end..];
    let gap = after.len() - after.trim_start().len();
    if after.trim_start().starts_with(',') {
        span.end += gap + 1;
    } else if let Some(before) = text[..span.start].trim_end().strip_suffix(',') {
        span.start = before.len();
    }
    let rest = if span.start < node.span().start { " |" } else { "|" };
    found.push(Place { kind, span, rest, label: key.clone() });
    found.push(Place { kind: "key before its value", span: member.key.span(), rest: "\"|\"", label: key });
}

/// The keys of the objects around a node, outermost first.
fn owners(node: Node<'_>) -> Vec<String> {
    let mut keys = Vec::new();
    let mut node = node;
    while let Some(parent) = node.parent() {
        if let Some(member) = parent.as_member() {
            keys.push(member.key.as_str().unwrap().into_owned());
        }
        node = parent;
    }
    keys.reverse();
    keys
}

/// The kind of a value that is not free text.
fn kind(node: Node<'_>) -> Option<&'static str> {
    if node.parent().and_then(Node::as_member).is_some_and(|member| member.key == node) {
        return None;
    }
    let path = owners(node);
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let is_scalar = !matches!(node.kind(), Kind::Object | Kind::Array);
    match path[..] {
        _ if !is_scalar => None,
        ["version"] => Some("version"),
        ["cases", "category"] => Some("category"),
        ["cases", "expected", "outcome"] => Some("outcome"),
        ["cases", "expected", "tool_calls_any" | "tool_calls_none"] => Some("tool"),
        ["cases", "expected", "telemetry"] => Some("telemetry"),
        ["cases", "expected", "required_sources"] => Some("source"),
        ["cases", "expected", "scoring", "hard_fail"] => Some("group"),
        ["cases", "expected", "scoring", "soft_score", "weights", _] => Some("weight"),
        ["cases", "expected", ..] if matches!(node.kind(), Kind::Number | Kind::True | Kind::False) => {
            Some("number or flag")
        }
        _ => None,
    }
}

/// Whether the suite has the same value in another place, or the schema has it.
fn is_elsewhere(root: Node<'_>, node: Node<'_>) -> bool {
    if matches!(node.kind(), Kind::True | Kind::False) || owners(node) == ["version"] {
        return true;
    }
    let name = node.as_str();
    let tool = name.as_deref().and_then(|name| name.strip_prefix("tool.")?.split(' ').next());
    let wanted = tool.or(name.as_deref());
    let is_of_same_key = |other: Node<'_>| owners(other).last() == owners(node).last();
    root.descendants().filter(|other| *other != node).any(|other| match wanted {
        Some(wanted) => {
            other.as_str().is_some_and(|text| text == wanted || text.starts_with(&format!("tool.{wanted} ")))
        }
        None => other.kind() == Kind::Number && other.text() == node.text() && is_of_same_key(other),
    })
}
