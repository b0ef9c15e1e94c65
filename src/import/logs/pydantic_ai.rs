//! Messages of Pydantic AI, as its `ModelMessagesTypeAdapter` writes them.
//! <https://ai.pydantic.dev/message-history/>

use serde_json::Value;

use super::messages::{ask, collect, first_text, stopped};
use super::{Conversation, Placed};

pub(super) fn read(values: &mut dyn Iterator<Item = Placed>) -> Vec<Conversation> {
    let is_message = |value: &Value| value.get("kind").is_some();
    collect(values, is_message, |conversation, value| {
        let list = ["messages", "all_messages"].iter().find_map(|key| value.get(key)).unwrap_or(value);
        match list {
            Value::Array(messages) => messages.iter().for_each(|message| add(conversation, message)),
            message => add(conversation, message),
        }
    })
}

fn add(conversation: &mut Conversation, message: &Value) {
    let (mut asked, mut unread) = (Vec::new(), None);
    for part in message.get("parts").and_then(Value::as_array).into_iter().flatten() {
        let id = first_text(part, &["tool_call_id", "tool_name"]).unwrap_or_default();
        let content = part.get("content").unwrap_or(&Value::Null);
        let is_error = matches!(first_text(part, &["outcome"]), Some("failed" | "retried"));
        match first_text(part, &["part_kind"]).unwrap_or_default() {
            "user-prompt" => {
                let items = content.as_array().map_or(std::slice::from_ref(content), Vec::as_slice);
                for item in items {
                    match (item.as_str().or_else(|| first_text(item, &["content"])), first_text(item, &["kind"])) {
                        (_, Some("cache-point")) => {}
                        (Some(text), None | Some("text-content" | "structured-content")) => asked.push(text),
                        (_, kind) => unread = unread.or(kind.or(Some("unknown"))),
                    }
                }
            }
            "text" => conversation.say(content.as_str().unwrap_or_default()),
            "tool-call" | "builtin-tool-call" => {
                let tool = first_text(part, &["tool_name"]).unwrap_or_default();
                conversation.call(id, tool, part.get("args").unwrap_or(&Value::Null));
            }
            "tool-return" | "builtin-tool-return" => conversation.result(id, content, is_error),
            "retry-prompt" if first_text(part, &["tool_name"]).is_some() => conversation.result(id, content, true),
            "retry-prompt" | "retry-feedback" => conversation.fail("an answer was rejected, and another was asked for"),
            "system-prompt" | "thinking" => {}
            kind if kind.starts_with("instruction") || kind.ends_with("-delta") => {}
            kind if first_text(message, &["kind"]) == Some("request") => unread = unread.or(Some(kind)),
            kind => conversation.fail(format!("the answer has a part that is not text ({kind})")),
        }
    }
    ask(conversation, &asked.join("\n"), unread);
    for reason in ["finish_reason", "state"].iter().filter_map(|key| first_text(message, &[key])) {
        stopped(conversation, reason);
    }
}
