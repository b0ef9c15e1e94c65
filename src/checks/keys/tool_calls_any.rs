//! `tool_calls_any`: one of these tools was called.

use super::rule::*;
use crate::checks::called_tools;
use crate::checks::message::none;

#[derive(Debug)]
struct ToolCallsAny<'a>(&'a List);

pub(super) fn ask(asked: &mut Asked<'_>) {
    if let Some(list) = asked.expected().tool_calls_any.as_ref().filter(|list| !texts(list).is_empty()) {
        asked.add("tool_calls_any", list.span, "tool_calls_any", ToolCallsAny(list));
    }
}

/// The most tools that are offered.
const TOOLS: usize = 3;

impl<'a> Rule<'a> for ToolCallsAny<'a> {
    fn judge(&self, view: &View<'_, '_>) -> Decision {
        let (tools, events) = (texts(self.0), &view.judged.events);
        let started = tools.iter().find_map(|tool| Some((tool, events.tools().get(tool).started?)));
        match started {
            Some((tool, event)) => {
                Decision::passed(format!("{} was called", quoted(tool))).with([events.evidence(event)])
            }
            None => Decision::failed(none(&tools, "was not called", "was called")),
        }
    }

    fn nearest(&self, view: &View<'_, '_>) -> Option<Evidence> {
        nearest::called(view.judged, &texts(self.0))
    }

    fn explain(&self, _: &Config) -> Option<String> {
        Some(format!("Passes if a tool is called (has a `start` event): {}.", listed(&texts(self.0), "or")))
    }

    fn propose(&self, answered: &Answered<'_>) -> Vec<Proposal> {
        let tools = called_tools(answered.transcript).into_iter().take(TOOLS);
        tools.flat_map(|tool| Proposal::one_of(self.0, &tool, "the tool", "a tool that was called")).collect()
    }

    fn needs(&self) -> Needs {
        Needs { tool: true, ..Needs::CONTENT }
    }
}
