//! Chats of the AI SDK of Vercel: its `UIMessage`s, of version 5 and 6, and of version 4 with `toolInvocation`s.
//! <https://ai-sdk.dev/docs/reference/ai-sdk-core/ui-message>

use serde_json::Value;

use super::messages::{ask, collect, first_text, stopped};
use super::{Conversation, Placed};

pub(super) fn read(values: &mut dyn Iterator<Item = Placed>) -> Vec<Conversation> {
    let is_message = |value: &Value| value.get("role").is_some();
    collect(values, is_message, |conversation, value| match value.get("messages").unwrap_or(value) {
        Value::Array(messages) => messages.iter().for_each(|message| add(conversation, message)),
        message => add(conversation, message),
    })
}

fn add(conversation: &mut Conversation, message: &Value) {
    let list = |key: &str| message.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let (parts, content) = (list("parts"), first_text(message, &["content"]).unwrap_or_default());
    match first_text(message, &["role"]) {
        Some("user") => {
            let texts: Vec<&str> = parts.iter().filter_map(|part| first_text(part, &["text"])).collect();
            let text = if texts.is_empty() { content.to_owned() } else { texts.join("\n") };
            // The model does not see `data-` parts.
            let mut others = parts.iter().filter_map(|part| first_text(part, &["type"]));
            let unread = others.find(|kind| *kind != "text" && !kind.starts_with("data-"));
            let attached = list("experimental_attachments").first().map(|_| "attachment");
            ask(conversation, &text, unread.or(attached));
        }
        Some("assistant") if parts.is_empty() => {
            list("toolInvocations").iter().for_each(|invocation| tool(conversation, "", invocation));
            conversation.say(content);
        }
        Some("assistant") => parts.iter().for_each(|part| add_part(conversation, part)),
        _ => {}
    }
}

/// Adds a part of a message of the assistant.
fn add_part(conversation: &mut Conversation, part: &Value) {
    match first_text(part, &["type"]).unwrap_or_default() {
        "text" => {
            conversation.say(first_text(part, &["text"]).unwrap_or_default());
            stopped(conversation, first_text(part, &["state"]).unwrap_or_default());
        }
        "tool-invocation" => tool(conversation, "", part.get("toolInvocation").unwrap_or(part)),
        "dynamic-tool" => tool(conversation, "", part),
        "file" => conversation.fail("the answer has a part that is not text (file)"),
        kind => kind.strip_prefix("tool-").into_iter().for_each(|name| tool(conversation, name, part)),
    }
}

/// Adds a call, and its result if there is one. `name` is that of the tool, unless the call has `toolName`.
fn tool(conversation: &mut Conversation, name: &str, call: &Value) {
    let id = first_text(call, &["toolCallId"]).unwrap_or_default();
    let input = ["input", "args", "rawInput"].iter().find_map(|key| call.get(key));
    conversation.call(id, first_text(call, &["toolName"]).unwrap_or(name), input.unwrap_or(&Value::Null));
    match first_text(call, &["state"]) {
        Some("output-available") => conversation.result(id, call.get("output").unwrap_or(&Value::Null), false),
        Some("result") => conversation.result(id, call.get("result").unwrap_or(&Value::Null), false),
        Some("output-error") => conversation.result(id, call.get("errorText").unwrap_or(&Value::Null), true),
        state => stopped(conversation, state.unwrap_or_default()),
    }
}
