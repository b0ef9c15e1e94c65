use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::transcript::Event;

/// Whether a tool wrote one of the events.
pub(super) fn has_tools(events: &[Event]) -> bool {
    events.iter().any(|event| event.object().and_then(tool).is_some())
}

/// The events with every tool under another name, also if the name is part of a string elsewhere in an event.
pub(super) fn renamed(events: &[Event]) -> Vec<Event> {
    let mut names = BTreeMap::new();
    for name in events.iter().filter_map(|event| event.object().and_then(tool)) {
        let next = format!("unrelated_{}", names.len() + 1);
        names.entry(name.to_owned()).or_insert(next);
    }
    let rename = |text: &str| names.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from.as_str(), to));
    events.iter().map(|event| rewritten(event, &mut |text| rename(text), &mut |_, _| {})).collect()
}

/// The events with every result a success, or every one a failure.
pub(super) fn with_success(events: &[Event], success: bool) -> Vec<Event> {
    let mut turn = |key: &str, value: &mut Value| {
        if key == "success" && value.is_boolean() {
            *value = Value::Bool(success);
        }
    };
    events.iter().map(|event| rewritten(event, &mut str::to_owned, &mut turn)).collect()
}

/// The start of a tool, as a tool logs it.
pub(super) fn start(tool: &str) -> Event {
    event(tool, "start", Value::Object(Map::new()))
}

/// A successful result of a tool, as a tool logs it.
pub(super) fn success(tool: &str) -> Event {
    event(tool, "result", Value::Object(Map::from_iter([("success".to_owned(), Value::Bool(true))])))
}

fn event(tool: &str, name: &str, data: Value) -> Event {
    Event::from_value(serde_json::json!({ "source": format!("tool.{tool}"), "event": name, "data": data }))
}

fn tool(event: &Map<String, Value>) -> Option<&str> {
    event.get("source")?.as_str()?.strip_prefix("tool.").filter(|name| !name.is_empty())
}

/// The event with every string replaced by `text(string)`, and every member passed to `member`.
fn rewritten(event: &Event, text: &mut impl FnMut(&str) -> String, member: &mut impl FnMut(&str, &mut Value)) -> Event {
    match event {
        Event::Raw(line) => Event::Raw(text(line)),
        Event::Object(_) => {
            let mut root = event.to_value();
            // A list instead of recursion: events may be nested deeper than the stack.
            let mut open = vec![&mut root];
            while let Some(value) = open.pop() {
                match value {
                    Value::String(string) => *string = text(string),
                    Value::Array(elements) => open.extend(elements),
                    Value::Object(members) => {
                        for (key, value) in members {
                            member(key, value);
                            open.push(value);
                        }
                    }
                    _ => {}
                }
            }
            // What is not rewritten keeps the spelling of its numbers.
            if root == event.to_value() { event.clone() } else { Event::from_value(root) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(lines: &[&str]) -> Vec<Event> {
        lines.iter().map(|line| Event::from_line(line)).collect()
    }

    #[test]
    fn renaming_reaches_every_string() {
        let before = events(&[
            r#"{"source":"tool.add","event":"start","data":{"call":["add","b"]}}"#,
            r#"{"source":"app","event":"add"}"#,
            "add raw",
        ]);
        let after: Vec<String> = renamed(&before).iter().map(|event| event.text().into_owned()).collect();
        assert_eq!(
            after,
            [
                r#"{"source":"tool.unrelated_1","event":"start","data":{"call":["unrelated_1","b"]}}"#,
                r#"{"source":"app","event":"unrelated_1"}"#,
                "unrelated_1 raw",
            ]
        );
    }

    #[test]
    fn failing_reaches_nested_results() {
        let before = events(&[r#"{"source":"tool.a","event":"result","data":{"r":[{"success":true}]}}"#]);
        assert_eq!(
            with_success(&before, false)[0].text(),
            r#"{"source":"tool.a","event":"result","data":{"r":[{"success":false}]}}"#
        );
        assert!(has_tools(&before) && !has_tools(&events(&["tool.a start", "{}"])));
    }
}
