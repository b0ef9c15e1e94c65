//! Sessions of Claude Code: a file `SESSION.jsonl` with an entry for each line.

use std::collections::HashMap;

use serde_json::Value;

use super::{Conversation, Placed, is_added, messages};

/// The tags with which texts of the user begin that the program itself adds.
const ADDED: &str = "system-reminder command-message command-name command-args local-command-caveat local-command-stdout \
                     local-command-stderr bash-input bash-stdout bash-stderr task-notification user-prompt-submit-hook \
                     ide_opened_file ide_selection ide_diagnostics";

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
        sessions[place].add(entry);
    }
    sessions.retain(|session| !session.said.turns.is_empty());
    sessions.into_iter().map(|session| session.said).collect()
}

impl Session {
    fn add(&mut self, entry: Value) {
        // What the program writes itself, and what agents say that work for the assistant.
        let hidden = ["isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly"];
        let message = &entry["message"];
        match entry["type"].as_str() {
            _ if hidden.iter().any(|key| entry[*key] == true) => {}
            Some("assistant") if entry["isApiErrorMessage"] == true => {
                let said = messages::first_text(&message["content"][0], &["text"]).map(Value::from);
                messages::failed(&mut self.said, &said.unwrap_or(Value::Bool(true)));
            }
            Some("assistant") => {
                self.command.take().into_iter().for_each(|command| self.said.ask(&command));
                messages::add(&mut self.said, message);
            }
            Some("user") => self.user(&entry),
            // The user asks while the assistant works.
            Some("attachment") if entry["attachment"]["commandMode"] == "prompt" => {
                self.said.ask(entry["attachment"]["prompt"].as_str().unwrap_or_default());
            }
            _ => {}
        }
        if let Some(id) = messages::first_text(&entry, &["uuid"]) {
            self.turns.insert(id.to_owned(), self.said.turns.len());
        }
    }

    /// Adds what an entry of the user says: a question, results of tools, a command, or that the answer was stopped.
    fn user(&mut self, entry: &Value) {
        let content = match &entry["message"]["content"] {
            Value::Array(parts) => parts.clone(),
            content => content.as_str().map(Value::from).into_iter().collect(),
        };
        let mut parts = Vec::new();
        for part in content {
            let Some(text) = part.as_str().or(part["text"].as_str()) else {
                parts.push(part);
                continue;
            };
            if let Some(name) = tagged(text, "command-name") {
                self.command = Some(format!("{} {}", name.trim(), tagged(text, "command-args").unwrap_or_default()));
            }
            let said = without_reminders(text);
            if text.starts_with(INTERRUPTED) {
                self.said.fail("the user stopped the answer");
            } else if !said.trim().is_empty() && !is_added(&said, ADDED) {
                parts.push(said.into());
            }
        }
        if parts.iter().any(|part| part.get("tool_use_id").is_none()) {
            self.command = None;
            // A question after an earlier entry takes back what was said since then.
            let turns = entry["parentUuid"].as_str().and_then(|parent| self.turns.get(parent)).copied();
            if let Some(turns) = turns.filter(|turns| *turns < self.said.turns.len()) {
                self.said.turns.truncate(turns);
                self.said.fault = None;
            }
        }
        messages::add(&mut self.said, &serde_json::json!({ "role": "user", "content": parts }));
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
