//! The turns of a conversation in a list: the speakers, the prompts, the answer, and the expectations of each turn.

use serde_json::{Map, Value};

use crate::foreign::columns::Role;

use super::assertions::{content_text, is_in, is_nothing, phrase, text};
use super::draft::columns_option;
use super::list::{DEEPEST, Filled, MOST_KEYS, Reading};

/// What the user says in a turn, and the other keys of the turn.
type Said = (String, Map<String, Value>);

impl Filled {
    /// A prompt, or a conversation whose last prompt it is.
    pub(super) fn conversation(&mut self, name: &str, value: &Value, reading: Reading<'_>) {
        let of_cell = value.as_str().filter(|cell| reading.is_table && cell.trim_start().starts_with('['));
        let of_cell: Option<Value> = of_cell.and_then(|cell| serde_json::from_str(cell).ok());
        let value = of_cell.as_ref().unwrap_or(value);
        let turns = match value {
            Value::Array(turns) => turns,
            Value::Object(nested) => {
                self.fill(nested, reading, name, DEEPEST);
                if let [(_, key, value)] = &std::mem::take(&mut self.prompts)[..] {
                    return self.conversation(key, value, reading);
                }
                let keys = nested.keys().take(MOST_KEYS).cloned().collect::<Vec<_>>().join(", ");
                let option = columns_option("prompt", &format!("{name}.KEY"));
                let why = format!("`{name}` is an object ({keys}); name the prompt in it: `{option}`");
                return self.draft.leave_out(why);
            }
            value => {
                self.draft.prompt = phrase(value);
                if self.draft.prompt.is_none() {
                    self.other_type(name);
                }
                return;
            }
        };
        let is_messages = |turn: &Value| turn.as_array().is_some_and(|list| list.iter().all(Value::is_object));
        let turns: Vec<&Value> = match turns.iter().all(is_messages) {
            // A list of turns, each a list of messages.
            true => turns.iter().filter_map(Value::as_array).flatten().collect(),
            false => turns.iter().collect(),
        };
        match self.said(name, &turns, reading) {
            Ok(said) => self.turns(name, said, reading),
            Err(why) => self.draft.leave_out(format!("`{name}`{why}")),
        }
    }

    /// What the user says in each turn, with the other keys of the turn.
    ///
    /// # Errors
    /// If the speaker is not known, or a message of the user is not text.
    fn said(&mut self, name: &str, turns: &[&Value], reading: Reading<'_>) -> Result<Vec<Said>, String> {
        let unknown = |why: &str| Err(format!(": the speaker of a turn is not known{why}"));
        let mut said = Vec::new();
        let has_speakers = turns.iter().any(|turn| !matches!(speaker(turn), Speaker::Unnamed));
        if let Some(key) = (!has_speakers).then(|| unknown_speaker(turns, reading)).flatten() {
            return Err(format!(": `{key}` may name the speaker of a turn, and is not known"));
        }
        for turn in turns {
            let Value::Object(message) = turn else {
                match phrase(turn).filter(|text| !has_speakers && !has_label(text)) {
                    Some(prompt) => said.push((prompt, Map::new())),
                    None => return unknown(""),
                }
                continue;
            };
            let content = content_of(message, reading);
            let is_rest = |key: &str| !SPEAKERS.contains(&key) && !matches!(key, "name" | "id");
            let mut rest = message.clone();
            rest.retain(|key, _| is_rest(key) && content.is_none_or(|(name, _)| name != key));
            let role = match speaker(turn) {
                Speaker::Other(role) => role,
                Speaker::Unknown(word) => return unknown(&format!(" (`{word}`)")),
                Speaker::Unnamed if has_speakers => return unknown(""),
                Speaker::User | Speaker::Unnamed => {
                    let prompt = content.and_then(|(_, content)| content_text(content));
                    said.push((prompt.ok_or(" has a message of the user that is not text")?, rest));
                    continue;
                }
            };
            self.draft.leave_out(match role.as_str() {
                "system" | "developer" => {
                    format!("`{name}` has a message of the system: it belongs to the assistant, not to the case")
                }
                role => format!("`{name}` has a message of the role `{role}`: a case has only what the user says"),
            });
            for (key, _) in rest.iter().filter(|(_, value)| !is_nothing(value)) {
                self.draft.leave_out(format!("`{name}`: a message of the role `{role}` has `{key}`"));
            }
        }
        Ok(said)
    }

    /// Makes a case of each turn with expectations. The last one is that of the whole conversation.
    fn turns(&mut self, name: &str, mut said: Vec<Said>, reading: Reading<'_>) {
        if let Some((_, expectations)) = self.per_turn.take_if(|(_, list)| list.len() == said.len()) {
            for ((_, rest), turn) in said.iter_mut().zip(expectations) {
                turn.as_object().into_iter().flatten().for_each(|(key, value)| {
                    rest.entry(key.clone()).or_insert_with(|| value.clone());
                });
            }
        }
        let Some((last, rest)) = said.pop() else { return };
        for (prompt, rest) in said {
            let mut turn = Filled::default();
            turn.draft.prompt = Some(prompt.clone());
            turn.draft.setup_prompts.clone_from(&self.draft.setup_prompts);
            turn.fill(&rest, reading, name, 1);
            turn.without_prompts();
            turn.finish();
            if !turn.draft.asks() {
                if turn.draft.response.is_some() {
                    self.draft.leave_out(format!("`{name}`: an answer before the last prompt is not stored"));
                }
                std::mem::take(&mut turn.draft.left_out).into_iter().for_each(|reason| self.draft.leave_out(reason));
            }
            self.earlier.push(turn.draft);
            self.draft.setup_prompts.push(prompt);
        }
        self.draft.prompt = Some(last);
        self.fill(&rest, reading, name, 1);
        self.without_prompts();
    }
}

/// The keys that name the speaker of a turn, the clearest first.
const SPEAKERS: [&str; 8] = ["role", "author", "speaker", "from", "sender", "type", "from_me", "fromMe"];

/// The words for the person who asks.
const USERS: &str = "user human customer client caller writer me person visitor guest";

/// The words for those whose words are not sent.
const OTHERS: &str = "assistant agent bot chatbot ai gpt llm model interviewer system developer tool function operator";

/// The speaker of a turn.
enum Speaker {
    User,
    Other(String),
    /// The word is in neither list, or `from_me` does not say whose side it is.
    Unknown(String),
    /// No key names the speaker.
    Unnamed,
}

fn speaker(turn: &Value) -> Speaker {
    for key in SPEAKERS {
        let Some(value) = turn.get(key).filter(|value| !is_nothing(value)) else { continue };
        let Some(word) = text(value.get("role").unwrap_or(value)) else { return Speaker::Unknown(key.to_owned()) };
        let known = word.to_lowercase();
        return match known.as_str() {
            "message" | "text" | "input_text" if key == "type" => continue,
            word if is_in(USERS, word) => Speaker::User,
            word if is_in(OTHERS, word) => Speaker::Other(known),
            _ => Speaker::Unknown(format!("{key}: {word}")),
        };
    }
    Speaker::Unnamed
}

/// The key that may name the speaker, in turns without a known one: a key of several that has other values in others.
fn unknown_speaker<'a>(turns: &[&'a Value], reading: Reading<'_>) -> Option<&'a String> {
    let keys = turns.iter().filter_map(|turn| turn.as_object()).flat_map(|turn| turn.iter());
    let is_short = |value: &Value| value.is_boolean() || value.as_str().is_some_and(|text| !text.contains(' '));
    let mut unknown = keys.filter(|(key, value)| {
        let is_text = ["content", "text", "user", "human", "id", "name"].contains(&key.as_str());
        !is_text && reading.columns.role(key).is_none() && is_short(value)
    });
    unknown
        .find(|(key, value)| turns.iter().any(|turn| turn.get(*key).is_some_and(|other| other != *value)))
        .map(|it| it.0)
}

/// Whether a text begins with its speaker, as in `Assistant: Hello`.
fn has_label(text: &str) -> bool {
    let label = text.split_once(':').map(|(label, _)| label.trim().to_lowercase());
    label.is_some_and(|label| is_in(USERS, &label) || is_in(OTHERS, &label))
}

/// Whether a value is a message of a conversation.
pub(super) fn is_message(turn: &Value) -> bool {
    turn.get("content").is_some() && !matches!(speaker(turn), Speaker::Unnamed)
}

/// The text of a turn, and its key.
fn content_of<'a>(message: &'a Map<String, Value>, reading: Reading<'_>) -> Option<(&'a str, &'a Value)> {
    let named = |name: &str| message.get_key_value(name);
    let first = ["content", "text", "user", "human"].into_iter().find_map(named);
    let is_prompt = |key: &str| matches!(reading.columns.role(key), Some(Role::Prompt(_)));
    let (key, value) = first.or_else(|| message.iter().find(|(key, _)| is_prompt(key)))?;
    Some((key, value))
}
