//! Traces and observations of Langfuse, as its interface, its API and its exports to storage write them.
//! <https://langfuse.com/docs/api-and-data-platform/features/blob-storage-export-fields>

use serde_json::Value;

use super::traces::{Kind, Step, conversations, time};
use super::{Conversation, Placed, messages};

pub(super) fn read(values: &mut dyn Iterator<Item = Placed>) -> Vec<Conversation> {
    let mut steps = Vec::new();
    for (_, value) in values {
        let observations = value.get("observations").and_then(Value::as_array).into_iter().flatten();
        let value = value.get("trace").filter(|trace| trace.is_object()).unwrap_or(&value);
        let step = step(value, "");
        let inner: Vec<Step> = observations.map(|observation| self::step(observation, &step.trace)).collect();
        steps.push(step);
        steps.extend(inner);
    }
    conversations(steps)
}

/// The step that a trace or an observation is. `trace` is the id of the trace that contains it.
fn step(value: &Value, trace: &str) -> Step {
    let text = |names: &[&str]| get(value, names).and_then(Value::as_str).unwrap_or_default().to_owned();
    let is_error = text(&["level"]) == "ERROR";
    let error = get(value, &["statusMessage", "status_message"]).filter(|_| is_error);
    let (input, output) = (value.get("input"), value.get("output").filter(|output| !output.is_null()));
    let id = text(&["id"]);
    let of_trace = [&*text(&["traceId", "trace_id"]), trace, &id]
        .into_iter()
        .find(|id| !id.is_empty())
        .unwrap_or_default()
        .to_owned();
    let is_root = text(&["parentObservationId", "parent_observation_id"]).is_empty();
    let kind = match text(&["type"]).as_str() {
        "GENERATION" => Kind::Model,
        "TOOL" => Kind::Tool {
            call: String::new(),
            tool: text(&["name"]),
            input: input.cloned().unwrap_or_default(),
            output: output.or(error).cloned(),
            is_error,
        },
        "" | "SPAN" | "AGENT" | "CHAIN" if is_root => Kind::Agent,
        _ => Kind::Other,
    };
    let mut step = Step {
        trace: of_trace,
        session: Some(text(&["sessionId", "session_id"])).filter(|session| !session.is_empty()),
        id,
        parent: text(&["parentObservationId", "parent_observation_id"]),
        start: time(get(value, &["startTime", "start_time", "timestamp"])),
        end: time(get(value, &["endTime", "end_time"])),
        kind,
        ..Step::default()
    };
    if matches!(step.kind, Kind::Model | Kind::Agent) {
        step.exchange(input, output);
        messages::failed(&mut step.said, error.or(is_error.then_some(&Value::Bool(true))));
    }
    step
}

/// The first of these members. The API writes `startTime`, and an export to storage `start_time`.
fn get<'a>(value: &'a Value, names: &[&str]) -> Option<&'a Value> {
    names.iter().find_map(|name| value.get(name))
}
