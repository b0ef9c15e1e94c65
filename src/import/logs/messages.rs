//! Messages with a role, as the logs of OpenAI, Anthropic, LangChain, the AI SDK and OpenTelemetry have them.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::Value;

use crate::foreign::columns::snake;

use super::{Conversation, Placed};

/// How faults begin that a later question does not remove, because a question or its speaker is not known.
const UNREAD: &str = "a message has ";

/// The keys of the id of a call, the clearest first.
const IDS: [&str; 6] = ["call_id", "tool_call_id", "tool_use_id", "toolCallId", "toolUseId", "id"];

/// The keys with which a message names its conversation, with `_` between words.
const CONVERSATIONS: [&str; 4] = ["conversation_id", "chat_id", "thread_id", "session_id"];

/// The most characters of an error of another program that a reason names.
const MOST_CHARACTERS: usize = 120;

/// Adds the turns of a message with a `role` (in LangChain's messages `type`), or of an item of the Responses API.
pub(super) fn add(conversation: &mut Conversation, message: &Value) {
    let wrapped = ["data", "kwargs"].iter().find_map(|key| message.get(key).filter(|it| it.get("content").is_some()));
    let body = wrapped.unwrap_or(message);
    let class = message.get("id").and_then(Value::as_array).and_then(|id| id.last());
    let roles = [body.get("role"), body.get("type"), class, message.get("type")];
    let role = roles.into_iter().flatten().find_map(Value::as_str).unwrap_or_default();
    let called = body.get("tool_calls").or_else(|| body.get("additional_kwargs")?.get("tool_calls"));
    let called = called.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let parts = match body.get("content").or_else(|| body.get("parts")) {
        Some(Value::Array(parts)) => parts.iter().collect(),
        Some(Value::Null) | None => Vec::new(),
        Some(content) => vec![content],
    };
    match role.to_lowercase().trim_end_matches("chunk").trim_end_matches("message") {
        "system" | "developer" => {}
        "user" | "human" => {
            let texts: Vec<&str> = parts.iter().filter_map(|part| text(part)).collect();
            let mut others = parts.iter().filter(|part| text(part).is_none());
            let unread = others.find(|part| !step(conversation, part)).map(|part| kind(part).0);
            ask(conversation, &texts.join("\n"), unread.as_deref());
        }
        "assistant" | "ai" | "model" => {
            let mut said = String::new();
            for part in parts {
                if let Some(text) = text(part) {
                    said.push_str(text);
                    continue;
                }
                conversation.say(&std::mem::take(&mut said));
                // LangChain repeats the calls of the content.
                if (called.is_empty() || !is_call(&kind(part).0)) && !step(conversation, part) {
                    conversation.fail(format!("the answer has a part that is not text ({})", kind(part).0));
                }
            }
            conversation.say(&said);
            conversation.say(body.get("refusal").and_then(Value::as_str).unwrap_or_default());
            let older = body.get("function_call").filter(|call| call.is_object());
            called.iter().chain(older).for_each(|call| self::call(conversation, call));
            let reasons = [Some(body), body.get("response_metadata")].into_iter().flatten();
            let reasons = reasons.flat_map(|it| [it.get("finish_reason"), it.get("stop_reason"), it.get("status")]);
            reasons.flatten().filter_map(Value::as_str).for_each(|reason| stopped(conversation, reason));
        }
        "tool" | "function" if parts.iter().any(|part| is_result(&kind(part).0)) => {
            parts.iter().for_each(|part| _ = step(conversation, part));
        }
        "tool" | "function" => {
            let of = first_text(body, &IDS[..5]).or_else(|| first_text(body, &["name"]));
            let output = body.get("content").unwrap_or(&Value::Null);
            conversation.result(of.unwrap_or_default(), &plain(output), is_error(body));
        }
        _ if !step(conversation, body) => {
            conversation.fault = Some(format!("{UNREAD}an unknown role ({role})"));
        }
        _ => {}
    }
}

/// The conversations of values, each of which is a conversation or a message of one. Messages belong together if they name the same
/// conversation, or none.
pub(super) fn collect(
    values: &mut dyn Iterator<Item = Placed>,
    is_message: impl Fn(&Value) -> bool,
    add: impl Fn(&mut Conversation, &Value),
) -> Vec<Conversation> {
    let mut conversations: Vec<Conversation> = Vec::new();
    let mut known: HashMap<Option<String>, usize> = HashMap::new();
    for (place, value) in values {
        let next = conversations.len();
        let names = |(key, id): &(&String, &Value)| !id.is_null() && CONVERSATIONS.contains(&snake(key).as_str());
        let named = value.as_object().and_then(|message| message.iter().find(names)).map(|(_, id)| id.to_string());
        let index = match is_message(&value) {
            true => *known.entry(named).or_insert(next),
            false => next,
        };
        if index == next {
            conversations.push(Conversation::at(place));
        }
        add(&mut conversations[index], &value);
    }
    conversations
}

/// The user says something. `unread` is the type of a part of the message that is not text: the question is more than its text.
pub(super) fn ask(conversation: &mut Conversation, text: &str, unread: Option<&str>) {
    let lasting = conversation.fault.take_if(|fault| fault.starts_with(UNREAD));
    conversation.ask(text);
    let unread = unread.map(|kind| format!("{UNREAD}a part that is not text ({kind})"));
    if let Some(fault) = lasting.or(unread) {
        conversation.fault = Some(fault);
    }
}

/// Notes why a model stopped, if its answer is not whole.
pub(super) fn stopped(conversation: &mut Conversation, reason: &str) {
    match snake(reason).as_str() {
        "length"
        | "max_tokens"
        | "max_output_tokens"
        | "model_context_window_exceeded"
        | "incomplete"
        | "streaming"
        | "input_streaming"
        | "pause_turn"
        | "suspended"
        | "interrupted" => {
            conversation.fail(format!("the answer was cut off ({reason})"));
        }
        "content_filter" | "refusal" => conversation.fail(format!("the answer was withheld ({reason})")),
        "error" | "failed" | "cancelled" => conversation.fail(format!("the model call failed ({reason})")),
        _ => {}
    }
}

/// Notes that a call of the model failed, if `error` is an error: a text, or an object with a `message`, a `type` or a `code`.
pub(super) fn failed(conversation: &mut Conversation, error: Option<&Value>) {
    let Some(error) = error.filter(|error| !matches!(error, Value::Null | Value::Bool(false))) else { return };
    let why = error.as_str().or_else(|| first_text(error, &["message", "type", "code"])).unwrap_or("error");
    conversation.fail(format!("the model call failed ({})", why.chars().take(MOST_CHARACTERS).collect::<String>()));
}

/// The first of these members that is a text and not empty.
pub(super) fn first_text<'a>(value: &'a Value, keys: &[&str]) -> Option<&'a str> {
    keys.iter().filter_map(|key| value.get(key)?.as_str()).find(|text| !text.is_empty())
}

/// The text of a part of a message.
fn text(part: &Value) -> Option<&str> {
    match part.get("type").and_then(Value::as_str) {
        Some("text" | "input_text" | "output_text" | "refusal") | None => {
            let keys = ["text", "content", "refusal"];
            part.as_str().or_else(|| keys.iter().find_map(|key| part.get(key)?.as_str()))
        }
        Some(_) => None,
    }
}

/// The type of a part, and the object that has its members. Gemini and Bedrock write `{"toolUse": {…}}`.
fn kind(part: &Value) -> (String, &Value) {
    let named = part.get("type").and_then(Value::as_str).map(|kind| (snake(kind), part));
    let only = || part.as_object()?.iter().find(|(_, value)| value.is_object()).map(|(key, value)| (snake(key), value));
    named.or_else(only).unwrap_or_else(|| ("unknown".to_owned(), part))
}

fn is_call(kind: &str) -> bool {
    kind.ends_with("_use") || kind.ends_with("_call")
}

fn is_result(kind: &str) -> bool {
    ["_result", "_output", "_response"].iter().any(|end| kind.ends_with(end))
}

/// Adds the call or the result that a part is. Returns whether all that the part says is read.
fn step(conversation: &mut Conversation, part: &Value) -> bool {
    let (kind, body) = kind(part);
    if is_call(&kind) {
        call(conversation, part);
    }
    // An `mcp_call` has its result.
    let outputs = ["output", "content", "response", "result"];
    let output = outputs.iter().find_map(|key| body.get(key)).filter(|_| is_result(&kind) || kind == "mcp_call");
    if output.is_some() || is_result(&kind) {
        let of = first_text(body, &IDS).or_else(|| first_text(body, &["name"])).unwrap_or_default();
        conversation.result(of, &plain(output.unwrap_or(&Value::Null)), is_error(body));
    }
    let is_unsaid = matches!(kind.as_str(), "thinking" | "redacted_thinking" | "reasoning" | "mcp_list_tools");
    is_call(&kind) || is_result(&kind) || is_unsaid
}

/// Adds a call: `{name, input | arguments | args}`, or one that has these in `function` or `custom`.
fn call(conversation: &mut Conversation, call: &Value) {
    let (kind, body) = kind(call);
    let inner = ["function", "custom"].iter().find_map(|key| call.get(key).filter(|it| it.is_object())).unwrap_or(body);
    let tool = first_text(inner, &["name", "toolName"]).unwrap_or_else(|| kind.trim_end_matches("_call"));
    let input = ["input", "arguments", "args", "action"].iter().find_map(|key| inner.get(key));
    let id = first_text(body, &IDS).or_else(|| first_text(call, &IDS)).unwrap_or_default();
    conversation.call(id, tool, input.unwrap_or(&Value::Null));
}

/// Whether a result is an error; `None` if nothing states it, as in messages of OpenAI. LangChain and Bedrock write `status`, the AI SDK
/// `output: {type: error-text}`, and in the `tool_result` of Anthropic only `is_error` marks an error.
fn is_error(result: &Value) -> Option<bool> {
    let of_output = result.get("output").and_then(|output| first_text(output, &["type"]));
    let has_error = result.get("error").is_some_and(|error| !error.is_null());
    let status = first_text(result, &["status"]).filter(|status| matches!(*status, "success" | "error"));
    let stated = result.get("is_error").and_then(Value::as_bool).or(status.map(|status| status == "error"));
    let of_output = of_output.map(|kind| kind.starts_with("error-")).or(has_error.then_some(true));
    stated.or(of_output).or((kind(result).0 == "tool_result").then_some(false))
}

/// What a tool returns: the texts of parts `{type: text}`, the value of the AI SDK's `{type, value}`, or the value itself.
fn plain(output: &Value) -> Cow<'_, Value> {
    let parts = output.as_array().filter(|parts| !parts.is_empty());
    let texts: Option<Vec<&str>> =
        parts.and_then(|parts| parts.iter().map(|part| part.get("type").and_then(|_| text(part))).collect());
    let is_wrapped = matches!(first_text(output, &["type"]), Some("text" | "json" | "error-text" | "error-json"));
    match (texts, output.get("value").filter(|_| is_wrapped)) {
        (Some(texts), _) => Cow::Owned(Value::String(texts.join("\n"))),
        (None, value) => Cow::Borrowed(value.unwrap_or(output)),
    }
}
