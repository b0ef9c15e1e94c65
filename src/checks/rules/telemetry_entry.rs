//! `telemetry`: the log contains this entry.

use crate::checks::judged::Decision;
use crate::checks::{Judged, message};
use crate::suite::TelemetryEntry;

pub(crate) fn check(judged: &Judged<'_>, entry: &TelemetryEntry<'_>) -> Decision {
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
