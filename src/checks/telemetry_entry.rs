//! `telemetry`: the log says this.

use crate::suite::TelemetryEntry;

use super::check::Answer;
use super::{Judged, wording};

pub(super) fn check(judged: &Judged<'_>, entry: &TelemetryEntry<'_>) -> Answer {
    let events = &judged.events;
    let found = |event: usize, message: String| Answer::passed(message).with([events.evidence(event)]);
    match *entry {
        TelemetryEntry::Start { tool } => {
            let name = wording::quoted(tool);
            match events.tools().get(tool).started {
                Some(event) => found(event, format!("{name} was called")),
                None => Answer::failed(format!("{name} was not called")),
            }
        }
        TelemetryEntry::Result { tool, success } => {
            let (name, tool) = (wording::quoted(tool), events.tools().get(tool));
            let (result, verb) = if success { (tool.succeeded, "succeeded") } else { (tool.failed, "failed") };
            match result {
                Some(event) => found(event, format!("a result of {name} {verb}")),
                None => Answer::failed(format!("no result of {name} {verb}")),
            }
        }
        TelemetryEntry::MissingField { field } => missing_field(judged, field),
        TelemetryEntry::Literal(text) => match events.says(text) {
            Some(event) => found(event, format!("event {} says {}", event + 1, wording::quoted(text))),
            None => Answer::failed(format!("no event says {}", wording::quoted(text))),
        },
    }
}

/// Three things, each of any event.
fn missing_field(judged: &Judged<'_>, field: &str) -> Answer {
    let events = &judged.events;
    let named = ["missingFields", "missing_fields"].into_iter().filter_map(|name| events.object_says(name)).min();
    let conditions = [
        (events.tools().failed_result, "no result failed".to_owned()),
        (named, "no event has `missingFields`".to_owned()),
        (events.object_contains(field), format!("no event contains {}", wording::quoted(field))),
    ];
    let mut answer = Answer::passed(format!("a result failed, and {} is missing", wording::quoted(field)));
    for (event, lacking) in conditions {
        match event {
            Some(event) => answer = answer.with([events.evidence(event)]),
            None => return Answer::failed(lacking).with(answer.evidence),
        }
    }
    answer.evidence.dedup();
    answer
}
