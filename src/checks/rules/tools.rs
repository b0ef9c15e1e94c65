//! The log of tools: `tool_calls_any`, `tool_calls_none`, `outcome`, `telemetry`.

use crate::checks::events::Tool;
use crate::checks::judged::Decision;
use crate::checks::{Judged, message};
use crate::suite::{Outcome, TelemetryEntry};

/// `tool_calls_any`: one of these tools was called.
pub(crate) fn any_called(judged: &Judged<'_>, tools: &[&str]) -> Decision {
    let events = &judged.events;
    let started = tools.iter().find_map(|tool| Some((tool, events.tools().get(tool).started?)));
    match started {
        Some((tool, event)) => {
            Decision::passed(format!("{} was called", message::quoted(tool))).with([events.evidence(event)])
        }
        None => Decision::failed(message::none(tools, "was not called", "was called")),
    }
}

/// `tool_calls_none`: this tool was not called.
pub(crate) fn not_called(judged: &Judged<'_>, tool: &str) -> Decision {
    let tool_name = message::quoted(tool);
    match judged.events.tools().get(tool).started {
        Some(event) => Decision::failed(format!("{tool_name} was called")).with([judged.events.evidence(event)]),
        None => Decision::passed(format!("{tool_name} was not called")),
    }
}

/// `outcome`: the results of the tools.
pub(crate) fn outcome(judged: &Judged<'_>, outcome: Outcome, listed: &[&str]) -> Decision {
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

/// `telemetry`: the log contains this entry.
pub(crate) fn telemetry(judged: &Judged<'_>, entry: &TelemetryEntry<'_>) -> Decision {
    let events = &judged.events;
    let found = |event: usize, message: String| Decision::passed(message).with([events.evidence(event)]);
    match *entry {
        TelemetryEntry::Start { tool } => {
            let name = message::quoted(tool);
            match events.tools().get(tool).started {
                Some(event) => found(event, format!("{name} was called")),
                None => Decision::failed(format!("{name} was not called")),
            }
        }
        TelemetryEntry::Result { tool, success } => {
            let (name, tool) = (message::quoted(tool), events.tools().get(tool));
            let (result, verb) = if success { (tool.succeeded, "succeeded") } else { (tool.failed, "failed") };
            match result {
                Some(event) => found(event, format!("a result of {name} {verb}")),
                None => Decision::failed(format!("no result of {name} {verb}")),
            }
        }
        TelemetryEntry::MissingField { field } => missing_field(judged, field),
        TelemetryEntry::Literal(text) => match events.says(text) {
            Some(event) => found(event, format!("event {} says {}", event + 1, message::quoted(text))),
            None => Decision::failed(format!("no event says {}", message::quoted(text))),
        },
    }
}

/// Three conditions. Each may be met by a different event.
fn missing_field(judged: &Judged<'_>, field: &str) -> Decision {
    let events = &judged.events;
    let named = ["missingFields", "missing_fields"].into_iter().filter_map(|name| events.object_says(name)).min();
    let conditions = [
        (events.tools().failed_result, "no result failed".to_owned()),
        (named, "no event has `missingFields`".to_owned()),
        (events.object_contains(field), format!("no event contains {}", message::quoted(field))),
    ];
    let mut answer = Decision::passed(format!("a result failed, and {} is missing", message::quoted(field)));
    for (event, lacking) in conditions {
        match event {
            Some(event) => answer = answer.with([events.evidence(event)]),
            None => return Decision::failed(lacking).with(answer.evidence),
        }
    }
    answer.evidence.dedup();
    answer
}
