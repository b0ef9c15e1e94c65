//! Sessions of Codex: a file `rollout-*.jsonl` with an item for each line.
//! <https://github.com/openai/codex/blob/main/codex-rs/protocol/src/protocol.rs>

use std::collections::HashMap;

use serde_json::Value;

use crate::import::conversation::Turn;

use super::{Conversation, Placed, is_added, messages};

/// The tags with which texts of the user begin that the program itself adds.
const ADDED: &str = "user_instructions environment_context additional_context collaboration_mode skill user_shell_command \
                     subagent_notification turn_aborted";

/// What editors write between the context that they add and the question.
const REQUEST: &str = "## My request for Codex:";

struct Session {
    said: Conversation,
    /// Whether another agent asks, instead of a user.
    is_inner: bool,
    /// Whether calls failed, by their ids.
    failed: HashMap<String, bool>,
}

pub(super) fn read(values: &mut dyn Iterator<Item = Placed>) -> Vec<Conversation> {
    let mut sessions: Vec<Session> = Vec::new();
    for (place, mut item) in values {
        let is_start = item["type"] == "session_meta";
        if is_start || sessions.is_empty() {
            let id = item.pointer("/payload/id").and_then(Value::as_str).filter(|_| is_start);
            let place = id.map_or(place, |id| format!("session {id}"));
            let is_inner = item.pointer("/payload/source/subagent").is_some();
            sessions.push(Session { said: Conversation::at(place), is_inner, failed: HashMap::new() });
        }
        let payload = item.get_mut("payload").map(Value::take).unwrap_or_default();
        match (item["type"].as_str(), sessions.last_mut()) {
            (Some("response_item"), Some(session)) => session.item(payload),
            (Some("event_msg"), Some(session)) => session.event(&payload),
            _ => {}
        }
    }
    // The file of a copied session begins with a second description of the session.
    sessions.retain(|session| !session.is_inner && !session.said.turns.is_empty());
    let finish = |mut session: Session| {
        for turn in &mut session.said.turns {
            if let Turn::Result { of, is_error, .. } = turn {
                *is_error = session.failed.get(of).copied().or(*is_error);
            }
        }
        session.said
    };
    sessions.into_iter().map(finish).collect()
}

impl Session {
    /// Adds an item of the Responses API.
    fn item(&mut self, mut item: Value) {
        let is_of_user = item["role"] == "user";
        for part in item.get_mut("content").and_then(Value::as_array_mut).filter(|_| is_of_user).into_iter().flatten() {
            let text = part["text"].as_str().unwrap_or_default().trim();
            let asked = text.split_once(REQUEST).map_or(text, |(_, request)| request);
            let is_added = is_added(text, ADDED) || text.starts_with("# AGENTS.md instructions");
            if let Some(text) = Some(Value::from(if is_added { "" } else { asked })).filter(|_| !text.is_empty()) {
                part["text"] = text;
            }
        }
        let kind = item["type"].as_str().unwrap_or_default();
        if kind == "message" || kind.ends_with("_call") || kind.ends_with("_output") {
            let output: Value =
                item["output"].as_str().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
            self.states(&item, &output["metadata"]);
            // The result of another server is a list of parts.
            if output.is_array() {
                item["output"] = output;
            }
            messages::add(&mut self.said, &item);
        }
    }

    /// Notes what only an event tells. Events also repeat the messages.
    fn event(&mut self, event: &Value) {
        match event["type"].as_str().unwrap_or_default() {
            "turn_aborted" => {
                let reason = messages::first_text(event, &["reason"]).unwrap_or("aborted");
                self.said.fail(format!("the answer was not finished ({reason})"));
            }
            "error" => messages::failed(&mut self.said, event),
            "task_complete" | "turn_complete" => messages::failed(&mut self.said, &event["error"]),
            "thread_rolled_back" => self.said.unread = Some("a question was taken back".to_owned()),
            _ => self.states(event, event),
        }
    }

    /// Notes whether the call failed that an item or event names.
    fn states(&mut self, of: &Value, result: &Value) {
        let code = result["exit_code"].as_i64().map(|code| code != 0);
        let of_other = [&result["result"]["Ok"]["isError"], &result["result"]["Ok"]["is_error"]].into_iter();
        let success = result["success"].as_bool().map(|success| !success);
        let refused = result["result"].get("Err").map(|_| true);
        let is_error = code.or(success).or(refused).or(of_other.filter_map(Value::as_bool).next());
        self.failed.extend(of["call_id"].as_str().map(str::to_owned).zip(is_error));
    }
}
