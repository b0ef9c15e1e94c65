//! Traces of OpenTelemetry with the conventions for generative AI: OTLP as JSON, a request for each line or file.
//! <https://github.com/open-telemetry/semantic-conventions-genai>

use serde_json::{Value, json};

use super::traces::{Kind, Step, conversations, time};
use super::{Conversation, Placed, messages};

pub(super) fn read(values: &mut dyn Iterator<Item = Placed>) -> Vec<Conversation> {
    let mut steps = Vec::new();
    for (_, value) in values {
        let scopes = list(&value, "resourceSpans").flat_map(|resource| list(resource, "scopeSpans"));
        steps.extend(scopes.flat_map(|scope| list(scope, "spans")).map(step));
    }
    conversations(steps)
}

fn step(span: &Value) -> Step {
    let text = |key: &str| span[key].as_str().unwrap_or_default().to_owned();
    let attribute = |name: &str| attribute(span, name).unwrap_or_default();
    let named = |name: &str| attribute(name).as_str().unwrap_or_default().to_owned();
    let status = &span["status"];
    let is_error = status["code"] == 2 || status["code"] == "STATUS_CODE_ERROR" || !attribute("error.type").is_null();
    let why = [status["message"].clone(), attribute("error.type"), json!("error")].into_iter();
    let mut why = why.filter(|why| is_error && why.as_str().is_some_and(|why| !why.is_empty()));
    let kind = match named("gen_ai.operation.name").as_str() {
        "chat" | "generate_content" | "text_completion" => Kind::Model,
        "invoke_agent" | "invoke_workflow" => Kind::Agent,
        "execute_tool" => {
            let [input, output] = ["gen_ai.tool.call.arguments", "gen_ai.tool.call.result"].map(attribute);
            Kind::tool(&named("gen_ai.tool.call.id"), &named("gen_ai.tool.name"), &input, &output)
        }
        _ => Kind::Other,
    };
    let (trace, session) = (text("traceId"), named("gen_ai.conversation.id"));
    let (id, parent) = (text("spanId"), text("parentSpanId"));
    let [start, end] = ["startTimeUnixNano", "endTimeUnixNano"].map(|key| time(&span[key]));
    let step = Step { trace, session, id, parent, start, end, kind, error: why.next(), ..Step::default() };
    let messages = |name: &str| {
        list(span, "events").chain([span]).find_map(|holder| self::attribute(holder, name)).unwrap_or_default()
    };
    let [input, output] = ["gen_ai.input.messages", "gen_ai.output.messages"].map(messages);
    let mut step = step.exchange(&input, &output);
    for reason in attribute("gen_ai.response.finish_reasons").as_array().into_iter().flatten() {
        messages::stopped(&mut step.said, reason);
    }
    step
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value[key].as_array().into_iter().flatten()
}

fn attribute(holder: &Value, name: &str) -> Option<Value> {
    list(holder, "attributes").filter(|it| it["key"] == name).find_map(pair).map(|(_, value)| value)
}

/// The key and the value of an attribute.
fn pair(attribute: &Value) -> Option<(&str, Value)> {
    Some((attribute["key"].as_str()?, plain(&attribute["value"])))
}

/// The value in `{stringValue | intValue | … | arrayValue: {values} | kvlistValue: {values}}`. The parser of JSON limits the depth.
fn plain(value: &Value) -> Value {
    match value.as_object().and_then(|object| object.iter().next()) {
        Some((kind, inner)) if kind == "arrayValue" => list(inner, "values").map(plain).collect(),
        Some((kind, inner)) if kind == "kvlistValue" => list(inner, "values").filter_map(pair).collect(),
        // A whole number may be a text.
        Some((kind, Value::String(text))) if kind == "intValue" => text.parse::<i64>().map_or(json!(text), Value::from),
        Some((_, inner)) => inner.clone(),
        None => Value::Null,
    }
}
