//! A conversation that took place, in the form that all logs become.

use std::collections::{HashMap, VecDeque};

use serde_json::{Map, Value};

use super::draft::{Call, Draft};

/// A conversation with an assistant.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Conversation {
    /// Where it is in its file: `line 3`, `trace 5b8e`.
    pub(super) place: String,
    /// What was said and done, in order.
    pub(super) turns: Vec<Turn>,
    /// Why the answer to the last question is not whole: `the answer was cut off (length)`.
    pub(super) fault: Option<String>,
    /// What of a question or its speaker is not known. Later questions follow it, so it stays.
    pub(super) unread: Option<String>,
}

/// A step of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Turn {
    /// What the user says.
    User(String),
    /// What the assistant says.
    Assistant(String),
    /// The assistant calls a tool.
    Call {
        /// What its result names; empty if the log has no such id.
        id: String,
        tool: String,
        input: Value,
    },
    /// What a tool returns.
    Result {
        /// The id of its call, or the name of its tool.
        of: String,
        output: Value,
        /// `None` if the log does not say.
        is_error: Option<bool>,
    },
}

impl Conversation {
    pub(super) fn at(place: impl Into<String>) -> Conversation {
        Conversation { place: place.into(), ..Conversation::default() }
    }

    /// The user says something. A question begins, so what went wrong before it does not count. Blank text is nothing.
    pub(super) fn ask(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.fault = None;
            self.turns.push(Turn::User(text.trim().to_owned()));
        }
    }

    /// The assistant says something. Blank text is nothing.
    pub(super) fn say(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.turns.push(Turn::Assistant(text.trim().to_owned()));
        }
    }

    /// The assistant calls a tool. `input` is an object, or its JSON as a text.
    pub(super) fn call(&mut self, id: &str, tool: &str, input: &Value) {
        let input = match parsed(input) {
            Value::Null => Value::Object(Map::new()),
            input => input,
        };
        self.turns.push(Turn::Call { id: id.to_owned(), tool: tool.to_owned(), input });
    }

    /// A tool returns something. `of` is the id of its call, or the name of the tool. `output` is a value, or its JSON as a text. `is_error` is
    /// `None` if the log does not say.
    pub(super) fn result(&mut self, of: &str, output: &Value, is_error: impl Into<Option<bool>>) {
        self.turns.push(Turn::Result { of: of.to_owned(), output: parsed(output), is_error: is_error.into() });
    }

    /// Notes why the answer to the last question is not whole. The first reason counts.
    pub(super) fn fail(&mut self, why: impl Into<String>) {
        self.fault.get_or_insert(why.into());
    }

    /// The case of the last question: what was asked before it, what was answered, and which tools were called for it. The answer is what
    /// the assistant says after the last call and its result.
    ///
    /// # Errors
    /// Why the conversation makes no case.
    pub(super) fn case(mut self) -> Result<Draft, String> {
        let is_question = |turn: &Turn| matches!(turn, Turn::User(_));
        let question = self.turns.iter().rposition(is_question).ok_or("nobody asks a question")?;
        let why = match self.turns.last() {
            Some(Turn::Assistant(_)) => None,
            Some(Turn::Call { .. }) => Some("it ends with a call of a tool, without its result and an answer"),
            Some(Turn::Result { .. }) => Some("it ends with the result of a tool, without an answer"),
            Some(Turn::User(_)) | None => Some("the last question has no answer"),
        };
        if let Some(why) = self.unread.or(self.fault).or(why.map(str::to_owned)) {
            return Err(why);
        }
        let answer = self.turns.split_off(question + 1);
        let questions =
            self.turns.into_iter().filter_map(|turn| if let Turn::User(text) = turn { Some(text) } else { None });
        let mut setup_prompts: Vec<String> = questions.collect();
        let mut draft = Draft { prompt: setup_prompts.pop(), setup_prompts, ..Draft::at(self.place) };
        let (mut calls, mut said): (Vec<Call>, Vec<String>) = (Vec::new(), Vec::new());
        // The calls without a result, by their ids and tools.
        let mut open: HashMap<String, VecDeque<usize>> = HashMap::new();
        for turn in answer {
            match turn {
                Turn::Assistant(text) => {
                    said.push(text);
                    continue;
                }
                Turn::Call { id, tool, input } => {
                    for name in [id, tool.clone()] {
                        open.entry(name).or_default().push_back(calls.len());
                    }
                    calls.push(Call::new(tool, input));
                }
                Turn::Result { of, output, is_error } => {
                    let mut places = std::iter::from_fn(|| open.get_mut(&of)?.pop_front());
                    if let Some(place) = places.find(|place| calls[*place].result.is_none()) {
                        calls[place].result = Some((output, is_error));
                    }
                }
                Turn::User(_) => {}
            }
            said.clear();
        }
        (draft.response, draft.calls) = (Some(said.join("\n\n")), Some(calls));
        Ok(draft)
    }
}

/// The value of a JSON text, or the value itself.
fn parsed(value: &Value) -> Value {
    value.as_str().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_else(|| value.clone())
}
