//! `telemetry`: the log of the tools contains each of these entries.

use super::rule::*;
use crate::suite::TelemetryEntry;

#[derive(Debug)]
struct Telemetry<'a>(TelemetryEntry<'a>);

pub(super) fn ask(asked: &mut Asked<'_>) {
    let list = &asked.expected().telemetry;
    asked.each("telemetry", "telemetry:", list, |entry| Telemetry(TelemetryEntry::parse(&entry.value)));
}

impl<'a> Rule<'a> for Telemetry<'a> {
    fn judge(&self, view: &View<'_, '_>) -> Decision {
        let events = &view.judged.events;
        let found = |event: usize, message: String| Decision::passed(message).with([events.evidence(event)]);
        match self.0 {
            TelemetryEntry::Start { tool } => {
                let name = quoted(tool);
                match events.tools().get(tool).started {
                    Some(event) => found(event, format!("{name} was called")),
                    None => Decision::failed(format!("{name} was not called")),
                }
            }
            TelemetryEntry::Result { tool, success } => {
                let (name, tool) = (quoted(tool), events.tools().get(tool));
                let (result, verb) = if success { (tool.succeeded, "succeeded") } else { (tool.failed, "failed") };
                match result {
                    Some(event) => found(event, format!("a result of {name} {verb}")),
                    None => Decision::failed(format!("no result of {name} {verb}")),
                }
            }
            TelemetryEntry::MissingField { field } => missing_field(view.judged, field),
            TelemetryEntry::Literal(text) => match events.says(text) {
                Some(event) => found(event, format!("event {} says {}", event + 1, quoted(text))),
                None => Decision::failed(format!("no event says {}", quoted(text))),
            },
        }
    }

    fn nearest(&self, view: &View<'_, '_>) -> Option<Evidence> {
        match self.0 {
            TelemetryEntry::Start { tool } => nearest::called(view.judged, &[tool]),
            TelemetryEntry::Result { tool, .. } => nearest::result(view.judged, &[tool]),
            TelemetryEntry::MissingField { .. } => None,
            TelemetryEntry::Literal(text) => nearest::logged(view.judged, text),
        }
    }

    fn explain(&self, _: &Config) -> Option<String> {
        Some(match self.0 {
            TelemetryEntry::Start { tool } => {
                format!("Shorthand: passes if the tool {} has a `start` event.", code(tool))
            }
            TelemetryEntry::Result { tool, success } => {
                format!("Shorthand: passes if the tool {} has a `result` event with `success` {success}.", code(tool))
            }
            TelemetryEntry::MissingField { field } => format!(
                "Shorthand: passes if a `result` event failed, an event names `missingFields`, and an event contains {}.",
                code(field)
            ),
            TelemetryEntry::Literal(text) => format!(
                "Not a shorthand, so it is matched as literal text: passes if the text of an event contains {}, ignoring case.",
                code(text)
            ),
        })
    }

    fn needs(&self) -> Needs {
        let tool = matches!(self.0, TelemetryEntry::Start { .. } | TelemetryEntry::Result { .. });
        let success = matches!(self.0, TelemetryEntry::Result { success: true, .. });
        Needs { tool, success, ..Needs::CONTENT }
    }
}

/// Three conditions. Each may be met by a different event.
fn missing_field(judged: &Judged<'_>, field: &str) -> Decision {
    let events = &judged.events;
    let named = ["missingFields", "missing_fields"].into_iter().filter_map(|name| events.object_says(name)).min();
    let conditions = [
        (events.tools().failed_result, "no result failed".to_owned()),
        (named, "no event has `missingFields`".to_owned()),
        (events.object_contains(field), format!("no event contains {}", quoted(field))),
    ];
    let mut answer = Decision::passed(format!("a result failed, and {} is missing", quoted(field)));
    for (event, lacking) in conditions {
        match event {
            Some(event) => answer = answer.with([events.evidence(event)]),
            None => return Decision::failed(lacking).with(answer.evidence),
        }
    }
    answer.evidence.dedup();
    answer
}
