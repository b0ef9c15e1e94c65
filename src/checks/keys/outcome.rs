//! `outcome`: the results of the tools. Each case has one, `response_only` if the key is missing.

use super::rule::*;
use crate::checks::events::Tool;
use crate::checks::message::none;

#[derive(Debug)]
struct Ended<'a> {
    outcome: Outcome,
    /// The tools of `tool_calls_any`.
    listed: Vec<&'a str>,
}

#[derive(Debug)]
struct UnknownOutcome<'a>(&'a str);

pub(super) fn ask(asked: &mut Asked<'_>) {
    let expected = asked.expected();
    let implied = expected.object.as_ref().map_or(Span::new(0, asked.case.len.min(1)), |object| object.key());
    let given = expected.outcome.as_ref().map(|outcome| (&*outcome.value, outcome.span));
    let (name, span) = given.unwrap_or((Outcome::ResponseOnly.name(), implied));
    match Outcome::from_name(name) {
        Some(outcome) => {
            let listed = expected.tool_calls_any.as_ref().map_or_else(Vec::new, texts);
            asked.add("outcome", span, format!("outcome:{name}"), Ended { outcome, listed });
        }
        None => {
            asked.add("outcome", span, format!("outcome:unknown:{name}"), UnknownOutcome(name));
            asked.list.last_mut().into_iter().for_each(|added| added.group = None);
        }
    }
}

impl<'a> Rule<'a> for Ended<'a> {
    fn judge(&self, view: &View<'_, '_>) -> Decision {
        let (events, listed) = (&view.judged.events, &self.listed);
        let tools = events.tools();
        let succeeded = |tool: Tool| tool.succeeded;
        let required = |event: Option<usize>, passed: &str, failed: &str| match event {
            Some(event) => Decision::passed(passed).with([events.evidence(event)]),
            None => Decision::failed(failed),
        };
        let forbidden = |event: Option<usize>, passed: &str, failed: &str| match event {
            Some(event) => Decision::failed(failed).with([events.evidence(event)]),
            None => Decision::passed(passed),
        };
        match self.outcome {
            Outcome::ToolSuccess if listed.is_empty() => {
                required(tools.first(succeeded), "a tool succeeded", "no tool succeeded")
            }
            Outcome::ToolSuccess => {
                let failed = none(listed, "has no successful result", "has a successful result");
                required(tools.first_of(listed, succeeded), "a tool of `tool_calls_any` succeeded", &failed)
            }
            Outcome::ToolStarted => {
                required(tools.first(|tool| tool.started), "a tool was called", "no tool was called")
            }
            Outcome::NeedsInput => forbidden(
                tools.first_of(listed, succeeded),
                "no tool of `tool_calls_any` succeeded",
                "a tool of `tool_calls_any` succeeded",
            ),
            Outcome::GracefulBlock => forbidden(tools.first(succeeded), "no tool succeeded", "a tool succeeded"),
            Outcome::GracefulError if listed.is_empty() => {
                Decision::failed("`tool_calls_any` lists no tool that could have failed")
            }
            Outcome::GracefulError => {
                let failed = none(listed, "has no failed result", "has a failed result");
                required(tools.first_of(listed, |tool| tool.failed), "a tool of `tool_calls_any` failed", &failed)
            }
            Outcome::ResponseOnly => Decision::passed("any response passes"),
        }
    }

    fn nearest(&self, view: &View<'_, '_>) -> Option<Evidence> {
        let is_result = matches!(self.outcome, Outcome::ToolSuccess | Outcome::GracefulError);
        is_result.then(|| nearest::result(view.judged, &self.listed))?
    }

    fn forbid(&self) -> Vec<Forbidden<'a>> {
        match self.outcome {
            Outcome::NeedsInput => self.listed.iter().copied().map(Forbidden::Success).collect(),
            Outcome::GracefulBlock => vec![Forbidden::Success("any")],
            _ => Vec::new(),
        }
    }

    fn needs(&self) -> Needs {
        Needs { success: self.outcome == Outcome::ToolSuccess, ..Needs::NOTHING }
    }

    fn outcome(&self) -> Option<Outcome> {
        Some(self.outcome)
    }

    fn can_fail(&self) -> bool {
        self.outcome.can_fail(!self.listed.is_empty())
    }
}

impl<'a> Rule<'a> for UnknownOutcome<'a> {
    fn judge(&self, _: &View<'_, '_>) -> Decision {
        Decision::failed(format!("there is no outcome {}", quoted(self.0)))
    }

    fn needs(&self) -> Needs {
        Needs::NOTHING
    }
}
