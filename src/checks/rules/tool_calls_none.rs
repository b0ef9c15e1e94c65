//! `tool_calls_none`: this tool was not called.

use crate::checks::judged::Decision;
use crate::checks::{Judged, message};

pub(crate) fn check(judged: &Judged<'_>, tool: &str) -> Decision {
    let tool_name = message::quoted(tool);
    match judged.events.tools().get(tool).started {
        Some(event) => Decision::failed(format!("{tool_name} was called")).with([judged.events.evidence(event)]),
        None => Decision::passed(format!("{tool_name} was not called")),
    }
}
