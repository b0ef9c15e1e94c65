//! `tool_calls_any`: one of these tools was called.

use super::check::Answer;
use super::{Judged, wording};

pub(super) fn check(judged: &Judged<'_>, tools: &[&str]) -> Answer {
    let events = &judged.events;
    let started = tools.iter().find_map(|tool| Some((tool, events.tools().get(tool).started?)));
    match started {
        Some((tool, event)) => {
            Answer::passed(format!("{} was called", wording::quoted(tool))).with([events.evidence(event)])
        }
        None => Answer::failed(wording::none(tools, "was not called", "was called")),
    }
}
