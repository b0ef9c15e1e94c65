//! A conversation that took place, in the form that all logs become.

use serde_json::{Map, Value};

/// A conversation with an assistant.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Conversation {
    /// Where it is in its file: `line 3`, `trace 5b8e`.
    pub(super) place: String,
    /// What was said and done, in order.
    pub(super) turns: Vec<Turn>,
    /// Why the answer to the last question is not whole: `the answer was cut off (length)`.
    pub(super) fault: Option<String>,
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
        is_error: bool,
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
        let parsed = input.as_str().and_then(|text| serde_json::from_str(text).ok());
        let input = match parsed.unwrap_or_else(|| input.clone()) {
            Value::Null => Value::Object(Map::new()),
            input => input,
        };
        self.turns.push(Turn::Call { id: id.to_owned(), tool: tool.to_owned(), input });
    }

    /// A tool returns something. `of` is the id of its call, or the name of the tool. `output` is a value, or its JSON as a text.
    pub(super) fn result(&mut self, of: &str, output: &Value, is_error: bool) {
        let parsed = output.as_str().and_then(|text| serde_json::from_str(text).ok());
        let output = parsed.unwrap_or_else(|| output.clone());
        self.turns.push(Turn::Result { of: of.to_owned(), output, is_error });
    }

    /// Notes why the answer to the last question is not whole. The first reason counts.
    pub(super) fn fail(&mut self, why: impl Into<String>) {
        self.fault.get_or_insert(why.into());
    }
}
