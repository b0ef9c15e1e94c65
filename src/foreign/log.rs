//! The logs of assistants: which form a log has.

use serde_json::{Deserializer, Value};

use super::columns::{Columns, Role, snake};

/// The form of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Log {
    OpenAi,
    Anthropic,
    AiSdk,
    Otlp,
    LangSmith,
    Langfuse,
    PydanticAi,
    ClaudeCode,
    Codex,
}

/// How many values of a file may show its form. Session files begin with a few entries about the program.
pub(crate) const MOST_TRIED: usize = 20;

/// How much of a text shows its form, in bytes. A text that is open in an editor is looked at often.
pub(crate) const START: usize = 1 << 20;

/// A form, its name, and whether a value of a log shows it: a line, an element of the list that the file is, or the whole file.
type Form = (Log, &'static str, fn(&Value) -> bool);

/// The first form that a value shows counts. Messages of OpenAI are in other logs too.
const FORMS: [Form; 9] = [
    (Log::AiSdk, "conversations of the AI SDK", is_ai_sdk),
    (Log::Otlp, "traces of OpenTelemetry", is_otlp),
    (Log::LangSmith, "runs of LangSmith", is_langsmith),
    (Log::Langfuse, "traces of Langfuse", is_langfuse),
    (Log::PydanticAi, "conversations of Pydantic AI", is_pydantic_ai),
    (Log::ClaudeCode, "a session of Claude Code", is_claude_code),
    (Log::Codex, "a session of Codex", is_codex),
    (Log::Anthropic, "conversations of Anthropic", is_anthropic),
    (Log::OpenAi, "conversations of OpenAI", is_openai),
];

impl Log {
    /// The form that a value of a log shows.
    pub(crate) fn of(value: &Value) -> Option<Log> {
        FORMS.iter().find(|(.., is)| is(value)).map(|(log, ..)| *log)
    }

    /// The form of a log, by the first values in the start of its text: lines, elements of a list, or the whole. A line that cannot be read
    /// is ignored.
    pub(crate) fn of_start(text: &str) -> Option<Log> {
        let mut rest = text[..text.floor_char_boundary(START)].trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
        rest = rest.strip_prefix('[').unwrap_or(rest);
        for _ in 0..MOST_TRIED {
            let mut values = Deserializer::from_str(rest).into_iter::<Value>();
            match values.next()? {
                Ok(value) => {
                    if let Some(log) = Log::of(&value) {
                        return Some(log);
                    }
                    rest = rest[values.byte_offset()..].trim_start_matches([',', ' ', '\t', '\r', '\n']);
                }
                Err(_) => rest = rest.split_once('\n').filter(|(line, _)| line.trim_end().ends_with('}'))?.1,
            }
        }
        None
    }

    /// The name: `runs of LangSmith`.
    pub(crate) fn name(self) -> &'static str {
        FORMS.iter().find(|(log, ..)| *log == self).map_or("", |(_, name, _)| name)
    }
}

/// The request and the response of a value: `{"request": {…}, "response": {…}}`, each of which may have a `body`. A value without them
/// is both.
pub(crate) fn exchange(value: &Value) -> (&Value, &Value) {
    let inner = |keys: [&str; 2]| {
        let inner = keys.iter().find_map(|key| value.get(key).filter(|inner| inner.is_object()));
        inner.map_or(value, |inner| inner.get("body").filter(|body| body.is_object()).unwrap_or(inner))
    };
    (inner(["request", "request_body"]), inner(["response", "response_body"]))
}

/// The messages and items of a value of the APIs of OpenAI and Anthropic: the elements of a list, those of a request and its response,
/// or the value itself.
pub(crate) fn messages_of(value: &Value) -> Vec<&Value> {
    if let Value::Array(messages) = value {
        return messages.iter().collect();
    }
    let (request, response) = exchange(value);
    let output = response.get("output").and_then(Value::as_array);
    // Traces have an `input` and an `output` that are something else.
    let input = request.get("input").filter(|_| output.is_some() || response.get("output").is_none());
    let asked = request.get("messages").or(input).and_then(Value::as_array);
    let chosen = response.get("choices").and_then(|choices| choices.get(0)?.get("message"));
    let itself = Some(response).filter(|it| it.get("role").is_some() && !std::ptr::eq(*it, value));
    let answered = chosen.into_iter().chain(output.into_iter().flatten()).chain(itself);
    let mut found: Vec<&Value> = asked.into_iter().flatten().chain(answered).collect();
    let is_message = value.get("role").is_some() || value.get("type").is_some_and(|kind| kind != "error");
    if asked.is_none() && found.is_empty() && is_message {
        found.push(value);
    }
    found
}

/// Whether a value of a log of OpenAI has an answer or a call, or the error of a request.
fn is_openai(value: &Value) -> bool {
    let is_answer = |message: &Value| {
        let is_text = |part: &Value| matches!(kind(part), "text" | "output_text" | "refusal");
        let is_said = match &message["content"] {
            Value::String(text) => !text.is_empty(),
            Value::Array(parts) => !parts.is_empty() && parts.iter().all(is_text),
            _ => ["tool_calls", "function_call", "refusal"].iter().any(|key| !message[*key].is_null()),
        };
        let is_other = message.get("parts").is_some() || message.get("toolInvocations").is_some();
        message["role"] == "assistant" && is_said && !is_other || kind(message) == "function_call"
    };
    is_exchange(value, is_answer, |response| response["error"].is_object())
}

/// Whether a value of a log of Anthropic has an answer or a call, or the error of a request.
fn is_anthropic(value: &Value) -> bool {
    let is_answer = |message: &Value| {
        let is_response = kind(message) == "message" && message.get("stop_reason").is_some();
        let mut blocks = message["content"].as_array().into_iter().flatten();
        let is_block = |block: &Value| {
            matches!(kind(block), "tool_use" | "server_tool_use" | "tool_result" | "thinking" | "redacted_thinking")
        };
        message.get("role").is_some() && (is_response || blocks.any(is_block))
    };
    is_exchange(value, is_answer, |response| kind(response) == "error" && response["error"].is_object())
}

/// Whether an answer follows the last question of a value that is not a case, or the response to a request is an error.
fn is_exchange(value: &Value, is_answer: impl Fn(&Value) -> bool, is_error: impl Fn(&Value) -> bool) -> bool {
    let messages = messages_of(value);
    let is_question = |message: &Value| message["role"] == "user" && !is_answer(message);
    let is_answered =
        messages.iter().rev().take_while(|message| !is_question(message)).any(|message| is_answer(message));
    let (request, response) = exchange(value);
    let is_failed = !std::ptr::eq(request, response) && !messages.is_empty() && is_error(response);
    (is_answered || is_failed) && !messages.into_iter().chain([value]).any(is_case)
}

/// Whether a value is a message of the AI SDK, or has a list of them.
fn is_ai_sdk(value: &Value) -> bool {
    let is_part = |part: &Value| match kind(part) {
        "text" | "reasoning" => part["text"].is_string(),
        "step-start" | "dynamic-tool" | "file" | "source-url" | "source-document" | "source" | "tool-invocation" => {
            true
        }
        kind => kind.starts_with("tool-") || kind.starts_with("data-"),
    };
    let is_message = |message: &Value| {
        let is_role = matches!(message["role"].as_str(), Some("system" | "user" | "assistant"));
        let is_called = message["toolInvocations"].get(0).is_some_and(|it| it.get("toolCallId").is_some());
        let parts = message["parts"].as_array().filter(|parts| !parts.is_empty());
        is_role && (is_called || parts.is_some_and(|parts| parts.iter().all(is_part)))
    };
    has_message(value, is_message)
}

/// Whether a value is a message of Pydantic AI, or has a list of them.
fn is_pydantic_ai(value: &Value) -> bool {
    let is_message = |message: &Value| {
        let is_kind = matches!(message["kind"].as_str(), Some("request" | "response"));
        is_kind && message["parts"].get(0).is_some_and(|part| part.get("part_kind").is_some())
    };
    has_message(value, is_message)
}

/// Whether a value that is not a case is such a message, or has a list of them.
fn has_message(value: &Value, is_message: impl Fn(&Value) -> bool) -> bool {
    let messages = value.get("messages").or_else(|| value.get("all_messages")).unwrap_or(value);
    let list = messages.as_array().map_or(std::slice::from_ref(messages), Vec::as_slice);
    list.iter().any(is_message) && !is_case(value)
}

/// Whether a value is an export request of OTLP with traces. Spans without messages are read too: others of the log may have them.
fn is_otlp(value: &Value) -> bool {
    value["resourceSpans"].as_array().is_some_and(|spans| spans.iter().all(|it| it["scopeSpans"].is_array()))
}

/// Whether a value is a run of LangSmith, or a list of the runs of a trace.
fn is_langsmith(value: &Value) -> bool {
    let run = value["runs"].get(0).unwrap_or(value);
    let is_of_trace =
        ["trace_id", "dotted_order", "parent_run_id", "child_runs"].iter().any(|key| run.get(key).is_some());
    run["run_type"].is_string() && run["inputs"].is_object() && is_of_trace
}

/// Whether a value is an observation of Langfuse, a trace, or a trace with its observations.
fn is_langfuse(value: &Value) -> bool {
    let kinds =
        ["GENERATION", "SPAN", "EVENT", "AGENT", "TOOL", "CHAIN", "RETRIEVER", "EVALUATOR", "EMBEDDING", "GUARDRAIL"];
    let is_observation = |value: &Value| {
        let has = |keys: [&str; 2]| keys.iter().any(|key| value[*key].is_string());
        kinds.contains(&kind(value)) && has(["startTime", "start_time"]) && has(["traceId", "trace_id"])
    };
    let mut inner = value["observations"].as_array().into_iter().flatten();
    let is_trace = value["bookmarked"].is_boolean() && value["timestamp"].is_string() && value.get("output").is_some();
    is_observation(value) || inner.any(is_observation) || is_trace
}

/// Whether a value is an entry of a session of Claude Code.
fn is_claude_code(value: &Value) -> bool {
    let is_linked = value["uuid"].is_string() && value.get("parentUuid").is_some();
    is_linked && value["sessionId"].is_string() && !kind(value).is_empty()
}

/// Whether a value is an item of a session of Codex.
fn is_codex(value: &Value) -> bool {
    let is_item = matches!(kind(value), "session_meta" | "response_item" | "event_msg" | "turn_context" | "compacted");
    is_item && value["payload"].is_object() && value["timestamp"].is_string()
}

/// The `type` of a part or message.
fn kind(value: &Value) -> &str {
    value["type"].as_str().unwrap_or_default()
}

/// Whether a value has a key that expects something of an answer.
fn is_case(value: &Value) -> bool {
    let columns = Columns::default();
    // The `output` of a response is a list of items, and items of tools have one.
    let is_item = kind(value).ends_with("_call") || kind(value).ends_with("_output");
    let expects = |(key, value): (&String, &Value)| {
        let is_expected = columns.role(key).is_some_and(Role::expects) || snake(key).starts_with("expect");
        is_expected && !value.is_null() && (key != "output" || !is_item && !value.is_array())
    };
    value.as_object().is_some_and(|object| object.iter().any(expects))
}
