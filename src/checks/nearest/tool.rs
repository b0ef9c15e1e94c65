use crate::checks::events::Tool;
use crate::checks::{Evidence, Judged};
use crate::diagnostic;

/// A called tool with a name similar to one of these.
pub(super) fn called(judged: &Judged<'_>, wanted: &[&str]) -> Option<Evidence> {
    let tools = judged.events.tools();
    let names: Vec<&str> =
        tools.iter().filter(|(_, tool)| seen(*tool).is_some()).map(|(name, _)| name).take(MOST).collect();
    let near = wanted.iter().take(MOST).find_map(|tool| diagnostic::nearest(tool, names.iter().copied()))?;
    seen(tools.get(near)).map(|event| judged.events.evidence(event))
}

/// Another result of one of these tools, or else a tool with a similar name. Without names, another result of any tool.
pub(super) fn result(judged: &Judged<'_>, wanted: &[&str]) -> Option<Evidence> {
    let tools = judged.events.tools();
    let own = if wanted.is_empty() { tools.first(last) } else { tools.first_of(wanted, last) };
    own.map(|event| judged.events.evidence(event)).or_else(|| called(judged, wanted))
}

/// The number of names that are compared.
const MOST: usize = 200;

fn seen(tool: Tool) -> Option<usize> {
    tool.started.or_else(|| last(tool))
}

fn last(tool: Tool) -> Option<usize> {
    tool.failed.or(tool.succeeded).or(tool.started)
}
