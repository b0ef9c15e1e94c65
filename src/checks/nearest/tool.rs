use crate::checks::events::Tool;
use crate::checks::{Evidence, Judged};
use crate::diagnostic;

/// A tool that was called and has nearly the name of one of these.
pub(super) fn called(judged: &Judged<'_>, wanted: &[&str]) -> Option<Evidence> {
    let tools = judged.events.tools();
    let names: Vec<&str> =
        tools.iter().filter(|(_, tool)| seen(*tool).is_some()).map(|(name, _)| name).take(MOST).collect();
    let near = wanted.iter().take(MOST).find_map(|tool| diagnostic::nearest(tool, names.iter().copied()))?;
    seen(tools.get(near)).map(|event| judged.events.evidence(event))
}

/// What one of these tools came to instead of the result that is asked for, else a tool of nearly that name; where no
/// tool is named, what any came to.
pub(super) fn result(judged: &Judged<'_>, wanted: &[&str]) -> Option<Evidence> {
    let tools = judged.events.tools();
    let own = if wanted.is_empty() { tools.first(last) } else { tools.first_of(wanted, last) };
    own.map(|event| judged.events.evidence(event)).or_else(|| called(judged, wanted))
}

/// More names than this are not compared.
const MOST: usize = 200;

fn seen(tool: Tool) -> Option<usize> {
    tool.started.or_else(|| last(tool))
}

fn last(tool: Tool) -> Option<usize> {
    tool.failed.or(tool.succeeded).or(tool.started)
}
