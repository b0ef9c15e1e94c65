//! Traces of OpenTelemetry with the conventions for generative AI: OTLP as JSON, a request for each line or file.
//! <https://github.com/open-telemetry/semantic-conventions-genai>

use serde_json::{Map, Value, json};

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
    let text = |key: &str| span.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let named = |name: &str| attribute(span, name).and_then(|value| value.as_str().map(str::to_owned));
    let code = span.pointer("/status/code");
    let is_error = code.is_some_and(|code| *code == 2 || *code == "STATUS_CODE_ERROR") || named("error.type").is_some();
    let error = || {
        let said = span.pointer("/status/message").filter(|said| said.as_str().is_some_and(|said| !said.is_empty()));
        said.cloned().or_else(|| attribute(span, "error.type")).unwrap_or_else(|| json!("error"))
    };
    let kind = match named("gen_ai.operation.name").as_deref() {
        Some("chat" | "generate_content" | "text_completion") => Kind::Model,
        Some("invoke_agent" | "invoke_workflow") => Kind::Agent,
        Some("execute_tool") => Kind::Tool {
            call: named("gen_ai.tool.call.id").unwrap_or_default(),
            tool: named("gen_ai.tool.name").unwrap_or_default(),
            input: attribute(span, "gen_ai.tool.call.arguments").unwrap_or_default(),
            output: attribute(span, "gen_ai.tool.call.result").or_else(|| is_error.then(error)),
            is_error,
        },
        _ => Kind::Other,
    };
    let mut step = Step {
        trace: text("traceId"),
        session: named("gen_ai.conversation.id"),
        id: text("spanId"),
        parent: text("parentSpanId"),
        start: time(span.get("startTimeUnixNano")),
        end: time(span.get("endTimeUnixNano")),
        kind,
        ..Step::default()
    };
    if matches!(step.kind, Kind::Model | Kind::Agent) {
        let messages = |name: &str| list(span, "events").chain([span]).find_map(|holder| attribute(holder, name));
        let events = |is_choice: bool| {
            let events =
                list(span, "events").filter(|event| (event.get("name") == Some(&json!("gen_ai.choice"))) == is_choice);
            events.filter_map(message).collect()
        };
        let input = messages("gen_ai.input.messages").unwrap_or_else(|| events(false));
        let output = messages("gen_ai.output.messages").unwrap_or_else(|| events(true));
        step.exchange(Some(&input), Some(&output));
        if let Some(Value::Array(reasons)) = attribute(span, "gen_ai.response.finish_reasons") {
            reasons.iter().filter_map(Value::as_str).for_each(|reason| messages::stopped(&mut step.said, reason));
        }
        messages::failed(&mut step.said, is_error.then(error).as_ref());
    }
    step
}

/// The message of an event of the earlier conventions.
fn message(event: &Value) -> Option<Value> {
    let name = event.get("name")?.as_str()?.strip_prefix("gen_ai.")?;
    let role = if name == "choice" { "assistant" } else { name.strip_suffix(".message")? };
    let attributes = list(event, "attributes").filter_map(pair).map(|(name, value)| (name.to_owned(), parsed(value)));
    let mut body: Map<String, Value> = attributes.collect();
    if let Some(Value::Object(content)) = body.remove("gen_ai.event.content") {
        body = content;
    }
    match body.remove("message").map(parsed) {
        Some(Value::Object(message)) => body.extend(message),
        Some(text) => _ = body.insert("content".to_owned(), text),
        None => {}
    }
    if let Some(id) = body.remove("id") {
        body.insert("tool_call_id".to_owned(), id);
    }
    body.insert("role".to_owned(), json!(role));
    Some(Value::Object(body))
}

/// The list or the object of a JSON text.
fn parsed(value: Value) -> Value {
    let parsed = value.as_str().and_then(|text| serde_json::from_str(text).ok());
    parsed.filter(|parsed: &Value| parsed.is_array() || parsed.is_object()).unwrap_or(value)
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn attribute(holder: &Value, name: &str) -> Option<Value> {
    list(holder, "attributes")
        .filter(|it| it.get("key").is_some_and(|key| key == name))
        .find_map(pair)
        .map(|(_, value)| value)
}

/// The key and the value of an attribute.
fn pair(attribute: &Value) -> Option<(&str, Value)> {
    Some((attribute.get("key")?.as_str()?, plain(attribute.get("value")?)))
}

/// The value in `{stringValue | intValue | … | arrayValue: {values} | kvlistValue: {values}}`. The parser of JSON limits the depth.
fn plain(value: &Value) -> Value {
    match value.as_object().and_then(|object| object.iter().next()) {
        Some((kind, inner)) if kind == "arrayValue" => list(inner, "values").map(plain).collect(),
        Some((kind, inner)) if kind == "kvlistValue" => {
            let pairs = list(inner, "values").filter_map(pair);
            Value::Object(pairs.map(|(key, value)| (key.to_owned(), value)).collect())
        }
        // A whole number may be a text.
        Some((kind, Value::String(text))) if kind == "intValue" => text.parse::<i64>().map_or(json!(text), Value::from),
        Some((_, inner)) => inner.clone(),
        None => Value::Null,
    }
}
