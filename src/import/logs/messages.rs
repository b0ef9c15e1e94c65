//! Messages with a role, as the logs of OpenAI, Anthropic, LangChain, the AI SDK, Pydantic AI and OpenTelemetry have them.

use std::borrow::Cow;

use serde_json::Value;

use crate::foreign::columns::snake;

use super::Conversation;

/// The keys of the id of a call, the clearest first.
const IDS: [&str; 5] = ["call_id", "tool_call_id", "tool_use_id", "toolCallId", "id"];

/// The keys of the name of a tool.
const TOOLS: [&str; 3] = ["name", "toolName", "tool_name"];

/// The most characters of an error of another program that a reason names.
const MOST_CHARACTERS: usize = 120;

/// Adds the turns of a message with a `role` (in LangChain's messages `type`, in those of Pydantic AI `kind`), or of an item of the
/// Responses API.
pub(super) fn add(conversation: &mut Conversation, message: &Value) {
    let wrapped = ["data", "kwargs"].iter().find_map(|key| message.get(key).filter(|it| it.get("content").is_some()));
    let body = wrapped.unwrap_or(message);
    let class = message["id"].as_array().and_then(|id| id.last());
    let roles = [body.get("role"), body.get("kind"), body.get("type"), class, message.get("type")];
    let role = roles.into_iter().flatten().find_map(Value::as_str).unwrap_or_default();
    let called = body.get("tool_calls").unwrap_or(&body["additional_kwargs"]["tool_calls"]);
    let called = called.as_array().map_or(&[][..], Vec::as_slice);
    // Version 4 of the AI SDK has calls and files beside the text.
    let beside = |key: &str| body[key].as_array().into_iter().flatten();
    let invoked = beside("toolInvocations").filter(|_| body.get("parts").is_none());
    let mut parts: Vec<&Value> = invoked.chain(beside("experimental_attachments")).collect();
    match body.get("parts").or_else(|| body.get("content")) {
        Some(Value::Array(content)) => parts.extend(content.iter().flat_map(parts_of)),
        Some(Value::Null) | None => {}
        Some(content) => parts.push(content),
    }
    match role.to_lowercase().trim_end_matches("chunk").trim_end_matches("message") {
        "system" | "developer" => {}
        "user" | "human" | "request" => {
            for part in parts.iter().filter(|part| text(part).is_none()) {
                if !step(conversation, part) {
                    let why = || format!("a message has a part that is not text ({})", kind(part));
                    conversation.unread.get_or_insert_with(why);
                }
            }
            let texts: Vec<&str> = parts.iter().filter_map(|part| text(part)).collect();
            // A program adds reminders to the results of tools in the same message.
            match role != "request" && !texts.is_empty() && parts.iter().any(|part| is_result(part)) {
                true => conversation.fail("a text beside the result of a tool may be a question or not"),
                false => conversation.ask(&texts.join("\n")),
            }
        }
        "assistant" | "ai" | "model" | "response" => {
            let mut said = String::new();
            for part in parts {
                stopped(conversation, &part["state"]);
                if let Some(text) = text(part) {
                    said.push_str(text);
                    continue;
                }
                conversation.say(&std::mem::take(&mut said));
                // LangChain repeats the calls of the content.
                if (called.is_empty() || !is_call(part)) && !step(conversation, part) {
                    conversation.fail(format!("the answer has a part that is not text ({})", kind(part)));
                }
            }
            conversation.say(&said);
            conversation.say(body["refusal"].as_str().unwrap_or_default());
            let older = Some(&body["function_call"]).filter(|call| call.is_object());
            called.iter().chain(older).for_each(|call| self::call(conversation, call));
            for holder in [body, &body["response_metadata"]] {
                let keys = ["finish_reason", "stop_reason", "status", "state"];
                keys.iter().for_each(|key| stopped(conversation, &holder[*key]));
            }
        }
        "tool" | "function" if parts.iter().any(|part| is_result(part)) => {
            parts.into_iter().for_each(|part| _ = step(conversation, part));
        }
        "tool" | "function" => {
            let of = first_text(body, &IDS[..4]).or_else(|| first_text(body, &TOOLS));
            conversation.result(of.unwrap_or_default(), &plain(&body["content"]), is_error(body));
        }
        _ if step(conversation, body) => {}
        _ => _ = conversation.unread.get_or_insert(format!("a message has an unknown role ({role})")),
    }
}

/// Notes why a model stopped, if its answer is not whole.
pub(super) fn stopped(conversation: &mut Conversation, reason: &Value) {
    let reason = reason.as_str().unwrap_or_default();
    let why = match snake(reason).as_str() {
        "length"
        | "max_tokens"
        | "max_output_tokens"
        | "model_context_window_exceeded"
        | "incomplete"
        | "streaming"
        | "input_streaming"
        | "pause_turn"
        | "suspended"
        | "interrupted" => "the answer was cut off",
        "content_filter" | "refusal" => "the answer was withheld",
        "error" | "failed" | "cancelled" => "the model call failed",
        _ => return,
    };
    conversation.fail(format!("{why} ({reason})"));
}

/// Notes that a call of the model failed, if `error` is an error: a text, or an object with a `message`, a `type` or a `code`.
pub(super) fn failed(conversation: &mut Conversation, error: &Value) {
    if !matches!(error, Value::Null | Value::Bool(false)) {
        let why = error.as_str().or_else(|| first_text(error, &["message", "type", "code"])).unwrap_or("error");
        let why: String = why.chars().take(MOST_CHARACTERS).collect();
        conversation.fail(format!("the model call failed ({why})"));
    }
}

/// The first of these members that is a text and not empty.
pub(super) fn first_text<'a>(value: &'a Value, keys: &[&str]) -> Option<&'a str> {
    keys.iter().filter_map(|key| value.get(key)?.as_str()).find(|text| !text.is_empty())
}

/// The parts of a part: Pydantic AI has a list of them in one.
fn parts_of(part: &Value) -> Vec<&Value> {
    match &part["content"] {
        Value::Array(parts) if kind(part) == "user_prompt" => parts.iter().collect(),
        _ => vec![part],
    }
}

/// The text of a part of a message.
fn text(part: &Value) -> Option<&str> {
    let kinds = "text input_text output_text refusal user_prompt text_content structured_content unknown";
    let of = |keys: [&str; 3]| keys.iter().find_map(|key| part.get(key)?.as_str());
    part.as_str().or_else(|| of(["text", "content", "refusal"]).filter(|_| kinds.split(' ').any(|it| it == kind(part))))
}

/// The type of a part.
fn kind(part: &Value) -> String {
    snake(first_text(part, &["type", "part_kind", "kind"]).unwrap_or("unknown"))
}

/// Whether a part is a call. A part of the AI SDK also has its result.
fn is_call(part: &Value) -> bool {
    let kind = kind(part);
    kind.ends_with("_use") || kind.ends_with("_call") || part.get("state").is_some() && part.get("toolCallId").is_some()
}

fn is_result(part: &Value) -> bool {
    ["_result", "_output", "_response", "_return"].iter().any(|end| kind(part).ends_with(end))
}

/// Adds the call or the result that a part is. Returns whether all that the part says is read.
fn step(conversation: &mut Conversation, part: &Value) -> bool {
    let part = part.get("toolInvocation").unwrap_or(part);
    let (kind, is_call) = (kind(part), is_call(part));
    let is_retry = kind.starts_with("retry_");
    if is_retry && part.get("tool_name").is_none() {
        conversation.fail("an answer was rejected, and another was asked for");
    } else if is_call || is_result(part) || is_retry {
        if is_call {
            call(conversation, part);
        }
        let outputs = ["output", "result", "errorText", "content", "response"];
        let output = outputs[..if is_call { 3 } else { 5 }].iter().find_map(|key| part.get(key));
        if output.is_some() || !is_call {
            let of = first_text(part, &IDS).or_else(|| first_text(part, &TOOLS)).unwrap_or_default();
            conversation.result(of, &plain(output.unwrap_or(&Value::Null)), is_error(part));
        }
    }
    let unsaid = "thinking redacted_thinking reasoning mcp_list_tools step_start source source_url source_document \
                  cache_point system_prompt";
    let is_unsaid = unsaid.split(' ').any(|it| it == kind) || kind.starts_with("data_");
    is_call || is_result(part) || is_retry || is_unsaid
}

/// Adds a call: `{name, input | arguments | args}`, or one that has these in `function` or `custom`.
fn call(conversation: &mut Conversation, call: &Value) {
    let inner = ["function", "custom"].iter().find_map(|key| call.get(key).filter(|it| it.is_object())).unwrap_or(call);
    let kind = first_text(call, &["type"]).unwrap_or_default();
    let kind = kind.strip_prefix("tool-").unwrap_or(kind).trim_end_matches("_call");
    let input = ["input", "arguments", "args", "action", "rawInput"].iter().find_map(|key| inner.get(key));
    let id = first_text(call, &IDS).unwrap_or_default();
    conversation.call(id, first_text(inner, &TOOLS).unwrap_or(kind), input.unwrap_or(&Value::Null));
}

/// Whether a result is an error; `None` if nothing states it, as in messages of OpenAI. LangChain writes `status`, the AI SDK `state` or
/// `output: {type: error-text}`, Pydantic AI `outcome`. In the `tool_result` of Anthropic only `is_error` marks an error.
fn is_error(result: &Value) -> Option<bool> {
    let words = ["status", "state", "outcome"].map(|key| &result[key]).into_iter().chain([&result["output"]["type"]]);
    let stated = words.filter_map(Value::as_str).find_map(|word| match word {
        "success" | "output-available" | "result" | "text" | "json" | "content" => Some(false),
        "error" | "output-error" | "failed" | "retried" | "error-text" | "error-json" => Some(true),
        _ => None,
    });
    let of_kind = match kind(result).as_str() {
        "tool_result" | "tool_return" | "builtin_tool_return" => Some(false),
        "retry_prompt" | "retry_feedback" => Some(true),
        _ => None,
    };
    let has_error = !result["error"].is_null();
    result["is_error"].as_bool().or(stated).or(has_error.then_some(true)).or(of_kind)
}

/// What a tool returns: the texts of parts `{type: text}`, the value of the AI SDK's `{type, value}`, or the value itself.
fn plain(output: &Value) -> Cow<'_, Value> {
    let parts = output.as_array().filter(|parts| !parts.is_empty());
    let typed = |part| Some(part).filter(|part: &&Value| part.get("type").is_some()).and_then(text);
    let texts: Option<Vec<&str>> = parts.and_then(|parts| parts.iter().map(typed).collect());
    let is_wrapped = matches!(first_text(output, &["type"]), Some("text" | "json" | "error-text" | "error-json"));
    match (texts, output.get("value").filter(|_| is_wrapped)) {
        (Some(texts), _) => Cow::Owned(Value::String(texts.join("\n"))),
        (None, value) => Cow::Borrowed(value.unwrap_or(output)),
    }
}
