//! Runs of LangSmith, as its clients export them: a run for each line, or trees of runs in `child_runs`.
//! <https://docs.langchain.com/langsmith/run-data-format>

use serde_json::Value;

use super::traces::{Kind, Step, conversations, time};
use super::{Conversation, Placed, messages};

/// The members of the metadata that name a thread: the traces of one conversation.
const THREADS: [&str; 3] = ["session_id", "thread_id", "conversation_id"];

pub(super) fn read(values: &mut dyn Iterator<Item = Placed>) -> Vec<Conversation> {
    let mut steps: Vec<Step> = Vec::new();
    for (_, value) in values {
        // The runs, each with the trace and the run that contain it.
        let mut open = vec![(value, String::new(), String::new())];
        while let Some((mut run, trace, parent)) = open.pop() {
            let inner = ["child_runs", "runs"].map(|key| run.get_mut(key).map(Value::take));
            let step = step(&run, trace, parent);
            let inner = inner.into_iter().flatten().flat_map(|runs| match runs {
                Value::Array(runs) => runs,
                _ => Vec::new(),
            });
            open.extend(inner.map(|run| (run, step.trace.clone(), step.id.clone())));
            steps.push(step);
        }
    }
    conversations(steps)
}

/// The step that a run is. `trace` and `parent` are the ids of what contains it, which the run itself may not name.
fn step(run: &Value, trace: String, parent: String) -> Step {
    let text = |keys: &[&str]| messages::first_text(run, keys).map(str::to_owned);
    let id = text(&["id", "run_id"]).unwrap_or_default();
    let parent = text(&["parent_run_id"]).unwrap_or(parent);
    let (inputs, outputs) = (&run["inputs"], &run["outputs"]);
    let kind = match run["run_type"].as_str() {
        Some("llm") => Kind::Model,
        Some("tool") => {
            let output = only(outputs, "output");
            let message = output.get("kwargs").unwrap_or(output);
            let call = messages::first_text(message, &["tool_call_id"]);
            let content = message.get("content").filter(|_| call.is_some()).unwrap_or(output);
            Kind::tool(call.unwrap_or_default(), &text(&["name"]).unwrap_or_default(), only(inputs, "input"), content)
        }
        Some("chain") if parent.is_empty() => Kind::Agent,
        _ => Kind::Other,
    };
    let trace = text(&["trace_id"]).unwrap_or(if trace.is_empty() { id.clone() } else { trace });
    let session = messages::first_text(&run["extra"]["metadata"], &THREADS).unwrap_or_default().to_owned();
    let (start, end) = (time(&run["start_time"]), time(&run["end_time"]));
    let error = Some(run["error"].clone()).filter(|error| !error.is_null());
    Step { trace, session, id, parent, start, end, kind, error, ..Step::default() }.exchange(inputs, outputs)
}

/// The value of an object that has this member alone, or the object itself.
fn only<'a>(value: &'a Value, key: &str) -> &'a Value {
    value.get(key).filter(|_| value.as_object().is_some_and(|object| object.len() == 1)).unwrap_or(value)
}
