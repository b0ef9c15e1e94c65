//! Messages, and requests with their responses: of OpenAI (chat completions and Responses), Anthropic (Messages), the AI SDK of Vercel
//! (`UIMessage`) and Pydantic AI (`ModelMessagesTypeAdapter`).
//! <https://ai-sdk.dev/docs/reference/ai-sdk-core/ui-message>, <https://ai.pydantic.dev/message-history/>

use std::collections::HashMap;

use serde_json::Value;

use crate::foreign::columns::snake;
use crate::foreign::log::{exchange, messages_of};

use super::{Conversation, Placed, Turn, messages};

/// The keys with which a message names its conversation, with `_` between words.
const CONVERSATIONS: [&str; 4] = ["conversation_id", "chat_id", "thread_id", "session_id"];

/// The conversations of values, each of which is a conversation or a message of one. Messages belong together if they name the same
/// conversation, or none.
pub(super) fn read(values: &mut dyn Iterator<Item = Placed>) -> Vec<Conversation> {
    let mut conversations: Vec<Conversation> = Vec::new();
    let mut known: HashMap<Option<String>, usize> = HashMap::new();
    for (place, value) in values {
        let next = conversations.len();
        let names = |(key, id): &(&String, &Value)| !id.is_null() && CONVERSATIONS.contains(&snake(key).as_str());
        let named = value.as_object().and_then(|message| message.iter().find(names)).map(|(_, id)| id.to_string());
        let is_message = matches!(messages_of(&value)[..], [only] if std::ptr::eq(only, &value));
        let index = if is_message { *known.entry(named).or_insert(next) } else { next };
        if index == next {
            conversations.push(Conversation::at(place));
        }
        add(&mut conversations[index], &value);
    }
    // Each step of an answer is a request, and the next request repeats it.
    conversations.dedup_by(|later, earlier| {
        let ends_in_call = matches!(earlier.turns.last(), Some(Turn::Call { .. }));
        let is_repeated = ends_in_call && later.turns.starts_with(&earlier.turns);
        is_repeated.then(|| std::mem::swap(earlier, later)).is_some()
    });
    conversations
}

/// Adds the messages of a request and what answers them.
fn add(conversation: &mut Conversation, value: &Value) {
    let [request, response] = exchange(value);
    conversation.ask(request["input"].as_str().unwrap_or_default());
    messages_of(value).into_iter().for_each(|message| messages::add(conversation, message));
    if response["choices"].get(1).is_some() {
        conversation.fail("the response has several choices");
    }
    let before = ["previous_response_id", "conversation"].iter().flat_map(|key| [&request[*key], &response[*key]]);
    if request.get("messages").is_none() && before.into_iter().any(|before| !before.is_null()) {
        conversation.fail("it continues a conversation that the log does not repeat");
    }
    for error in [&response["error"], &value["error"], &value["error_str"]] {
        messages::failed(conversation, error);
    }
    let choice = &response["choices"][0];
    for reason in [&choice["finish_reason"], &response["incomplete_details"]["reason"], &response["status"]] {
        messages::stopped(conversation, reason);
    }
}
