//! The logs of assistants: which form a log has.

use serde_json::{Deserializer, Value};

use super::columns::{Columns, Role, snake};

/// The form of a log. If messages show several, the first one counts: the others have messages of OpenAI too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Log {
    Otlp,
    LangSmith,
    Langfuse,
    ClaudeCode,
    Codex,
    PydanticAi,
    AiSdk,
    Anthropic,
    OpenAi,
}

/// How many values of a file may show its form. Session files begin with a few entries about the program.
pub(crate) const MOST_TRIED: usize = 20;

/// How much of a text shows its form, in bytes. A text that is open in an editor is looked at often.
pub(crate) const START: usize = 1 << 20;

/// The types of the items in a session of Codex.
const ITEMS: [&str; 5] = ["session_meta", "response_item", "event_msg", "turn_context", "compacted"];

/// The types of the blocks that only messages of Anthropic have.
const BLOCKS: [&str; 5] = ["tool_use", "server_tool_use", "tool_result", "thinking", "redacted_thinking"];

impl Log {
    /// The form that a value of a log shows: a line, an element of the list that the file is, or the whole file.
    pub(crate) fn of(value: &Value) -> Option<Log> {
        let run = value["runs"].get(0).unwrap_or(value);
        let observation = value["observations"].get(0).unwrap_or(value);
        let has = |value: &Value, keys: &[&str]| keys.iter().all(|key| value[*key].is_string());
        let any = |value: &Value, keys: &[&str]| keys.iter().any(|key| value.get(key).is_some());
        let is_of_run = any(run, &["trace_id", "dotted_order", "parent_run_id", "child_runs"]);
        let is_timed = any(observation, &["startTime", "start_time"]) && any(observation, &["traceId", "trace_id"]);
        let is_capital = |kind: &str| !kind.is_empty() && kind.bytes().all(|byte| byte.is_ascii_uppercase());
        let is_trace = value["bookmarked"].is_boolean() && has(value, &["timestamp"]) && value.get("output").is_some();
        match value {
            _ if value["resourceSpans"][0]["scopeSpans"].is_array() => Some(Log::Otlp),
            _ if run["run_type"].is_string() && run["inputs"].is_object() && is_of_run => Some(Log::LangSmith),
            _ if is_timed && is_capital(kind(observation)) || is_trace => Some(Log::Langfuse),
            _ if has(value, &["uuid", "sessionId", "type"]) && value.get("parentUuid").is_some() => {
                Some(Log::ClaudeCode)
            }
            _ if has(value, &["timestamp"]) && value["payload"].is_object() && ITEMS.contains(&kind(value)) => {
                Some(Log::Codex)
            }
            _ => of_messages(value),
        }
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

    /// The name: `a log of LangSmith`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Log::Otlp => "a log of OpenTelemetry",
            Log::LangSmith => "a log of LangSmith",
            Log::Langfuse => "a log of Langfuse",
            Log::ClaudeCode => "a log of Claude Code",
            Log::Codex => "a log of Codex",
            Log::PydanticAi => "a log of Pydantic AI",
            Log::AiSdk => "a log of the AI SDK",
            Log::Anthropic => "a log of Anthropic",
            Log::OpenAi => "a log of OpenAI",
        }
    }
}

/// The request and the response of a value: `{"request": {…}, "response": {…}}`, each of which may have a `body`. A value without them
/// is both.
pub(crate) fn exchange(value: &Value) -> [&Value; 2] {
    ["request", "response"].map(|key| {
        let inner = value.get(key).filter(|inner| inner.is_object());
        inner.map_or(value, |inner| inner.get("body").filter(|body| body.is_object()).unwrap_or(inner))
    })
}

/// The messages and items of a value: the elements of a list, those of a request and its response, or the value itself.
pub(crate) fn messages_of(value: &Value) -> Vec<&Value> {
    let [request, response] = exchange(value);
    let output = response["output"].as_array();
    // Traces have an `input` and an `output` that are something else.
    let input = request.get("input").filter(|_| output.is_some() || response.get("output").is_none());
    let asked = ["messages", "all_messages"].iter().find_map(|key| request.get(key)).or(input).unwrap_or(value);
    let itself = if std::ptr::eq(response, value) { &Value::Null } else { response };
    let answers = [&response["choices"][0]["message"], itself].into_iter().filter(|it| it.get("role").is_some());
    let answers = answers.chain(output.into_iter().flatten());
    let mut found: Vec<&Value> = asked.as_array().into_iter().flatten().chain(answers).collect();
    let is_message = ["role", "part_kind", "parts"].iter().any(|key| value.get(key).is_some());
    if found.is_empty() && (is_message || value.get("type").is_some_and(|kind| kind != "error")) {
        found.push(value);
    }
    found
}

/// The form of a value with messages that is not a case: the last question has an answer, or the response to a request is an error.
fn of_messages(value: &Value) -> Option<Log> {
    let messages = messages_of(value);
    let is_question = |message: &Value| message["role"] == "user" && of_answer(message).is_none();
    let answers = messages.iter().rev().take_while(|message| !is_question(message));
    let [request, response] = exchange(value);
    let is_failed = !std::ptr::eq(request, response) && !messages.is_empty() && response["error"].is_object();
    let failed = is_failed.then(|| if kind(response) == "error" { Log::Anthropic } else { Log::OpenAi });
    let log = answers.filter_map(|message| of_answer(message)).min().or(failed)?;
    (!messages.into_iter().chain([value]).any(is_case)).then_some(log)
}

/// The form that a message shows which is an answer, a call, or the result of a call.
fn of_answer(message: &Value) -> Option<Log> {
    let list = |key: &str| message[key].as_array().into_iter().flatten();
    let is_text = |part: &Value| matches!(kind(part), "text" | "output_text" | "refusal");
    let is_of_chat = |part: &Value| is_text(part) && part["text"].is_string() || part.get("toolCallId").is_some();
    let is_response = kind(message) == "message" && message.get("stop_reason").is_some();
    let is_said = match &message["content"] {
        Value::String(text) => !text.is_empty(),
        Value::Array(parts) => !parts.is_empty() && parts.iter().all(is_text),
        _ => ["tool_calls", "function_call", "refusal"].iter().any(|key| !message[*key].is_null()),
    };
    match message["role"].as_str() {
        None if list("parts").any(|part| part.get("part_kind").is_some()) => Some(Log::PydanticAi),
        Some("assistant") if list("parts").chain(list("toolInvocations")).any(is_of_chat) => Some(Log::AiSdk),
        Some(_) if is_response || list("content").any(|it| BLOCKS.contains(&kind(it))) => Some(Log::Anthropic),
        Some("assistant") if is_said && message.get("parts").is_none() => Some(Log::OpenAi),
        _ => (kind(message) == "function_call").then_some(Log::OpenAi),
    }
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
