//! Traces and observations of Langfuse, as its interface, its API and its exports to storage write them.
//! <https://langfuse.com/docs/api-and-data-platform/features/blob-storage-export-fields>

use serde_json::{Value, json};

use super::traces::{Kind, Step, conversations, time};
use super::{Conversation, Placed};

pub(super) fn read(values: &mut dyn Iterator<Item = Placed>) -> Vec<Conversation> {
    let mut steps = Vec::new();
    for (_, value) in values {
        // A list of traces has the ids of their observations.
        let observations = value["observations"].as_array().into_iter().flatten().filter(|it| it.is_object());
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
    // The API writes `startTime`, and an export to storage `start_time`.
    let get = |names: &[&str]| names.iter().map(|name| &value[*name]).find(|it| !it.is_null()).unwrap_or(&Value::Null);
    let text = |names: &[&str]| get(names).as_str().unwrap_or_default().to_owned();
    let (id, parent) = (text(&["id"]), text(&["parentObservationId", "parent_observation_id"]));
    let ids = [text(&["traceId", "trace_id"]), trace.to_owned(), id.clone()].into_iter();
    let trace = ids.into_iter().find(|id| !id.is_empty()).unwrap_or_default();
    let session = text(&["sessionId", "session_id"]);
    let start = time(get(&["startTime", "start_time", "timestamp"]));
    let end = time(get(&["endTime", "end_time"]));
    let why = Some(get(&["statusMessage", "status_message"]).clone()).filter(|why| !why.is_null());
    let error = (value["level"] == "ERROR").then(|| why.unwrap_or_else(|| json!("error")));
    let (input, output) = (&value["input"], &value["output"]);
    let kind = match value["type"].as_str().unwrap_or_default() {
        "GENERATION" => Kind::Model,
        "TOOL" => Kind::tool("", &text(&["name"]), input, output),
        "" | "SPAN" | "AGENT" | "CHAIN" if parent.is_empty() => Kind::Agent,
        _ => Kind::Other,
    };
    Step { trace, session, id, parent, start, end, kind, error, ..Step::default() }.exchange(input, output)
}
