use std::collections::BTreeMap;

use super::bounds::{NAME_BYTES, TOOLS};

/// Names of tools or sources, and how often each occurs.
pub(crate) type ToolCounts = BTreeMap<String, usize>;

/// The tools and sources of a scope.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tools {
    /// Those in its transcripts and telemetry logs, and how often each was called. A tool with results alone counts as
    /// called once.
    pub(crate) shown: ToolCounts,
    /// Those that its suites name, and how often. They need not exist.
    pub(crate) named: ToolCounts,
    /// The sources that its suites require, and how often.
    pub(crate) sources: ToolCounts,
}

/// Counts a tool `times` more. Ignores empty and overlong names, and new names beyond the limit.
pub(super) fn count(counts: &mut ToolCounts, tool: &str, times: usize) {
    if tool.is_empty() || tool.len() > NAME_BYTES {
        return;
    }
    if let Some(known) = counts.get_mut(tool) {
        *known = known.saturating_add(times);
    } else if counts.len() < TOOLS {
        counts.insert(tool.to_owned(), times);
    }
}

/// Counts all of `others`.
pub(super) fn count_all(counts: &mut ToolCounts, others: &ToolCounts) {
    for (tool, times) in others {
        count(counts, tool, *times);
    }
}
