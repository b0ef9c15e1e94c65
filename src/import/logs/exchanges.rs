//! Requests and responses of the APIs of OpenAI (chat completions and Responses) and Anthropic (Messages), and lists of their messages.

use serde_json::Value;

use crate::foreign::log::{exchange, messages_of};

use super::{Conversation, Placed, Turn, messages};

pub(super) fn read(values: &mut dyn Iterator<Item = Placed>) -> Vec<Conversation> {
    let is_message = |value: &Value| matches!(messages_of(value)[..], [only] if std::ptr::eq(only, value));
    let mut conversations = messages::collect(values, is_message, add);
    // Each step of an answer is a request, and the next request repeats it.
    conversations.dedup_by(|later, earlier| {
        let ends_in_call = matches!(earlier.turns.last(), Some(Turn::Call { .. }));
        let is_repeated = ends_in_call && later.turns.starts_with(&earlier.turns);
        if is_repeated {
            std::mem::swap(earlier, later);
        }
        is_repeated
    });
    conversations
}

/// Adds the messages of a request and what answers them.
fn add(conversation: &mut Conversation, value: &Value) {
    let (request, response) = exchange(value);
    messages::ask(conversation, request.get("input").and_then(Value::as_str).unwrap_or_default(), None);
    messages_of(value).into_iter().for_each(|message| messages::add(conversation, message));
    let choices = response.get("choices").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    if choices.len() > 1 {
        conversation.fail("the response has several choices");
    }
    let before = ["previous_response_id", "conversation"].iter().flat_map(|key| [request.get(key), response.get(key)]);
    if request.get("messages").is_none() && before.flatten().any(|before| !before.is_null()) {
        conversation.fail("it continues a conversation that the log does not repeat");
    }
    let reason = choices.first().and_then(|choice| choice.get("finish_reason"));
    let details = response.get("incomplete_details").and_then(|details| details.get("reason"));
    for error in [response.get("error"), value.get("error"), value.get("error_str")] {
        messages::failed(conversation, error);
    }
    for reason in [reason, details, response.get("status")].into_iter().flatten().filter_map(Value::as_str) {
        messages::stopped(conversation, reason);
    }
}
