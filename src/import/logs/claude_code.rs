//! Sessions of Claude Code: a file `SESSION.jsonl` with an entry for each line.

use std::collections::HashMap;

use serde_json::Value;

use super::{Conversation, Placed, messages};

/// How texts begin that the program itself adds as texts of the user.
const ADDED: [&str; 13] = [
    "<system-reminder>",
    "<command-message>",
    "<command-name>",
    "<command-args>",
    "<local-command-",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<task-notification>",
    "<user-prompt-submit-hook>",
    "<ide_opened_file>",
    "<ide_selection>",
    "<ide_diagnostics>",
];

/// The whole or the beginning of a text of the user that notes that the answer was stopped.
const INTERRUPTED: &str = "[Request interrupted by user";

#[derive(Default)]
struct Session {
    said: Conversation,
    /// How many turns there are after each entry.
    turns: HashMap<String, usize>,
    /// A command that the user typed. It is a question if an answer follows.
    command: Option<String>,
}

pub(super) fn read(values: &mut dyn Iterator<Item = Placed>) -> Vec<Conversation> {
    let mut sessions: Vec<Session> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (_, entry) in values {
        let Some(id) = messages::first_text(&entry, &["sessionId"]) else { continue };
        let place = *places.entry(id.to_owned()).or_insert_with(|| {
            sessions.push(Session { said: Conversation::at(format!("session {id}")), ..Session::default() });
            sessions.len() - 1
        });
        if let Some(session) = sessions.get_mut(place) {
            session.add(entry);
        }
    }
    sessions.retain(|session| !session.said.turns.is_empty());
    sessions.into_iter().map(|session| session.said).collect()
}

impl Session {
    fn add(&mut self, mut entry: Value) {
        // What the program writes itself, and what agents say that work for the assistant.
        let hidden = ["isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly"];
        let is_hidden = hidden.iter().any(|key| entry.get(key) == Some(&Value::Bool(true)));
        let mut message = entry.get_mut("message").map(Value::take).unwrap_or_default();
        match entry.get("type").and_then(Value::as_str) {
            _ if is_hidden => {}
            Some("assistant") if entry.get("isApiErrorMessage") == Some(&Value::Bool(true)) => {
                let said = message.pointer("/content/0/text").or_else(|| entry.get("error"));
                messages::failed(&mut self.said, Some(said.unwrap_or(&Value::Bool(true))));
            }
            Some("assistant") => {
                self.command.take().into_iter().for_each(|command| self.said.ask(&command));
                messages::add(&mut self.said, &message);
            }
            Some("user") => self.user(&entry, &mut message),
            // The user asks while the assistant works.
            Some("attachment") if entry.pointer("/attachment/commandMode").is_some_and(|mode| mode == "prompt") => {
                let prompt = entry.pointer("/attachment/prompt").and_then(Value::as_str).unwrap_or_default();
                messages::ask(&mut self.said, prompt, None);
            }
            _ => {}
        }
        if let Some(id) = messages::first_text(&entry, &["uuid"]) {
            self.turns.insert(id.to_owned(), self.said.turns.len());
        }
    }

    /// Adds what an entry of the user says: a question, results of tools, a command, or that the answer was stopped.
    fn user(&mut self, entry: &Value, message: &mut Value) {
        let Some(content) = message.get_mut("content") else { return };
        if let Value::String(text) = content {
            *content = serde_json::json!([{ "type": "text", "text": text }]);
        }
        let Value::Array(parts) = content else { return };
        let text = |part: &Value| part.get("text").and_then(Value::as_str).map(str::to_owned);
        for part in parts.iter_mut() {
            let Some(said) = text(part) else { continue };
            if said.starts_with(INTERRUPTED) {
                self.said.fail("the user stopped the answer");
            }
            if let Some(name) = tagged(&said, "command-name") {
                let name = name.trim();
                self.command = Some(format!("{name} {}", tagged(&said, "command-args").unwrap_or_default()));
            }
            part["text"] = Value::from(without_reminders(&said));
        }
        let is_added = |text: &str| text.starts_with(INTERRUPTED) || ADDED.iter().any(|added| text.starts_with(added));
        parts.retain(|part| text(part).is_none_or(|text| !text.trim().is_empty() && !is_added(text.trim_start())));
        if parts.iter().any(|part| part.get("tool_use_id").is_none()) {
            self.command = None;
            // A question after an earlier entry takes back what was said since then.
            let parent = messages::first_text(entry, &["parentUuid"]);
            if let Some(turns) =
                parent.and_then(|parent| self.turns.get(parent)).filter(|turns| **turns < self.said.turns.len())
            {
                self.said.turns.truncate(*turns);
                self.said.fault = None;
            }
        }
        messages::add(&mut self.said, message);
    }
}

/// What is between the tags with this name.
fn tagged<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    rest.split_once(&format!("</{name}>")).map(|(inner, _)| inner)
}

/// The text without the reminders that the program adds to it.
fn without_reminders(text: &str) -> String {
    let mut parts = text.split("<system-reminder>");
    let mut rest = parts.next().unwrap_or_default().to_owned();
    parts.for_each(|part| rest.push_str(part.split_once("</system-reminder>").map_or("", |(_, after)| after)));
    rest
}
