//! `tool_calls_none`: this tool was not called.

use super::check::Answer;
use super::{Judged, wording};

pub(super) fn check(judged: &Judged<'_>, tool: &str) -> Answer {
    let tool_name = wording::quoted(tool);
    match judged.events.tools().get(tool).started {
        Some(event) => Answer::failed(format!("{tool_name} was called")).with([judged.events.evidence(event)]),
        None => Answer::passed(format!("{tool_name} was not called")),
    }
}
