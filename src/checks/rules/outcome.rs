//! `outcome`: the results of the tools.

use crate::checks::events::Tool;
use crate::checks::judged::Decision;
use crate::checks::{Judged, message};
use crate::suite::Outcome;

pub(crate) fn check(judged: &Judged<'_>, outcome: Outcome, listed: &[&str]) -> Decision {
    let events = &judged.events;
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
    match outcome {
        Outcome::ToolSuccess if listed.is_empty() => {
            required(tools.first(succeeded), "a tool succeeded", "no tool succeeded")
        }
        Outcome::ToolSuccess => {
            let failed = message::none(listed, "has no successful result", "has a successful result");
            required(tools.first_of(listed, succeeded), "a tool of `tool_calls_any` succeeded", &failed)
        }
        Outcome::ToolStarted => required(tools.first(|tool| tool.started), "a tool was called", "no tool was called"),
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
            let failed = message::none(listed, "has no failed result", "has a failed result");
            required(tools.first_of(listed, |tool| tool.failed), "a tool of `tool_calls_any` failed", &failed)
        }
        Outcome::ResponseOnly => Decision::passed("any response passes"),
    }
}

pub(crate) fn unknown(name: &str) -> Decision {
    Decision::failed(format!("there is no outcome {}", message::quoted(name)))
}
