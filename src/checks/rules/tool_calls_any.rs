//! `tool_calls_any`: one of these tools was called.

use crate::checks::judged::Decision;
use crate::checks::{Judged, message};

pub(crate) fn check(judged: &Judged<'_>, tools: &[&str]) -> Decision {
    let events = &judged.events;
    let started = tools.iter().find_map(|tool| Some((tool, events.tools().get(tool).started?)));
    match started {
        Some((tool, event)) => {
            Decision::passed(format!("{} was called", message::quoted(tool))).with([events.evidence(event)])
        }
        None => Decision::failed(message::none(tools, "was not called", "was called")),
    }
}
