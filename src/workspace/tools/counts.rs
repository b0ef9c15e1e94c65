use std::collections::BTreeMap;

use super::bounds::{NAME_BYTES, TOOLS};

/// Names of tools, and how often each was met.
pub type ToolCounts = BTreeMap<String, usize>;

/// The tools that a place knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tools {
    /// Those that its transcripts and telemetry logs show, and how often each was called. One that shows only results
    /// was called once as far as anybody knows.
    pub shown: ToolCounts,
    /// Those that its suites name, and how often. They need not exist.
    pub named: ToolCounts,
}

/// Counts a tool `times` more. One that has no name, or a name longer than a tool's, is not counted, and none is added to
/// very many.
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
