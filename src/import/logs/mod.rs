//! The logs of assistants: what people asked, what was answered, and which tools were called. Each form of a log is one file, which reads
//! its conversations.

mod claude_code;
mod codex;
mod exchanges;
mod langfuse;
mod langsmith;
mod messages;
mod otlp;
#[cfg(test)]
mod tests;
mod traces;

use serde_json::Value;

use crate::foreign::Log;

use super::conversation::{Conversation, Turn};

/// A value of a log and its place: `line 3`, `element 2`. The values are the lines, the elements of the list that the file is, or the
/// whole file.
pub(super) type Placed = (String, Value);

/// The conversations of a log, in the order in which they begin.
pub(super) fn read(log: Log, values: &mut dyn Iterator<Item = Placed>) -> Vec<Conversation> {
    match log {
        Log::OpenAi | Log::Anthropic | Log::AiSdk | Log::PydanticAi => exchanges::read(values),
        Log::Otlp => otlp::read(values),
        Log::LangSmith => langsmith::read(values),
        Log::Langfuse => langfuse::read(values),
        Log::ClaudeCode => claude_code::read(values),
        Log::Codex => codex::read(values),
    }
}

/// Whether a program adds a text to those of the user: it begins with a tag that has one of these names.
fn is_added(text: &str, names: &str) -> bool {
    let name = text.trim_start().strip_prefix('<').and_then(|rest| rest.split(['>', ' ', '\n']).next());
    name.is_some_and(|name| names.split(' ').any(|it| it == name))
}
