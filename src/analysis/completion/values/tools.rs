//! Suggests tool names: from this case, the suite and the workspace.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::suite::{Case, List, TelemetryEntry};

use super::{Candidate, CompletionKind, Scene, Snippet};

/// The maximum number of suggested tools. Editors filter longer lists slowly, and nobody scrolls so far.
const MAX: usize = 200;
/// The maximum number of choices in a snippet. Editors show the choices of a snippet in one box.
const MAX_CHOICES: usize = 20;

/// Where a tool appears.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    /// Whether this case names it.
    is_of_case: bool,
    /// The number of times that it appears in transcripts and logs.
    appearances: usize,
    /// The number of cases that name it, in this suite and in others on disk.
    named: usize,
}

/// The suggested entries of `list`, which is `tool_calls_any` or `tool_calls_none`. Tools in the other list are left out:
/// they would contradict it.
pub(super) fn tools(scene: &Scene<'_>, list: &str) -> Vec<Candidate> {
    let expected = &scene.case.expected;
    let other = if list == "tool_calls_any" { &expected.tool_calls_none } else { &expected.tool_calls_any };
    let is_in_other = |tool: &str| names(other).any(|name| name == tool);
    let tools = known(scene).into_iter().filter(|(tool, _)| !scene.has(tool) && !is_in_other(tool));
    let tools = tools.map(|(tool, known)| Candidate::string(&tool, CompletionKind::Tool).detail(known.detail()));
    tools.take(MAX).collect()
}

/// A stop with a choice of tools.
pub(super) fn choice(scene: &Scene<'_>) -> Snippet {
    let is_plain = |tool: &String| tool.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let mut names: Vec<_> = known(scene).into_iter().map(|(tool, _)| tool).filter(is_plain).collect();
    names.truncate(MAX_CHOICES);
    if names.is_empty() {
        names.push("tool_name".to_owned());
    }
    Snippet::default().choice(names)
}

/// All tools: those of this case first, then those of similar cases, then by number of appearances.
pub(super) fn known(scene: &Scene<'_>) -> Vec<(String, Known)> {
    let mut tools: BTreeMap<&str, Known> = BTreeMap::new();
    let workspace = scene.context.workspace;
    for (tool, count) in &workspace.tools {
        tools.entry(tool).or_default().appearances += count;
    }
    for (tool, count) in &workspace.named_tools {
        tools.entry(tool).or_default().named += count;
    }
    for placed in &scene.document.suite().cases {
        let is_of_case = std::ptr::eq(&*placed.case, scene.case);
        let typed = if is_of_case { typed(scene) } else { None };
        for tool in of_case(&placed.case).into_iter().filter(|tool| Some(*tool) != typed) {
            let known = tools.entry(tool).or_default();
            known.is_of_case |= is_of_case;
            // If the workspace was read, its count includes the suite on disk.
            known.named += usize::from(workspace.named_tools.is_empty());
        }
    }
    let mut tools: Vec<_> = tools.into_iter().filter(|(tool, _)| !tool.is_empty()).collect();
    let usual = scene.habits().texts(|case| of_case(case).into_iter().collect());
    tools.sort_by_key(|(tool, known)| {
        let weight = usual.get(*tool).copied().unwrap_or(0);
        (!known.is_of_case, Reverse(weight), Reverse(known.appearances), Reverse(known.named), *tool)
    });
    tools.into_iter().map(|(tool, known)| (tool.to_owned(), known)).collect()
}

/// The tools that a case names.
pub(super) fn of_case(case: &Case) -> BTreeSet<&str> {
    let expected = &case.expected;
    let listed = names(&expected.tool_calls_any).chain(names(&expected.tool_calls_none));
    let in_telemetry = names(&expected.telemetry).filter_map(|entry| match TelemetryEntry::parse(entry) {
        TelemetryEntry::Start { tool } | TelemetryEntry::Result { tool, .. } => Some(tool),
        _ => None,
    });
    listed.chain(in_telemetry).collect()
}

pub(super) fn names(list: &Option<List>) -> impl Iterator<Item = &str> {
    list.iter().flat_map(List::entries).map(|entry| entry.value.as_str())
}

/// The tool whose name is being typed, unless it appears elsewhere in the case too.
fn typed<'a>(scene: &'a Scene<'_>) -> Option<&'a str> {
    let expected = &scene.case.expected;
    let lists = [&expected.tool_calls_any, &expected.tool_calls_none, &expected.telemetry];
    let start = scene.document.suite().case_at(scene.offset)?.1.start;
    let entries = || lists.into_iter().flatten().flat_map(List::entries);
    let entry = entries().find(|entry| entry.span.start + start == scene.cursor.token.span.start)?;
    let tool = match TelemetryEntry::parse(&entry.value) {
        TelemetryEntry::Start { tool } | TelemetryEntry::Result { tool, .. } => tool,
        _ => &entry.value,
    };
    let is_elsewhere = entries().filter(|other| other.span != entry.span).any(|other| other.value == tool);
    (!is_elsewhere).then_some(tool)
}

impl Known {
    /// Where it appears, in words.
    pub(super) fn detail(self) -> String {
        let times = |count: usize| if count == 1 { "once".to_owned() } else { format!("{count} times") };
        let of_case = self.is_of_case.then(|| "in this case".to_owned());
        let appearances = (self.appearances > 0).then(|| format!("seen {}", times(self.appearances)));
        let named = (self.named > 0 && !self.is_of_case).then(|| match self.named {
            1 => "in 1 case".to_owned(),
            count => format!("in {count} cases"),
        });
        [of_case, appearances, named].into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }
}
