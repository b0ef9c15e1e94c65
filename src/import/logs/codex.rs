//! Sessions of Codex: a file `rollout-*.jsonl` with an item for each line.
//! <https://github.com/openai/codex/blob/main/codex-rs/protocol/src/protocol.rs>

use std::collections::HashMap;

use serde_json::Value;

use crate::import::conversation::Turn;

use super::{Conversation, Placed, messages};

/// What the program itself adds as texts of the user: each begins and ends so.
const ADDED: [(&str, &str); 9] = [
    ("# AGENTS.md instructions", "</INSTRUCTIONS>"),
    ("<user_instructions>", "</user_instructions>"),
    ("<environment_context>", "</environment_context>"),
    ("<additional_context>", "</additional_context>"),
    ("<collaboration_mode>", "</collaboration_mode>"),
    ("<skill", "</skill>"),
    ("<user_shell_command>", "</user_shell_command>"),
    ("<subagent_notification>", "</subagent_notification>"),
    ("<turn_aborted>", "</turn_aborted>"),
];

/// What editors write between the context that they add and the question.
const REQUEST: &str = "## My request for Codex:";

pub(super) fn read(values: &mut dyn Iterator<Item = Placed>) -> Vec<Conversation> {
    let mut sessions: Vec<Session> = Vec::new();
    for (place, mut item) in values {
        let kind = item.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
        if kind == "session_meta" || sessions.is_empty() {
            let id = item.pointer("/payload/id").and_then(Value::as_str).filter(|_| kind == "session_meta");
            let place = id.map_or(place, |id| format!("session {id}"));
            let is_inner = item.pointer("/payload/source/subagent").is_some();
            sessions.push(Session { said: Conversation::at(place), is_inner, failed: HashMap::new() });
        }
        let (Some(session), Some(payload)) = (sessions.last_mut(), item.get_mut("payload")) else { continue };
        match kind.as_str() {
            "response_item" => session.item(payload),
            "event_msg" => session.event(payload),
            _ => {}
        }
    }
    // The file of a copied session begins with a second description of the session.
    sessions.retain(|session| !session.is_inner && !session.said.turns.is_empty());
    sessions.into_iter().map(Session::finish).collect()
}

struct Session {
    said: Conversation,
    /// Whether another agent asks, instead of a user.
    is_inner: bool,
    /// Whether calls failed, by their ids.
    failed: HashMap<String, bool>,
}

impl Session {
    /// Adds an item of the Responses API.
    fn item(&mut self, item: &mut Value) {
        let is_of_user = item.get("role").is_some_and(|role| role == "user");
        if let Some(Value::Array(parts)) = item.get_mut("content").filter(|_| is_of_user) {
            for text in parts.iter_mut().filter_map(|part| part.get_mut("text")) {
                *text = asked(text.as_str().unwrap_or_default()).into();
            }
        }
        let kind = item.get("type").and_then(Value::as_str).unwrap_or_default();
        if kind != "message" && !kind.ends_with("_call") && !kind.ends_with("_output") {
            return;
        }
        let output =
            item.get("output").and_then(Value::as_str).and_then(|text| serde_json::from_str::<Value>(text).ok());
        let code = output.as_ref().and_then(|output| output.pointer("/metadata/exit_code")?.as_i64());
        self.failed(item, code.map(|code| code != 0));
        let is_text = |part: &Value| part.get("type").is_some_and(|kind| kind == "text");
        if let Some(output) = output.filter(|output| output.as_array().is_some_and(|parts| parts.iter().all(is_text))) {
            item["output"] = output;
        }
        messages::add(&mut self.said, item);
    }

    /// Notes what only an event tells. Events also repeat the messages.
    fn event(&mut self, event: &Value) {
        match event.get("type").and_then(Value::as_str).unwrap_or_default() {
            "turn_aborted" => {
                let reason = messages::first_text(event, &["reason"]).unwrap_or("aborted");
                self.said.fail(format!("the answer was not finished ({reason})"));
            }
            "error" => messages::failed(&mut self.said, Some(event)),
            "task_complete" | "turn_complete" => messages::failed(&mut self.said, event.get("error")),
            "thread_rolled_back" => self.roll_back(event.get("num_turns").and_then(Value::as_u64).unwrap_or_default()),
            "mcp_tool_call_end" => {
                let (ok, error) = (event.pointer("/result/Ok"), event.pointer("/result/Err"));
                let states =
                    |ok: &Value| ["isError", "is_error"].iter().any(|key| ok.get(key) == Some(&Value::Bool(true)));
                self.failed(event, ok.map(states).or(error.map(|_| true)));
            }
            "exec_command_end" => {
                self.failed(event, event.get("exit_code").and_then(Value::as_i64).map(|code| code != 0))
            }
            "patch_apply_end" => {
                self.failed(event, event.get("success").and_then(Value::as_bool).map(|success| !success))
            }
            _ => {}
        }
    }

    /// Notes whether the call failed that an item or event names.
    fn failed(&mut self, of: &Value, is_error: Option<bool>) {
        let id = messages::first_text(of, &["call_id"]).map(str::to_owned);
        self.failed.extend(id.zip(is_error));
    }

    /// Takes the last questions back, with their answers.
    fn roll_back(&mut self, count: u64) {
        for _ in 0..count {
            let question = self.said.turns.iter().rposition(|turn| matches!(turn, Turn::User(_)));
            self.said.turns.truncate(question.unwrap_or_default());
            self.said.fault = None;
            if self.said.turns.is_empty() {
                break;
            }
        }
    }

    fn finish(mut self) -> Conversation {
        for turn in &mut self.said.turns {
            if let Turn::Result { of, is_error, .. } = turn {
                *is_error = self.failed.get(of).copied().or(*is_error);
            }
        }
        self.said
    }
}

/// What the user asks in a text: nothing if the program added it, the request if an editor put context before it.
fn asked(text: &str) -> &str {
    let text = text.trim();
    if ADDED.iter().any(|(start, end)| text.starts_with(start) && text.ends_with(end)) {
        return "";
    }
    text.find(REQUEST).map_or(text, |place| text[place + REQUEST.len()..].trim())
}
