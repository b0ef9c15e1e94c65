//! `tool_calls_none`: none of these tools was called.

use super::rule::*;

#[derive(Debug)]
struct ToolCallsNone<'a>(&'a str);

pub(super) fn ask(asked: &mut Asked<'_>) {
    asked.each("tool_calls_none", "tool_calls_none:", &asked.expected().tool_calls_none, |tool| {
        ToolCallsNone(&tool.value)
    });
}

impl<'a> Rule<'a> for ToolCallsNone<'a> {
    fn judge(&self, view: &View<'_, '_>) -> Decision {
        let events = &view.judged.events;
        let name = quoted(self.0);
        match events.tools().get(self.0).started {
            Some(event) => Decision::failed(format!("{name} was called")).with([events.evidence(event)]),
            None => Decision::passed(format!("{name} was not called")),
        }
    }

    fn explain(&self, _: &Config) -> Option<String> {
        Some(format!("Passes if the tool {} is not called (has no `start` event).", code(self.0)))
    }

    fn forbid(&self) -> Vec<Forbidden<'a>> {
        vec![Forbidden::Call(self.0)]
    }
}
